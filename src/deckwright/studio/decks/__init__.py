"""The deck builder: validates, completes, draws from and saves drafts of decks.

The page holds the draft and posts it with each request. The server keeps none of it, so that
nothing is lost when the studio ends.
"""
