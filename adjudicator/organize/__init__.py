"""What the organiser of a rally needs besides games: routes laid on a map, time sheets kept by hand."""
