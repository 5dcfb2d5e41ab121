"""Hold the games, one folder each with the same file names. They import ``adjudicator.game`` and nothing of each other."""
