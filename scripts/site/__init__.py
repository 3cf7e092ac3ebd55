"""The documentation as a site: the pages it is built from, and how they are laid out."""
