"""The display list: the ops of a laid-out face, in millimetres."""
