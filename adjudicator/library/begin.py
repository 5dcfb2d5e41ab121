"""Open a game, begin one, play a script, and go through the games of an archive or a simulation."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.values import Value, replace
from adjudicator.library.game import Game
from adjudicator.library.texts import RequestError

if TYPE_CHECKING:  # each function loads only what it needs: the command line starts for each command
    from adjudicator.audit.published_texts import PublishedText
    from adjudicator.begin import GameChoices
    from adjudicator.core.ruleset import Player
    from adjudicator.files.errors import Untrusted
    from adjudicator.library.prepared import Prepared
    from adjudicator.reports.data.position import Position
    from adjudicator.reports.data.report import Report
    from adjudicator.results import OrderProblem
    from adjudicator.script.play import ScriptRun
    from adjudicator.session import Session
    from adjudicator.verdict import AuditResult, Divergence


class ScriptResult(Value):
    """The result of a script: the ``game``, and what is wrong with the script. ``details`` give each line its entry."""

    details: ScriptRun

    @property
    def game(self) -> Game | None:
        """The game up to the turn of the first problem; ``None`` if its set-up is wrong."""
        return None if self.details.session is None else Game(self.details.session)

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The mistakes in the script, each with its ``code``, ``message``, ``line`` and ``column``."""
        from adjudicator.reports.data.diagnostics import order_problem

        return tuple(map(order_problem, self.details.diagnostics))

    @property
    def divergences(self) -> tuple[Divergence, ...]:
        """The written minutes and results that the rules contradict."""
        from adjudicator.script.minutes import disagreements

        played = self.details
        if played.session is None:
            return ()
        return tuple(disagreements(played.session, played.accepted, () if played.diagnostics else played.script.claims))


def open_game(source: str | Path | bytes, *, name: str = "these bytes", whole: bool = False) -> Game:
    """Open a game and return it: ``source`` is the path of its file, ``ARCHIVE#GAME``, or the bytes of a file.

    Messages call bytes ``name``. The game in a player's own file has what that player may know; if ``whole``, such files
    are refused. Raises ``FileProblem``: ``CannotRead``, or ``Untrusted`` if the file was changed or damaged.
    """
    from adjudicator.core.problem import SetupError
    from adjudicator.files.errors import FileProblem, Untrusted, Violation
    from adjudicator.store.other_files import is_seat_file

    name, data = (name, source) if isinstance(source, bytes) else read_game_file(os.fspath(source))
    try:
        if not whole and is_seat_file(data):
            return Game(_own_session(name, data))
        from adjudicator.session import load_session

        try:
            return Game(load_session(data))
        except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError) as error:
            from adjudicator.rulesets import bug_words

            forgery = forgery_in(data, name)  # it names the first entry that is wrong
            if forgery is not None:
                raise forgery from error
            words = f"the rules cannot follow these entries: somebody has changed them, or this is {bug_words(error)}"
            raise Untrusted(name, [Violation("$.journal", words)]) from error
    except SetupError as error:
        raise Untrusted(name, [Violation("$.setup", problem.message) for problem in error.problems]) from error
    except FileProblem as error:
        error.rename(name)
        raise


def read_game_file(path: str) -> tuple[str, bytes]:
    """Return name and bytes of the file ``path``, which may be ``ARCHIVE#GAME``. Raises ``FileProblem``."""
    from adjudicator.files.reading import read

    if "#" not in path and not path.endswith(".zst"):
        return read(path)
    from adjudicator.sources.game_archives import read_game  # slow to load, and few games are in archives

    return read_game(path)


def _own_session(name: str, data: bytes) -> Session:
    """Return the game in the player's own file ``name``. Raises ``SetupError``, ``Untrusted``."""
    from adjudicator.files.errors import Untrusted, Violation
    from adjudicator.own_file import open_own
    from adjudicator.present import position_of
    from adjudicator.rulesets import bug_words
    from adjudicator.store.other_files import load_seat_file

    rules, file = load_seat_file(name, data)
    session = open_own(rules, file)
    try:
        position_of(session, file.seat)
    except Exception as error:  # without a journal no audit can distinguish a forged position from a bug
        words = f"the rules cannot show this position: somebody has changed it, or this is {bug_words(error, rules.meta.id)}"
        raise Untrusted(name, [Violation("$.view", words)]) from None
    return session


