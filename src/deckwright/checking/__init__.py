"""The whole check: its stages, the layout check, what was found well before."""
