"""The table: decks are played in the browser, and each game is kept in a log."""
