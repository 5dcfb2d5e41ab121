# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Make a static site of an archive: a page for each game, lists, plots, the verdict of the audit.

``build.py`` builds the site of an archive, or that of a club, and recognizes files that have not changed. ``page.py`` makes
one page: that of a game, with its audit and its facts for the lists, or a list. ``lists.py`` plans the lists.
"""

from adjudicator.results import UnmadePage
from adjudicator.site.build import HomeGame, SiteFolder, build_home, build_site
from adjudicator.site.page import GamePage
