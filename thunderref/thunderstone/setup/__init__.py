"""Set-ups of a game: draws by the printed procedure, variants, wishes, codes and the sheet to lay it out (R1, R9)."""
