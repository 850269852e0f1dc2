"""A whole game: dealt from a set-up, played by people or at random, written down and taken up again."""
