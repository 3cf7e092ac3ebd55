"""A second implementation of Fair Isolde, written from the rules alone as one long story.

``SlowIsolde`` reads the log of a match from start to finish, checks that each event is due, and
keeps its own accounts, with which tests compare the engine. It has no agendas, no board objects and
no hidden knowledge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from games.engine import CHANCE, Event

BOARDS = ["ISOLDE", "LANZE", "TURNIER", "STUDIEN", "KOENIG", "GRAL", "BARM"]
BRIEF = {"IS": "ISOLDE", "KA": "KAMPF", "ST": "STUDIEN", "KO": "KOENIG", "GR": "GRAL", "BA": "BARM"}
POSITIVE = {"LANZE", "TURNIER", "KOENIG"}


class SlowIsolde:
    """Follows a match from start to finish.

    :ivar shields: by colour, (board, round, value).
    :ivar tracks: by board and colour, (fields, when the piece arrived).
    """

    def __init__(self, players: int, options: Mapping[str, Any], log: Iterable[Event]) -> None:
        self.options, self.log = options, list(log)
        self.duo = options.get("duo", "") if players == 2 else ""
        self.owners: list[int | None] = list(range(players))
        if self.duo == "parzival":
            self.owners = [0, 1, None]
        elif self.duo == "lancelot":
            self.owners = [0, 1, 0, 1]
        self.players = players
        self.n = len(self.owners)
        self.boards = [*BOARDS, "MAGIE"] if options["magie"] else BOARDS
        self.tracks = {board: [(0, 0)] * self.n for board in self.boards}
        self.shields: list[list[tuple[str, int, int]]] = [[] for _ in range(self.n)]
        self.time = 0
        self.round = 0
        self.cup = 0
        self.scrolls = {6, 12}
        self.scrolls_taken: set[int] = set()

    # -- reading the log
    def next(self, seat: int, verb: str) -> str:
        """Return the argument of the next event, which must be by this seat."""
        event = self.log.pop(0)
        got, _, argument = event.move.partition(":")
        assert (event.seat, got) == (seat, verb), f"{event} instead of {verb} of {seat}"
        return argument

    def all_at_once(self, verb: str) -> list[str]:
        """Read one move by each person, in any order."""
        moves: dict[int, str] = {}
        while len(moves) < self.players:
            seat = self.log[0].seat
            assert seat not in moves
            moves[seat] = self.next(seat, verb)
        return [moves[seat] for seat in range(self.players)]

    def decider(self, colour: int) -> int:
        """The seat that decides for a colour."""
        owner = self.owners[colour]
        return self.order[0] if owner is None else owner

    # -- the story
    def play(self) -> None:
        """Follow the match from the lot to the last shield."""
        fixed = self.options["starter"]
        starter = int(fixed if fixed != "lot" else self.next(CHANCE, "start")) - 1
        for self.round in range(1, 7):
            self.order = [(starter + i) % self.n for i in range(self.n)]
            self.appointed: int | None = None
            self.deal()
            self.turns()
            self.score()
            self.reset()
            persons = 2 if self.duo == "parzival" else self.n
            starter = (starter + 1) % persons if self.appointed is None else self.appointed
        assert not self.log, f"events after the end: {self.log}"

    def deal(self) -> None:
        """Read the codex, the deal and the bets, and fill the hands."""
        if self.options["kodex"]:
            self.codex = [int(value) for value in self.next(CHANCE, "lay").split(",")]
            assert sorted(self.codex) == [-3, -1] + [0] * (self.n - 2)
        packs = []
        for pack in self.next(CHANCE, "deal").split("/"):
            codes = [pack[i : i + 3] for i in range(0, len(pack), 3)]
            packs.append([BRIEF[code[:2]] + code[2] for code in codes])
        size = 6 if self.duo == "lancelot" else 5
        assert all(len(pack) == size for pack in packs)
        if self.options["herausforderung"]:
            self.bets = {c: self.next(self.decider(c), "bet") for c in self.order}
        if self.duo == "lancelot":
            self.pick_piles(packs)
        else:
            self.draft(packs)

    def draft(self, packs: list[list[str]]) -> None:
        """Everyone keeps one card and passes on the rest; the last card is kept automatically."""
        self.hands: list[list[str]] = [[] for _ in range(self.n)]
        while len(packs[0]) > 1:
            picks: dict[int, str] = {}
            if self.duo == "parzival":
                picks[2] = self.next(CHANCE, "pick")
                assert picks[2][-1] == max(card[-1] for card in packs[2])
            picks |= dict(enumerate(self.all_at_once("keep")))
            for colour, card in picks.items():
                packs[colour].remove(card)
                self.hands[colour].append(card)
            step = 1 if self.round in (1, 3, 5) else -1
            packs = [packs[(colour - step) % self.n] for colour in range(self.n)]
        for colour in range(self.n):
            self.hands[colour] += packs[colour]

    def pick_piles(self, packs: list[list[str]]) -> None:
        """Split, reveal, choose and assign piles."""
        piles = []
        for pack, split in zip(packs, self.all_at_once("split"), strict=True):
            first = split.split(",")
            second = list((Counter(pack) - Counter(first)).elements())
            assert len(first) == len(second) == 3
            piles.append([first, second])
        sixes: list[list[str]] = [[], []]
        starter = self.order[0] % 2
        for seat in (starter, 1 - starter):
            mine = piles[1 - seat]
            same = sorted(mine[0]) == sorted(mine[1])
            taken = 0 if same else int(self.next(seat, "pile")) - 1
            sixes[seat] += mine[taken]
            sixes[1 - seat] += mine[1 - taken]
        self.hands = [[] for _ in range(4)]
        for seat, assignment in enumerate(self.all_at_once("assign")):
            first = assignment.split(",")
            self.hands[seat] = first
            self.hands[seat + 2] = list((Counter(sixes[seat]) - Counter(first)).elements())

    def turns(self) -> None:
        """Play all turns of the round, with one card per colour in each."""
        self.played: list[tuple[int, str]] = []
        for _ in range(3 if self.duo == "lancelot" else 4):
            for colour in self.order:
                if self.owners[colour] is None:
                    self.open_card(colour, self.next(CHANCE, "draw"))
                elif len(self.hands[colour]) == 1 and len(self.ways(self.hands[colour][0])) == 1:
                    self.open_card(colour, self.hands[colour][0])
                else:
                    self.card(colour, self.next(self.decider(colour), "play"))

    def ways(self, card: str) -> list[str]:
        """The boards that a card can be played on."""
        kind = card[:-1]
        home = ["LANZE", "TURNIER"] if kind == "KAMPF" else [kind]
        return [*home, "MAGIE"] if self.options["magie"] else home

    def open_card(self, colour: int, card: str) -> None:
        """Play a card that everyone has seen; if it fits several boards, the decider chooses one
        now.
        """
        ways = self.ways(card)
        move = card if len(ways) == 1 else self.next(self.decider(colour), "play")
        assert move.startswith(card)
        self.card(colour, move)

    def card(self, colour: int, move: str) -> None:
        card, _, board = move.partition(">")
        board = board or card[:-1]
        assert board in self.ways(card)
        self.hands[colour].remove(card)
        self.played.append((colour, board))
        value = int(card[-1])
        self.move(colour, board, value)
        if self.options["turnier"] and board in ("LANZE", "TURNIER"):
            self.cup += value if board == "TURNIER" else -value
            self.cup = min(6, max(-6, self.cup))
        if self.options["koenig"] and board == "KOENIG":
            for field in (6, 12):
                if field in self.scrolls and self.tracks[board][colour][0] >= field:
                    self.scrolls.remove(field)
                    self.scrolls_taken.add(field)
        if self.options["kodex"] and board == "STUDIEN" and self.owners[colour] is not None:
            place = int(self.next(self.decider(colour), "look"))
            assert 1 <= place <= self.n

    def move(self, colour: int, board: str, fields: int) -> None:
        """Move a piece forward, on top of others."""
        self.time += 1
        self.tracks[board][colour] = (self.tracks[board][colour][0] + fields, self.time)

    # -- scoring
    def ranking(self, board: str) -> tuple[list[int], list[int]]:
        """The colours that have moved, in order of rank, and the others."""
        track = self.tracks[board]
        moved = [colour for colour in range(self.n) if track[colour][0]]
        moved.sort(key=lambda colour: track[colour], reverse=True)
        return moved, [colour for colour in range(self.n) if not track[colour][0]]

    def prizes(self, board: str, table: list[int]) -> list[tuple[int, int]]:
        """Pairs (colour, prize); three colours compete for two prizes."""
        if self.n == 3:
            table = table[:2]
        return list(zip(self.ranking(board)[0], table, strict=False))

    def win(self, board: str, colour: int, value: int) -> None:
        self.shields[colour].append((board, self.round, value))

    def score(self) -> None:
        """Score all boards in order."""
        self.score_isolde()
        if self.options["magie"] and self.round in (2, 5):
            for colour, points in reversed(self.prizes("MAGIE", [6, 4, 2])):
                self.magic(colour, points)
        self.score_lists()
        if self.options["kodex"]:
            self.score_codex()
        else:
            self.penalties("STUDIEN", -3, -1)
        self.score_king()
        if self.round == 6:
            if self.options["gral"]:
                self.score_quest()
            else:
                for colour, value in self.prizes("GRAL", [17, 10, 4]):
                    self.win("GRAL", colour, value)
            if self.options["barm"]:
                self.exchange()
            else:
                self.penalties("BARM", -10, -5)

    def score_isolde(self) -> None:
        """Score the bonuses in one of three ways."""
        winners = self.prizes("ISOLDE", [3, 2, 1])
        if self.options["galanterie"]:
            taken: set[str] = set()
            for colour, _ in winners:
                for _ in range(2):
                    if not self.gallantry(colour, taken):
                        break
        elif self.options["herausforderung"]:
            for colour, fields in reversed(winners):
                cards = self.played.count((colour, self.bets[colour]))
                if cards:
                    self.move(colour, self.bets[colour], cards * fields)
        else:
            for colour, fields in reversed(winners):
                choice = self.next(self.decider(colour), "bonus")
                assert choice != "ISOLDE"
                if choice != "-":
                    self.move(colour, choice, fields)

    def gallantry(self, colour: int, taken: set[str]) -> bool:
        """Use one bonus; return whether the same colour may have another."""
        if len(taken) == (4 if self.duo == "lancelot" else 5):
            return False
        neutral = self.owners[colour] is None
        left = {"START", "SCHWERT", "FUENFTE", "KOENIG2", "EINS"} - taken
        if neutral and len(left) == 1 and left <= {"FUENFTE", "KOENIG2"}:
            choice = left.pop()  # no decision needed
        else:
            choice = self.next(self.decider(colour), "bonus")
        if choice == "-":
            assert not neutral
            return False
        bonus, _, target = choice.partition(">")
        assert bonus not in taken
        taken.add(bonus)
        if bonus == "START":
            self.appointed = int(target) - 1
            assert self.owners[self.appointed] is not None
        elif bonus == "FUENFTE":
            self.open_card(colour, self.hands[colour][0])
        elif bonus == "KOENIG2":
            self.move(colour, "KOENIG", 2)
        else:
            assert bonus == "EINS" or target in ("LANZE", "TURNIER")
            self.move(colour, target, 1 if bonus == "EINS" else 2)
        return True

    def magic(self, colour: int, points: int) -> None:
        """Distribute points over other boards."""
        used = {"MAGIE"}
        while points:
            choice = self.next(self.decider(colour), "magic")
            if choice == "-":
                assert self.owners[colour] is not None
                return
            board, fields = choice.split("+")
            assert board not in used
            assert 1 <= int(fields) <= points
            used.add(board)
            points -= int(fields)
            self.move(colour, board, int(fields))

    def score_lists(self) -> None:
        """Score the two jousting boards: alike or, with the tournament, depending on which knight
        has won.
        """
        if not self.options["turnier"]:
            for board in ("LANZE", "TURNIER"):
                for colour, value in self.prizes(board, [3, 2, 1]):
                    self.win(board, colour, value)
        elif self.round in (2, 4, 6):
            for board, victory in (("LANZE", self.cup < 0), ("TURNIER", self.cup > 0)):
                for colour, value in self.prizes(board, [8, 5, 2] if victory else [5, 3, 1]):
                    self.win(board, colour, value)

    def penalties(self, board: str, last: int, second_last: int) -> None:
        """Penalties for last place and, with four or more colours, for the second to last."""
        moved, unmoved = self.ranking(board)
        for colour in unmoved:
            self.win(board, colour, last)
        if not unmoved:
            self.win(board, moved.pop(), last)
        if self.n >= 4 and len(unmoved) <= 1:
            self.win(board, moved.pop(), second_last)

    def score_codex(self) -> None:
        """All colours take a shield of the codex."""
        moved, unmoved = self.ranking("STUDIEN")
        places = list(range(self.n))
        for colour in moved + [c for c in self.order if c in unmoved]:
            place = places[0]
            if len(places) > 1:
                neutral = self.owners[colour] is None
                seat = CHANCE if neutral else self.decider(colour)
                place = int(self.next(seat, "take")) - 1
            places.remove(place)
            if self.codex[place]:
                self.win("STUDIEN", colour, self.codex[place])

    def score_king(self) -> None:
        """Score by fields, at half time and at the end, or when a scroll was taken."""
        track = [position for position, _ in self.tracks["KOENIG"]]
        if self.options["koenig"]:
            for colour, position in enumerate(track):
                value = [0, 1, 1, 2, 2, 2, 4, 4, 4, 6, 6, 6, 8][min(position, 12)]
                for _ in self.scrolls_taken if value else ():
                    self.win("KOENIG", colour, value)
        elif self.round in (3, 6):
            for colour, position in enumerate(track):
                if position >= 6:
                    self.win("KOENIG", colour, 12 if position >= 12 else 6)

    def score_quest(self) -> None:
        """Score the Grail by each colour's positive shields."""
        moved, unmoved = self.ranking("GRAL")
        counts = [sum(board in POSITIVE for board, _, _ in won) for won in self.shields]
        changes = [0] * self.n
        if moved:
            changes[moved[0]] += counts[moved[0]]
        if len(moved) > 1:
            changes[moved[1]] += counts[moved[1]] // 2
        for colour in unmoved or moved[-1:]:
            changes[colour] -= counts[colour] // 2
        for colour, change in enumerate(changes):
            if change:
                self.win("GRAL", colour, change)

    def exchange(self) -> None:
        """The first exchanges with the last, the second with the second to last."""
        moved, unmoved = self.ranking("BARM")
        free = unmoved[:]
        behind = moved[:]
        for place, colour in enumerate(moved[:1] if self.n == 3 else moved[:2]):
            if len(free) > 1:
                partner = int(self.next(self.decider(colour), "partner")) - 1
            elif free and (place == 0 or len(unmoved) > 1):
                partner = free[0]
            else:
                partner = behind.pop()
            if partner in free:
                free.remove(partner)
            self.swap(colour, partner, 2 - place)

    def swap(self, colour: int, partner: int, claims: int) -> None:
        """Give away one negative shield, if there is one, and take positive ones."""
        negative = [shield for shield in self.shields[colour] if shield[0] == "STUDIEN"]
        kinds = {shield if self.options["kodex"] else shield[2] for shield in negative}
        if negative:
            given = negative[0]
            if len(kinds) > 1:
                label = self.next(self.decider(colour), "give")
                if label.startswith("?"):
                    given = next(s for s in negative if s[1] == int(label[1:]))
                else:
                    given = next(s for s in negative if s[2] == int(label))
            self.shields[colour].remove(given)
            self.shields[partner].append(given)
        small = [s for s in self.shields[partner] if s[0] in POSITIVE and s[2] <= 3]
        values = sorted(shield[2] for shield in small)
        if len(small) > claims and len(set(values)) > 1:
            values = [int(v) for v in self.next(self.decider(colour), "claim").split("+")]
        for value in values[:claims]:
            taken = next(s for s in self.shields[partner] if s[0] in POSITIVE and s[2] == value)
            self.shields[partner].remove(taken)
            self.shields[colour].append(taken)

    # -- the end of a round
    def reset(self) -> None:
        """Reset the boards that start again after this round."""
        again = {"ISOLDE", "LANZE", "TURNIER", "STUDIEN", "KOENIG"} if self.round == 3 else set()
        if self.options["turnier"]:
            again -= {"LANZE", "TURNIER"}
            if self.round in (2, 4):
                again |= {"LANZE", "TURNIER"}
                self.cup = 0
        if self.options["magie"] and self.round == 2:
            again |= {"MAGIE"}
        if self.options["koenig"]:
            again -= {"KOENIG"}
            if 12 in self.scrolls_taken:
                again |= {"KOENIG"}
                self.scrolls = {6, 12}
            self.scrolls_taken = set()
        for board in again:
            self.tracks[board] = [(0, 0)] * self.n

    # -- results for comparison
    def positions(self) -> dict[str, list[int]]:
        """The fields of all pieces."""
        return {board: [fields for fields, _ in track] for board, track in self.tracks.items()}

    def scores(self) -> list[int]:
        """Points by seat."""
        points = [0] * self.players
        for owner, shields in zip(self.owners, self.shields, strict=True):
            if owner is not None:
                points[owner] += sum(value for _, _, value in shields)
        return points
