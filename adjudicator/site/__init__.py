"""An archive as a static site: a page for each game, lists, plots, the verdict of the audit."""
