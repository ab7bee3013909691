"""Generate unique decks and boosters from a seed, as defined by `generator` in `game.xml`."""
