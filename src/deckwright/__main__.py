"""The programs: `python -m deckwright`, and those that are installed.

Each listens to interrupts before it imports anything else.
"""

from collections.abc import Callable

from deckwright.base.interrupts import record_interrupts


def _program(name: str) -> Callable[[], None]:
    """Return the program that `deckwright.cli` has under a name."""

    def run() -> None:
        record_interrupts()
        from deckwright import cli  # takes a while

        getattr(cli, name)()

    return run


main = _program("main")
deck_constructor = _program("deck_constructor")
marker_constructor = _program("marker_constructor")
overview_constructor = _program("overview_constructor")

if __name__ == "__main__":
    main()
