"""Packages for a printer: all PDFs of a game with a job ticket for people and for machines."""
