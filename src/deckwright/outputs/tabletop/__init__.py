"""Decks for virtual tables: sheets of pictures, and piles of cards."""
