"""PDF with ReportLab. No other package may import ReportLab."""
