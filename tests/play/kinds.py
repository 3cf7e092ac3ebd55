"""All kinds of occasions in tests: those of the bot, and relays."""

from typing import Any, Final

from play.occasions.daily import DailyKind
from play.occasions.occasion import Kind
from play.occasions.season import SeasonKind
from play.occasions.seek import Seeking
from play.occasions.tournament_acts import Tournaments
from tests.play.relay import Relay

KINDS: Final[tuple[Kind[Any], ...]] = (
    Relay(),
    Tournaments(),
    Seeking(),
    SeasonKind(),
    DailyKind(),
)
