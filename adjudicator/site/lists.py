"""Plan the lists of an archive site: the index, pages for each ruleset and player, and the feed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any, Final

from adjudicator.core.values import Seat, Value
from adjudicator.reports.heading import player_name
from adjudicator.reports.plots import Bar, Plot, bar_plot, histogram
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import count_of, signed
from adjudicator.reports.web import web_document
from adjudicator.simulate.statistics import GameTally, WinShare, percent, statistics
from adjudicator.site.list_page import FEED, HOME, INDEX, Cell, Choice, ListPage, ListTable, Row, list_page, row_of
from adjudicator.site.site_game import VERIFIED, SiteGame, newest_first, page_name, player_page, verdicts
from adjudicator.site.standings import (
    LAST_GAMES,
    RECORD_HEADINGS,
    PlayerStanding,
    Rating,
    ratings,
    record_rows,
    standing_words,
    standings_by_player,
    versus,
)

PLAYERS: Final = "players.html"
LONGEST: Final = 250
"""The greatest number of rows of a table on one page."""
_MOST_PLAYERS: Final = 20
"""The number of players on the first page; more are on a separate page."""
_MOST_OPPONENTS: Final = 100
_MOST_NEWS: Final = 50
"""The number of games in the feed."""
_HOME: Final = Cell(HOME, INDEX)
_PLAYER_HEADINGS: Final = ("player", "games", "finished", "won")
_GAME_HEADINGS: Final = ("game", "ruleset", "result", "orders", "finished", "audit")
_RULESET, _FINISHED = 1, 4
"""The columns of games that have filters."""
_MARK: Final = 8
"""The number of characters at the end of the name of a page that differ for each source."""
_Grouped = dict[str, list[SiteGame]]
_Ratings = Callable[[str], Mapping[str, Rating]]
"""Returns the ratings of players of a ruleset."""
_Standings = Callable[[], Mapping[str, PlayerStanding]]
"""Returns the standing of each player."""


class PlannedPage(Value):
    """A page of lists: the ``name`` of its file, its ``title``, and ``make``, which returns its text."""

    name: str
    title: str
    make: Callable[[], str]


class Home(Value):
    """The first page of a site: its ``title``, and what it has in addition to the lists of games.

    The table of the games that are ``open`` to players comes first, then that of those ``running`` (``None``: they are
    among all games); ``more`` tables come last, and ``links`` at the top. A table without rows is left out.
    """

    title: str = "Games"
    open: ListTable | None = None
    running: ListTable | None = None
    more: tuple[ListTable, ...] = ()
    links: tuple[Cell, ...] = ()


_GAMES_HOME: Final = Home()


def list_pages(games: Sequence[SiteGame], url: str = "", home: Home = _GAMES_HOME) -> Iterator[PlannedPage]:
    """Yield the pages that list ``games``; the index comes last. ``url`` is the address of the site, if known."""
    by_ruleset = _grouped((game.ruleset, game) for game in games if game.tally is not None)
    # Computed for the first page that needs them.
    rated = cache(lambda ruleset: ratings((one.finished, one.rated) for one in by_ruleset[ruleset]))
    standings = cache(lambda: dict(standings_by_player(record for game in games for record in game.records)))
    for ruleset, played in by_ruleset.items():
        make = partial(_ruleset_page, played, rated)
        yield from _planned(page_name(ruleset), played[0].name, make, len(played), url)
    by_player = _grouped((holder, game) for game in games for holder in dict.fromkeys(who for _, who in game.players if who))
    ranked = {who: by_player[who] for who in sorted(by_player, key=lambda holder: (-len(by_player[holder]), holder))}
    for holder, played in ranked.items():
        make = partial(_player_page, holder, played, rated, standings)
        yield from _planned(player_page(holder), holder, make, len(played), url)
    if len(ranked) > _MOST_PLAYERS:
        yield from _planned(PLAYERS, "Players", partial(_players_page, ranked), len(ranked), url)
    dated = [game for game in newest_first(games) if game.date][:_MOST_NEWS]
    if dated:
        yield PlannedPage(FEED, "Games", partial(_feed, dated, url))
    index = partial(_index, games, by_ruleset, ranked, home, has_feed=bool(dated))
    yield PlannedPage(INDEX, home.title, lambda: list_page(index(), url))


def _planned(name: str, title: str, make: Callable[[int], ListPage], rows: int, url: str) -> Iterator[PlannedPage]:
    """Yield the page ``name``, in parts if its long table has too many ``rows``; ``make`` takes the number of the part."""
    stem = name.removesuffix(".html")
    names = [name, *(f"{stem}-{at}.html" for at in range(2, -(-rows // LONGEST) + 1))]
    links = tuple(Cell(str(at), one) for at, one in enumerate(names, 1)) if len(names) > 1 else ()
    for part, one in enumerate(names):
        yield PlannedPage(one, title, partial(_part, make, part, links, url and f"{url}{one}"))


def _part(make: Callable[[int], ListPage], part: int, links: tuple[Cell, ...], url: str) -> str:
    page = make(part)
    shown = tuple(link if at != part else Cell(link.text, is_strong=True) for at, link in enumerate(links))
    if part == 0:
        return list_page(ListPage(page.title, page.lead, page.plots, page.tables, page.up, shown), url)
    title = f"{page.title}, page {part + 1}"
    return list_page(ListPage(title, (), (), page.tables[-1:], page.up, shown), url)


def ruleset_links(games: Iterable[SiteGame]) -> tuple[Cell, ...]:
    """Return links to the pages of all rulesets of ``games``."""
    names = {game.ruleset: game.name for game in games if game.tally is not None}
    return tuple(Cell(names[ruleset], page_name(ruleset)) for ruleset in sorted(names))


def _feed(games: Sequence[SiteGame], url: str) -> str:
    """Return the Atom feed of finished ``games``, at least one, the latest first."""
    entries = [(game, result_text(game)) for game in games]
    return web_document("site/templates/feed.xml", entries=entries, updated=games[0].time, url=url, feed=FEED)


def _index(games: Sequence[SiteGame], by_ruleset: _Grouped, by_player: _Grouped, home: Home, *, has_feed: bool) -> ListPage:
    first = tuple(table for table in (home.open, home.running) if table is not None and table.rows)
    if not games:
        return ListPage(home.title, ("There are no games here yet.",), (), (*first, *home.more), home.links)
    rows = [
        row_of(
            Cell(played[0].name, page_name(ruleset)),
            len(played),
            sum(game.is_over for game in played),
            statistics(_tallies(played)).orders.median,
            verdicts(played),
        )
        for ruleset, played in by_ruleset.items()
    ]
    tables = [ListTable("Games by ruleset", ("ruleset", "games", "finished", "orders (median)", "audit"), tuple(rows))]
    players = tuple(_player_row(holder, played) for holder, played in islice(by_player.items(), _MOST_PLAYERS))
    if players:
        title = f"The {_MOST_PLAYERS} players with the most games" if len(by_player) > _MOST_PLAYERS else "Players"
        tables.append(ListTable(title, _PLAYER_HEADINGS, players))
    shown = [game for game in games if game.tally is not None and (game.is_over or home.running is None)]
    if shown:
        tables.insert(0, game_table(shown, has_search=True, title="Games" if home.running is None else "Finished games"))
    troubled = [row_of(Cell(game.source, game.file), game.status) for game in games if game.tally is None]
    if troubled:
        tables.append(ListTable("Games that cannot be shown", ("file", "audit"), tuple(troubled)))
    links = [Cell("All players", PLAYERS)] if len(by_player) > _MOST_PLAYERS else []
    links += [Cell("Feed", FEED)] if has_feed else []
    lead = f"{count_of(len(games), 'game')}: {verdicts(games)}"
    return ListPage(home.title, (lead,), (), (*first, *tables, *home.more), (*links, *home.links), has_feed=has_feed)


def _ruleset_page(games: Sequence[SiteGame], rated: _Ratings, part: int) -> ListPage:
    first = games[0]
    found = statistics(_tallies(games))
    over = [game for game in games if game.is_over]
    lead = [f"{count_of(len(games), 'game')}, {len(over)} of them finished: {verdicts(games)}"]
    plots = [histogram("Length of a game", [tally.orders for tally in _tallies(games)], "orders")]
    if over:
        seats = [seat for tally in _tallies(over) for seat in tally.seats]
        plots += [_shares(f"Won, by {by}", found.wins[by]) for by in ("seat", "order of play") if found.wins.get(by)]
        if winners := [seat.score for seat in seats if seat.place == 1]:
            plots.append(histogram("Score of the winner", winners, first.unit.long, first.unit))
        plots.append(histogram("Score of every seat", [seat.score for seat in seats], first.unit.long, first.unit))
    tables = [records_table(games), _ranking(rated(first.ruleset)), game_table(games, first=part * LONGEST)]
    return ListPage(first.name, tuple(lead), tuple(plots), tuple(table for table in tables if table.rows), (_HOME,))


def _ranking(rated: Mapping[str, Rating]) -> ListTable:
    rows = [
        row_of(place, _player_link(who), str(one), one.games)
        for place, (who, one) in enumerate(islice(rated.items(), _MOST_PLAYERS), 1)
    ]
    title = f"The {_MOST_PLAYERS} best players" if len(rated) > _MOST_PLAYERS else "Ranking"
    return ListTable(title, ("rank", "player", "rating", "rated games"), tuple(rows))


def _shares(title: str, shares: Sequence[WinShare]) -> Plot:
    bars = (Bar(one.value, 1000 * one.won // max(1, one.played), f"{percent(one.won, one.played)} %") for one in shares)
    return bar_plot(title, tuple(bars))


def _player_page(holder: str, games: Sequence[SiteGame], rated: _Ratings, standings: _Standings, part: int) -> ListPage:
    won = sum(_has_won(holder, game) for game in games)
    over = sum(game.is_over for game in games)
    lead = f"{count_of(len(games), 'game')}, {over} of them finished, {won} won"
    standing = standings().get(holder, PlayerStanding())
    words = f"The last {LAST_GAMES} games: {standing_words(standing)}"
    rows = tuple(row_of(*texts) for texts in record_rows(standing.seats))
    tables = [_ratings_of(holder, games, rated), ListTable("Standing", RECORD_HEADINGS, rows), _opponents(holder, games)]
    tables.append(game_table(games, first=part * LONGEST))
    leads = (lead, words) if rows else (lead,)
    return ListPage(holder, leads, (), tuple(table for table in tables if table.rows), (_HOME,))


def _ratings_of(holder: str, games: Sequence[SiteGame], rated: _Ratings) -> ListTable:
    rows = []
    for ruleset, played in _grouped((game.ruleset, game) for game in games if game.tally is not None).items():
        everybody = rated(ruleset)
        one = everybody.get(holder)
        if one is not None:
            rank = f"{[*everybody].index(holder) + 1} of {len(everybody)}"
            rows.append(row_of(Cell(played[0].name, page_name(ruleset)), str(one), rank, one.games))
    return ListTable("Ratings", ("ruleset", "rating", "rank", "rated games"), tuple(rows))


def _opponents(holder: str, games: Sequence[SiteGame]) -> ListTable:
    found = versus(holder, (game.places for game in games))
    rows = [
        row_of(_player_link(who), one.games, one.ahead, one.level, one.behind)
        for who, one in islice(found.items(), _MOST_OPPONENTS)
    ]
    title = f"The {_MOST_OPPONENTS} most frequent opponents" if len(found) > _MOST_OPPONENTS else "Against other players"
    return ListTable(title, ("opponent", "games", "ahead", "level", "behind"), tuple(rows))


def _players_page(by_player: _Grouped, part: int) -> ListPage:
    here = islice(by_player.items(), part * LONGEST, (part + 1) * LONGEST)
    table = ListTable("Players", _PLAYER_HEADINGS, tuple(_player_row(holder, played) for holder, played in here), ())
    return ListPage("Players", (count_of(len(by_player), "player"),), (), (table,), (_HOME,))


def _player_row(holder: str, games: Sequence[SiteGame]) -> Row:
    won = sum(_has_won(holder, game) for game in games)
    return row_of(_player_link(holder), len(games), sum(game.is_over for game in games), won)


def _player_link(holder: str) -> Cell:
    return Cell(holder, player_page(holder))


def _has_won(holder: str, game: SiteGame) -> bool:
    return any(who == holder and seat in game.winners for seat, who in game.players)


def _tallies(games: Iterable[SiteGame]) -> list[GameTally]:
    return [game.tally for game in games if game.tally is not None]


def _grouped(pairs: Iterable[tuple[str, SiteGame]]) -> _Grouped:
    """Return the games under each key, the keys sorted, the games in their order."""
    listed = list(pairs)
    groups: dict[str, list[SiteGame]] = {key: [] for key in sorted({key for key, _ in listed})}
    for key, game in listed:
        groups[key].append(game)
    return groups


def game_table(games: Sequence[SiteGame], *, first: int = 0, has_search: bool = False, title: str = "Games") -> ListTable:
    """Return a table of ``games``, the latest first, from the game ``first`` on, up to the limit for one page.

    With ``has_search`` its search finds all other games as well.
    """
    ordered = newest_first(games)
    here = ordered[first : first + LONGEST]
    more = _more_games(ordered[first + LONGEST :]) if has_search and len(ordered) > first + LONGEST else None
    return ListTable(title, _GAME_HEADINGS, tuple(map(_row, here)), tuple(_choices(ordered)), more, len(ordered))


def records_table(games: Sequence[SiteGame]) -> ListTable:
    """Return the longest and shortest game, and the highest and lowest score of a winner, among verified ``games``."""
    over = [game for game in games if game.is_over and game.status == VERIFIED]
    lengths = [(game.tally.orders, game) for game in over if game.tally is not None]
    winning = [(seat.score, seat.seat, game) for game in over for seat in game.ranked if seat.place == 1]
    rows = []
    if over:
        for title, choose in (("longest game", max), ("shortest game", min)):
            orders, game = choose(lengths, key=lambda one: one[0])
            rows.append(_record(title, f"{orders} orders", game))
    if winning:
        for title, choose in (("highest score of a winner", max), ("lowest score of a winner", min)):
            score, seat, game = choose(winning, key=lambda one: one[0])
            rows.append(_record(title, f"{signed(score, game.unit)} {game.unit.short}", game, seat))
    return ListTable("Records", ("record", "value", "player", "game"), tuple(rows))


def _record(title: str, value: str, game: SiteGame, seat: str = "") -> Row:
    held = dict(game.players)
    return row_of(title, value, _player(seat, held.get(seat, "")) if seat else "", Cell(game.game, game.file))


def _player(seat: str, holder: str, score: str = "", *, is_strong: bool = False) -> Cell:
    return Cell(player_name(seat, {Seat(seat): holder}) + score, _page_of(holder), is_strong)


def _page_of(holder: str) -> str:
    return player_page(holder) if holder else ""


def _row(game: SiteGame) -> Row:
    verdict = Cell(game.status, is_strong=game.status != VERIFIED)
    return row_of(*start_of_row(game), game.tally.orders if game.tally is not None else "", _finished(game), verdict)


def start_of_row(game: SiteGame) -> Row:
    """Return the cells of a row that name ``game``, its ruleset and its players."""
    return row_of(
        Cell(game.game, game.file, image=game.thumbnail if game.tally is not None else ""),
        Cell(game.name, page_name(game.ruleset) if game.ruleset else ""),
        tuple(_results(game)),
    )


def _results(game: SiteGame) -> Iterator[Cell]:
    """Yield the players, at the end with their scores, and with the winners first and emphasized."""
    held = dict(game.players)
    scores = {str(seat.seat): f" {signed(seat.score, game.unit)}" for seat in game.ranked}
    for at, seat in enumerate(scores or held, 1):
        unit = f" {game.unit.short}" if at == len(scores) else ""
        yield _player(seat, held.get(seat, ""), f"{scores.get(seat, '')}{unit}", is_strong=seat in game.winners)


def result_text(game: SiteGame) -> str:
    """Return the players of ``game`` with their scores."""
    return ", ".join(cell.text for cell in _results(game))


def _finished(game: SiteGame) -> str:
    return (game.date or "yes") if game.is_over else "no"


def _choices(games: Sequence[SiteGame]) -> Iterator[Choice]:
    """Yield the filters that leave something out."""
    rulesets = sorted({game.name for game in games})
    if len(rulesets) > 1:
        yield Choice("ruleset", _RULESET, tuple((name, name) for name in rulesets))
    running = (("no", "in progress"),) if {game.is_over for game in games} == {True, False} else ()
    years = sorted({game.date[:4] for game in games if game.date}, reverse=True)
    unknown = (("yes", "unknown date"),) if years and any(game.is_over and not game.date for game in games) else ()
    options = (*running, *((year, year) for year in years), *unknown)
    if len(options) > 1 or running:
        yield Choice("finished", _FINISHED, options)


def _more_games(games: Sequence[SiteGame]) -> dict[str, Any]:
    """Return ``games`` as short data for the script: names are written once, and rows refer to them by number.

    A row has the file, the game if its name is not the beginning of the file, its ruleset, its players (winners as
    −1 − number), its orders, its end, and its verdict.
    """
    rulesets: dict[tuple[str, str], int] = {}
    players: dict[tuple[str, str], int] = {}
    verdicts: dict[str, int] = {}
    rows = []
    for game in games:
        held, numbers = dict(game.players), []
        for seat in [str(seat.seat) for seat in game.ranked] or held:
            holder = held.get(seat, "")
            number = players.setdefault((printable(holder or seat), _page_of(holder)), len(players))
            numbers.append(-1 - number if seat in game.winners else number)
        ruleset = rulesets.setdefault((game.name, page_name(game.ruleset)), len(rulesets))
        orders = game.tally.orders if game.tally is not None else 0
        verdict = verdicts.setdefault(game.status, len(verdicts))
        stem = game.file.removesuffix(".html")
        name = "" if stem.rpartition("/")[2][:-_MARK] == f"{game.game}-" else printable(game.game)
        rows.append((stem, name, ruleset, numbers, orders, _finished(game), verdict))
    return {"rulesets": list(rulesets), "players": list(players), "verdicts": list(verdicts), "rows": rows}
