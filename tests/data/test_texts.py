"""Texts in every language, and the tool that keeps the catalogues in step with the code."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import cast

import pytest
from babel.messages.pofile import read_po

import data.texts
from data.texts import (
    LANGUAGES,
    N_,
    NAME_CONTEXT,
    SOURCE,
    Language,
    Texts,
    language_of,
    read_texts,
    texts,
)
from scripts.catalogues import ROOT, check, coverage, update

LABEL = 45
"""A text of at most this many characters in English and German counts as a label. This is Discord's
limit for the title of a form.
"""

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'


# ------------------------------------------------------------------------------- translating
@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Texts]:
    """German with two small catalogues of its own."""
    folder = tmp_path / "de"
    folder.mkdir()
    (folder / "house.po").write_text(
        HEADER
        + 'msgid "It is {name}\'s turn."\nmsgstr "{name} ist am Zug."\n\n'
        + 'msgid "{n} stone"\nmsgid_plural "{n} stones"\n'
        + 'msgstr[0] "{n} Stein"\nmsgstr[1] "{n} Steine"\n\n'
        + 'msgid "place"\nmsgstr "Platz"\n\n'
        + 'msgctxt "name"\nmsgid "place"\nmsgstr "setzen"\n\n'
        + '#, fuzzy\nmsgid "Leave"\nmsgstr "Kommen"\n',
        encoding="utf-8",
    )
    (folder / "lancelot.po").write_text(HEADER + 'msgid "King"\nmsgstr "König"\n', encoding="utf-8")
    monkeypatch.setattr(data.texts, "CATALOGUES", tmp_path)
    texts.cache_clear()
    yield texts("de")
    texts.cache_clear()


def test_english_is_the_source() -> None:
    say = texts("en")
    assert say("It is {name}'s turn.", name="Ann") == "It is Ann's turn."
    assert say.plural("{n} stone", "{n} stones", 1) == "1 stone"
    assert say.plural("{n} stone", "{n} stones", 0) == "0 stones"
    assert say.named("place") == "place"


def test_german_comes_from_all_catalogues(german: Texts) -> None:
    assert german("It is {name}'s turn.", name="Ann") == "Ann ist am Zug."
    assert german("King") == "König"


def test_german_plurals_follow_the_number(german: Texts) -> None:
    forms = [german.plural("{n} stone", "{n} stones", n) for n in (0, 1, 2)]
    assert forms == ["0 Steine", "1 Stein", "2 Steine"]


def test_names_are_not_words(german: Texts) -> None:
    """A name that people type may be translated differently from the same word in a sentence."""
    assert (german("place"), german.named("place")) == ("Platz", "setzen")


def test_an_untranslated_text_stays_english(german: Texts) -> None:
    assert german("Not there, {name}.", name="Ann") == "Not there, Ann."
    assert german("Leave") == "Leave"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_placeholder_without_a_value_raises_an_error(language: str) -> None:
    say = texts(language)
    with pytest.raises(KeyError):
        say("It is {name}'s turn, {other}.", name="Ann")
    with pytest.raises(KeyError):
        say.plural("{n} stone of {name}", "{n} stones of {name}", 2)


def test_braces_in_values_are_harmless() -> None:
    assert texts("en")("Hello {name}", name="{n}") == "Hello {n}"


def test_lists_are_joined_as_the_language_does() -> None:
    assert texts("en").list(["a", "b", "c"]) == "a, b and c"
    assert texts("de").list(["a", "b", "c"]) == "a, b und c"
    assert texts("en").list(["a", "b"], choice=True) == "a or b"
    assert texts("de").list(["a", "b"], choice=True) == "a oder b"
    assert texts("en").list(["a"]) == "a"
    assert texts("en").list([]) == ""


@pytest.mark.parametrize(
    ("items", "choice", "told"),
    [
        (["Ana", "Ben", "Isolda"], False, "Ana, Ben e Isolda"),
        (["H6", "**I10**"], False, "H6 e **I10**"),
        (["Ana", "Hilario"], False, "Ana e Hilario"),
        (["agua", "hielo"], False, "agua y hielo"),
        (["Isolda", "Ana"], False, "Isolda y Ana"),
        (["7", "8"], True, "7 u 8"),
        (["10", "11"], True, "10 u 11"),
        (["100", "110"], True, "100 o 110"),
        (["Ana", "Omar"], True, "Ana u Omar"),
        (["Ana", "Omar"], False, "Ana y Omar"),
        (["<#7>", "<#8>"], True, "<#7> o <#8>"),
        (["Isolda"], False, "Isolda"),
        ([], True, ""),
    ],
)
def test_spanish_conjunctions_change_before_their_own_sound(
    items: list[str], choice: bool, told: str
) -> None:
    """Only the conjunction before the last item changes, and not before a diphthong."""
    assert texts("es").list(items, choice=choice) == told


def test_numbers_follow_the_format_of_the_language() -> None:
    assert texts("en").number(1234.5) == "1,234.5"
    assert texts("de").number(1234.5) == "1.234,5"
    assert texts("de").number(-3) == "−3"
    assert texts("es").number(1234.5) == "1234,5"
    assert texts("es").number(12345) == "12.345"


@pytest.mark.parametrize(
    ("language", "short", "full"),
    [
        ("en", "1 January", "Friday, 1 January 2027"),
        ("de", "1. Januar", "Freitag, 1. Januar 2027"),
        ("fr", "1er janvier", "vendredi 1er janvier 2027"),
        ("es", "1 de enero", "viernes, 1 de enero de 2027"),
    ],
)
def test_the_first_of_a_month_is_an_ordinal_in_french(language: str, short: str, full: str) -> None:
    say = texts(language)
    assert (say.short_day(date(2027, 1, 1)), say.day(date(2027, 1, 1))) == (short, full)
    assert "1er" not in say.short_day(date(2027, 1, 11))


def test_days_and_numbers_follow_the_language_but_ids_stay_bare() -> None:
    assert texts("en").day(date(2026, 12, 3)) == "Thursday, 3 December 2026"
    assert texts("de").day(date(2026, 12, 3)) == "Donnerstag, 3. Dezember 2026"
    assert texts("en")("{n} of {all}", n=-3, all=1004) == "−3 of 1,004"
    assert texts("de").plural("{n} point", "{n} points", 1004) == "1.004 Punkte"
    person = 210987654321098765
    told = texts("en")("<@{person}> in <#{place}>: {n}", person=person, place=person, n=12345)
    assert told == f"<@{person}> in <#{person}>: 12,345"


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("de_CH", "de"),
        ("DE", "de"),
        ("en-US", "en"),
        ("en-GB", "en"),
        ("fr-CA", "fr"),
        ("it", "en"),
        ("den", "en"),
        ("", "en"),
    ],
)
def test_a_locale_leads_to_its_language_or_else_to_english(locale: str, language: str) -> None:
    assert language_of(locale) == language


def test_an_unsupported_language_falls_back_to_english(tmp_path: Path) -> None:
    assert texts("it").language == "en"
    with pytest.raises(ValueError, match="it"):
        read_texts("it", tmp_path)


def test_texts_are_made_once() -> None:
    assert texts("de") is texts("de")
    assert texts("de").language == "de"


def test_mark_returns_its_text() -> None:
    assert N_("King") == "King"


@pytest.fixture
def italian(monkeypatch: pytest.MonkeyPatch) -> None:
    """An additional language, registered in one line."""
    languages = cast("dict[str, Language]", LANGUAGES)
    monkeypatch.setitem(languages, "it", Language("Italiano", "it"))


@pytest.mark.usefixtures("italian")
def test_a_language_is_one_folder_and_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    folder.mkdir()
    (folder / "house.po").write_text(
        HEADER
        + 'msgid "King"\nmsgstr "Re"\n\n'
        + 'msgid "{n} stone"\nmsgid_plural "{n} stones"\n'
        + 'msgstr[0] "{n} pietra"\nmsgstr[1] "{n} pietre"\n',
        encoding="utf-8",
    )
    say = read_texts("it", tmp_path)
    assert [say("King"), say("Queen")] == ["Re", "Queen"]
    assert [say.plural("{n} stone", "{n} stones", n) for n in (0, 1, 2)] == [
        *("0 pietre", "1 pietra", "2 pietre")
    ]
    assert say.list(["a", "b", "c"]) == "a, b e c"
    assert say.number(1.5) == "1,5"
    assert language_of("it-CH") == "it"
    assert say.language == "it"
    assert LANGUAGES["it"].name == "Italiano"


# --------------------------------------------------------------------------- catalogues
@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != SOURCE])
def test_labels_are_short_in_every_language(language: str) -> None:
    """Names that people type are valid names for Discord."""
    for german in (ROOT / "data/texts/de").glob("*.po"):
        with (
            german.open("rb") as known,
            (ROOT / f"data/texts/{language}/{german.name}").open("rb") as file,
        ):
            catalogue = read_po(file, locale=language)
            for text in read_po(known, locale="de"):
                message = catalogue.get(text.id, text.context) if text.id else None
                if message is None or not isinstance(message.string, str):
                    continue
                if text.context == NAME_CONTEXT:
                    assert re.fullmatch(r"[-_\w]{0,32}", message.string), message.string
                    assert message.string == message.string.lower() or str(text.id).istitle()
                elif max(len(str(text.id)), len(str(text.string))) <= LABEL:
                    assert len(message.string) <= LABEL * 4 // 3, message.string


@pytest.mark.slow("catalogues")
def test_german_cards_are_led_only_when_they_lead() -> None:
    """*Ausspielen* means leading to a trick; any other card is played: *spielen*."""
    leading = re.compile(
        r"ausspiel|ausgespielt|auszuspielen|\b[Ss]pielt?e?\b[^.:;]*\baus(?=[.,;]| oder)"
    )
    with (ROOT / "data/texts/de/twilight.po").open("rb") as file:
        german = read_po(file)
    led = [text.id for text in german if leading.search(str(text.string))]
    assert len(led) > 5
    assert [text for text in led if "lead" not in text] == []


CODE = """
LATER = N_("later")

