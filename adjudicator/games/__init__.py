"""The games, one folder each with the same file names. They import the core and nothing of each other."""
