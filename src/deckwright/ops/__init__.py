"""The display list: what a face consists of once it is laid out, in millimetres."""
