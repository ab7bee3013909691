"""Stories of decks."""
