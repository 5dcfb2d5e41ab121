"""Help the organizer of a rally: lay routes on a map, and score time sheets kept by hand."""
