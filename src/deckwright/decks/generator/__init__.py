"""Decks that are all different, made of a seed, and boosters, as `generator` of `game.xml` says."""
