"""A game as data: what it consists of, and how its files are read."""
