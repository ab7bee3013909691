"""Printing from the studio: what can be made, its pages as they will come out, and the files.

Pages are laid out, and files made, in processes of their own, which read the folder as it is saved:
`child.py` is what runs there, `press.py` and `jobs.py` are what talks to it.
"""