def tell(say, scene, flag, name, **values):
    say("hello {name}", name=name)
    scene.say.plural("{n} stone of {name}", "{n} stones of {name}", 3, name=name)
    scene.say("won" if flag else "lost")
    say(LATER, **values)
    say("outer {inner}", inner=say("inner"))
    scene.say(name)("for {name}", name=name)
"""

GAME_CODE = 'def tell(say):\n    say("King")\n    say("inner")\n    say("both games")\n'

OTHER_GAME_CODE = 'def tell(say):\n    say("both games")\n'

COMMANDS = 'group(name=name_("place"), description=L_("Place a stone"))\n'

HOUSE_PO = """
msgid "later"
msgstr "spaeter"

msgid "hello {name}"
msgstr "hallo {name}"

msgid "{n} stone of {name}"
msgid_plural "{n} stones of {name}"
msgstr[0] "ein Stein von {name}"
msgstr[1] "{n} Steine von {name}"

msgid "won"
msgstr "gewonnen"

msgid "lost"
msgstr "verloren"

msgid "for {name}"
msgstr "fuer {name}"

msgid "outer {inner}"
msgstr "aussen {inner}"

msgid "inner"
msgstr "innen"

msgid "both games"
msgstr "beide Spiele"

msgctxt "name"
msgid "place"
msgstr "setzen"

