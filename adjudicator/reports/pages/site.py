"""Write the lists of an archive site: the index, and pages for each ruleset and player."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from adjudicator.core.canonical import digest
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Unit
from adjudicator.outputs.simulations import WinShare
from adjudicator.reports.data.heading import player_name
from adjudicator.reports.data.statistics import GameTally, percent, statistics
from adjudicator.reports.pages.web import web_page
from adjudicator.reports.pictures.plots import Bar, Plot, bar_plot, histogram
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import count_of, signed

INDEX: Final = "index.html"
PLAYERS: Final = "players.html"
_UNSAFE: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 40
_MOST_PLAYERS: Final = 20
"""The number of players on the first page; more are on a separate page."""


@frozen(kw_only=True)
class SiteGame:
    """A game of the archive: the ``file`` of its page, the ``source`` of the game, and its public facts.

    ``status`` is the one-word verdict of the audit; ``players`` are pairs of seat and player. ``tally`` is ``None`` for an
    unreadable game; then ``ruleset`` and ``name`` may be empty, too. ``unit`` is that of the ruleset.
    """

    file: str
    source: str
    game: str
    status: str
    ruleset: str = ""
    name: str = ""
    unit: Unit = Unit("", "")
    players: tuple[tuple[str, str], ...] = ()
    tally: GameTally | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.tally is not None and self.tally.is_finished

    @property
    def winners(self) -> frozenset[str]:
        """The seats that have won."""
        if self.tally is None or not self.tally.is_finished:
            return frozenset()
        return frozenset(seat.seat for seat in self.tally.seats if seat.place == 1)


@frozen
class Cell:
    """A piece of a table cell: its ``text``, its link if any, and ``is_strong`` if it is emphasized."""

    text: str
    href: str = ""
    is_strong: bool = False


Row = tuple[tuple[Cell, ...], ...]
"""The cells of a row, each with one or more pieces."""
_Grouped = dict[str, list[SiteGame]]


@frozen
class ListTable:
    """A table with its ``title``, ``headings`` and rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]


@frozen
class ListPage:
    """A page of lists: its ``title``, the sentences below it, ``plots`` and ``tables``; ``up`` links to the pages above."""

    title: str
    lead: tuple[str, ...]
    plots: tuple[Plot, ...]
    tables: tuple[ListTable, ...]
    up: tuple[Cell, ...] = ()


def page_name(*words: str) -> str:
    """Return a file name for the page about ``words``: valid on every system, and different for other words."""
    stem = _UNSAFE.sub("-", words[0].lower()).strip("-")[:_LONGEST].strip("-")
    mark = digest("\n".join(words).encode("utf-8", "surrogatepass"))[:8]
    return f"{stem}-{mark}.html" if stem else f"{mark}.html"


@frozen
class PlannedPage:
    """A page of lists: the ``name`` of its file, its ``title``, and ``make``, which returns its text."""

    name: str
    title: str
    make: Callable[[], str]


def list_pages(games: Sequence[SiteGame]) -> Iterator[PlannedPage]:
    """Yield the pages that list ``games``; the index comes last."""
    by_ruleset = _grouped((game.ruleset, game) for game in games if game.tally is not None)
    for ruleset, played in by_ruleset.items():
        yield _planned(page_name(ruleset), played[0].name, partial(_ruleset_page, played))
    by_player = _grouped((holder, game) for game in games for holder in dict.fromkeys(who for _, who in game.players if who))
    ranked = {who: by_player[who] for who in sorted(by_player, key=lambda holder: (-len(by_player[holder]), holder))}
    for holder, played in ranked.items():
        yield _planned(page_name(holder, "player"), holder, partial(_player_page, holder, played))
    if len(ranked) > _MOST_PLAYERS:
        yield _planned(PLAYERS, "Players", partial(_players_page, ranked))
    yield _planned(INDEX, "Games", partial(_index, games, by_ruleset, ranked))


def _planned(name: str, title: str, page: Callable[[], ListPage]) -> PlannedPage:
    return PlannedPage(name, title, lambda: _written(page()))


_HOME: Final = Cell("All games", INDEX)
_PLAYER_HEADINGS: Final = ("player", "games", "finished", "won")
_GAME_HEADINGS: Final = ("game", "players", "result", "orders", "audit")


def trouble_page(title: str, sentences: Sequence[str], links: Sequence[Cell] = (), home: str = INDEX) -> str:
    """Return a page that explains in ``sentences`` why it shows no more; ``home`` is the link to the index."""
    return _written(ListPage(title, tuple(sentences), (), (), (replace(_HOME, href=home), *links)))


def ruleset_links(games: Iterable[SiteGame]) -> tuple[Cell, ...]:
    """Return links to the pages of all rulesets of ``games``."""
    names = {game.ruleset: game.name for game in games if game.tally is not None}
    return tuple(Cell(names[ruleset], page_name(ruleset)) for ruleset in sorted(names))


def _written(page: ListPage) -> str:
    from markupsafe import Markup

    drawn = [(plot.title, Markup(plot.svg), plot.words) for plot in page.plots]
    return web_page("list.html", style="list.css", page=page, plots=drawn)


