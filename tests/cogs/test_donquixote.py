"""Don Quixote as people see it: open hands, sealed choices and scoring accounts."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from cogs.games.donquixote import WORDS
from data.store.rows import Status
from data.texts import LANGUAGES, texts
from games import GAMES
from games.donquixote import DonQuixote, rating, scoring_account
from games.donquixote.notation import BY_STRENGTH
from games.donquixote.tiles import PIECES
from games.engine import Fact, IllegalMove, Match
from render.donquixote.words import RATINGS
from tests.stage import (
    Stage,
    alts_of,
    answer_to,
    controls,
    is_direct,
    parts,
    private,
    texts_of,
    use,
    verb_of,
)

pytestmark = [pytest.mark.usefixtures("no_errors"), pytest.mark.blank]

GAME = DonQuixote()


async def quixote(stage: Stage, players: int = 2, **options: Any) -> None:
    """Start a table of Don Quixote, with seats in order of joining."""
    await stage.open("donquixote", players, seating="joined", **options)


async def lay(stage: Stage, name: str, tile: str, **more: Any) -> Any:
    return await stage.slash(name, "donquixote lay", tile=tile, **more)


async def hand_of(stage: Stage, name: str) -> list[str]:
    table = await stage.table()
    seat = table.seat_of(stage.people[name].id)
    tiles: list[str] = table.played.view(None).public["hands"][seat]
    return tiles


async def lay_all(stage: Stage, names: tuple[str, ...], rng: random.Random) -> None:
    """Have each of these people lay a random tile with the command."""
    for name in names:
        table = await stage.table()
        seat = table.seat_of(stage.people[name].id)
        assert seat is not None
        move = GAME.random_move(table.played.state, seat, rng)
        result = await lay(stage, name, move.removesuffix("r"), turned=move.endswith("r"))
        assert "Done: " in answer_to(result), answer_to(result)


def everything(stage: Stage) -> str:
    """All the text in the channel, including descriptions of pictures."""
    messages = stage.channel.history()
    return "\n".join([texts_of(m) for m in messages] + [a for m in messages for a in alts_of(m)])


# ----------------------------------------------------------------------- choosing in secret
def tiles_in(message: Any) -> list[tuple[str, str]]:
    """Values and labels of the tiles that a message offers, in a menu or as buttons."""
    offered = [control for control in controls(message) if control.chooses or control.options]
    if offered and offered[0].options:
        (menu,) = offered
        return list(menu.options)
    return [(verb_of(control.custom_id)[1], control.label) for control in offered]


async def choose(stage: Stage, name: str, message: Any, move: str) -> Any:
    """Choose a tile from a message's only menu, or by its button."""
    offered = controls(message)
    menu = next((control for control in offered if control.options), None)
    person = stage.people[name]
    here = person.user if is_direct(message, person) else person
    if menu is not None:
        result = await here.select(message, [move], custom_id=menu.custom_id)
    else:
        button = next(c for c in offered if verb_of(c.custom_id) == ("go", move))
        result = await here.click(message, custom_id=button.custom_id)
    assert result.acknowledged
    return result


async def in_private(stage: Stage, name: str) -> Any:
    """The answer to "Lay a tile"."""
    button = next(c for c in controls(await stage.message("board")) if c.label == "Lay a tile")
    board = await stage.message("board")
    result = await stage.people[name].click(board, custom_id=button.custom_id)
    assert result.ephemeral
    return private(result)


def labels(message: Any) -> list[str]:
    return [control.label for control in controls(message)]


async def test_a_tile_is_laid_in_two_presses(stage: Stage) -> None:
    await quixote(stage, 2, sancho=True)
    hand = await hand_of(stage, "Anna")
    board = await stage.message("board")
    assert not [control for control in controls(board) if control.chooses or control.options]
    assert "My hand" not in labels(board)
    assert len(controls(board)) <= 8
    answer = await in_private(stage, "Anna")
    assert [file.filename for file in answer.attachments] == ["hand.png"]
    offered = tiles_in(answer)
    assert [value for value, _ in offered] == [
        *(way for tile in hand for way in (tile, tile + "r")),
        "SANCHO",
    ]
    numbers = [label.split(" · ")[0] for _, label in offered[:-1]]
    assert numbers == [str(number) for number in range(1, 10) for _ in range(2)]
    assert all(label.endswith(", turned") == value.endswith("r") for value, label in offered)
    assert offered[-1][1] == "Sancho Pansa"
    await choose(stage, "Anna", answer, hand[3] + "r")
    assert (await stage.table()).played.view(0).private["choice"] == hand[3] + "r"


