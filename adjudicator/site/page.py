"""Write one page of a site: lists with plots and tables, or one game with its audit and its facts for the lists."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from adjudicator.archive.find import Source, Unopened
from adjudicator.archive.many import memory_key
from adjudicator.audit.judge import audit_bytes, divergence_text
from adjudicator.core.corrections import SeatHanded, SecretRevealed
from adjudicator.core.journal import Link
from adjudicator.core.ruleset import GameMeta, Unit
from adjudicator.core.values import MODERATOR, Seat, Value, canonical_text, digest, replace
from adjudicator.library.game import Game
from adjudicator.library.seat_records import SIMULATED, SeatRecord, finished_at, places_of, records_of
from adjudicator.reports.heading import player_name, result_words
from adjudicator.reports.images import png_of
from adjudicator.reports.picture import card_sheet, thumbnail_sheet
from adjudicator.reports.replay_page import About
from adjudicator.reports.svg import Plot
from adjudicator.reports.web import Preview, web_page
from adjudicator.rulebook import Page
from adjudicator.rulesets import bug_words
from adjudicator.script.play import play_script
from adjudicator.script.read import is_script
from adjudicator.simulate.statistics import GameTally, SeatTally, tally_game
from adjudicator.store.game_file import load_game
from adjudicator.verdict import AuditResult, Kind, Skipped, Verdict, undecided

T = TypeVar("T")

INDEX: Final = "index.html"
FEED: Final = "feed.xml"
HOME: Final = "All games"
NOT_MADE: Final = "This page could not be made. The moderator of this site has the cause."
"""The sentence on such a page. It leaves the cause out, which might quote secrets of a game."""
_UNSAFE: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 40


class Cell(Value):
    """A piece of a table cell: its ``text``, its link if any, ``is_strong`` if it is emphasized, and a small ``image``."""

    text: str
    href: str = ""
    is_strong: bool = False
    image: str = ""


Row = tuple[tuple[Cell, ...], ...]
"""The cells of a row, each with one or more pieces."""


def row_of(*cells: str | int | Cell | tuple[Cell, ...]) -> Row:
    """Return a row of ``cells``: each a text, a number, one piece or several."""
    pieces = (Cell(str(one)) if isinstance(one, (str, int)) else one for one in cells)
    return tuple((one,) if isinstance(one, Cell) else one for one in pieces)


class ListTable(Value):
    """A table with its ``title``, ``headings`` and rows; with ``has_search`` readers can search its rows.

    ``look`` is ``games`` or ``games running`` for a table of games (empty: another one).
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    look: str = ""
    has_search: bool = False


class ListPage(Value):
    """A page of lists: its ``title``, the sentences below it, ``tables`` and ``plots``; ``up`` links to other pages.

    A table without rows is left out. ``has_feed`` if the site has a feed.
    """

    title: str
    lead: tuple[str, ...]
    tables: tuple[ListTable, ...] = ()
    up: tuple[Cell, ...] = ()
    plots: tuple[Plot, ...] = ()
    has_feed: bool = False


def list_page(page: ListPage, url: str = "") -> str:
    """Return ``page`` as HTML; ``url`` is its address, if known."""
    return web_page(
        "site/templates/list.html",
        style="site/templates/list.css",
        script="site/templates/list.js",
        images="'self'",
        page=page,
        tables=[table for table in page.tables if table.rows],
        preview=Preview(page.title, " ".join(page.lead), url),
        feed=FEED if page.has_feed else "",
    )


def trouble_page(title: str, sentences: Sequence[str], links: Sequence[Cell] = (), home: str = INDEX) -> str:
    """Return a page that explains in ``sentences`` why it shows no more; ``home`` is the link to the index."""
    return list_page(ListPage(title, tuple(sentences), up=(Cell(HOME, home), *links)))


