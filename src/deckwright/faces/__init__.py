"""The faces of a game: which template and back each card has, composed once."""
