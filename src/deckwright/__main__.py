"""Run the command line with `python -m deckwright`."""

from deckwright.cli import main

if __name__ == "__main__":
    main()
