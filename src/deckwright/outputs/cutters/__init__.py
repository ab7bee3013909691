"""Cutting machines: their profiles and cut files."""
