"""Painters: ops become PDF, SVG or pixels."""
