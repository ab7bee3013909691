"""SVG drawings: reading them as ops. What cannot be drawn as browsers draw it is refused."""
