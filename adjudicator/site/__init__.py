# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Make a static site of an archive: a page for each game, lists, plots, the verdict of the audit.

``game_page.py`` makes the page of one game with its audit, ``build.py`` all pages in several processes, ``home.py`` those of
a club with rules, ``folder.py`` writes them and recognizes those of the last run, and ``fault.py`` makes the page for one
that cannot be made. ``lists.py`` plans the pages of lists from the ``site_game.py`` of each game and from ``standings.py``,
``list_page.py`` writes one.
"""

from adjudicator.results import UnmadePage
from adjudicator.site.build import SiteListing, build_site
from adjudicator.site.folder import SiteFolder
from adjudicator.site.home import HomeGame, build_home
