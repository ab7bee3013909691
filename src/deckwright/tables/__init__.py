"""Cards as tables, for people who balance them: written to spreadsheets, and read back.

A table has a row for each card and a column for each field. What is read back is compared with what
would be written; only what differs goes into the XML files, which otherwise stay as they are.
"""
