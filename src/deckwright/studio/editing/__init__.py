"""Editing in the page: forms for cards, rules, factions and names, previews, and saving."""
