"""Games in other languages: catalogs of translations, in gettext's format PO."""
