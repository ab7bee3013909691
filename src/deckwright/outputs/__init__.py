"""Outputs: everything that can be printed or exported, one file or folder each."""
