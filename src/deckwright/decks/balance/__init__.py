"""The balance of a whole game: best decks, dominated cards, and cost against worth."""
