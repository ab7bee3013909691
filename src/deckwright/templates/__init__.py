"""Templates: XML files that become lists of drawing ops for each card."""
