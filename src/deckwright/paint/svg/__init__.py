"""The second painter: ops as SVG, for screens. It needs no font and no other file to be seen."""