async def test_sancho_pansa_has_his_name_in_refusals_too(stage: Stage) -> None:
    await quixote(stage, 1, sancho=True)
    await lay(stage, "Anna", "SANCHO")
    refused = answer_to(await lay(stage, "Anna", "SANCHO"))
    assert "“Sancho Pansa” is already on" in refused


@pytest.mark.parametrize("level", [None, "novice"])
async def test_a_solo_player_lays_a_tile_with_one_press(level: str | None, stage: Stage) -> None:
    if level is None:
        await quixote(stage, 1)
    else:
        await stage.slash("Anna", "donquixote new", seating="joined")
        await stage.pick("Anna", "computer", level)
        await stage.press("Anna", "start")
    for _ in range(3):
        await stage.computers_have_moved()
        await stage.env.settle()
        hand = await hand_of(stage, "Anna")
        board = await stage.message("board")
        files = ["donquixote.png"] if level is None else ["donquixote.png", "hand.png"]
        assert [file.filename for file in board.attachments] == files
        assert "Lay a tile" not in labels(board)
        assert "Where can I go?" not in labels(board)
        assert len(controls(board)) <= 8
        assert len(tiles_in(board)) == 2 * len(hand)
        await choose(stage, "Anna", board, hand[0] + "r")
        laid = (await stage.table()).played.view(None).public["boards"][0].values()
        assert hand[0] + "r" in laid
    assert stage.direct("Anna") == []


async def test_the_menu_says_what_a_tile_would_gain(stage: Stage) -> None:
    """The menu says how many points each tile would add if scored now, unless it adds none."""
    await quixote(stage, 1)
    gains = list[int]()
    for _ in range(8):
        view = (await stage.table()).played.view(0)
        board, field = view.public["boards"][0], view.public["field"]
        before = scoring_account(board, view.round)["points"]
        worth = dict[str, int]()
        for part in parts(await stage.message("board")):
            for entry in part.get("options", []):
                laid = {**board, field: entry["value"]}
                more = scoring_account(laid, view.round)["points"] - before
                points = f"{more} more point" + "s" * (more != 1)
                said = f"If scored now, it would be worth {points}." if more else None
                assert entry.get("description") == said
                worth[entry["value"]] = more
        best = max(worth, key=lambda move: worth[move])
        gains.append(worth[best])
        await lay(stage, "Anna", best.removesuffix("r"), turned=best.endswith("r"))
    assert any(gains[:-1]), "later tiles are compared with the points scored so far"


async def test_the_last_tile_of_a_round_has_a_button_for_each_turning(stage: Stage) -> None:
    await quixote(stage, 1)
    rng = random.Random(4)
    for _ in range(8):
        await lay_all(stage, ("Anna",), rng)
    (tile,) = await hand_of(stage, "Anna")
    board = await stage.message("board")
    assert not [control for control in controls(board) if control.options]
    assert [value for value, _ in tiles_in(board)] == [tile, tile + "r"]


async def test_open_hands_are_not_sent(stage: Stage) -> None:
    stage.close_dms("Ben")
    await quixote(stage, 3)
    rng = random.Random(2)
    for _ in range(3):
        await lay_all(stage, ("Anna", "Ben", "Clara"), rng)
    assert [stage.direct(name) for name in ("Anna", "Ben", "Clara")] == [[], [], []]
    assert "direct message" not in everything(stage)


async def test_the_hand_is_sent_to_people_who_want_direct_messages(stage: Stage) -> None:
    await stage.command("Anna", "preferences calls", where="dm")
    await quixote(stage, 2)
    anna = stage.people["Anna"]
    tile, *_ = await hand_of(stage, "Anna")
    (sent,) = stage.dms("Anna")
    assert stage.dms("Ben") == []
    await choose(stage, "Anna", sent, tile)
    (sent,) = stage.dms("Anna")
    assert "You can change your choice until all the others have chosen." in texts_of(sent)
    await use(anna.user, sent, "undo")
    (sent,) = stage.dms("Anna")
    await choose(stage, "Anna", sent, tile + "r")
    await lay(stage, "Ben", (await hand_of(stage, "Ben"))[0])
    assert tile + "r" in (await stage.table()).played.view(None).public["boards"][0].values()