def rules_page(page: Page, about: GameMeta, url: str = "") -> str:
    """Return ``page``, the rules of the ruleset ``about``, as HTML; ``url`` is its address, if known."""
    tables = list[ListTable]()
    for section in page.sections:
        rows = list[Row]()
        for fact in section.facts:
            rows += row_of(Cell(fact.id, is_strong=True), fact.text), *(row_of(fact.id, text) for text in fact.more)
            rows += (row_of(f"{fact.id}, {one.kind}", one.reasoned) for one in fact.rulings)
            for one in fact.revisions:
                rows.append(row_of(f"{fact.id}, since version {one.since}", f"{one.text} Before: {one.before}"))
        tables.append(ListTable(section.title, ("rule", "text"), tuple(rows)))
    lead = f"rules version {about.version}, as the program decides them"
    return list_page(ListPage(f"{about.name}: rules", (lead,), tuple(tables), (Cell(HOME, INDEX),)), url)


def page_name(*words: str) -> str:
    """Return a file name for the page about ``words``: valid on every system, and different for other words."""
    stem = _UNSAFE.sub("-", words[0].lower()).strip("-")[:_LONGEST].strip("-")
    mark = digest("\n".join(words).encode("utf-8", "surrogatepass"))[:8]
    return f"{stem}-{mark}.html" if stem else f"{mark}.html"


def contain(make: Callable[[], T]) -> tuple[T | None, str]:
    """Return the result of ``make``, or ``None`` and why it failed, even if a ruleset tried to end the program."""
    try:
        return make(), ""
    except (Exception, SystemExit) as error:
        return None, bug_words(error)


# The page of a game ---------------------------------------------------------------------------------------------------


GAMES: Final = "games"
"""The folder of the pages of games."""
VERIFIED: Final = "verified"


