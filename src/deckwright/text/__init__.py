"""Text: fonts, shaping, line breaking, rich text and symbols. Widths are in ems."""
