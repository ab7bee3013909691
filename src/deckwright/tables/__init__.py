"""Cards as tables for balancing: written to spreadsheets and read back.

A table has a row for each card and a column for each field. An imported table is compared with an
export; only differences are applied to the XML files.
"""
