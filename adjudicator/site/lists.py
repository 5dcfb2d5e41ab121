"""Plan the lists of a site: the index, its games by year, pages for each ruleset and player, and the feed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Final, NamedTuple

from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.seat_records import (
    LAST_GAMES,
    RECORD_HEADINGS,
    PlayerStanding,
    Rating,
    ratings,
    record_rows,
    standing_words,
    standings_by_player,
)
from adjudicator.reports.heading import player_name
from adjudicator.reports.svg import Bar, bar_plot, histogram
from adjudicator.reports.texts import count_of, signed
from adjudicator.reports.web import web_document
from adjudicator.simulate.statistics import percent, statistics
from adjudicator.site.page import (
    FEED,
    HOME,
    INDEX,
    VERIFIED,
    Cell,
    ListPage,
    ListTable,
    Row,
    SiteGame,
    list_page,
    page_name,
    row_of,
)

PLAYERS: Final = "players.html"
LATEST: Final = 250
"""The number of games on the first page; more are on pages by year."""
MOST_GAMES: Final = 1000
"""The number of games in any other table: with 10,000 rows, a browser takes seconds for each search."""
_MOST_PLAYERS: Final = 20
"""The number of players on the first page; more are on a separate page."""
_MOST_OPPONENTS: Final = 100
_MOST_NEWS: Final = 50
"""The number of games in the feed."""
_HOME: Final = Cell(HOME, INDEX)
_PLAYER_HEADINGS: Final = ("player", "games", "finished", "won")
_GAME_HEADINGS: Final = ("game", "ruleset", "result", "orders", "finished", "audit")
_RUNNING_HEADINGS: Final = ("game", "ruleset", "players", "orders", "deadline")


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
    lists = _Lists(games, home)

    def plan(name: str, title: str, make: Callable[[], ListPage]) -> Plan:
        return Plan(name, title, lambda: list_page(make(), url and f"{url}{name}"))

    for ruleset, played in lists.by_ruleset.items():
        yield plan(page_name(ruleset), played[0].name, partial(lists.of_ruleset, ruleset))
    for holder in lists.by_player:
        yield plan(player_page(holder), holder, partial(lists.of_player, holder))
    if len(lists.by_player) > _MOST_PLAYERS:
        yield plan(PLAYERS, "Players", lists.of_players)
    for year in lists.by_year:
        for number, link in enumerate(lists.parts(year), 1):
            title = f"Games of {year}" if year else "Games without a date"
            title += f", page {number}" if number > 1 else ""
            yield plan(link.href, title, partial(lists.of_year, year, number, title))
    if lists.news:

        def feed() -> str:
            entries = [(game, ", ".join(cell.text for cell in _results(game))) for game in lists.news]
            updated = lists.news[0].time
            return web_document("site/templates/feed.xml", entries=entries, updated=updated, url=url, feed=FEED)

        yield Plan(FEED, "Games", feed)
    yield plan(INDEX, home.title, lists.index)


def player_page(holder: str) -> str:
    """Return the name of the page about the player ``holder``."""
    return page_name(holder, "player")


def ruleset_links(games: Iterable[SiteGame]) -> tuple[Cell, ...]:
    """Return links to the pages of all rulesets of ``games``."""
    names = {game.ruleset: game.name for game in games if game.ruleset}
    return tuple(Cell(names[ruleset], page_name(ruleset)) for ruleset in sorted(names))


def running_table(games: Sequence[tuple[SiteGame, str, str]]) -> ListTable:
    """Return the table of running ``games``, each with the text about its deadline, and that about its vacant seats."""
    has_vacant = any(vacant for _, _, vacant in games)
    headings = (*_RUNNING_HEADINGS, "seats without a player") if has_vacant else _RUNNING_HEADINGS
    rows = (
        row_of(*_start_of_row(game), game.tally.orders, due or "–", *((vacant,) if has_vacant else ()))
        for game, due, vacant in games
    )
    return ListTable("Running games", headings, tuple(rows), look="games running")


class _Lists:
    """The ``games`` of a site, the latest first, and the pages that list them."""

    def __init__(self, games: Sequence[SiteGame], home: Home) -> None:
        self.games, self.home = games, home
        shown = sorted(
            (game for game in games if game.ruleset),
            key=lambda game: -1 if game.finished is None else game.finished,  # those without a date keep their order
            reverse=True,
        )
        self.by_ruleset = _grouped((game.ruleset, game) for game in shown)
        by_player = _grouped((who, game) for game in shown for who in {who: 0 for _, who in game.players if who})
        self.by_player = dict(sorted(by_player.items(), key=lambda one: -len(one[1])))
        self.listed = [game for game in shown if game.is_over or not home.has_running]
        by_year = _grouped((game.time[:4], game) for game in self.listed if len(self.listed) > LATEST)
        self.by_year = dict(reversed(by_year.items()))
        self.years = tuple(Cell(year or "no date", self.parts(year)[0].href) for year in self.by_year)
        self.news = [game for game in shown if game.time][:_MOST_NEWS]
        self._rated: dict[str, Mapping[str, Rating]] = {}

    @cached_property
    def standings(self) -> Mapping[str, PlayerStanding]:
        """The standing of each player, computed for the first page that needs it."""
        return dict(standings_by_player(record for game in self.games for record in game.records))

    def rated(self, ruleset: str) -> Mapping[str, Rating]:
        """Return the ratings of players of a ruleset, computed for the first page that needs them."""
        if ruleset not in self._rated:
            self._rated[ruleset] = ratings((one.finished, one.rated) for one in self.by_ruleset[ruleset])
        return self._rated[ruleset]

    def parts(self, year: str) -> tuple[Cell, ...]:
        """Return links to the pages that share the games of ``year``."""
        stem = f"games-{year or 'undated'}"
        others = range(2, 1 + -(-len(self.by_year[year]) // MOST_GAMES))
        return Cell("page 1", f"{stem}.html"), *(Cell(f"page {one}", f"{stem}-{one}.html") for one in others)

    def index(self) -> ListPage:
        games, home = self.games, self.home
        title = "Finished games" if home.has_running else "Games"
        if self.years:
            title = f"The latest {LATEST} {title.lower()}"
        rulesets = (
            row_of(
                Cell(played[0].name, page_name(ruleset)),
                len(played),
                sum(game.is_over for game in played),
                statistics(game.tally for game in played).orders.median,
                _verdicts(played),
            )
            for ruleset, played in self.by_ruleset.items()
        )
        has_more = len(self.by_player) > _MOST_PLAYERS
        players = (_player_row(holder, played) for holder, played in islice(self.by_player.items(), _MOST_PLAYERS))
        most = f"The {_MOST_PLAYERS} players with the most games" if has_more else "Players"
        troubled = (row_of(Cell(game.source, game.file), game.status) for game in games if not game.ruleset)
        tables = (
            *home.first,
            _game_table(self.listed[:LATEST], title),
            ListTable("Games by ruleset", ("ruleset", "games", "finished", "orders (median)", "audit"), tuple(rulesets)),
            ListTable(most, _PLAYER_HEADINGS, tuple(players)),
            ListTable("Games that cannot be shown", ("file", "audit"), tuple(troubled)),
            *home.last,
        )
        lead = f"{count_of(len(games), 'game')}: {_verdicts(games)}" if games else "There are no games here yet."
        more = [Cell("All players", PLAYERS)] if has_more else []
        more += [Cell("Feed", FEED)] if self.news else []
        return ListPage(home.title, (lead,), tables, (*self.years, *more, *home.links), has_feed=bool(self.news))

    def of_year(self, year: str, number: int, title: str) -> ListPage:
        games, parts = self.by_year[year], self.parts(year)
        lead = f"{count_of(len(games), 'game')}: {_verdicts(games)}"
        table = _game_table(games[(number - 1) * MOST_GAMES : number * MOST_GAMES])
        return ListPage(title, (lead,), (table,), (_HOME, *self.years, *(parts if len(parts) > 1 else ())))

    def of_ruleset(self, ruleset: str) -> ListPage:
        games = self.by_ruleset[ruleset]
        unit, over = games[0].unit, [game for game in games if game.is_over]
        lead = f"{count_of(len(games), 'game')}, {len(over):,} of them finished: {_verdicts(games)}"
        plots = [histogram("Length of a game", [game.tally.orders for game in games], "orders")]
        if over:
            wins = statistics(game.tally for game in games).wins
            for by in ("seat", "order of play"):
                shares = [(one.value, one.won, one.played) for one in wins.get(by, ())]
                bars = [Bar(name, 1000 * won // max(1, of), f"{percent(won, of)} %") for name, won, of in shares]
                plots += [bar_plot(f"Won, by {by}", bars)] if bars else []
            seats = [seat for game in over for seat in game.ranked]
            if winners := [seat.score for seat in seats if seat.place == 1]:
                plots.append(histogram("Score of the winner", winners, unit.long, unit))
            plots.append(histogram("Score of every seat", [seat.score for seat in seats], unit.long, unit))
        best = self.rated(ruleset)
        ranking = (
            row_of(place, _player_link(who), str(one), one.games)
            for place, (who, one) in enumerate(islice(best.items(), _MOST_PLAYERS), 1)
        )
        title = f"The {_MOST_PLAYERS} best players" if len(best) > _MOST_PLAYERS else "Ranking"
        verified, records = [game for game in over if game.status == VERIFIED], list[Row]()
        lengths = [(game.tally.orders, game) for game in verified]
        for name, choose in (("longest game", max), ("shortest game", min)) if lengths else ():
            orders, game = choose(lengths, key=lambda one: one[0])
            records.append(row_of(name, f"{orders} orders", "", Cell(game.game, game.file)))
        winning = [(seat.score, str(seat.seat), game) for game in verified for seat in game.ranked if seat.place == 1]
        for name, choose in (("highest score of a winner", max), ("lowest score of a winner", min)) if winning else ():
            score, seat, game = choose(winning, key=lambda one: one[0])
            value, player = f"{signed(score, game.unit)} {game.unit.short}", _player(seat, dict(game.players).get(seat, ""))
            records.append(row_of(name, value, player, Cell(game.game, game.file)))
        tables = (
            ListTable("Records", ("record", "value", "player", "game"), tuple(records)),
            ListTable(title, ("rank", "player", "rating", "rated games"), tuple(ranking)),
        )
        return self._with_games(ListPage(games[0].name, (lead,), tables, (_HOME,), tuple(plots)), games)

    def of_player(self, holder: str) -> ListPage:
        games = self.by_player[holder]
        finished, won = sum(game.is_over for game in games), _won(holder, games)
        lead = f"{count_of(len(games), 'game')}, {finished:,} of them finished, {won:,} won"
        standing = self.standings.get(holder, PlayerStanding())
        words = f"The last {LAST_GAMES} games: {standing_words(standing)}"
        own = []
        for ruleset, name in sorted({(game.ruleset, game.name) for game in games}):
            everybody = self.rated(ruleset)
            if (one := everybody.get(holder)) is not None:
                rank = f"{[*everybody].index(holder) + 1} of {len(everybody)}"
                own.append(row_of(Cell(name, page_name(ruleset)), str(one), rank, one.games))
        counts = defaultdict[str, list[int]](lambda: [0, 0, 0])  # how often each other player was ahead, level and behind
        for places in (game.places for game in games):
            place = places.pop(holder, 0)
            for who, other in places.items() if place else ():
                counts[who][1 if other == place else 2 * (other < place)] += 1
        most_first = sorted(counts.items(), key=lambda one: (-sum(one[1]), one[0]))
        met = [row_of(_player_link(who), sum(three), *three) for who, three in most_first]
        title = f"The {_MOST_OPPONENTS} most frequent opponents" if len(met) > _MOST_OPPONENTS else "Against other players"
        tables = (
            ListTable("Ratings", ("ruleset", "rating", "rank", "rated games"), tuple(own)),
            ListTable("Standing", RECORD_HEADINGS, tuple(row_of(*texts) for texts in record_rows(standing.seats))),
            ListTable(title, ("opponent", "games", "ahead", "level", "behind"), tuple(met[:_MOST_OPPONENTS])),
        )
        return self._with_games(ListPage(holder, (lead, words) if standing.seats else (lead,), tables, (_HOME,)), games)

    def _with_games(self, page: ListPage, games: Sequence[SiteGame]) -> ListPage:
        """Return ``page`` with the table of its ``games``, or of the latest and with links to all games by year."""
        if len(games) <= MOST_GAMES:
            return replace(page, tables=(*page.tables, _game_table(games)))
        latest = _game_table(games[:MOST_GAMES], f"The latest {MOST_GAMES:,} games")
        lead = (*page.lead, f"The table of games has the latest {MOST_GAMES:,}; the pages linked above list all games.")
        return replace(page, lead=lead, tables=(*page.tables, latest), up=(*page.up, *self.years))

    def of_players(self) -> ListPage:
        rows = tuple(_player_row(holder, played) for holder, played in self.by_player.items())
        table = ListTable("Players", _PLAYER_HEADINGS, rows, has_search=True)
        return ListPage("Players", (count_of(len(rows), "player"),), (table,), (_HOME,))


# Parts of pages


def _game_table(games: Sequence[SiteGame], title: str = "Games") -> ListTable:
    """Return a table of ``games``, which are in the order of its rows."""
    rows = list[Row]()
    for game in games:
        finished = (game.time[:10] or "yes") if game.is_over else "no"
        status = Cell(game.status, is_strong=game.status != VERIFIED)
        rows.append(row_of(*_start_of_row(game), game.tally.orders, finished, status))
    return ListTable(title, _GAME_HEADINGS, tuple(rows), look="games", has_search=True)


def _start_of_row(game: SiteGame) -> Row:
    """Return the cells of a row that name ``game``, its ruleset and its players."""
    named = Cell(game.game, game.file, image=game.thumbnail)
    return row_of(named, Cell(game.name, page_name(game.ruleset)), tuple(_results(game)))


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
    return row_of(_player_link(holder), len(games), sum(game.is_over for game in games), _won(holder, games))


def _won(holder: str, games: Iterable[SiteGame]) -> int:
    return sum(any(who == holder and seat in game.winners for seat, who in game.players) for game in games)


def _player_link(holder: str) -> Cell:
    return Cell(holder, player_page(holder))


def _verdicts(games: Iterable[SiteGame]) -> str:
    """Return how many ``games`` have each verdict, as text."""
    counts = Counter(game.status for game in games)
    return ", ".join(f"{counts[status]:,} {status}" for status in sorted(counts, key=lambda one: (one != VERIFIED, one)))


def _grouped(pairs: Iterable[tuple[str, SiteGame]]) -> dict[str, list[SiteGame]]:
    """Return the games under each key, the keys sorted, the games in their order."""
    groups = defaultdict[str, list[SiteGame]](list)
    for key, game in pairs:
        groups[key].append(game)
    return dict(sorted(groups.items()))
