"""Prepress: inks by ICC profile, flattened transparency, overprinting black."""
