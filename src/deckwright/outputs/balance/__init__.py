"""The report of a look at a whole game: pages with charts."""
