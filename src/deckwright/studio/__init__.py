"""The studio: a local web page that shows a game live to one user.

`live_game.py` holds the open game and belongs to one thread. `session.py` owns that thread, the
file watcher, the check and the event streams. `app.py` answers requests; `guard.py` refuses those
without the token.
"""
