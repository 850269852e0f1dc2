"""What an answer looks like, once: typed pages made of results, for every face to draw."""
