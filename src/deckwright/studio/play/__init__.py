"""The table, on which decks are played in the browser; each game is kept in a log."""
