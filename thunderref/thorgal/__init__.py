<<<<<<< HEAD
"""Thorgal at the same table: set-up, the course of the rounds, and what is laid on small grids, with their dice."""
=======
"""Thorgal at the same table: fights, wandering, gathering and wounds on small grids, and the dice of a fight."""
>>>>>>> 13049a4 (Thorgal: fights, wandering, gathering and wounds on small grids, searched exactly; the chance of a roll)
