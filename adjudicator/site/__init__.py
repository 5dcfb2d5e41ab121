"""Make a static site of an archive: a page for each game, lists, plots, the verdict of the audit."""
