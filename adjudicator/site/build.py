"""Build the site of an archive, and the public pages of a club: find, audit and page in one pass, then the lists.

Each file of the folder is written in one step; files that have not changed and files of others stay as they are.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from adjudicator.archive.find import Unopened, find, public_name
from adjudicator.archive.many import Memory, run
from adjudicator.audit.judge import Tally
from adjudicator.core.phrases import listed
from adjudicator.core.values import Seat, Value, canonical_bytes, digest, replace
from adjudicator.files.errors import CannotWrite
from adjudicator.files.typed import Misfit, read
from adjudicator.files.writing import PRIVATE, SHARED, sync_folder, write_atomic
from adjudicator.processes import TIMEOUT, Done, Lost, usual_jobs
from adjudicator.reports.images import NoPictureError, require_png
from adjudicator.resources import rules_page as rules_text
from adjudicator.results import UnmadePage
from adjudicator.rulebook import read_page
from adjudicator.rulesets import meta
from adjudicator.script.read import is_script
from adjudicator.site.lists import Home, Plan, list_pages, ruleset_links, running_table
from adjudicator.site.page import (
    GAMES,
    NOT_MADE,
    Cell,
    GamePage,
    ListTable,
    SiteGame,
    Task,
    contain,
    make_page,
    page_in_place,
    page_name,
    row_of,
    rules_page,
    trouble_page,
)
from adjudicator.verdict import Kind, Verdict, undecided


def build_site(
    paths: Iterable[str],
    folder: SiteFolder,
    *,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    cluster: str = "",
    again: bool = False,
    unfinished: bool = False,
    url: str = "",
    notify: Callable[[], object] = lambda: None,
) -> Iterator[GamePage | UnmadePage]:
    """Write a site of the games at ``paths`` into ``folder``; yield each source in order, and each page that cannot be made.

    A page that says so takes its place, and the others are made as usual. Up to ``jobs`` processes work on games, each
    game within ``timeout`` seconds, or the workers of a ``cluster`` (see ``archive.many.run``). Games that have not changed
    since a run on this machine keep their pages, unless with ``again``. The site shows ``unfinished`` games as bystanders
    see them, and no private games that go on from others. With the address ``url`` of the site, which ends in `/`, links to
    its pages have a preview with a picture; this needs the extra `png`. Without any game, such as after a mistyped path, an
    earlier site stays as it was. Each page calls ``notify``. Raises ``CannotWrite``, ``ClusterError``.
    """
    paths, games, tally = tuple(paths), list[SiteGame](), Tally()
    tasks = (Task(one, public_name(one.name, paths), unfinished, url) for one in find(paths))
    for page in _game_pages(tasks, folder, jobs, timeout, cluster, is_again=again):
        notify()
        yield page
        tally.add(page.result)
        if page.game is not None:
            games.append(page.game)
            if page.cause:
                yield UnmadePage(page=page.game.file, source=page.result.source, cause=page.cause)
    if not tally.judged:
        folder.give_up()
        return
    yield from _write_lists(list_pages(games, url), games, folder, notify)
    folder.finish()


class HomeGame(Value, kw_only=True):
    """A game for a site: its id, and the ``path`` of its file.

    Its pages name the players of the seats ``named``, and no others. It counts for the standing of the players ``agreed``,
    pairs of seat and name. ``players`` names those whom the file does not: a seat, what the file calls its player, and the
    name. ``deadline`` is the text about it (empty: none), ``stand_in`` how to take over a seat without a
    player (empty: no player can).
    """

    game: str
    path: str
    named: tuple[Seat, ...] = ()
    agreed: frozenset[tuple[Seat, str]] = frozenset()
    players: tuple[tuple[Seat, str, str], ...] = ()
    deadline: str = ""
    stand_in: str = ""

    @property
    def file(self) -> str:
        """The file of its page on the site."""
        return f"{GAMES}/{page_name(self.game, f'{self.game}.json')}"


def build_home(
    games: Sequence[HomeGame],
    folder: SiteFolder,
    title: str,
    *,
    url: str = "",
    open_games: ListTable | None = None,
    links: Iterable[tuple[str, str]] = (),
    notify: Callable[[], object] = lambda: None,
) -> Iterator[SiteGame | UnmadePage]:
    """Write a site of ``games`` into ``folder``; yield each game in order, and each page that cannot be made.

    A page that says so takes its place, and the others are made as usual. ``title``, the table of ``open_games`` and
    ``links`` (pairs of words and file) are those of the first page, ``url`` is the address of the site, which ends in `/`.
    Each page calls ``notify``. Call ``folder.finish()`` afterwards. Raises ``CannotWrite``.
    """
    try:
        require_png()
        previews = url
    except NoPictureError:
        previews = ""
    tasks = (
        Task(
            next(iter(find([game.path]))),
            f"{game.game}.json",
            has_unfinished=True,
            url=previews,
            called=game.game,
            named=game.named,
            players=game.players,
            facts=(("deadline", game.deadline),) if game.deadline else (),
        )
        for game in games
    )
    shown: list[SiteGame] = []
    running: list[tuple[SiteGame, str, str]] = []
    for game, page in zip(games, _game_pages(tasks, folder, usual_jobs()), strict=True):
        notify()
        assert page.game is not None
        yield page.game
        if page.cause:
            yield UnmadePage(page=page.game.file, source=game.path, cause=page.cause)
        agreed = (one if (one.seat, one.player) in game.agreed else replace(one, player="") for one in page.game.records)
        shown.append(replace(page.game, records=tuple(agreed)))
        if page.game.ruleset and not page.game.is_over:
            is_vacant = game.stand_in and page.game.vacant
            vacant = f"{listed(page.game.vacant)}: {game.stand_in}" if is_vacant else ""
            running.append((page.game, game.deadline, vacant))
    rulesets = sorted({(game.ruleset, game.name) for game in shown if game.ruleset})

    def rules_of(ruleset: str) -> str:
        about = meta(ruleset)
        return rules_page(read_page(rules_text(about)), about, url and f"{url}{page_name(ruleset, 'rules')}")

    rules = [Plan(page_name(one, "rules"), f"{name}: rules", partial(rules_of, one)) for one, name in rulesets]
    of_rules = tuple(row_of(Cell(name, page_name(one, "rules"))) for one, name in rulesets)
    home = Home(
        title,
        (*([open_games] if open_games is not None else []), running_table(running)),
        (ListTable("Rules", ("ruleset",), of_rules),),
        tuple(Cell(*link) for link in links),
        has_running=True,
    )
    yield from _write_lists((*rules, *list_pages(shown, url, home)), shown, folder, notify)


class _Known(Value):
    """What the memory has about a game: its result, its ``game`` for the lists, and the hash of each file of its page."""

    result: Verdict
    game: SiteGame | None
    hashes: dict[str, str]


def _game_pages(
    tasks: Iterable[Task],
    folder: SiteFolder,
    jobs: int,
    timeout: float = TIMEOUT,
    cluster: str = "",
    *,
    is_again: bool = False,
) -> Iterator[GamePage]:
    """Write the page of each of ``tasks`` into ``folder``, and yield it without its files; one that is unchanged stays."""
    names, shown = Counter[str](), set[str]()

    def changed(memory: Memory) -> Iterator[Task | Done]:
        """Yield the tasks to do, and the pages that stay in the places of theirs."""
        for task in tasks:
            known = None
            # The name of a page depends on the files of the same name before.
            if task.shown not in shown and (found := memory.get(task.key)) is not None:
                with suppress(Misfit):
                    known = read(_Known, found)
            shown.add(task.shown)
            if known is not None and folder.keep(known.hashes):
                yield Done((None, b""), GamePage(replace(known.result, source=task.source.name), known.game))
            else:
                yield task

    def label(task: Task) -> tuple[Task, bytes]:
        """Return ``task`` without its data, which may be large, and its key in the memory (empty: it is not remembered)."""
        source = task.source
        if isinstance(source, Unopened):
            return task, b""
        key = b"" if is_script(source.data) else task.key  # scripts also depend on other files
        return replace(task, source=replace(source, data=b"")), key

    with Memory(is_new=is_again) as memory:
        for done in run(make_page, changed(memory), jobs=jobs, timeout=timeout, cluster=cluster, label=label):
            (task, key), page, number = done.task, done.result, 1
            if isinstance(page, Lost):
                cause = f"the page was not finished within {timeout:g} seconds" if page.is_late else f"the game {page.words}"
                kind = Kind.UNREAD if page.is_late else Kind.FAULT
                page = page_in_place(task, undecided(task.source.name, kind, cause), cause)
            if page.game is not None:
                names[page.game.file] += 1
                number = names[page.game.file]
            if number > 1:  # another file of this name has a game of the same id
                page = page.renamed(number)
            for name, data in page.files:
                folder.write(name, data)
            result = page.result
            if key and number == 1 and not page.cause and isinstance(result, Verdict) and result.is_decided:
                known = _Known(result, page.game, {name: digest(data) for name, data in page.files})
                with suppress(UnicodeEncodeError):  # the name of a file may be no text
                    memory.put(key, canonical_bytes(known), result.ruleset)
            yield replace(page, files=())


def _write_lists(
    plans: Iterable[Plan], games: Sequence[SiteGame], folder: SiteFolder, notify: Callable[[], object]
) -> Iterator[UnmadePage]:
    """Write the pages about ``games``; yield each that cannot be made. Raises ``CannotWrite``."""
    for plan in plans:
        text, cause = contain(plan.make)
        if text is None:
            yield UnmadePage(page=plan.name, source="", cause=cause)
            text = trouble_page(plan.title, (NOT_MADE,), ruleset_links(games))
        folder.write(plan.name, text.encode())
        notify()


def unmade_text(page: UnmadePage) -> str:
    """Return as one line which ``page`` of a site could not be made, and why."""
    return "  ".join(filter(None, ("not made ", page.page, page.cause, page.source)))


# The folder -----------------------------------------------------------------------------------------------------------


MANIFEST: Final = "manifest.json"
_MADE_BY: Final = "adjudicator site"


class _Manifest(Value, omit_defaults=True):
    """The files of a site: the hash (``pages``) and the size in bytes (``sizes``) of each.

    Earlier versions had no sizes, and other facts about ``games``.
    """

    by: str
    pages: Mapping[str, str]
    sizes: Mapping[str, int] = MappingProxyType({})
    games: Any = None


class NotASite(CannotWrite):
    """Report that the folder for the site contains something other than a site."""


class SiteFolder:
    """A folder for the files of a site; ``finish`` removes those of earlier runs that are no longer part of it.

    ``manifest.json`` lists the files with their hashes. An interrupted run leaves complete pages, and the next run adds
    those that are missing. ``written`` is the number of files that this run has written because they were new or changed,
    ``removed`` that of files of earlier runs that ``finish`` has removed.
    """

    def __init__(self, path: str, *, force: bool = False, manifest: str = "") -> None:
        """Begin to write into the folder ``path``, and make the folder if it does not exist.

        The path ``manifest`` keeps the manifest outside of the folder.

        Raises ``NotASite`` if it contains anything but a site of this program, unless with ``force``; ``CannotWrite`` if it
        cannot be made.
        """
        self._path = path
        self._manifest, self._mode = (manifest, PRIVATE) if manifest else (os.path.join(path, MANIFEST), SHARED)
        self.written = self.removed = 0
        self._hashes: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._folders: set[str] = set()
        self._earlier, self._since = _Manifest(_MADE_BY, {}), 0
        is_site = False
        with suppress(OSError, ValueError):
            earlier: _Manifest = read(_Manifest, Path(self._manifest).read_bytes())
            if is_site := earlier.by == _MADE_BY:
                self._earlier, self._since = earlier, os.stat(self._manifest).st_mtime_ns
        if os.path.lexists(path) and not os.path.isdir(path):
            raise NotASite(path, "this is a file, but a site needs a folder")
        if not is_site and not force and os.path.isdir(path) and any(os.scandir(path)):
            raise NotASite(path, "name another folder, or use `force`: this one contains other files")
        self._make("")
        if not is_site:  # the manifest exists from the beginning: after an interruption, the next run recognises the folder
            self._write_manifest()

    @property
    def count(self) -> int:
        """The number of written pages, without pictures and the feed."""
        return sum(name.endswith(".html") for name in self._hashes)

    def write(self, name: str, data: bytes) -> None:
        """Write the file ``name``, such as ``games/rally.html``, unless it exists unchanged. Raises ``CannotWrite``."""
        if self._size(name, digest(data)) is None:
            self._make(os.path.dirname(name))
            write_atomic(os.path.join(self._path, name), data, SHARED, syncs_folder=False)
            self.written += 1
        self._hashes[name], self._sizes[name] = digest(data), len(data)

    def keep(self, hashes: Mapping[str, str]) -> bool:
        """Keep the files of these names if all exist with these ``hashes``, and return whether they do."""
        sizes = {name: size for name, hash_ in hashes.items() if (size := self._size(name, hash_)) is not None}
        if len(sizes) < len(hashes):
            return False
        self._hashes |= hashes
        self._sizes |= sizes
        return True

    def finish(self) -> None:
        """Write the manifest, and remove the pages of earlier runs that this run did not write. Raises ``CannotWrite``."""
        for name, hash_ in self._earlier.pages.items():
            climbs = os.path.isabs(name) or ".." in name.replace("\\", "/").split("/")
            if name not in self._hashes and not climbs and self._size(name, hash_) is not None:
                with suppress(OSError):
                    os.unlink(os.path.join(self._path, name))
                    self.removed += 1
        for inner in self._folders:
            sync_folder(os.path.join(self._path, inner))
        if self.written or (self._earlier.pages, self._earlier.sizes) != (self._hashes, self._sizes):
            self._write_manifest()

    def give_up(self) -> None:
        """Remove the files that this run has added: the manifest of before stays, with its files."""
        for name in self._hashes.keys() - self._earlier.pages.keys():
            with suppress(OSError):
                os.unlink(os.path.join(self._path, name))

    def _size(self, name: str, hash_: str) -> int | None:
        """Return the size of the file ``name`` in bytes; ``None`` unless it exists with this hash.

        A file that is older than the manifest, with the size in it, has not changed since: most files are not read again.
        """
        path, earlier = os.path.join(self._path, name), self._earlier
        with suppress(OSError, ValueError):
            status = os.stat(path)
            is_listed = earlier.pages.get(name) == hash_ and earlier.sizes.get(name) == status.st_size
            if (is_listed and status.st_mtime_ns < self._since) or digest(Path(path).read_bytes()) == hash_:
                return status.st_size
        return None

    def _write_manifest(self) -> None:
        made = _Manifest(_MADE_BY, self._hashes, self._sizes)
        write_atomic(self._manifest, canonical_bytes(made) + b"\n", self._mode)

    def _make(self, inner: str) -> None:
        if inner in self._folders:
            return
        path = os.path.join(self._path, inner) if inner else self._path
        try:
            os.makedirs(path, exist_ok=True)
        except (OSError, ValueError) as error:
            raise CannotWrite(path, f"the folder cannot be made: {getattr(error, 'strerror', None) or error}") from error
        self._folders.add(inner)
