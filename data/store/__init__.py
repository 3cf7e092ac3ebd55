"""The store: all persistent data. Only ``data.jobs`` and ``data.transfer`` contain SQL, too."""
