"""Pages with the old and the new faces of a game side by side."""
