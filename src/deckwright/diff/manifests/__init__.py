"""Manifests: what was printed of a deck, card by card, and what has changed since.

A manifest stands beside the PDF of a deck. It holds a digest of each face, by which a later print
knows the faces that are no longer the same, and the values of the cards, by which it can say why.
"""
