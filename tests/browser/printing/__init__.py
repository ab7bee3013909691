"""Stories of printing."""
