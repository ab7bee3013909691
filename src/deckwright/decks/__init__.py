"""What decks consist of, in numbers."""
