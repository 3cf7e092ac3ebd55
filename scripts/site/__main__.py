"""Lay out everything from which the site is built: python -m scripts.site FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts.site.pages import lay_out


def main() -> int:
    """Run the command."""
    lay_out(Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
