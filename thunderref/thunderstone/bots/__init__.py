"""Players of whole games: functions of what a player may see and of the legal choices."""
