"""The pages about external games agree with the code."""

from __future__ import annotations

import re

from games.engine import CONTRACT
from tests.outside import surface
from tests.outside.environment import EXAMPLES, ROOT

PAGES = ROOT / "docs" / "games"

SURFACES = {1: "a56d2cf85fdbb3c1"}
"""The digest of all public names and signatures, by version of the contract."""

BLOCK = re.compile(r"^`(foxes/[\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A code block of the tutorial that shows a file."""


def bare(text: str) -> list[str]:
    """The non-blank lines of a text."""
    return [line for line in text.splitlines() if line.strip()]


def test_the_reference_has_every_public_module() -> None:
    """The page only lists the modules; the site adds their names, signatures and docstrings."""
    page = (PAGES / "reference.md").read_text("utf-8")
    assert tuple(re.findall(r"^::: (\S+)$", page, re.MULTILINE)) == surface.MODULES


def test_the_public_surface_changes_only_with_the_contract() -> None:
    """A change to the public surface raises CONTRACT, unless every game that satisfies the old
    contract also satisfies the new one; then only the digest noted here changes.
    """
    assert surface.digest() == SURFACES[CONTRACT]


def test_the_tutorial_makes_the_example() -> None:
    """The tutorial's blocks, pasted one after another, are exactly the files of the example."""
    files: dict[str, str] = {}
    for file, text in BLOCK.findall((PAGES / "tutorial.md").read_text("utf-8")):
        files[file] = files.get(file, "") + text
    folder = ROOT / "examples" / "foxes"
    kept = [file for file in (folder / "foxes").rglob("*.*") if file.suffix in {".py", ".po"}]
    assert set(files) == {file.relative_to(folder).as_posix() for file in kept}
    for file, text in files.items():
        assert bare(text) == bare((folder / file).read_text("utf-8")), file


def test_every_python_or_toml_block_of_the_guide_is_quoted_from_an_example() -> None:
    sources = [
        "\n".join(bare(file.read_text("utf-8")))
        for example in EXAMPLES
        for file in example.rglob("*.*")
        if file.suffix in {".py", ".toml"}
    ]
    guide = (PAGES / "README.md").read_text("utf-8")
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        quoted = "\n".join(bare(block))
        assert any(quoted in source for source in sources), block
