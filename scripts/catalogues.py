"""Keeps the translation catalogues in step with the texts in the code.

A text is recognised by the call that translates or marks it (see ``data.texts`` and
``cogs.gateway.translator``)::

    say("It is {name}'s turn.", name=name)      say.plural("{n} stone", "{n} stones", n)
    N_("There is already a stone on {square}.")  L_("Place a stone")  name_("place")

A file belongs to a game if its name, or that of one of its folders, begins with the game's name. A
text that occurs only in files of one game belongs to the catalogue of that game, every other text
to ``house.po``. The texts of lessons and rules are found by their keys.
"""

from __future__ import annotations

import argparse
import ast
import io
import string
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileParser, write_po

from data.texts import LANGUAGES, NAME_CONTEXT, SOURCE

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ("games", "render", "play", "data", "cogs", "bot.py")
HOUSE: Final = "house"
"""The catalogue of all texts that do not belong to a single game."""

MARKS: Final = {"say": None, "N_": None, "NN_": None, "L_": None, "name_": NAME_CONTEXT}
"""For each function that translates or marks texts, the context of these texts."""

DATA_TEXTS: Final = frozenset({"aim", "title", "idea", "task", "right", "text", "open"})
"""The keys of texts in a lesson (``play.lessons``) or in rules (``play.rules``)."""

Key = tuple[str, str | None, str]
"""The place of a text in the catalogues: domain, context, English text."""


@dataclass(slots=True)
class Text:
    """A text to translate.

    :param places: file, relative to the root, and line of every occurrence; in a lesson or in
        rules, the number of the text instead of the line.
    """

    context: str | None
    one: str
    many: str | None = None
    places: list[tuple[str, int]] = field(default_factory=list)

    @property
    def forms(self) -> tuple[str, ...]:
        """The English text, or its singular and its plural."""
        return (self.one,) if self.many is None else (self.one, self.many)


# --------------------------------------------------------------- the texts in the code
class Code:
    """All texts of the code by key, and the ``faults`` found while collecting them."""

    def __init__(self, root: Path) -> None:
        self.faults: list[str] = []
        self._root = root
        self._texts: dict[tuple[str | None, str], Text] = {}
        self._games = {
            path.stem
            for path in (root / "games").iterdir()
            if path.stem
            not in {"__init__", "__pycache__", "absent", "engine", "players", "records"}
        }
        for path in _python_files(root):
            self._read(path)
        for folder in ("lessons", "rules"):
            for path in sorted((root / "data" / folder).glob("*.toml")):
                self._read_data(path)

    def texts(self) -> dict[Key, Text]:
        """Return all texts, in the order of the code."""
        ordered = sorted(self._texts.values(), key=lambda text: min(text.places))
        return {(self._domain(text), text.context, text.one): text for text in ordered}

    def _domain(self, text: Text) -> str:
        owners = {self._owner(file) for file, _ in text.places}
        return owners.pop() if len(owners) == 1 else HOUSE

    def _owner(self, file: str) -> str:
        """Return the game that a file belongs to; ``HOUSE`` if it belongs to none."""
        stems = [Path(part).stem for part in Path(file).parts]
        owners = [game for game in self._games for stem in stems if stem.startswith(game)]
        return max(owners, key=len, default=HOUSE)

    def _read(self, path: Path) -> None:
        file = path.relative_to(self._root).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=file)):
            if isinstance(node, ast.Call):
                self._read_call(node, file)

    def _read_data(self, path: Path) -> None:
        """Collect the texts of a lesson or of rules, in order."""
        file = path.relative_to(self._root).as_posix()
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
        for number, text in enumerate(_told(plain)):
            self._add(Text(None, text, None, [(file, number)]))

    def _read_call(self, call: ast.Call, file: str) -> None:
        name = _called(call.func)
        if name is None or not call.args:
            return
        place = (file, call.lineno)
        plural = name == "plural"
        for message in call.args[1:] if name == "NN_" else ():
            for text in self._literals(message, place):
                self._add(Text(None, text, None, [place]))
        for one in self._literals(call.args[0], place):
            for many in self._literals(call.args[1], place) if plural else [None]:
                self._add(Text(None if plural else MARKS[name], one, many, [place]))
                if name in {"say", "plural"}:
                    self._check_values(call, one, many, place)

    def _literals(self, argument: ast.expr, place: tuple[str, int]) -> list[str]:
        """Return every text that an argument may stand for; none if it is marked elsewhere."""
        match argument:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp(body=body, orelse=orelse):
                return self._literals(body, place) + self._literals(orelse, place)
            case ast.JoinedStr() | ast.BinOp():
                self._fault(place, "a text must be a literal: its parts cannot be translated")
        return []

    def _add(self, text: Text) -> None:
        known = self._texts.setdefault((text.context, text.one), text)
        if known is text:
            return
        known.places += text.places
        if known.many and text.many and known.many != text.many:
            self._fault(text.places[0], f"{text.one!r} has another plural elsewhere")
        known.many = known.many or text.many

    def _check_values(
        self, call: ast.Call, one: str, many: str | None, place: tuple[str, int]
    ) -> None:
        """Record a fault for each placeholder for which the call gives no value."""
        given = {keyword.arg for keyword in call.keywords}
        if None in given:  # **values
            return
        try:
            needed = _placeholders(one) | _placeholders(many or "")
        except ValueError as error:
            self._fault(place, f"{one!r}: {error}")
            return
        for missing in sorted(needed - given - ({"n"} if many is not None else set())):
            self._fault(place, f"{one!r}: no value for {{{missing}}}")

    def _fault(self, place: tuple[str, int], words: str) -> None:
        self.faults.append(f"{place[0]}:{place[1]}: {words}")


