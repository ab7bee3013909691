"""The deck builder: it validates, completes, draws from and saves drafts of decks.

The page holds the draft and sends it with each request. The server keeps nothing, so that nothing
is lost when the studio ends.
"""
