"""Editing in the page: forms, previews and saving of cards, rules, factions, texts, templates."""
