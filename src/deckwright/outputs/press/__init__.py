"""What a printing press needs: inks by its profile, nothing transparent, black on top."""
