"""The steps of the schema: numbered scripts, and what carries content over where they cannot."""
