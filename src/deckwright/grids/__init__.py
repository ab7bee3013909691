"""Tables: read CSV, JSON and XLSX as located cells, parse their content, and write them."""
