"""What everything stands on: findings, files, units, boxes, colors. It knows no games."""
