"""Ways to show findings: one file each."""
