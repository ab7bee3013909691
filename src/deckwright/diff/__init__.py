"""Changes between two states of a game, and since a deck was printed."""
