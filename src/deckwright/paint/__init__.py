"""Painters: convert ops to PDF, SVG or pixels."""
