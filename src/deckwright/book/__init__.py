"""Books: rulebooks and overviews as structured data. How they look on paper is up to `pdf`."""
