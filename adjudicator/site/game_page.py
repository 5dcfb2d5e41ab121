"""Make the page of one game of an archive; every file gets a page, even a damaged one."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import adjudicator
from adjudicator.audit.texts import divergence_text
from adjudicator.core.corrections import Past, SeatHanded, SecretRevealed
from adjudicator.core.game import Record
from adjudicator.core.journal import Link
from adjudicator.core.problem import SetupError
from adjudicator.core.values import MODERATOR, Seat, Value, Whole, canonical_bytes, digest, replace
from adjudicator.files.errors import FileProblem
from adjudicator.library.game import Game
from adjudicator.library.seat_records import SIMULATED, finished_at, records_of
from adjudicator.reports.card import card_sheet, thumbnail_sheet
from adjudicator.reports.heading import player_name, result_words
from adjudicator.reports.png import png_of
from adjudicator.reports.replay_page import About
from adjudicator.reports.web import Preview
from adjudicator.rulesets import own_meta
from adjudicator.script.play import play_script
from adjudicator.script.read import is_script
from adjudicator.simulate.statistics import tally_game
from adjudicator.site.fault import NOT_MADE, Fault, NoPageError, contain
from adjudicator.site.list_page import INDEX, trouble_page
from adjudicator.site.site_game import SiteGame
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.game_file import load_game
from adjudicator.verdict import Kind, Verdict

_UNOPENED: Final = (Kind.UNREAD, Kind.DAMAGED)


class Task(Value):
    """A game to show: its source, its ``number`` in the archive, its verdict, and its names.

    ``file`` is that of its page, ``shown`` what the source is called in public. Unfinished games have pages only with
    ``has_unfinished``. ``url`` is the address of the site (empty: not known), ``kept`` the key of the pages from the last
    run (empty: none). Pages name only the players of the seats ``named`` (``None``: all), and have the extra ``facts``.
    """

    source: Source
    number: Whole
    verdict: Verdict
    file: str
    shown: str
    has_unfinished: bool
    url: str = ""
    kept: str = ""
    named: tuple[Seat, ...] | None = None
    facts: tuple[tuple[str, str], ...] = ()


class GamePage(Value):
    """The ``files`` of a page with their names, and its ``game`` for the lists; ``fault`` says why it cannot be made.

    A later run with the same ``key`` keeps the files (empty: it makes them again).
    """

    game: SiteGame
    files: tuple[tuple[str, bytes], ...]
    fault: Fault | None = None
    key: str = ""


class Unchanged(Value):
    """The result for a game whose pages from the last run stay."""


def make_page(opener: Opener, task: Task) -> GamePage | Unchanged | None:
    """Return the page of ``task``; ``None`` for an unfinished game if these are left out."""
    key = contain(lambda: _key(task, opener))
    if isinstance(key, Fault) or not key:
        return _made(opener, task)
    if key == task.kept:
        return Unchanged()
    page = _made(opener, task)
    return page if page is None or page.fault is not None else replace(page, key=key)


def _key(task: Task, opener: Opener) -> str:
    """Return a hash over everything that the page depends on; empty if other files or another package matter, too."""
    data = opener.read(task.source)
    is_whole = task.verdict.divergence is None and own_meta(task.verdict.ruleset) and not is_script(data)
    return file_key(task, data) if is_whole else ""


def file_key(task: Task, data: bytes) -> str:
    """Return a hash over all that the page of ``task`` depends on, if ``data`` is a game of a ruleset of this program."""
    about = (task.file, task.shown, task.has_unfinished, task.url, task.named, task.facts)
    return digest(_program_key().encode(), canonical_bytes(about), data)


@cache
def _program_key() -> str:
    """Return a hash over the files of this program: another version makes all pages again."""
    root = Path(adjudicator.__file__).parent
    names = sorted(
        path for path in root.rglob("*") if path.suffix in (".py", ".html", ".css", ".js", ".json", ".lark", ".ttf")
    )
    return digest(*(canonical_bytes((path.relative_to(root).as_posix(), digest(path.read_bytes()))) for path in names))


def _made(opener: Opener, task: Task) -> GamePage | None:
    divergence = task.verdict.divergence
    if divergence is not None and divergence.kind in _UNOPENED:
        return _damaged(task)
    made = contain(lambda: _shown_or_damaged(task, opener))
    return page_in_place(task, made) if isinstance(made, Fault) else made


def _shown_or_damaged(task: Task, opener: Opener) -> GamePage | None:
    try:
        return _shown(task, opener)
    except Exception:
        if task.verdict.divergence is None:
            raise
        return _damaged(task)  # the verdict names the problem of the file


def _shown(task: Task, opener: Opener) -> GamePage | None:
    game = _opened(task, opener)
    records = records_of(game)  # with all names: the lists choose those that they may show
    vacant = tuple(str(seat) for seat in game.seats if game.players.get(seat) == SIMULATED)
    if task.named is not None:
        game = game.with_record(_without_names(game.record, task.named))
    record, rules = game.record, game.rules
    is_over = rules.is_over(record.state)
    if not is_over and not task.has_unfinished:
        return None
    # A finished game shows everything.
    reader = game.seen_by(MODERATOR if is_over else None)
    page = reader.replay_page(about=_about(task, game, is_over=is_over))
    # The lists hide the number of skipped orders, the private events of a seat, and the scores before the end.
    tally = tally_game(game, task.number)
    seats = tuple(replace(seat, traits={}) for seat in tally.seats if is_over)
    listed = SiteGame(
        file=task.file,
        source=task.shown,
        game=record.id,
        status=task.verdict.status,
        ruleset=rules.meta.id,
        name=rules.meta.name,
        unit=rules.meta.unit,
        players=tuple((str(seat), "" if game.fork else game.players.get(seat, "")) for seat in game.seats),
        tally=replace(tally, orders=page.entries - 1, seats=seats, events={}),
        finished=finished_at(game) if is_over else None,
        records=records,
        vacant=() if is_over else vacant,
    )
    files = [(task.file, page.text.encode()), (listed.thumbnail, thumbnail_sheet(page.position).svg.encode())]
    if task.url:
        files.append((_image(task), png_of(card_sheet(page.position))))
    return GamePage(listed, tuple(files))


def _without_names(record: Record, named: Collection[Seat]) -> Record:
    """Return ``record`` without the names of its players, except for the present players of the seats ``named``.

    The hashes of its entries stay, so the heads on its pages are those of the reports. Its promise goes: with the names
    left out, nobody can check it, and with guessed names, it would confirm them.
    """
    past = Past(record.setup.players)
    for link in record.journal:
        past.take(link.entry)
    shown = {seat: name for seat, name in past.holders.items() if seat in named}

    def name_of(seat: Seat, name: str) -> str:
        return name if name == shown.get(seat) else ""

    def hidden(event: Any) -> Any:
        if not isinstance(event, SeatHanded):
            return event
        return replace(event, before=name_of(event.seat, event.before), holder=name_of(event.seat, event.holder))

    def of_link(link: Link) -> Link:
        events = tuple(map(hidden, link.entry.events))
        return link if events == link.entry.events else replace(link, entry=replace(link.entry, events=events))

    players = tuple(replace(one, holder=name_of(one.seat, one.holder)) for one in record.setup.players)
    return replace(
        record,
        setup=replace(record.setup, players=players),
        chance=replace(record.chance, promised=False),
        journal=tuple(map(of_link, record.journal)),
    )


def _image(task: Task) -> str:
    return f"{task.file.removesuffix('.html')}.png"


def _opened(task: Task, opener: Opener) -> Game:
    """Return the game of ``task``, a game file or a script. Raises ``NoPageError``."""
    source = task.source
    try:
        data = opener.read(source)
        if not is_script(data):  # the audit has judged it: a game that differs is shown, too
            return Game.of(load_game(data))
    except (FileProblem, SetupError) as error:
        raise NoPageError(f"the game cannot be opened: {error}") from error
    folder = None if source.member is not None or source.path == "-" else os.path.dirname(source.path) or "."
    game = play_script(data, name=source.name, folder=folder).game
    if game is None:
        raise NoPageError("its set-up cannot be read")
    return game


def _about(task: Task, game: Game, *, is_over: bool) -> About:
    """Return the extra contents of the page; the preview has only words that bystanders may read at any time."""
    meta, held = game.rules.meta, game.players
    players = ", ".join(player_name(seat, held) for seat in game.seats)
    state = result_words(game.rules.standings(game.record.state), held) if is_over else "in progress"
    address = (f"{task.url}{task.file}", f"{task.url}{_image(task)}") if task.url else ()
    preview = Preview(f"{game.record.id} · {meta.name}", f"{state}. Players: {players}", *address)
    facts = (*task.facts, *_facts(task, game, is_over=is_over))
    return About(f"../{INDEX}", task.verdict.status, facts, preview)


def _facts(task: Task, game: Game, *, is_over: bool) -> Iterator[tuple[str, str]]:
    """Yield the facts beside the replay of a game, each with a label, and only public facts if it is unfinished."""
    verdict, chance = task.verdict, game.record.chance
    status = verdict.status
    if verdict.divergence is not None:
        words = f": {divergence_text(verdict.divergence)}" if is_over else ""
        yield "audit", f"{status}{words}"
    elif is_over:
        yield "audit", f"{status}: {verdict.orders:,} orders decided again, {verdict.draws:,} random outcomes recomputed"
    else:
        yield "audit", status
    if chance.commitment is None:
        yield "chance", "recorded by hand: no proof shows whether the draws were fair"
        return
    is_revealed = any(isinstance(event, SecretRevealed) for link in game.record.journal for event in link.entry.events)
    if is_revealed:
        proof = "the secret was published: with it and the log everybody can recompute every outcome (audit --published)"
    else:
        proof = (
            "committed on the first day; the secret was not published, so only people with the game file can recompute it"
        )
    yield "chance", proof


def _damaged(task: Task) -> GamePage:
    """Return the page of a damaged file, with only the place, because the verdict might quote secrets."""
    divergence = task.verdict.divergence
    field = f", at {divergence.field}" if divergence is not None and divergence.field else ""
    return _trouble(
        task,
        f"The audit says: {task.verdict.status}{field}.",
        "This file cannot be shown as a game. To see its errors, run `adjudicator audit` with the file.",
    )


def page_in_place(task: Task, fault: Fault) -> GamePage:
    """Return the page that replaces one with a ``fault``."""
    return replace(_trouble(task, NOT_MADE, f"The audit says: {task.verdict.status}."), fault=fault)


def _trouble(task: Task, *sentences: str) -> GamePage:
    name = task.verdict.game or ""
    listed = SiteGame(file=task.file, source=task.shown, game=name, status=task.verdict.status)
    text = trouble_page(name or task.shown, (f"File: {task.shown}", *sentences), home=f"../{INDEX}")
    return GamePage(listed, ((task.file, text.encode()),))
