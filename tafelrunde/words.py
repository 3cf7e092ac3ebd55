"""The texts of a game, and its own commands if ``move`` is not enough."""

from cogs.features.feature import Choices, choices, command
from cogs.games.game import GameCog
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from cogs.present.words import ASK_ON, Choice, GameWords, Group, Menu, OptionWords, Preset
from data.texts import N_, NN_, Texts
from play.table import Table

__all__ = [
    "ASK_ON",
    "L_",
    "NN_",
    "N_",
    "Choice",
    "Choices",
    "GameCog",
    "GameWords",
    "Group",
    "Interaction",
    "Menu",
    "OptionWords",
    "Preset",
    "Table",
    "Texts",
    "choices",
    "command",
    "name_",
]
