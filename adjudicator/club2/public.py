"""Write the public pages of a club: games as bystanders see them, rules, a feed of results, and calendars of deadlines.

The list of these files is in the folder of the club. The names of the players' calendars are secrets, so it leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.club2.club import Club
from adjudicator.core.values import Value
from adjudicator.site import UnmadePage


class ClubPublished(Value, kw_only=True):
    """The public pages of a club in ``folder``, with its ``index``, and the numbers of its games.

    ``changed_files`` counts the files that were written because they are new or changed, ``removed_files`` those of earlier
    runs that are gone. ``unmade`` are the pages that could not be made, ``troubles`` the games whose settings could not be
    read: they name no player.
    """

    folder: str
    index: str
    running_games: int
    finished_games: int
    changed_files: int
    removed_files: int
    unmade: tuple[UnmadePage, ...]
    troubles: tuple[str, ...]


def publish(club: Club, path: str, *, force: bool = False, notify: Callable[[], object] = lambda: None) -> ClubPublished:
    """Write the public pages of ``club`` into the folder ``path``, without pages that have not changed.

    A page that cannot be made says so, and the others are made as usual. Each page calls ``notify``. Raises ``CannotWrite``,
    also if the folder contains something else, unless with ``force``.
    """
    raise NotImplementedError
