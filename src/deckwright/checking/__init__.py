"""The complete check: its stages, and the sandboxed and cached layout check."""
