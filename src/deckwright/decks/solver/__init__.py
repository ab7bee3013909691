"""Decks that keep all limits, found by a solver.

`building.py` turns the limits of a game into a program of whole numbers, which is plain data
(`program.py`); `highs.py` solves it, and is the only module that knows the solver.
"""
