"""Templates: XML files that are compiled and run for each card to give drawing ops."""
