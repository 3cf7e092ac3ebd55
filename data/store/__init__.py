"""The store: all persistent data. Outside it, only ``data.jobs`` and ``data.transfer`` contain
SQL.
"""
