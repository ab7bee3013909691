"""Decks for Tabletop Simulator: sheets of pictures, and piles of cards as JSON."""
