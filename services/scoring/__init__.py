"""What is left of a match when it has ended: results, ratings, leaderboards, the archive."""
