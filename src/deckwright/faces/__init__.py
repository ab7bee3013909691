"""The faces of a game: templates, backs and copies of cards; each face is composed once."""
