"""Sheets: which face goes where on which page of paper. Millimetres, origin at the top left."""