async def test_the_last_person_left_chooses_below_the_board(stage: Stage) -> None:
    await quixote(stage, 3)
    await stage.resign("Ben")
    assert "Lay a tile" in labels(await stage.message("board"))
    await stage.resign("Clara")
    await stage.computers_have_moved()
    await stage.env.settle()
    board = await stage.message("board")
    assert "Lay a tile" not in labels(board)
    assert len(tiles_in(board)) == 18


async def test_a_board_in_direct_messages_has_the_persons_choices(stage: Stage) -> None:
    anna, ben = (stage.people[name].user for name in ("Anna", "Ben"))
    await anna.slash("donquixote new", seating="joined")
    (number,) = await stage.bot.store.tables.of_person(anna.id)
    await ben.slash("join", code=(await stage.bot.tables.get(number)).row.code)
    await use(anna, stage.dms("Anna")[-1], "start")
    for seat, name in enumerate(("Anna", "Ben")):
        board = next(message for message in stage.dms(name) if message.attachments)
        assert [file.filename for file in board.attachments] == ["donquixote.png", "hand.png"]
        hand = (await stage.bot.tables.get(number)).public_view.public["hands"][seat]
        assert [value for value, _ in tiles_in(board)] == [
            way for tile in hand for way in (tile, tile + "r")
        ]
        await choose(stage, name, board, hand[0])
        told = [texts_of(message) for message in stage.dms(name)]
        assert any("You have chosen: " in text for text in told) == (name == "Anna")
    assert (await stage.bot.tables.get(number)).public_view.public["placed"] == 1


async def test_a_choice_stays_secret_until_all_are_in(stage: Stage) -> None:
    await quixote(stage, 3)
    told = everything(stage)
    tile, *_ = await hand_of(stage, "Anna")
    answer = answer_to(await lay(stage, "Anna", tile, turned=True))
    assert f"Done: {WORDS.move_in_words(tile + 'r', (), texts('en'))}." in answer
    board = await stage.message("board")
    assert "are to move" in texts_of(board)
    assert f"<@{stage.people['Anna'].id}>" not in texts_of(board)
    for name in ("Ben", "Clara"):
        assert f"<@{stage.people[name].id}>" in texts_of(board)
    news = everything(stage).replace(told, "")
    assert tile + "r" not in news
    assert "lays" not in news
    log = answer_to(await stage.slash("Ben", "table log"))
    assert "Anna: a sealed choice" in log
    await lay(stage, "Ben", (await hand_of(stage, "Ben"))[0])
    assert "lays" not in everything(stage).replace(told, "")
    await lay(stage, "Clara", (await hand_of(stage, "Clara"))[0])
    story = texts_of(await stage.message("board"))
    assert story.count(" lays ") == 3
    kind = WORDS.move_in_words(tile, (), texts("en")).split()[0]
    assert re.search(rf"\*\*Anna\*\* lays a {kind}\b", story)
    assert tile not in story
    assert "Next field: **" in story


async def test_autocompletion_knows_only_ones_own_hand(stage: Stage) -> None:
    await quixote(stage, 2)
    hand = await hand_of(stage, "Anna")
    anna = stage.people["Anna"]
    offered = await anna.autocomplete(stage.channel, "donquixote lay", "tile", "")
    assert [c["value"] for c in offered] == hand
    knights = await anna.autocomplete(stage.channel, "donquixote lay", "tile", "knight")
    assert [c["value"] for c in knights] == [t for t in hand if PIECES[t].tile.symbol == "knight"]
    await lay(stage, "Anna", hand[0])
    none = await anna.autocomplete(stage.channel, "donquixote lay", "tile", "")
    assert none == []


async def test_a_choice_can_be_taken_back_while_others_are_awaited(stage: Stage) -> None:
    await quixote(stage, 2)
    first, second, *_ = await hand_of(stage, "Anna")
    await lay(stage, "Anna", first)
    hand = await in_private(stage, "Anna")
    assert f"You have chosen {first}; nobody else sees it yet." in alts_of(hand)[0]
    assert "You can change your choice until all the others have chosen." in texts_of(hand)
    assert labels(hand) == ["Take back"]
    back = next(c for c in controls(hand) if c.label == "Take back")
    result = await stage.people["Anna"].click(hand, custom_id=back.custom_id)
    assert result.acknowledged
    assert len(await stage.awaited()) == 2
    assert first not in everything(stage).split("takes back")[-1]
    await lay(stage, "Anna", second)
    await lay(stage, "Ben", (await hand_of(stage, "Ben"))[0])
    assert second in (await stage.table()).played.view(None).public["boards"][0].values()


