"""Cutting machines: their profiles, and the files that tell them where to cut."""
