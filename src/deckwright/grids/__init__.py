"""Tables: CSV and XLSX as rows of cells that know their places, and what stands in a cell."""
