"""Print services: what each wants as data, and decks made ready for them."""
