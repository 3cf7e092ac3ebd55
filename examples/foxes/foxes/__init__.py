"""Foxes, a small trick-taking game with cards from 1 to 20: its words and pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from foxes.rules import Foxes
from tafelrunde import CONTRACT, GamePackage
from tafelrunde.engine import Move, View
from tafelrunde.render import KitPainter, Laid, PlayingCard, Scene, Sheet, Spread
from tafelrunde.words import N_, NN_, GameWords, OptionWords, Texts, name_


class FoxesWords(GameWords):
    """The texts for people."""

    game = "foxes"
    title = N_("Foxes")
    summary = N_("The highest card takes the trick, unless a fox is on its heels. For two to four.")
    options: ClassVar = {
        "hands": OptionWords(name_("hands"), N_("Hands"), N_("How many hands are played"))
    }
    refusals: ClassVar = {}
    reasons: ClassVar = {"tricks": N_("All hands are played; most tricks win.")}
    told: ClassVar = {
        "laid": N_("{name} lays {card}."),
        "taken": N_("{name} takes the trick with {card}."),
        "stolen": N_("{name}'s {card} is a fox and steals the trick from {prey}."),
    }
    rule_texts = NN_(
        "**A trick.** Everybody lays one of five cards from 1 to 20. The highest takes the trick.",
        "**Foxes.** If the card one below the highest was laid, too, that one takes the trick.",
        "**The end.** Most tricks of all hands win. Whoever takes a trick leads the next.",
    )

    def move_in_words(self, move: Move, names: Sequence[str], say: Texts) -> str:
        return say("a card") if move == "deal:?" else move.removeprefix("deal:")

    def score(self, view: View, seat: int, say: Texts) -> str:
        return say.plural("{n} trick", "{n} tricks", view.public["won"][seat])


class FoxesPainter(KitPainter):
    """Says which cards are where; the kit draws them."""

    title = FoxesWords.title

    def spread(self, scene: Scene) -> Spread:
        public, say = scene.view.public, scene.say
        heading = say("This trick") if public["trick"] else say("The last trick")
        cards = [PlayingCard(str(c), seat=seat) for seat, c in public["trick"] or public["last"]]
        tricks = {
            n: [say.plural("{n} trick", "{n} tricks", k)] for n, k in enumerate(public["won"])
        }
        return Spread(rows=[Laid(heading, cards)], notes=tricks)

    def held_cards(self, scene: Scene) -> Sequence[PlayingCard]:
        waits = scene.view.viewer not in scene.view.actors
        return [PlayingCard(str(card), shaded=waits) for card in scene.view.private.get("hand", ())]

    def account(self, scene: Scene) -> Sheet | None:
        say, counted = scene.say, [fact.data for fact in scene.facts if fact.kind == "counted"]
        if not counted:
            return None
        rows = [[str(now), str(all_)] for now, all_ in zip(*counted[-1].values(), strict=True)]
        return Sheet(say("Tricks"), [say("This hand"), say("In all")], rows)


PACKAGE = GamePackage(
    CONTRACT, Foxes(), FoxesPainter(), FoxesWords(), texts=Path(__file__).parent / "texts"
)
