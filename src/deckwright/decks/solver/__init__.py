"""Find legal decks with an integer programming solver.

`building.py` turns the limits of a game into an integer program, which is plain data
(`program.py`). `highs.py` solves it, and is the only module that imports the solver.
"""
