"""The location of the database: the one setting that the bot shares with the command-line tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator
from pydantic_settings import BaseSettings, SettingsConfigDict

from data.store.place import Place, place_of


class StoreSettings(BaseSettings):
    """Settings from the environment or ``.env``; names begin with ``TAFELRUNDE_``."""

    model_config = SettingsConfigDict(
        env_file=".env", env_prefix="TAFELRUNDE_", extra="ignore", populate_by_name=True
    )

    database: Annotated[Place, BeforeValidator(place_of)] = Path("tafelrunde.sqlite3")
    """The database: a file, or ``postgresql://...``."""
