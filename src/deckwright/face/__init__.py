"""Faces: templates become lists of drawing ops, in millimetres, origin at the top left."""