def new(
    ruleset: str,
    players: Mapping[str, str] | Iterable[str | Player],
    *,
    id: str = "game",  # noqa: A002 - as the option of the command line
    options: Mapping[str, str] | None = None,
    seed: int | str | None = None,
    words: Mapping[str, str] | None = None,
    recorded: Sequence[str] | None = None,
    components: str | None = None,
    position: str | None = None,
    languages: Iterable[str] = (),
    version: int | None = None,
) -> Game:
    """Begin a game of ``ruleset`` and return it, ready for the first orders.

    ``players`` maps each seat to its player, in the order of play, or lists only the seats. ``options`` maps names to
    values; those left out have their defaults. ``seed`` is the secret of chance: a number, or 64 hexadecimal digits
    (``None``: a new random one). ``words`` maps seats to their words for chance. With ``recorded``, people draw instead of
    the program: these are the outcomes of the set-up, in order. ``components`` is the name of a set or the path of your
    own, ``position`` the path of a first position (``None``: as the rules say). Players may write in English and these
    ``languages``, codes or English names. ``version`` is that of the rules (``None``: the present one).

    Raises ``SetupError`` with all ``problems``, ``UnknownRuleset``, ``UnusableRuleset``, ``RequestError`` for an unknown
    component set, ``LanguageError``, ``FileProblem``.
    """
    from adjudicator.begin import begin_game
    from adjudicator.session import with_languages

    wish = _wish(ruleset, players, id, options, seed, components, position)
    session = begin_game(
        replace(
            wish,
            secret=wish.secret if recorded is None else None,
            entropy={seat.lower(): word for seat, word in (words or {}).items()},
            recorded=tuple(recorded or ()),
            version=version or 0,
        )
    )
    chosen = tuple(languages)
    return Game(with_languages(session, chosen) if chosen else session)


def prepare_game(
    ruleset: str,
    players: Mapping[str, str] | Iterable[str | Player],
    *,
    id: str = "game",  # noqa: A002 - as the option of the command line
    options: Mapping[str, str] | None = None,
    seed: int | str | None = None,
    components: str | None = None,
    position: str | None = None,
) -> Prepared:
    """Prepare a game whose deal even you cannot choose, because players add words to chance; return it (see ``Prepared``).

    The arguments and errors are those of ``new``.
    """
    from adjudicator.library.prepared import Prepared
    from adjudicator.prepare import prepare

    return Prepared(prepare(_wish(ruleset, players, id, options, seed, components, position)))


def _wish(
    ruleset: str,
    players: Mapping[str, str] | Iterable[str | Player],
    id_: str,
    options: Mapping[str, str] | None,
    seed: int | str | None,
    components: str | None,
    position: str | None,
) -> GameChoices:
    from secrets import token_hex

    from adjudicator.begin import GameChoices
    from adjudicator.core.ruleset import Player
    from adjudicator.core.values import Seat
    from adjudicator.library.rulesets import chosen_components
    from adjudicator.rulesets import ruleset as rules_of
    from adjudicator.store.other_files import load_position

    rules = rules_of(ruleset.lower())
    named = [Player(Seat(seat), name) for seat, name in players.items()] if isinstance(players, Mapping) else players
    each = (Player(Seat(one), "") if isinstance(one, str) else one for one in named)
    return GameChoices(
        ruleset=rules.meta.id,
        id=id_,
        players=tuple(Player(Seat(one.seat.lower()), one.holder) for one in each),
        components=chosen_components(rules, components),
        options=dict(options or {}),
        position=None if position is None else load_position(position, rules),
        secret=token_hex(32) if seed is None else f"{seed:064x}" if isinstance(seed, int) else seed.strip().lower(),
    )


def read_players(path: str | Path) -> tuple[Player, ...]:
    """Read the file ``path``, with a line such as ``red,Ann`` for each seat, and return its players for ``new``.

    Raises ``FileProblem``.
    """
    from adjudicator.store.entrants import load_entrants

    return load_entrants(path)


