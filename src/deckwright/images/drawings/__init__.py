"""SVG drawings as ops. Anything that cannot be drawn as in browsers is refused."""