async def chosen_by_press(stage: Stage, name: str) -> tuple[str, Any]:
    """Have somebody lay a tile in private; return the tile and the private message afterwards."""
    answer = await in_private(stage, name)
    tile = (await hand_of(stage, name))[0]
    await choose(stage, name, answer, tile)
    return tile, answer


async def test_a_pressed_choice_leaves_words_and_the_way_back(stage: Stage) -> None:
    """The last person to choose gets the next hand instead."""
    await quixote(stage, 2)
    tile, message = await chosen_by_press(stage, "Anna")
    assert f"You have chosen: {WORDS.move_in_words(tile, (), texts('en'))}." in texts_of(message)
    assert "You can change your choice until all the others have chosen." in texts_of(message)
    assert not message.attachments
    (back,) = controls(message)
    assert back.label == "Take back"
    again = private(await stage.people["Anna"].click(message, custom_id=back.custom_id))
    assert again.id == message.id
    assert tile in {value for value, _ in tiles_in(again)}
    await chosen_by_press(stage, "Anna")
    _, last = await chosen_by_press(stage, "Ben")
    assert last.attachments
    assert len(tiles_in(last)) == 16


async def test_sealed_choices_take_nothing_from_the_story(stage: Stage) -> None:
    await quixote(stage, 2)
    opening = texts_of(await stage.message("board"))
    assert "Castle 6 is on" in opening
    await lay(stage, "Anna", (await hand_of(stage, "Anna"))[0])
    changed = texts_of(await stage.message("board"))
    assert "Castle 6 is on" in changed
    await lay(stage, "Ben", (await hand_of(stage, "Ben"))[0])
    assert "Castle 6" not in texts_of(await stage.message("board"))


async def test_a_sealed_choice_sends_no_new_board(stage: Stage) -> None:
    await quixote(stage, 2)
    anna, ben = (stage.people[name].user.mention for name in ("Anna", "Ben"))
    board = await stage.message("board")
    (file,), (alt,) = board.attachments, alts_of(board)
    assert "Anna and Ben choose at the same time." in alt
    assert f"▲ {anna} and ● {ben} are to move by" in texts_of(board)
    await lay(stage, "Anna", (await hand_of(stage, "Anna"))[0])
    board = await stage.message("board")
    assert f"{ben} is to move" in texts_of(board)
    assert (board.attachments, alts_of(board)) == ([file], [alt])
    await lay(stage, "Ben", (await hand_of(stage, "Ben"))[0])
    (later,) = (await stage.message("board")).attachments
    assert later != file


async def test_a_bot_killed_in_the_middle_of_a_placement_forgets_no_ones_choice(
    stage: Stage,
) -> None:
    await quixote(stage, 3)
    names = ("Anna", "Ben", "Clara")
    first = {name: (await hand_of(stage, name))[0] for name in names}
    for name in names[:2]:
        await lay(stage, name, first[name])
    await stage.restart()
    assert (await stage.table()).awaited == (2,)
    assert " lays " not in everything(stage)
    await choose(stage, "Clara", await in_private(stage, "Clara"), first["Clara"])
    public = (await stage.table()).played.view(None).public
    for name, board in zip(names, public["boards"], strict=True):
        assert first[name] in board.values()


async def test_an_old_menu_is_stale_after_the_placement(stage: Stage) -> None:
    await quixote(stage, 2)
    hand = await hand_of(stage, "Anna")
    old = await in_private(stage, "Anna")
    await lay(stage, "Anna", hand[3])
    await lay(stage, "Ben", (await hand_of(stage, "Ben"))[0])
    before = (await stage.table()).played.ply
    assert "earlier position" in answer_to(await choose(stage, "Anna", old, hand[0]))
    assert (await stage.table()).played.ply == before


# ------------------------------------------------------------------------------ accounts
async def test_the_account_of_a_round_is_a_message_of_its_own(stage: Stage) -> None:
    await quixote(stage, 2)
    rng = random.Random(2)
    for _ in range(9):
        await lay_all(stage, ("Anna", "Ben"), rng)
    (scoring,) = [m for m in stage.boards() if m.attachments[0].filename.startswith("scoring")]
    board = await stage.message("board")
    assert len(stage.boards()) == 2
    assert [a.filename for a in scoring.attachments] == ["scoring-1-1.png", "scoring-1-2.png"]
    assert all(alt.startswith("Scoring 1: ") for alt in alts_of(scoring))
    assert texts_of(board).count("and has ") == 2
    assert "**Round 2**, 7 tiles each." in texts_of(board)
    await lay_all(stage, ("Anna", "Ben"), rng)
    assert scoring.id in [message.id for message in stage.boards()]


