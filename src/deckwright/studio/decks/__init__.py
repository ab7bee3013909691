"""The deck builder: drafts of decks, judged, completed, drawn from and saved.

The page holds a draft and posts it whole; nothing of it is kept here, so that nothing is lost when
the studio ends.
"""
