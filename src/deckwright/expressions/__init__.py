"""The expression language of templates and `game.xml`, written in double braces."""
