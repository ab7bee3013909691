"""Deckwright turns a folder of XML into checked, printable card games."""

__version__ = "0.1.0"
