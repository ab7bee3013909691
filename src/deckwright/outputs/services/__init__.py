"""Print services: their requirements as data, and the preparation of decks for them."""