async def test_a_solo_player_has_one_account(stage: Stage) -> None:
    """The account of each round replaces the one before, and is deleted when the match is over; the
    replay still shows it.
    """
    await quixote(stage, 1)
    rng = random.Random(3)
    stood = [list[str]()]
    for _ in range(22):
        await lay_all(stage, ("Anna",), rng)
        names = [file.filename for message in stage.boards() for file in message.attachments[:1]]
        scorings = [name for name in names if name.startswith("scoring")]
        if scorings != stood[-1]:
            stood.append(scorings)
    table = await stage.table()
    assert table.row.status is Status.FINISHED
    assert stood == [[], ["scoring-1-1.png"], ["scoring-2-1.png"], []]
    replay = private(await stage.slash("Anna", "table replay"))
    end = next(control for control in controls(replay) if control.label == "⏭")
    page = await stage.people["Anna"].click(replay, custom_id=end.custom_id)
    shown = [file.filename for file in private(page).attachments]
    assert shown[1:] == ["scoring-3-1.png"]


# ------------------------------------------------------------------------------- looking
async def test_anyone_can_look_closer_at_any_principality(stage: Stage) -> None:
    await quixote(stage, 3)
    near = private(await stage.press("Ben", "look", "board"))
    assert "Ben" in texts_of(near)
    assert "Hand:" in alts_of(near)[0]
    other = next(c for c in controls(near) if c.label == "Clara")
    result = await stage.people["Ben"].click(near, custom_id=other.custom_id)
    assert "Clara" in texts_of(result.response)
    assert {c.label for c in controls(result.response)} == {"Anna", "Ben"}
    stranger = private(await stage.press("Emil", "look", "board"))
    assert "Anna" in texts_of(stranger)


async def test_a_principality_is_looked_at_by_command(stage: Stage) -> None:
    await quixote(stage, 2)
    anna = stage.people["Anna"]
    result = await anna.slash(stage.channel, "donquixote look", player="ben")
    assert "Ben" in texts_of(result.response)
    own = await anna.slash(stage.channel, "donquixote look")
    assert "Anna" in texts_of(own.response)
    unknown = await anna.slash(stage.channel, "donquixote look", player="Dulcinea")
    assert answer_to(unknown) == "That player is not at this table."
    names = await anna.autocomplete(stage.channel, "donquixote look", "player", "")
    assert [c["value"] for c in names] == ["Anna", "Ben"]


async def test_looking_closer_never_shows_a_sealed_choice(stage: Stage) -> None:
    await quixote(stage, 2)
    before = private(await stage.press("Ben", "look", "board"))
    tile, *_ = await hand_of(stage, "Anna")
    await lay(stage, "Anna", tile)
    anna = await stage.slash("Ben", "donquixote look", player="Anna")
    assert "You have chosen" not in alts_of(anna.response)[0]
    assert before.attachments