def play_script(
    text: str | bytes,
    *,
    name: str = "script",
    folder: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> ScriptResult:
    """Play the whole game in ``text``, a script, and return the result: mistakes in it are values, not errors.

    Messages call the script ``name``. It can name files in ``folder`` (``None``: no files). Each adjudication calls
    ``notify``. Raises ``RequestError`` if ``text`` is no script.
    """
    from adjudicator.script.read import is_script

    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not is_script(data):
        raise RequestError(f"name a script: the first line of {name} does not begin with `script`")
    from adjudicator.script.play import play_script as play

    return ScriptResult(play(name, data, folder, notify))


def audit_files(
    paths: str | Path | Iterable[str | Path],
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = 300,
    published: Sequence[PublishedText] = (),
) -> Generator[AuditResult, None, None]:
    """Decide each game at ``paths`` again, and yield the verdicts: files, scripts, folders, archives or URLs.

    The order is stable. A file that is no game gives a ``Skipped``, and a damaged file a ``Verdict`` with a divergence, no
    error. Up to ``jobs`` processes decide the games, each within ``timeout`` seconds; with 0 this process decides them, as
    long as it takes. ``impact`` takes today's rules, whatever the version of the game. The first game must also agree with
    the ``published`` texts of ``read_published``.
    """
    from adjudicator.audit.run import AuditOptions, audit_sources
    from adjudicator.sources.find import find_sources

    named = [str(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
    compare = None
    if published:
        from adjudicator.audit.published import compare_texts

        compare = partial(compare_texts, path=named[0], texts=published)
    yield from audit_sources(find_sources(named), AuditOptions(impact, timeout, compare), jobs)


def read_published(paths: Iterable[str | Path]) -> tuple[PublishedText, ...]:
    """Read the published logs, reports and receipts in the files and folders ``paths``, for ``audit_files``.

    Raises ``FileProblem``.
    """
    from adjudicator.audit.published_texts import published_texts

    return published_texts(map(str, paths))


def forgery_in(data: bytes, name: str) -> Untrusted | None:
    """Return the forgery or damage that the audit finds in ``data``, the game file ``name``; ``None`` if it finds none.

    An exception of the rules may be a bug, or the fault of a forged file, where schema, chain and seal can fit. A bug that
    also stops the audit proves nothing against the file.
    """
    from adjudicator.files.errors import Untrusted, Violation
    from adjudicator.library.game import audit_bytes
    from adjudicator.reports.cli.audits import divergence_text
    from adjudicator.verdict import Kind, Skipped

    verdict = audit_bytes(data, name)
    if isinstance(verdict, Skipped) or verdict.divergence is None:
        return None
    divergence = verdict.divergence
    if divergence.kind in (Kind.UNREAD, Kind.VERSION, Kind.FAULT):
        return None
    path = "$" if divergence.n is None else f"$.journal[{divergence.n}]"
    words = "this file cannot be trusted: it contradicts the rules"
    return Untrusted(name, [Violation(path, divergence_text(divergence))], words)


def render(value: Position | Report, form: str = "txt") -> str:
    """Return a position as ``txt`` or ``json``, or a report as ``txt``, ``html``, ``md``, ``svg`` or ``json``.

    Raises ``RequestError`` for another form, and for a picture of a game without a board.
    """
    from adjudicator.reports.data.position import Position, position_text, shown_position
    from adjudicator.reports.pages.forms import FORMS
    from adjudicator.reports.pictures.png import NoPictureError
    from adjudicator.reports.text.sanitize import safe_json

    if isinstance(value, Position):
        if form not in ("txt", "json"):
            raise RequestError(f"choose a form from txt, json, not {form}")
        return position_text(value) if form == "txt" else safe_json(shown_position(value))
    if form not in FORMS or form == "png":
        raise RequestError(f"choose a form from {', '.join(one for one in FORMS if one != 'png')}, not {form}")
    try:
        return FORMS[form](value).decode()
    except NoPictureError as error:
        raise RequestError(str(error)) from error
