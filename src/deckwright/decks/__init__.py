"""Decks in numbers: statistics, odds, comparison, balance, generator and solver."""
