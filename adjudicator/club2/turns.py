"""Take one game a step further: play its turn or tell what has changed, remind players, judge those who are late."""

from __future__ import annotations

from adjudicator.club2.club import Club, GameRow


def advance(club: Club, row: GameRow, *, has_all_mails: bool = True) -> bool:
    """Run a game as far as its mails or its deadline allow, by one step; return whether anything has happened.

    Unless the club ``has_all_mails`` that have come, it tells changes but does not adjudicate: another mail may replace
    those that it has. The caller has locked the game. Raises ``FileProblem`` if the game is unusable.
    """
    raise NotImplementedError


def hold_deadline(club: Club, row: GameRow) -> bool:
    """Write to the moderator once if the deadline of a game is over but the club has not read all mails yet."""
    raise NotImplementedError
