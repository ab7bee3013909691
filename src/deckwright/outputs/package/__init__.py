"""Packages for print shops: all PDFs of a game, with a job ticket for people and machines."""
