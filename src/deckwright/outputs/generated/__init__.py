"""What the decks of a run are like, as a PDF."""
