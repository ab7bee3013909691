"""PDF. Books are laid out with ReportLab's Platypus, which no other package may import."""
