"""The expression language of templates and `game.xml`, written in double braces."""


class LenientDict(dict[str, object]):
    """A dictionary whose missing keys are empty texts in expressions."""

    __slots__ = ()
