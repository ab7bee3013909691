"""Sheets: the layout of faces on paper. Lengths are millimetres, the origin is at the top left."""
