"""Outputs: what pages a thing consists of, one file each."""
