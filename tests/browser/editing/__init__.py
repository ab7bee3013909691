"""Stories of editing in place."""
