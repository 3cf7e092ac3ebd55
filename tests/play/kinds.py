"""The kinds of occasions in tests: the bot's, plus relays."""

from typing import Any, Final

from play.occasions.daily import DailyKind
from play.occasions.occasion import OccasionKind
from play.occasions.season import SeasonKind
from play.occasions.seek import Seeking
from play.occasions.tournament_acts import Tournaments
from tests.play.relay import Relay

KINDS: Final[tuple[OccasionKind[Any], ...]] = (
    Relay(),
    Tournaments(),
    Seeking(),
    SeasonKind(),
    DailyKind(),
)
