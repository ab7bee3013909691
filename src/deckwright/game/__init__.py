"""The data model of a game, and the readers of its files."""
