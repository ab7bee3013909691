"""Games played on the table: what their events make of it, their logs, and what happened."""
