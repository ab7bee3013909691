"""The expression language of templates and `game.xml`, written in double braces."""


class LenientDict(dict[str, object]):
    """A dictionary whose missing keys are empty texts in expressions."""

    __slots__ = ()


class ExpressionSyntaxError(Exception):
    """An expression is malformed."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
