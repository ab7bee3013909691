"""Outputs: everything that can be printed or exported, one file or folder each.

Functions with a `report` add their findings to it; after errors, they raise an `OutputError`, and
nothing is written.
"""