def _told(plain: Any) -> Iterator[str]:
    """Yield the texts for people in a lesson or in rules."""
    if isinstance(plain, list):
        for item in plain:
            yield from _told(item)
    elif isinstance(plain, dict):
        for key, value in plain.items():
            if key == "texts":
                for text in value:
                    yield from [text] if isinstance(text, str) else _told(text)
            elif key in DATA_TEXTS:
                yield value
            else:
                yield from _told(value)


def _python_files(root: Path) -> Iterator[Path]:
    for name in SOURCES:
        path = root / name
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from sorted(path.rglob("*.py"))


def _called(function: ast.expr) -> str | None:
    """Return the name of the function that translates or marks a text: "say" for ``say()`` and
    ``scene.say()``, and for the last call in ``bot.say(interaction)()``; None if it is none of
    these functions.
    """
    match function:
        case ast.Call(func=ast.Attribute(attr="say") | ast.Name(id="say" | "texts")):
            return "say"
        case ast.Attribute(attr="plural", value=ast.Name(id="say") | ast.Attribute(attr="say")):
            return "plural"
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in MARKS:
            return name
    return None


def _placeholders(text: str) -> set[str]:
    """Return the placeholders of a text.

    :raises ValueError: its braces do not match.
    """
    names = (name for _, name, _, _ in string.Formatter().parse(text) if name is not None)
    return {name.split(".")[0].split("[")[0] for name in names}


# ------------------------------------------------------------------------ the catalogues
class _Entries(Catalog):
    """A catalogue that keeps every entry of a file, including duplicates."""

    def __init__(self, language: str) -> None:
        super().__init__(locale=language, charset="utf-8")
        self.entries: list[Message] = []

    def __setitem__(self, id: object, message: Message) -> None:  # noqa: A002 - Babel's name
        if message.id:
            self.entries.append(message)


def read_catalogues(folder: Path, language: str) -> list[tuple[str, Message]]:
    """Return all entries of a language's catalogues, with their domains."""
    found: list[tuple[str, Message]] = []
    for path in sorted(folder.glob("*.po")):
        catalogue = _Entries(language)
        with path.open("rb") as file:
            PoFileParser(catalogue, ignore_obsolete=True).parse(file)
        found += [(path.stem, message) for message in catalogue.entries]
    return found


def _translated_languages() -> list[str]:
    return [language for language in LANGUAGES if language != SOURCE]


def _folder(root: Path, language: str) -> Path:
    return root / "data" / "texts" / language


def _quoted(context: str | None, one: str) -> str:
    return repr(one) if context is None else f"{one!r} ({context})"


