"""The language of expressions, which templates and `game.xml` write in double braces."""
