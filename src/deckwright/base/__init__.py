"""The foundation: findings, files, units, boxes, colors. It knows nothing of games."""
