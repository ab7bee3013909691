"""Editing in place: forms of cards, rules, factions and names, previews, and saving."""