def _one(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def _translated(text: Text, message: Message) -> bool:
    forms = _forms(message)
    return len(forms) == len(text.forms) and all(forms)


def update(root: Path, domains: Sequence[str] = ()) -> list[str]:
    """Rewrite the catalogues: add what is new, remove what is unused, keep all other translations.

    :param domains: rewrite these catalogues only.
    :returns: the texts that still lack a translation, and the faults in the code.
    """
    code = Code(root)
    texts = code.texts()
    missing = list(code.faults)
    for language in _translated_languages():
        folder = _folder(root, language)
        folder.mkdir(parents=True, exist_ok=True)
        entries = read_catalogues(folder, language)
        for domain in sorted({key[0] for key in texts} | {domain for domain, _ in entries}):
            if domains and domain not in domains:
                continue
            catalogue = Catalog(locale=language, charset="utf-8")
            for key, text in texts.items():
                if key[0] == domain:
                    _take_over(catalogue, text, entries)
            missing += [
                f"{language}/{domain}.po: untranslated: {_quoted(message.context, _one(message))}"
                for message in catalogue
                if message.id and not all(_forms(message))
            ]
            _write(folder / f"{domain}.po", catalogue)
    return missing


def _take_over(catalogue: Catalog, text: Text, entries: Sequence[tuple[str, Message]]) -> None:
    """Add a text, with the translation and comment that it may already have in any domain."""
    known = next(
        (
            message
            for _, message in entries
            if (message.context, _one(message)) == (text.context, text.one)
            and _translated(text, message)
        ),
        None,
    )
    forms = ("",) * len(text.forms) if known is None else _forms(known)
    catalogue.add(
        text.one if text.many is None else text.forms,
        forms[0] if text.many is None else forms,
        locations=[(file, 0) for file in sorted({file for file, _ in text.places})],
        user_comments=() if known is None else known.user_comments,
        context=text.context,
    )


def _write(path: Path, catalogue: Catalog) -> None:
    if len(catalogue) == 0:
        path.unlink(missing_ok=True)
        return
    body = io.BytesIO()
    write_po(body, catalogue, width=100, omit_header=True, include_lineno=False)
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {catalogue.locale}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    path.write_bytes(header.encode() + body.getvalue())


# -------------------------------------------------------------------------------- faults
def check(root: Path, domains: Sequence[str] = ()) -> list[str]:
    """Return all faults of the texts and their translations, in words.

    :param domains: check these catalogues only.
    """
    code = Code(root)
    faults = list(code.faults)
    texts = code.texts()
    for language in _translated_languages():
        entries = read_catalogues(_folder(root, language), language)
        for domain in sorted({key[0] for key in texts} | {domain for domain, _ in entries}):
            if not domains or domain in domains:
                found = _faults(texts, entries, domain, complete=LANGUAGES[language].complete)
                faults += [f"{language}/{domain}.po: {fault}" for fault in found]
    return faults


def coverage(root: Path) -> dict[str, float]:
    """Return the share of texts that each translated language has, from 0 to 1."""
    texts = Code(root).texts()
    shares = {}
    for language in _translated_languages():
        entries = read_catalogues(_folder(root, language), language)
        known = {(domain, message.context, _one(message)): message for domain, message in entries}
        done = sum(key in known and _translated(text, known[key]) for key, text in texts.items())
        shares[language] = done / len(texts)
    return shares


def _faults(
    texts: dict[Key, Text],
    entries: Sequence[tuple[str, Message]],
    domain: str,
    *,
    complete: bool,
) -> Iterator[str]:
    """Yield the faults of one catalogue.

    :param complete: whether an untranslated text is a fault.
    """
    everywhere = Counter((message.context, _one(message)) for _, message in entries)
    here = {
        (message.context, _one(message)): message for owner, message in entries if owner == domain
    }
    wanted = {key[1:]: text for key, text in texts.items() if key[0] == domain}
    for key, text in wanted.items():
        if complete and (key not in here or not _translated(text, here[key])):
            yield f"untranslated: {_quoted(*key)}"
    for key, message in here.items():
        if key not in wanted:
            yield f"unused: {_quoted(*key)}"
            continue
        if everywhere[key] > 1:
            yield f"duplicated: {_quoted(*key)}"
        if message.fuzzy:
            yield f"fuzzy: {_quoted(*key)}"
        if _translated(wanted[key], message):
            yield from _differing(wanted[key], message)


def _differing(text: Text, message: Message) -> Iterator[str]:
    """Yield a fault for each form of a translation whose placeholders differ from those of its
    text.

    A singular need not repeat its number ("one stone").
    """
    for english, form in zip(text.forms, _forms(message), strict=True):
        try:
            said, meant = _placeholders(form), _placeholders(english)
        except ValueError as error:
            yield f"placeholders: {form!r}: {error}"
            continue
        if english is text.one and text.many is not None:
            said, meant = said | {"n"}, meant | {"n"}
        if said != meant:
            yield f"placeholders: {form!r} for {english!r}"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description="Bring the catalogues in line with the texts in the code, keeping every "
        "translation, and list what is still to be translated."
    )
    parser.add_argument("domain", nargs="*", help="only these catalogues (lancelot, house)")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 on any fault")
    options = parser.parse_args()
    faults = (check if options.check else update)(ROOT, options.domain)
    for fault in faults:
        sys.stdout.write(fault + "\n")
    for language, share in coverage(ROOT).items():
        sys.stdout.write(f"{language}: {share:.0%} translated\n")
    return 1 if options.check and faults else 0
