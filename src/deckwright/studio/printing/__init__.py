"""Printing from the studio: what can be made, previews of its pages, and the files.

Child processes lay out the pages and write the files, from the game's folder as it is saved.
`worker.py` runs in them, and `jobs.py` starts and asks them.
"""
