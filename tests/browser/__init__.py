"""Stories of the studio, looked at in a browser."""