class SiteGame(Value, kw_only=True):
    """A game of a site: the ``file`` of its page, the ``source`` of the game, and its public facts.

    ``status`` is the one-word verdict of the audit; ``players`` are pairs of seat and player. A game that cannot be shown
    has no ``ruleset``, and none of what follows. ``unit`` is that of the ruleset. ``finished`` is the time of a finished
    game's last orders, in seconds since 1970 (``None``: not known). ``records`` are those of the players on each seat.
    ``vacant`` are the seats of a running game that a simulated player has.
    """

    file: str
    source: str
    game: str
    status: str
    ruleset: str = ""
    name: str = ""
    unit: Unit = Unit("", "")
    players: tuple[tuple[str, str], ...] = ()
    tally: GameTally = GameTally(0, is_finished=False, orders=0, seats=(), events={})
    finished: int | None = None
    records: tuple[SeatRecord, ...] = ()
    vacant: tuple[str, ...] = ()

    @property
    def thumbnail(self) -> str:
        """The file of the small picture of the board."""
        return f"{self.file.removesuffix('.html')}.svg"

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.tally.is_finished

    @property
    def time(self) -> str:
        """The date and time of the last orders in UTC, such as 2026-11-23T20:00:00Z; empty if not known."""
        return "" if self.finished is None else datetime.fromtimestamp(self.finished, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def ranked(self) -> tuple[SeatTally, ...]:
        """The seats in the order of the result; empty before the end, because an order of scores might reveal a secret."""
        return tuple(sorted(self.tally.seats, key=lambda seat: seat.place)) if self.is_over else ()

    @property
    def winners(self) -> frozenset[str]:
        """The seats that have won."""
        return frozenset(seat.seat for seat in self.ranked if seat.place == 1)

    @property
    def places(self) -> dict[str, int]:
        """The place of each player in a finished game, empty if a player is unknown or has several seats."""
        held = dict(self.players)
        placed = {held.get(seat.seat, ""): seat.place for seat in self.ranked}
        return placed if "" not in placed and len(placed) == len(self.players) else {}

    @property
    def rated(self) -> dict[str, int]:
        """The place of each player whom the game rates: empty unless it is verified and finished."""
        return places_of(self.records) if self.status == VERIFIED else {}


class Task(Value):
    """A game to show: its ``source``, and what this is called in public (``shown``).

    Unfinished games have pages only with ``has_unfinished``. ``url`` is the address of the site (empty: not known).
    ``called`` is what a club calls the game (empty: there is no club); it names the page, and a private game has one, too.
    Pages name only the players of the seats ``named`` (``None``: all), and have the extra ``facts``. ``players`` has names
    that the file does not have: a seat, what the file calls its player, and the name.
    """

    source: Source | Unopened
    shown: str
    has_unfinished: bool = False
    url: str = ""
    called: str = ""
    named: tuple[Seat, ...] | None = None
    facts: tuple[tuple[str, str], ...] = ()
    players: tuple[tuple[Seat, str, str], ...] = ()

    @property
    def key(self) -> bytes:
        """The key in the memory of all that the page depends on, except for the code of the program and the rules."""
        about = (self.shown, self.has_unfinished, self.url, self.called, self.named, self.facts, self.players)
        words = canonical_text(about).encode("utf-8", "surrogatepass")  # the name of a file may be no text
        return memory_key(self.source.data if isinstance(self.source, Source) else b"", "site", digest(words))


class GamePage(Value):
    """The ``result`` of the audit of a source, the ``files`` of its page with their names, and its ``game`` for the lists.

    A source that the site leaves out has no game and no files. ``cause`` says why the page cannot be made; then the files
    are those of a page in its place.
    """

    result: AuditResult
    game: SiteGame | None = None
    files: tuple[tuple[str, bytes], ...] = ()
    cause: str = ""

    def renamed(self, number: int) -> GamePage:
        """Return the page with ``number`` in the names of its files."""
        assert self.game is not None
        old = self.game.file.removesuffix(".html")
        new = f"{old}-{number}"
        files = ((name.replace(old, new), data.replace(old.encode(), new.encode())) for name, data in self.files)
        return replace(self, game=replace(self.game, file=f"{new}.html"), files=tuple(files))


def make_page(task: Task) -> GamePage:
    """Audit the game of ``task`` and return its page; every file gets one, even a damaged one."""
    found = task.source
    if isinstance(found, Unopened):
        if found.kind is None:
            return GamePage(Skipped(found.name, found.why))
        return _page_of_damage(task, undecided(found.name, found.kind, found.why))
    result = audit_bytes(found.data, found.name, is_named=found.is_named, folder=found.folder)
    if isinstance(result, Skipped) or (result.forked_from and not task.called):
        return GamePage(result)
    divergence = result.divergence
    if divergence is not None and divergence.kind in (Kind.UNREAD, Kind.DAMAGED):
        return _page_of_damage(task, result)
    page, cause = contain(lambda: _page_of_game(task, found, result))
    if page is not None:
        return page
    # A verdict that names the problem of the file has told it already.
    return page_in_place(task, result, cause) if divergence is None else _page_of_damage(task, result)


def page_in_place(task: Task, result: Verdict, cause: str) -> GamePage:
    """Return the page that replaces one that cannot be made because of ``cause``."""
    return _trouble(task, result, cause, NOT_MADE, f"The audit says: {result.status}.")


def _page_of_damage(task: Task, result: Verdict) -> GamePage:
    """Return the page of a damaged file, with only the place, because the verdict might quote secrets."""
    field = f", at {result.divergence.field}" if result.divergence is not None and result.divergence.field else ""
    return _trouble(
        task,
        result,
        "",
        f"The audit says: {result.status}{field}.",
        "This file cannot be shown as a game. To see its errors, run `adjudicator audit` with the file.",
    )


def _trouble(task: Task, result: Verdict, cause: str, *sentences: str) -> GamePage:
    listed = SiteGame(file=_file(task, result.game), source=task.shown, game=result.game, status=result.status)
    text = trouble_page(result.game or task.shown, (f"File: {task.shown}", *sentences), home=f"../{INDEX}")
    return GamePage(result, listed, ((listed.file, text.encode()),), cause)


def _file(task: Task, game: str) -> str:
    return f"{GAMES}/{page_name(task.called or game or os.path.basename(task.shown), task.shown)}"


def _page_of_game(task: Task, source: Source, result: Verdict) -> GamePage:
    """Return the page of a game that could be decided. Raises whatever the game and its rules raise."""
    if is_script(source.data):
        played = play_script(source.data, name=source.name, folder=source.folder).game
        assert played is not None  # its set-up can be read, else the verdict says so
        game = played
    else:
        game = Game.of(load_game(source.data))
    if task.players:
        known = {(seat, held): name for seat, held, name in task.players}
        game = _with_names(game, lambda seat, held: known.get((seat, held), held))
    records = records_of(game)  # with all names: the lists choose those that they may show
    vacant = tuple(str(seat) for seat in game.seats if game.players.get(seat) == SIMULATED)
    if task.named is not None:
        shown = {seat: name for seat, name in game.players.items() if seat in task.named}
        game = _with_names(game, lambda seat, held: held if held == shown.get(seat) else "")
    record, meta, held, is_over = game.record, game.rules.meta, game.players, game.is_over
    if not is_over and not task.has_unfinished:
        return GamePage(result)
    # The preview has only words that bystanders may read at any time.
    file = _file(task, result.game)
    stem, players = file.removesuffix(".html"), ", ".join(player_name(seat, held) for seat in game.seats)
    state = result_words(game.standings, held) if is_over else "in progress"
    address = (f"{task.url}{file}", f"{task.url}{stem}.png") if task.url else ()
    preview = Preview(f"{record.id} · {meta.name}", f"{state}. Players: {players}", *address)
    # An unfinished game has only public facts.
    audit, difference = result.status, result.divergence if is_over else None
    if difference is not None:
        audit += f": {divergence_text(difference)}"
    elif is_over:
        audit += f": {result.orders:,} orders decided again, {result.draws:,} random outcomes recomputed"
    if record.chance.commitment is None:
        draws = "recorded by hand: no proof shows whether the draws were fair"
    elif any(isinstance(event, SecretRevealed) for link in record.journal for event in link.entry.events):
        words = "with it and the log everybody can recompute every outcome (audit --published)"
        draws = f"the secret was published: {words}"
    else:
        words = "the secret was not published, so only people with the game file can recompute it"
        draws = f"committed on the first day; {words}"
    facts = (*task.facts, ("audit", audit), ("chance", draws))
    reader = game.seen_by(MODERATOR if is_over else None)  # a finished game shows everything
    page = reader.replay_page(about=About(f"../{INDEX}", result.status, facts, preview))
    # The lists hide the number of skipped orders, the private events of a seat, and the scores before the end.
    tally = tally_game(game, 0)
    seats = tuple(replace(seat, traits={}) for seat in tally.seats if is_over)
    listed = SiteGame(
        file=file,
        source=task.shown,
        game=record.id,
        status=result.status,
        ruleset=meta.id,
        name=meta.name,
        unit=meta.unit,
        players=tuple((str(seat), "" if game.fork else held.get(seat, "")) for seat in game.seats),
        tally=replace(tally, orders=page.entries - 1, seats=seats, events={}),
        finished=finished_at(game) if is_over else None,
        records=records,
        vacant=() if is_over else vacant,
    )
    files = [(file, page.text.encode()), (listed.thumbnail, thumbnail_sheet(page.position).svg.encode())]
    if task.url:
        files.append((f"{stem}.png", png_of(card_sheet(page.position))))
    return GamePage(result, listed, tuple(files))


def _with_names(game: Game, name_of: Callable[[Seat, str], str]) -> Game:
    """Return ``game`` with the names of its players that ``name_of`` gives for a seat and the name in the file.

    The hashes of its entries stay, so the heads on its pages are those of the reports. Its promise goes: with the names
    left out, nobody can check it, and with guessed names, it would confirm them.
    """
    record = game.record

    def hidden(event: Any) -> Any:
        if not isinstance(event, SeatHanded):
            return event
        return replace(event, before=name_of(event.seat, event.before), holder=name_of(event.seat, event.holder))

    def of_link(link: Link) -> Link:
        events = tuple(map(hidden, link.entry.events))
        return link if events == link.entry.events else replace(link, entry=replace(link.entry, events=events))

    players = tuple(replace(one, holder=name_of(one.seat, one.holder)) for one in record.setup.players)
    return game.with_record(
        replace(
            record,
            setup=replace(record.setup, players=players),
            chance=replace(record.chance, promised=False),
            journal=tuple(map(of_link, record.journal)),
        )
    )
