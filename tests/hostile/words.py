"""Texts that must do no harm: names, options, notation, forms."""

from __future__ import annotations

import random
from collections.abc import Sequence

MARKDOWN = ("**", "__", "~~", "||", "`", "```", "> ", "# ", "-# ", "- ", "[a](https://b.c)", "\\")
MENTIONS = (
    "@everyone", "@here", "<@1>", "<@!{id}>", "<@{id}>", "<@&{id}>", "<#{id}>", "</table end:{id}>",
    "<t:0:R>", "<:a:1>", "<id:browse>",
)  # fmt: skip
UNSEEN = ("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u2069", "\u061c")
COMBINING = ("Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤", "e\u0301" * 5, "\u0e49" * 20, "ﷺ", "𒐫", "\u1100\u1161\u11a8")
EMOJI = ("👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "👍🏿", "🃏", "\U0001f9ff")
CONTROL = ("\0", "\n", "\r\n", "\t", "\x1b[31m", "\x7f", "\u2028", "\u0085")
SCRIPTS = ("שלום", "مرحبا", "日本語", "Ελλάς", "Ünïcödé", "ß", "İıſ", "ǅ", "ﬃ", "𝕬𝖓𝖓𝖆")
DIGITS = ("٣", "௧", "７", "²", "½", "Ⅳ", "१२३", "᠑")
NUMBERS = (
    "0", "-1", "1e309", "NaN", "9" * 30, "9" * 5000, "0x10", "1_000", "1,5", "--1", "2**63",
    str(2**63), str(2**64), "-0", "1.0", "+1", "00000000001",
)  # fmt: skip
CODE = (
    "{}", "{0}", "{name}", "{name.__class__}", "%s", "%(a)s", "{{", "}}", "'; DROP TABLE tables;--",
    "$(id)", "../../etc/passwd", "null", "None", "true", "[]", '{"a":1}', "attachment://x", "%00",
    "<script>", "&lt;",
)  # fmt: skip
LONE = ("\ud800", "\udfff", "a\ud83d", "\udc00b")
KINDS: Sequence[Sequence[str]] = (
    MARKDOWN, MENTIONS, UNSEEN, COMBINING, EMOJI, CONTROL, SCRIPTS, DIGITS, NUMBERS, CODE, LONE,
    ("Anna", "K4", "Ritter", "x", "", " "),
)  # fmt: skip

PRINTED = 200
"""How many characters of a text to print."""


def hostile(rng: random.Random, most: int, person_id: int = 0) -> str:
    """A hostile text of limited length.

    :param person_id: the person mentioned now and then.
    """
    pieces = [rng.choice(rng.choice(KINDS)) for _ in range(rng.choice((1, 1, 2, 3, 8)))]
    text = rng.choice(("", " ", "\u200b")).join(pieces).replace("{id}", str(person_id))
    if rng.random() < 0.15 and text:
        text *= most // len(text) + 1
    return text[:most]


def name(rng: random.Random, least: int, most: int, person_id: int = 0) -> str:
    """A name that Discord allows for people, channels and servers: not empty, no lone surrogates,
    no blanks at the ends.
    """
    text = hostile(rng, most, person_id)
    text = "".join(c for c in text if not "\ud800" <= c <= "\udfff" and c != "\0").strip()
    return (text + "x" * least)[: max(least, len(text))]


def mutated(rng: random.Random, text: str, person_id: int = 0) -> str:
    """A valid text with one change."""
    at = rng.randrange(len(text) + 1)
    match rng.randrange(8):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + hostile(rng, 5, person_id) + text[at:]
        case 2:
            return text.swapcase()
        case 3:
            return f" {text}\n"
        case 4:
            return text + text
        case 5:
            return text.translate(dict(zip(range(48, 58), range(0x660, 0x66A), strict=True)))
        case 6:
            return text[:at] + chr(rng.randrange(1, 0x3000)) + text[at + 1 :]
        case _:
            return text.replace("-", "–").replace(":", "：").replace("1", "１")


def short(text: str) -> str:
    """A text as it is printed: shortened and in ASCII."""
    told = ascii(text)
    return told if len(told) <= PRINTED else f"{told[:PRINTED]}… ({len(text)} characters)"