msgid "Place a stone"
msgstr "Einen Stein setzen"
"""

GAME_PO = '\n# the piece, not a card\nmsgid "King"\nmsgstr "Koenig"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with two games, fully translated into its only language, German."""
    languages = cast("dict[str, Language]", LANGUAGES)
    for language in reversed(list(LANGUAGES)):  # so that undoing restores their order
        if language not in ("en", "de"):
            monkeypatch.delitem(languages, language)
    for file, text in {
        "games/engine.py": "",
        "games/lancelot.py": "",
        "play/table.py": CODE,
        "games/isis.py": "",
        "render/lancelot_board.py": GAME_CODE,
        "render/isis/board.py": OTHER_GAME_CODE,
        "cogs/table.py": COMMANDS,
        "data/texts/de/house.po": HEADER + HOUSE_PO,
        "data/texts/de/lancelot.po": HEADER + GAME_PO,
    }.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_complete_project_has_no_faults(project: Path) -> None:
    assert check(project) == []


FAULTS_IN_CATALOGUES = [
    ("house", 'msgstr "spaeter"', 'msgstr ""', "house.po: untranslated: 'later'"),
    ("house", 'msgstr[1] "{n} Steine', 'msgstr[2] "{n} Steine', "untranslated: '{n} stone of"),
    ("house", 'msgid "later"', 'msgid "sooner"', "house.po: unused: 'sooner'"),
    ("house", 'msgctxt "name"\n', "", "house.po: untranslated: 'place' (name)"),
    ("house", 'msgid "won"', 'msgid "lost"', "house.po: duplicated: 'lost'"),
    ("lancelot", 'msgid "King"', 'msgid "won"\nmsgstr "x"\n\nmsgid "King"', "duplicated: 'won'"),
    ("house", 'msgid "won"', '#, fuzzy\nmsgid "won"', "house.po: fuzzy: 'won'"),
    ("house", "hallo {name}", "hallo {nam}", "placeholders: 'hallo {nam}'"),
    ("house", "hallo {name}", "hallo", "placeholders: 'hallo'"),
    ("house", "hallo {name}", "hallo {name", "placeholders: 'hallo {name'"),
    ("house", "ein Stein von {name}", "ein Stein", "placeholders: 'ein Stein' for '{n} stone"),
    ("house", "{n} Steine von {name}", "Steine von {name}", "placeholders: 'Steine von {name}'"),
]


