"""A game as a page of files for browsers, which needs no server."""
