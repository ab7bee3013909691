"""Print runs: very many decks, each its own, printed exactly once whatever happens meanwhile."""
