"""The studio: a page for one person, on this machine alone, that shows a game live.

`gallery.py` knows the open game and is for one thread; `desk.py` has that thread, the watcher, the
check and the streams; `app.py` answers requests, and `guard.py` refuses those of strangers.
"""