# ------------------------------------------------------------------------------ refusals
def positions() -> dict[str, tuple[Match[Any], str]]:
    """A match for each refusal, and the text that its first seat types."""
    plain = Match(GAME, GAME.setup(1, {}, "7"))
    plain.advance()
    hand = plain.state.hands[0]
    field = plain.state.field
    elsewhere = next(f for f in ("A1", "B1", "C1") if f != field)
    unclear = next(s for s, each in BY_STRENGTH.items() if len({*each} & {*hand}) != 1 < len(each))
    found = {
        "unknown_tile": (plain, "KN11"),
        "which_tile": (plain, f"knight {unclear}"),
        "wrong_field": (plain, f"{hand[0]}@{elsewhere}"),
        "no_sancho": (plain, "Sancho"),
        "not_in_hand": (plain, plain.state.stacks[0][0]),
    }
    laid = Match.replay(GAME, plain.setup, plain.log)
    laid.play(0, [hand[0]])
    found["already_placed"] = laid, hand[0]
    third = Match.replay(GAME, plain.setup, plain.log)
    while third.state.round < 3:
        third.play(0, [GAME.legal(third.state, 0)[0]])
    found["locked"] = third, third.state.hands[0][-1]
    left = Match(GAME, GAME.setup(1, {"sancho": True}, "7"))
    left.advance()
    left.play(0, ["SANCHO"])
    while left.state.left_over[0] is None:
        left.play(0, [GAME.legal(left.state, 0)[0]])
    found["left_over"] = left, left.state.left_over[0]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_refusal_has_a_sentence_with_its_reason(language: str) -> None:
    say = texts(language)
    sentences = set()
    for code, (match, typed) in positions().items():
        before = match.view(0)
        with pytest.raises(IllegalMove) as refusal:
            match.play(0, [typed])
        assert refusal.value.code == code
        sentence = WORDS.refusal(code, refusal.value.data, say)
        assert sentence is not None
        assert "{" not in sentence
        sentences.add(sentence)
        assert match.view(0) == before
    assert len(sentences) == len(WORDS.refusals)


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "It connects 3 churches.",
                "It connects 2 windmills.",
                "Castle 6 then has 1 knight; it needs 2 this round.",
                "Knights of total strength 5 then defend the country; this round needs 8.",
                "1 of its roads joins a road of yours.",
                "2 of its roads join roads of yours.",
            ],
        ),
        (
            "de",
            [
                "Damit sind 3 Kirchen verbunden.",
                "Damit sind 2 Windmühlen verbunden.",
                "Burg 6 hat dann 1 Ritter; nötig: 2 in dieser Runde.",
                "Dann verteidigen Ritter mit Gesamtstärke 5 das Land; nötig: 8 in dieser Runde.",
                "1 Weg dieser Wegekarte trifft auf einen von deinen.",
                "2 Wege dieser Wegekarte treffen auf deine.",
            ],
        ),
    ],
)
def test_each_reason_for_a_move_has_a_sentence(language: str, sentences: list[str]) -> None:
    motives = [
        Fact("connects", {"seat": 0, "symbol": "church", "number": 3}),
        Fact("connects", {"seat": 0, "symbol": "windmill", "number": 2}),
        Fact("garrisons", {"seat": 0, "value": 6, "number": 1, "need": 2}),
        Fact("guards", {"seat": 0, "strength": 5, "need": 8}),
        *(Fact("meets", {"seat": 0, "number": number}) for number in (1, 2)),
    ]
    view = GAMES["donquixote"].view(GAMES["donquixote"].start(GAMES["donquixote"].setup(1)), 0)
    say = texts(language)
    assert [WORDS.motive(fact, view, ["Anna"], say) for fact in motives] == sentences


async def test_a_refused_tile_changes_nothing(stage: Stage) -> None:
    await quixote(stage, 2)
    before = (await stage.table()).played.ply
    count = len(stage.channel.history())
    for typed, words in (
        ("XX9", "“XX9” is not a tile."),
        ("Sancho", "This table plays without Sancho Pansa."),
    ):
        result = await lay(stage, "Anna", typed)
        assert words in answer_to(result)
    assert (await stage.table()).played.ply == before
    assert len(stage.channel.history()) == count


# ----------------------------------------------------------------------------- whole games
@pytest.mark.speaks("de")
async def test_playing_alone_in_german_ends_with_a_verdict(stage: Stage) -> None:
    await quixote(stage, 1)
    rng = random.Random(1)
    told = texts_of(await stage.message("board"))
    for _ in range(22):
        table = await stage.table()
        move = GAME.random_move(table.played.state, 0, rng)
        result = await lay(stage, "Anna", move)
        told += answer_to(result)
        assert "Erledigt: " in told
        told += texts_of(stage.channel.last_message)
        told += "".join(texts_of(board) for board in stage.boards())
    table = await stage.table()
    total = table.played.view(None).public["totals"][0]
    result = texts_of(stage.channel.last_message)
    verdict = texts("de")(RATINGS[rating(total)])
    assert f"= {total} Punkte: {verdict}" in result
    for words in ("Burg 6 steht auf", "Nächstes Feld", "legt", "bekommt", "**Runde 3**, je "):
        assert words in told
    assert re.search(r"Ritter \d [↖↑↗↙↓↘ ]+, gedreht", told)


def test_advice_names_the_place_of_the_tile_in_the_hand_and_the_field() -> None:
    game = GAMES["donquixote"]
    match = Match(game, game.setup(2, {}, "1"))
    match.advance()
    view, say = match.view(0), texts("en")
    third = view.public["hands"][0][2]
    for move, end in ((third, ")"), (third + "r", ", turned)")):
        told = WORDS.advised_in_words(move, view, ("Anna", "Ben"), say)
        assert re.fullmatch(rf"tile 3 \([^()]+\) on {view.public['field']}", told), told
        assert f"{end} on" in told
