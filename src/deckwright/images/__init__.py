"""Images: decoded within bounded memory, shrunk for print, cached by content."""