def _index(games: Sequence[SiteGame], by_ruleset: _Grouped, by_player: _Grouped) -> ListPage:
    if not games:
        return ListPage("Games", ("There are no games here yet.",), (), ())
    rows = [
        (
            (Cell(played[0].name, page_name(ruleset)),),
            (Cell(str(len(played))),),
            (Cell(str(sum(game.is_over for game in played))),),
            (Cell(str(statistics(_tallies(played)).orders.median)),),
            (Cell(_verdicts(played)),),
        )
        for ruleset, played in by_ruleset.items()
    ]
    tables = [ListTable("Games by ruleset", ("ruleset", "games", "finished", "orders (median)", "audit"), tuple(rows))]
    players = tuple(_player_row(holder, played) for holder, played in islice(by_player.items(), _MOST_PLAYERS))
    if players:
        title = f"The {_MOST_PLAYERS} players with the most games" if len(by_player) > _MOST_PLAYERS else "Players"
        tables.append(ListTable(title, _PLAYER_HEADINGS, players))
    troubled = [((Cell(game.source, game.file),), (Cell(game.status),)) for game in games if game.tally is None]
    if troubled:
        tables.append(ListTable("Games that cannot be shown", ("file", "audit"), tuple(troubled)))
    links = (Cell("All players", PLAYERS),) if len(by_player) > _MOST_PLAYERS else ()
    return ListPage("Games", (f"{count_of(len(games), 'game')}: {_verdicts(games)}",), (), tuple(tables), links)


def _ruleset_page(games: Sequence[SiteGame]) -> ListPage:
    first = games[0]
    found = statistics(_tallies(games))
    over = [game for game in games if game.is_over]
    lead = [f"{count_of(len(games), 'game')}, {len(over)} of them finished: {_verdicts(games)}"]
    plots = [histogram("Length of a game", [tally.orders for tally in _tallies(games)], "orders")]
    if over:
        seats = [seat for tally in _tallies(over) for seat in tally.seats]
        plots += [_shares(f"Won, by {by}", found.wins[by]) for by in ("seat", "order of play") if found.wins.get(by)]
        if winners := [seat.score for seat in seats if seat.place == 1]:
            plots.append(histogram("Score of the winner", winners, first.unit.long, first.unit))
        plots.append(histogram("Score of every seat", [seat.score for seat in seats], first.unit.long, first.unit))
    return ListPage(first.name, tuple(lead), tuple(plots), (_game_table("Games", games),), (_HOME,))


def _shares(title: str, shares: Sequence[WinShare]) -> Plot:
    bars = (Bar(one.value, 1000 * one.won // max(1, one.played), f"{percent(one.won, one.played)} %") for one in shares)
    return bar_plot(title, tuple(bars))


def _player_page(holder: str, games: Sequence[SiteGame]) -> ListPage:
    won = sum(_has_won(holder, game) for game in games)
    over = sum(game.is_over for game in games)
    lead = f"{count_of(len(games), 'game')}, {over} of them finished, {won} won"
    tables = [_game_table(name, played) for name, played in _grouped((game.name, game) for game in games).items()]
    return ListPage(printable(holder), (lead,), (), tuple(tables), (_HOME,))


def _players_page(by_player: _Grouped) -> ListPage:
    rows = tuple(_player_row(holder, played) for holder, played in by_player.items())
    return ListPage(
        "Players", (count_of(len(rows), "player"),), (), (ListTable("Players", _PLAYER_HEADINGS, rows),), (_HOME,)
    )


def _player_row(holder: str, games: Sequence[SiteGame]) -> Row:
    numbers = len(games), sum(game.is_over for game in games), sum(_has_won(holder, game) for game in games)
    return ((Cell(printable(holder), page_name(holder, "player")),), *((Cell(str(number)),) for number in numbers))


def _has_won(holder: str, game: SiteGame) -> bool:
    return any(who == holder and seat in game.winners for seat, who in game.players)


def _game_table(title: str, games: Sequence[SiteGame]) -> ListTable:
    return ListTable(title, _GAME_HEADINGS, tuple(map(_game_row, games)))


def _game_row(game: SiteGame) -> Row:
    players = tuple(
        Cell(printable(f"{seat}: {who}" if who else seat), page_name(who, "player") if who else "", seat in game.winners)
        for seat, who in game.players
    )
    orders = str(game.tally.orders) if game.tally is not None else ""
    return (
        (Cell(printable(game.game), game.file),),
        players,
        (Cell(_result(game)),),
        (Cell(orders),),
        (Cell(game.status, is_strong=game.status != "verified"),),
    )


def _result(game: SiteGame) -> str:
    if game.tally is None:
        return ""
    if not game.tally.is_finished:
        return "in progress"
    ranked = sorted(game.tally.seats, key=lambda seat: seat.place)
    held = {Seat(seat): who for seat, who in game.players}
    scores = ", ".join(f"{player_name(seat.seat, held)} {signed(seat.score, game.unit)}" for seat in ranked[:6])
    return printable(f"{scores}{' …' if len(ranked) > 6 else ''} {game.unit.short}")


def _verdicts(games: Iterable[SiteGame]) -> str:
    counts = Counter(game.status for game in games)
    return ", ".join(f"{counts[status]} {status}" for status in sorted(counts, key=lambda one: (one != "verified", one)))


def _tallies(games: Iterable[SiteGame]) -> list[GameTally]:
    return [game.tally for game in games if game.tally is not None]


def _grouped(pairs: Iterable[tuple[str, SiteGame]]) -> _Grouped:
    """Return the games under each key, the keys sorted, the games in their order."""
    listed = list(pairs)
    groups: dict[str, list[SiteGame]] = {key: [] for key in sorted({key for key, _ in listed})}
    for key, game in listed:
        groups[key].append(game)
    return groups
