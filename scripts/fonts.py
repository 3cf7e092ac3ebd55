"""Make the fallback fonts for names that our own fonts cannot draw, from Debian and npm packages.

They are reduced to the characters of ``FONTS``, so that all of them fit into 6 MiB, and the result
is reproducible. Needs apt-get with the sources of Debian 12, npm, and uv's cache or network access.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TARGET: Final = Path(__file__).resolve().parent.parent / "data" / "fonts" / "fallback"
LICENCE: Final = TARGET.parent / "OFL-Inter.txt"
"""The licence file whose text, except for its first line, applies to all fonts."""

FONTTOOLS: Final = "fonttools==4.61.0"
"""Pinned, because another version may write other bytes. Only this script needs it, so uv fetches
it on demand.
"""


@dataclass(frozen=True, slots=True)
class Package:
    """Where fonts come from.

    :param fetch: the command that downloads it into the current folder.
    :param sha256: the hash of the download.
    """

    fetch: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """A font, and the part of it to keep.

    :param file: its path in the package.
    :param rights: its copyright notice.
    :param characters: as pyftsubset's ``--unicodes``: numbers and ranges in hexadecimal.
    :param shaped: whether its script needs the font's rules for joining and placing letters.
    :param face: its index in a collection.
    """

    package: Package
    file: str
    rights: str
    characters: str
    shaped: bool = True
    face: int = 0


def _double_bytes(codec: str) -> set[str]:
    """Return all characters that an encoding for Chinese, Japanese or Korean writes with two
    bytes.
    """
    pairs = (bytes([first, last]) for first in range(0x81, 0xFF) for last in range(0x40, 0xFF))
    return {character for pair in pairs for character in pair.decode(codec, "ignore")}


def _east_asian() -> str:
    """Return kana, hangul, the Chinese characters in the classic encodings of China, Taiwan, Japan
    and Korea, and some newer ones that occur in names.
    """
    known = set().union(*map(_double_bytes, ("gb2312", "cp950", "cp932", "euc_kr")))
    known |= set("赟祎镕旸玚瑢翚堃喆峯栢煊珺玥頔甯玹珅叡昇")
    han = {c for c in known if "\u4e00" <= c <= "\u9fff" or "\ufa0e" <= c <= "\ufa29"}
    numbers = ",".join(f"{ord(c):x}" for c in sorted(han))
    return f"3001-303f,3041-30ff,3131-318e,31f0-31ff,ac00-d7a3,{numbers}"


CORE: Final = Package(
    ("apt-get", "--quiet", "download", "fonts-noto-core=20201225-1"),
    "58f4f0bb6720f919f92096b3508e1412a0f1544424ade6c5b5bf1eb694dd64ba",
)
CJK: Final = Package(
    ("apt-get", "--quiet", "download", "fonts-noto-cjk=1:20220127+repack1-1"),
    "4a2515eb6db3978b897fef9709ed0d2b1f4c6c4df4d83d6c4ef65f71f1b1f502",
)
EMOJI: Final = Package(
    ("npm", "pack", "--silent", "@expo-google-fonts/noto-emoji@0.4.7"),
    "6a25fd5a4da5bb34bbc2d300531bbf32de86afd866e119314d7e358f61a6104d",
)
NOTO: Final = "usr/share/fonts/truetype/noto"

FONTS: Final = {
    "NotoSansHebrew-Bold.ttf": Source(
        CORE, f"{NOTO}/NotoSansHebrew-Bold.ttf", "Copyright 2019 Google Inc.", "590-5ff"
    ),
    "NotoSansArabic-Bold.ttf": Source(
        CORE,
        f"{NOTO}/NotoSansArabic-Bold.ttf",
        "Copyright 2015-2020 Google LLC",
        "600-6ff,750-77f,200c,200d",
    ),
    "NotoSansDevanagari-Bold.ttf": Source(
        CORE,
        f"{NOTO}/NotoSansDevanagari-Bold.ttf",
        "Copyright 2015 Google Inc.",
        "900-97f,200c,200d,25cc",
    ),
    "NotoSansThai-Bold.ttf": Source(
        CORE, f"{NOTO}/NotoSansThai-Bold.ttf", "Copyright 2016 Google Inc.", "e00-e7f"
    ),
    "NotoSansArmenian-Bold.ttf": Source(
        CORE, f"{NOTO}/NotoSansArmenian-Bold.ttf", "Copyright 2015-2019 Google LLC", "530-58f"
    ),
    "NotoSansGeorgian-Bold.ttf": Source(
        CORE, f"{NOTO}/NotoSansGeorgian-Bold.ttf", "Copyright 2019 Google LLC", "10a0-10ff"
    ),
    "NotoSansCJKsc-Bold.otf": Source(
        CJK,
        "usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
        "© 2014-2021 Adobe (http://www.adobe.com/)",
        _east_asian(),
        shaped=False,
        face=2,
    ),
    "NotoEmoji-Bold.ttf": Source(
        EMOJI,
        "package/700Bold/NotoEmoji_700Bold.ttf",
        "Copyright 2013-2026 Google LLC",
        "2000-1f1e5,1f200-1f3fa,1f400-1ffff",  # without flag letters and skin tones
        shaped=False,
    ),
    "NotoSansSymbols2-Regular.ttf": Source(
        CORE,
        f"{NOTO}/NotoSansSymbols2-Regular.ttf",
        "Copyright 2017 Google Inc.",
        "2600-27bf",
        shaped=False,
    ),
}
"""The fonts by file name."""


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="scripts/fonts", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="only check whether the fonts would stay the same"
    )
    only_check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        made = cut_fonts(Path(folder))
    if only_check:
        other = [name for name, data in made.items() if (TARGET / name).read_bytes() != data]
        print(*(f"{name} differs" for name in other), sep="\n")
        return bool(other)
    TARGET.mkdir(exist_ok=True)
    for name, data in made.items():
        (TARGET / name).write_bytes(data)
    print(f"{sum(map(len, made.values())) / 2**20:.2f} MiB in {TARGET}")
    return 0


def cut_fonts(folder: Path) -> dict[str, bytes]:
    """Make all fonts, and their licence file.

    :param folder: an empty folder to work in.
    :returns: the contents of the files by name.
    """
    unpacked = {package: _unpacked(package, folder) for package in (CORE, CJK, EMOJI)}
    made = {}
    for name, source in FONTS.items():
        font = folder / name
        _subset(unpacked[source.package] / source.file, source, font)
        made[name] = font.read_bytes()
    _, _, terms = LICENCE.read_text(encoding="utf-8").partition("\n")
    rights = (f"{name}: {source.rights}" for name, source in FONTS.items())
    made["OFL.txt"] = "\n".join([*rights, terms]).encode()
    return made


def _unpacked(package: Package, folder: Path) -> Path:
    """Return the folder with the contents of a package."""
    inside = Path(tempfile.mkdtemp(dir=folder))
    _run(package.fetch, inside)
    (archive,) = inside.iterdir()
    if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise ValueError(f"{archive.name} is not the one that the fonts were made from")
    if archive.suffix == ".deb":
        _run(("dpkg-deb", "--extract", archive.name, "."), inside)
    else:
        _run(("tar", "--extract", "--file", archive.name), inside)
    return inside


def _subset(font: Path, source: Source, target: Path) -> None:
    wanted = target.with_suffix(".txt")
    wanted.write_text(source.characters)
    _run(_command(font, source, wanted, target), target.parent)


def _command(font: Path, source: Source, wanted: Path, target: Path) -> Iterable[str]:
    yield from (sys.executable, "-m", "uv", "tool", "run", "--quiet", "--from", FONTTOOLS)
    yield from ("pyftsubset", str(font), f"--font-number={source.face}")
    yield from (f"--unicodes-file={wanted}", f"--output-file={target}")
    yield from ("--no-hinting", "--name-IDs=0,1,2,5,13,14", "--drop-tables+=vhea,vmtx,VORG,BASE")
    if not source.shaped:
        yield "--layout-features="


def _run(command: Iterable[str], folder: Path) -> None:
    subprocess.run(tuple(command), cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