@pytest.mark.parametrize(("domain", "old", "new", "fault"), FAULTS_IN_CATALOGUES)
def test_every_fault_of_a_catalogue_is_found(
    project: Path, domain: str, old: str, new: str, fault: str
) -> None:
    edit(project / f"data/texts/de/{domain}.po", old, new)
    faults = check(project)
    assert any(fault in found for found in faults), faults


FAULTS_IN_CODE = [
    ('say(f"hello {name}")', "must be a literal"),
    ('say("hello " + name)', "must be a literal"),
    ('say("hello {name}")', "no value for {name}"),
    ('say("hello {}")', "no value for {}"),
    ('say("hello {name", name=1)', "expected '}'"),
    ('say.plural("{n} x of {y}", "{n} xs of {y}", 2)', "no value for {y}"),
    ('say.plural("{n} stone of {name}", "{n} rocks of {name}", 2, name=1)', "another plural"),
]


@pytest.mark.parametrize(("line", "fault"), FAULTS_IN_CODE)
def test_every_fault_of_the_code_is_found(project: Path, line: str, fault: str) -> None:
    path = project / "play/worse.py"
    path.write_text(f"def tell(say, name):\n    {line}\n", encoding="utf-8")
    faults = check(project)
    assert any(found.startswith("play/worse.py:2: ") and fault in found for found in faults), faults


def test_catalogues_of_a_new_language_are_kept_in_step(project: Path, italian: None) -> None:
    """A language may be incomplete, but every translation must be valid."""
    missing = update(project)
    assert {line.split(":")[0] for line in missing} == {"it/house.po", "it/lancelot.po"}
    assert {path.name for path in (project / "data/texts/it").iterdir()} == {
        *("house.po", "lancelot.po")
    }
    assert check(project) == []
    assert coverage(project) == {"de": 1.0, "it": 0.0}
    lancelot = project / "data/texts/it/lancelot.po"
    edit(lancelot, 'msgid "King"\nmsgstr ""', 'msgid "King"\nmsgstr "Re {name}"')
    assert check(project) == ["it/lancelot.po: placeholders: 'Re {name}' for 'King'"]
    assert 0 < coverage(project)["it"] < 1


def test_a_check_of_one_catalogue_ignores_the_others(project: Path) -> None:
    edit(project / "data/texts/de/house.po", 'msgstr "spaeter"', 'msgstr ""')
    assert check(project, ["lancelot"]) == []
    assert len(check(project, ["house"])) == 1


def test_update_writes_what_check_wants(project: Path) -> None:
    """An update keeps translations and their comments, and a second update changes nothing."""
    assert update(project) == []
    assert check(project) == []
    folder = project / "data/texts/de"
    before = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert 'msgstr "Koenig"' in before["lancelot.po"]
    assert "# the piece, not a card\n#: render/lancelot_board.py" in before["lancelot.po"]
    assert update(project) == []
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == before


def test_update_adds_removes_and_moves(project: Path) -> None:
    edit(project / "play/table.py", 'say("hello {name}"', 'say("welcome {name}"')
    edit(project / "render/lancelot_board.py", '    say("King")\n', "")
    (project / "cogs/about.py").write_text('say("King")\n', encoding="utf-8")
    assert update(project) == ["de/house.po: untranslated: 'welcome {name}'"]
    house = (project / "data/texts/de/house.po").read_text(encoding="utf-8")
    assert 'msgid "King"\nmsgstr "Koenig"' in house
    assert "hello" not in house
    assert not (project / "data/texts/de/lancelot.po").exists()
    assert check(project) == ["de/house.po: untranslated: 'welcome {name}'"]


def test_an_update_of_one_catalogue_leaves_the_others(project: Path) -> None:
    house = project / "data/texts/de/house.po"
    before = house.read_text(encoding="utf-8")
    edit(project / "play/table.py", 'say("hello {name}"', 'say("welcome {name}"')
    assert update(project, ["lancelot"]) == []
    assert house.read_text(encoding="utf-8") == before


@pytest.mark.slow("catalogues")
def test_script_tells_what_it_does() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "texts"), "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    assert "--check" in run.stdout
