"""Images: opened with bounded memory, shrunk to what print needs, kept by their content."""
