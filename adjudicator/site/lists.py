"""Plan the lists of a site: the index, its games by year, pages for each ruleset and player, and the feed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Final, NamedTuple

from adjudicator.core.values import Seat, Value
from adjudicator.reports.heading import player_name
from adjudicator.reports.plots import Bar, Plot, bar_plot, histogram
from adjudicator.reports.texts import count_of, signed
from adjudicator.reports.web import web_document
from adjudicator.simulate.statistics import GameTally, WinShare, percent, statistics
from adjudicator.site.game import VERIFIED, SiteGame
from adjudicator.site.page import FEED, HOME, INDEX, Cell, ListPage, ListTable, Row, list_page, page_name, row_of
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
LATEST: Final = 250
"""The number of games on the first page; more are on pages by year."""
_MOST_PLAYERS: Final = 20
"""The number of players on the first page; more are on a separate page."""
_MOST_OPPONENTS: Final = 100
_MOST_NEWS: Final = 50
"""The number of games in the feed."""
_HOME: Final = Cell(HOME, INDEX)
_PLAYER_HEADINGS: Final = ("player", "games", "finished", "won")
_GAME_HEADINGS: Final = ("game", "ruleset", "result", "orders", "finished", "audit")
_RUNNING_HEADINGS: Final = ("game", "ruleset", "players", "orders", "deadline")
_Grouped = dict[str, list[SiteGame]]
_Ratings = Callable[[str], Mapping[str, Rating]]
"""Returns the ratings of players of a ruleset."""
_Standings = Callable[[], Mapping[str, PlayerStanding]]
"""Returns the standing of each player."""


class Plan(NamedTuple):
    """A page of lists: the ``name`` of its file, its ``title``, and ``make``, which returns its text."""

    name: str
    title: str
    make: Callable[[], str]


class Home(Value):
    """The first page of a site: its ``title``, and what it has in addition to the lists of games.

    The tables ``first``, ``last``, and ``links`` at the top. With ``has_running`` one of the tables has the running games,
    and otherwise they are among all games.
    """

    title: str = "Games"
    first: tuple[ListTable, ...] = ()
    last: tuple[ListTable, ...] = ()
    links: tuple[Cell, ...] = ()
    has_running: bool = False


_GAMES_HOME: Final = Home()


def list_pages(games: Sequence[SiteGame], url: str = "", home: Home = _GAMES_HOME) -> Iterator[Plan]:
    """Yield the pages that list ``games``; the index comes last. ``url`` is the address of the site, if known."""

    def plan(name: str, title: str, make: Callable[[], ListPage]) -> Plan:
        return Plan(name, title, lambda: list_page(make(), url and f"{url}{name}"))

    shown = [game for game in _newest_first(games) if game.tally is not None]
    by_ruleset = _grouped((game.ruleset, game) for game in shown)
    by_player = _grouped((holder, game) for game in shown for holder in dict.fromkeys(who for _, who in game.players if who))
    ranked = {who: by_player[who] for who in sorted(by_player, key=lambda holder: (-len(by_player[holder]), holder))}
    listed = [game for game in shown if game.is_over or not home.has_running]
    by_year = _grouped((game.time[:4], game) for game in listed) if len(listed) > LATEST else {}
    years = tuple(Cell(year or "no date", f"games-{year or 'undated'}.html") for year in sorted(by_year, reverse=True))
    # Computed for the first page that needs them.
    rated = cache(lambda ruleset: ratings((one.finished, one.rated) for one in by_ruleset[ruleset]))
    standings = cache(lambda: dict(standings_by_player(record for game in games for record in game.records)))
    for ruleset, played in by_ruleset.items():
        yield plan(page_name(ruleset), played[0].name, partial(_ruleset_page, played, rated))
    for holder, played in ranked.items():
        yield plan(player_page(holder), holder, partial(_player_page, holder, played, rated, standings))
    if len(ranked) > _MOST_PLAYERS:
        yield plan(PLAYERS, "Players", partial(_players_page, ranked))
    for link in years:
        played = by_year[link.text if link.text.isdecimal() else ""]
        title = f"Games of {link.text}" if link.text.isdecimal() else "Games without a date"
        yield plan(link.href, title, partial(_year_page, title, played, years))
    dated = [game for game in shown if game.time][:_MOST_NEWS]
    if dated:
        yield Plan(FEED, "Games", partial(_feed, dated, url))
    links = (*years, *([Cell("All players", PLAYERS)] if len(ranked) > _MOST_PLAYERS else []))
    links += (Cell("Feed", FEED),) if dated else ()
    yield plan(INDEX, home.title, partial(_index, games, listed, by_ruleset, ranked, home, links, has_feed=bool(dated)))


def player_page(holder: str) -> str:
    """Return the name of the page about the player ``holder``."""
    return page_name(holder, "player")


def ruleset_links(games: Iterable[SiteGame]) -> tuple[Cell, ...]:
    """Return links to the pages of all rulesets of ``games``."""
    names = {game.ruleset: game.name for game in games if game.tally is not None}
    return tuple(Cell(names[ruleset], page_name(ruleset)) for ruleset in sorted(names))


def running_table(games: Sequence[tuple[SiteGame, str, str]]) -> ListTable:
    """Return the table of running ``games``, each with the text about its deadline, and that about its vacant seats."""
    has_vacant = any(vacant for _, _, vacant in games)
    headings = (*_RUNNING_HEADINGS, "seats without a player") if has_vacant else _RUNNING_HEADINGS
    rows = (
        row_of(*_start_of_row(game), _orders(game), due or "–", *((vacant,) if has_vacant else ()))
        for game, due, vacant in games
    )
    return ListTable("Running games", headings, tuple(rows), look="games running")


# The pages


def _index(
    games: Sequence[SiteGame],
    listed: Sequence[SiteGame],
    by_ruleset: _Grouped,
    by_player: _Grouped,
    home: Home,
    links: tuple[Cell, ...],
    *,
    has_feed: bool,
) -> ListPage:
    title = "Finished games" if home.has_running else "Games"
    if len(listed) > LATEST:
        title = f"The latest {LATEST} {title.lower()}"
    rulesets = (
        row_of(
            Cell(played[0].name, page_name(ruleset)),
            len(played),
            sum(game.is_over for game in played),
            statistics(_tallies(played)).orders.median,
            _verdicts(played),
        )
        for ruleset, played in by_ruleset.items()
    )
    best = f"The {_MOST_PLAYERS} players with the most games" if len(by_player) > _MOST_PLAYERS else "Players"
    players = (_player_row(holder, played) for holder, played in islice(by_player.items(), _MOST_PLAYERS))
    troubled = (row_of(Cell(game.source, game.file), game.status) for game in games if game.tally is None)
    tables = (
        *home.first,
        _game_table(listed[:LATEST], title),
        ListTable("Games by ruleset", ("ruleset", "games", "finished", "orders (median)", "audit"), tuple(rulesets)),
        ListTable(best, _PLAYER_HEADINGS, tuple(players)),
        ListTable("Games that cannot be shown", ("file", "audit"), tuple(troubled)),
        *home.last,
    )
    lead = f"{count_of(len(games), 'game')}: {_verdicts(games)}" if games else "There are no games here yet."
    return ListPage(home.title, (lead,), tables, (*links, *home.links), has_feed=has_feed)


def _year_page(title: str, games: Sequence[SiteGame], years: Sequence[Cell]) -> ListPage:
    lead = f"{count_of(len(games), 'game')}: {_verdicts(games)}"
    return ListPage(title, (lead,), (_game_table(games),), (_HOME, *years))


def _ruleset_page(games: Sequence[SiteGame], rated: _Ratings) -> ListPage:
    unit, over = games[0].unit, [game for game in games if game.is_over]
    lead = f"{count_of(len(games), 'game')}, {len(over)} of them finished: {_verdicts(games)}"
    plots = [histogram("Length of a game", [tally.orders for tally in _tallies(games)], "orders")]
    if over:
        wins = statistics(_tallies(games)).wins
        plots += [_shares(f"Won, by {by}", wins[by]) for by in ("seat", "order of play") if wins.get(by)]
        seats = [seat for game in over for seat in game.ranked]
        if winners := [seat.score for seat in seats if seat.place == 1]:
            plots.append(histogram("Score of the winner", winners, unit.long, unit))
        plots.append(histogram("Score of every seat", [seat.score for seat in seats], unit.long, unit))
    best = rated(games[0].ruleset)
    ranking = (
        row_of(place, _player_link(who), str(one), one.games)
        for place, (who, one) in enumerate(islice(best.items(), _MOST_PLAYERS), 1)
    )
    title = f"The {_MOST_PLAYERS} best players" if len(best) > _MOST_PLAYERS else "Ranking"
    tables = (
        ListTable("Records", ("record", "value", "player", "game"), tuple(_records(over))),
        ListTable(title, ("rank", "player", "rating", "rated games"), tuple(ranking)),
        _game_table(games),
    )
    return ListPage(games[0].name, (lead,), tables, (_HOME,), tuple(plots))


def _shares(title: str, shares: Sequence[WinShare]) -> Plot:
    bars = (Bar(one.value, 1000 * one.won // max(1, one.played), f"{percent(one.won, one.played)} %") for one in shares)
    return bar_plot(title, tuple(bars))


def _records(over: Sequence[SiteGame]) -> Iterator[Row]:
    """Yield the longest and shortest game, and the highest and lowest score of a winner, among verified finished games."""
    verified = [game for game in over if game.status == VERIFIED]
    lengths = [(game.tally.orders, game) for game in verified if game.tally is not None]
    for title, choose in (("longest game", max), ("shortest game", min)) if lengths else ():
        orders, game = choose(lengths, key=lambda one: one[0])
        yield row_of(title, f"{orders} orders", "", Cell(game.game, game.file))
    winning = [(seat.score, str(seat.seat), game) for game in verified for seat in game.ranked if seat.place == 1]
    for title, choose in (("highest score of a winner", max), ("lowest score of a winner", min)) if winning else ():
        score, seat, game = choose(winning, key=lambda one: one[0])
        value = f"{signed(score, game.unit)} {game.unit.short}"
        yield row_of(title, value, _player(seat, dict(game.players).get(seat, "")), Cell(game.game, game.file))


def _player_page(holder: str, games: Sequence[SiteGame], rated: _Ratings, standings: _Standings) -> ListPage:
    _, count, finished, won = (cell[0].text for cell in _player_row(holder, games))
    lead = f"{count_of(int(count), 'game')}, {finished} of them finished, {won} won"
    standing = standings().get(holder, PlayerStanding())
    words = f"The last {LAST_GAMES} games: {standing_words(standing)}"
    own = []
    for ruleset, played in _grouped((game.ruleset, game) for game in games).items():
        everybody = rated(ruleset)
        if (one := everybody.get(holder)) is not None:
            rank = f"{[*everybody].index(holder) + 1} of {len(everybody)}"
            own.append(row_of(Cell(played[0].name, page_name(ruleset)), str(one), rank, one.games))
    met = versus(holder, (game.places for game in games))
    opponents = (
        row_of(_player_link(who), one.games, one.ahead, one.level, one.behind)
        for who, one in islice(met.items(), _MOST_OPPONENTS)
    )
    title = f"The {_MOST_OPPONENTS} most frequent opponents" if len(met) > _MOST_OPPONENTS else "Against other players"
    tables = (
        ListTable("Ratings", ("ruleset", "rating", "rank", "rated games"), tuple(own)),
        ListTable("Standing", RECORD_HEADINGS, tuple(row_of(*texts) for texts in record_rows(standing.seats))),
        ListTable(title, ("opponent", "games", "ahead", "level", "behind"), tuple(opponents)),
        _game_table(games),
    )
    return ListPage(holder, (lead, words) if standing.seats else (lead,), tables, (_HOME,))


def _players_page(by_player: _Grouped) -> ListPage:
    rows = tuple(_player_row(holder, played) for holder, played in by_player.items())
    table = ListTable("Players", _PLAYER_HEADINGS, rows, has_search=True)
    return ListPage("Players", (count_of(len(by_player), "player"),), (table,), (_HOME,))


def _feed(games: Sequence[SiteGame], url: str) -> str:
    """Return the Atom feed of finished ``games``, at least one, the latest first."""
    entries = [(game, ", ".join(cell.text for cell in _results(game))) for game in games]
    return web_document("site/templates/feed.xml", entries=entries, updated=games[0].time, url=url, feed=FEED)


# Rows and cells


def _game_table(games: Sequence[SiteGame], title: str = "Games") -> ListTable:
    """Return a table of ``games``, which are in the order of its rows."""
    return ListTable(title, _GAME_HEADINGS, tuple(map(_row, games)), look="games", has_search=True)


def _row(game: SiteGame) -> Row:
    finished = (game.time[:10] or "yes") if game.is_over else "no"
    return row_of(*_start_of_row(game), _orders(game), finished, Cell(game.status, is_strong=game.status != VERIFIED))


def _start_of_row(game: SiteGame) -> Row:
    """Return the cells of a row that name ``game``, its ruleset and its players."""
    named = Cell(game.game, game.file, image=game.thumbnail)
    return row_of(named, Cell(game.name, page_name(game.ruleset)), tuple(_results(game)))


def _orders(game: SiteGame) -> int:
    return game.tally.orders if game.tally is not None else 0


def _results(game: SiteGame) -> Iterator[Cell]:
    """Yield the players, at the end with their scores, and with the winners first and emphasized."""
    held = dict(game.players)
    scores = {str(seat.seat): f" {signed(seat.score, game.unit)}" for seat in game.ranked}
    for at, seat in enumerate(scores or held, 1):
        unit = f" {game.unit.short}" if at == len(scores) else ""
        yield _player(seat, held.get(seat, ""), f"{scores.get(seat, '')}{unit}", is_strong=seat in game.winners)


def _player(seat: str, holder: str, score: str = "", *, is_strong: bool = False) -> Cell:
    href = player_page(holder) if holder else ""
    return Cell(player_name(seat, {Seat(seat): holder}) + score, href, is_strong)


def _player_row(holder: str, games: Sequence[SiteGame]) -> Row:
    won = sum(any(who == holder and seat in game.winners for seat, who in game.players) for game in games)
    return row_of(_player_link(holder), len(games), sum(game.is_over for game in games), won)


def _player_link(holder: str) -> Cell:
    return Cell(holder, player_page(holder))


# Games


def _newest_first(games: Iterable[SiteGame]) -> list[SiteGame]:
    """Return ``games`` with the latest first; those without a date keep their order at the end."""
    return sorted(games, key=lambda game: -1 if game.finished is None else game.finished, reverse=True)


def _verdicts(games: Iterable[SiteGame]) -> str:
    """Return how many ``games`` have each verdict, as text."""
    counts = Counter(game.status for game in games)
    return ", ".join(f"{counts[status]:,} {status}" for status in sorted(counts, key=lambda one: (one != VERIFIED, one)))


def _tallies(games: Iterable[SiteGame]) -> list[GameTally]:
    return [game.tally for game in games if game.tally is not None]


def _grouped(pairs: Iterable[tuple[str, SiteGame]]) -> _Grouped:
    """Return the games under each key, the keys sorted, the games in their order."""
    listed = list(pairs)
    groups: dict[str, list[SiteGame]] = {key: [] for key in sorted({key for key, _ in listed})}
    for key, game in listed:
        groups[key].append(game)
    return groups
