"""A look at a whole game: its best decks, its cards against each other, and cost against worth."""
