"""Rate players by the places of their finished games, and count their results against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from adjudicator.core.values import Value
from adjudicator.reports.player_standing import NEW_RATING
from adjudicator.reports.site_game import SiteGame


class Rating(Value):
    """The strength of a player: in two of three cases within ``doubt`` of ``value``, by this number of ``games``."""

    value: int
    doubt: int
    games: int

    def __str__(self) -> str:
        return f"{self.value} ± {self.doubt}"


class RatedGame(Protocol):
    """A game with the places of the players whom it rates (``rated``), and the time of its end."""

    @property
    def rated(self) -> Mapping[str, int]:
        """The place of each player; empty if the game does not count."""

    @property
    def finished(self) -> int | None:
        """The time of the last orders, in seconds since 1970 (``None``: not known)."""


def ratings(games: Iterable[RatedGame]) -> dict[str, Rating]:
    """Return the rating of each player by the finished ``games`` of one ruleset, the best first.

    A high rating with much doubt ranks lower.
    A game counts if it rates several players. Games with a date count in its order, after those without one.
    """
    from openskill.models import PlackettLuce, PlackettLuceRating

    mean = NEW_RATING
    model = PlackettLuce(mu=mean, sigma=mean / 3, beta=mean / 6, tau=mean / 300)  # in their usual ratio
    found: dict[str, PlackettLuceRating] = {}
    played = Counter[str]()
    counted = (game for game in games if len(game.rated) > 1)
    for game in sorted(counted, key=lambda game: game.finished or 0):
        places = game.rated
        before = [[found.get(who) or model.rating()] for who in places]
        after = model.rate(before, ranks=[float(place) for place in places.values()])
        found |= {who: team[0] for who, team in zip(places, after, strict=True)}
        played.update(places.keys())
    shown = {who: Rating(round(one.mu), round(one.sigma), played[who]) for who, one in found.items()}
    return {who: shown[who] for who in sorted(shown, key=lambda who: (3 * shown[who].doubt - shown[who].value, who))}


class Versus(Value):
    """The results against one other player: games finished before, at the same place as, and after this player."""

    ahead: int = 0
    level: int = 0
    behind: int = 0

    @property
    def games(self) -> int:
        """The number of these games."""
        return self.ahead + self.level + self.behind


def versus(holder: str, games: Sequence[SiteGame]) -> Mapping[str, Versus]:
    """Return the results of ``holder`` against each other player of finished ``games``; most games first."""
    counts: dict[str, list[int]] = {}
    for game in games:
        places = game.places
        own = places.get(holder)
        if own is None:
            continue
        for who, place in places.items():
            if who != holder:
                counts.setdefault(who, [0, 0, 0])[1 if place == own else 2 * (place < own)] += 1
    found = {who: Versus(*numbers) for who, numbers in counts.items()}
    return {who: found[who] for who in sorted(found, key=lambda who: (-found[who].games, who))}
