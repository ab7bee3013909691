"""Books: rulebooks and overviews as blocks; `paint` typesets them."""
