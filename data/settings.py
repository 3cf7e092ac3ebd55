"""Where the database is: the one setting that the bot shares with the command-line tools."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from data.store.place import Place, place_of


class StoreSettings(BaseSettings):
    """Settings from the environment or ``.env``; names begin with ``TAFELRUNDE_``.

    :raises ValidationError: a setting is invalid, or ``.env`` cannot be read.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_prefix="TAFELRUNDE_", extra="ignore", populate_by_name=True
    )

    database: Annotated[Place, BeforeValidator(place_of)] = Path("tafelrunde.sqlite3")
    """The database: a file, or ``postgresql://...``."""

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except OSError as error:
            raise _unreadable(error.strerror or str(error)) from error
        except UnicodeError as error:
            raise _unreadable("it is not UTF-8 text") from error


def _unreadable(why: str) -> ValidationError:
    fault = PydanticCustomError("unreadable", "The file .env cannot be read: {why}", {"why": why})
    return ValidationError.from_exception_data("settings", [{"type": fault, "input": None}])


def in_words(problem: ValidationError) -> str:
    """List the problems with the settings, one per line, without values that may be secret. A
    problem with a single setting is listed under that setting's name.
    """
    prefix = StoreSettings.model_config["env_prefix"]
    lines = []
    for fault in problem.errors(include_input=False):
        names = [f"{prefix}{name}".upper() for name in fault["loc"][:1]]
        lines.append(": ".join([*names, fault["msg"].removeprefix("Value error, ")]))
    return "\n".join(lines)


def add_database_option(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Let a command-line tool accept ``--database``; the default is the bot's own setting."""
    try:
        default = StoreSettings().database
    except ValidationError as problem:
        parser.error(in_words(problem))
    parser.add_argument(
        "--database", type=place_of, default=default, help=f"{purpose} (default: %(default)s)"
    )
