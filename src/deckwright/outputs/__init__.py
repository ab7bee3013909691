"""Outputs: the pages of each thing that is printed, one file each."""
