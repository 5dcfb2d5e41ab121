"""Open a game, begin one, play a script, and go through the games of an archive or a simulation."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.core.frozen import frozen
from adjudicator.library.game import Game
from adjudicator.library.texts import RequestError

if TYPE_CHECKING:  # each function loads only what it needs: the command line starts for each command
    from adjudicator.core.rules import AnyRuleset
    from adjudicator.core.ruleset import Meta
    from adjudicator.outputs.orders import OrderProblem
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report
    from adjudicator.script.play import ScriptRun
    from adjudicator.session import Session
    from adjudicator.verdict import AuditResult, Divergence


@frozen
class ScriptResult:
    """The result of a script; ``details`` also have each of its lines with its entry."""

    details: ScriptRun

    @property
    def game(self) -> Game | None:
        """The game up to the turn of the first problem; ``None`` if its set-up is wrong."""
        return None if self.details.session is None else Game(self.details.session)

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The mistakes in the script, each with its ``code``, ``message``, ``line`` and ``column``."""
        from adjudicator.reports.diagnostics import order_problem

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
    """Open a game: the path of its file, ``ARCHIVE#GAME``, or the bytes of a file, which messages call ``name``.

    A player's own file opens, too, as far as that player knows the game, unless the game must be ``whole``. Raises
    ``FileProblem``; ``Untrusted`` is the one for a file that was changed or damaged.
    """
    from adjudicator.core.problem import SetupError
    from adjudicator.store.errors import FileProblem, Untrusted, Violation
    from adjudicator.store.seat_files import is_seat_file

    name, data = (name, source) if isinstance(source, bytes) else read_game_file(os.fspath(source))
    try:
        if not whole and is_seat_file(data):
            return Game(_own_session(name, data))
        from adjudicator.session import load_session

        return Game(load_session(data))
    except SetupError as error:
        raise Untrusted(name, [Violation("$.setup", problem.message) for problem in error.problems]) from error
    except FileProblem as error:
        error.rename(name)
        raise


def read_game_file(path: str) -> tuple[str, bytes]:
    """Return name and bytes of the file ``path``, which may be ``ARCHIVE#GAME``. Raises ``FileProblem``."""
    from adjudicator.store.reading import read

    if "#" not in path and not path.endswith(".zst"):
        return read(path)
    from adjudicator.sources.game_archives import read_game  # slow to load, and few games are in archives

    return read_game(path)


def _own_session(name: str, data: bytes) -> Session:
    """Return the game in the player's own file ``name``. Raises ``SetupError``, ``Untrusted``."""
    from adjudicator.own_file import open_own
    from adjudicator.present import position_of
    from adjudicator.rulesets import bug_words
    from adjudicator.store.errors import Untrusted, Violation
    from adjudicator.store.seat_files import load_seat_file

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
    players: Mapping[str, str] | Iterable[str],
    *,
    id: str = "game",  # noqa: A002 - as the option of the command line
    options: Mapping[str, str] | None = None,
    seed: int | str | None = None,
    words: Mapping[str, str] | None = None,
    recorded: Sequence[str] | None = None,
    components: str | None = None,
    position: str | None = None,
    languages: Iterable[str] = (),
) -> Game:
    """Begin a game of ``ruleset`` with ``players``: the name of each seat's player, in the order of play, or only the seats.

    ``seed`` is the secret of chance, 64 hexadecimal digits or a number (``None``: a new one); ``words`` are the players'
    words for chance. With ``recorded`` people draw: these are the outcomes of the set-up. ``components`` names a set or the
    file of your own, ``position`` the file of a first position. ``languages`` are those of orders in addition to English.

    Raises ``SetupError`` with all ``problems``, ``UnknownRuleset``, ``RequestError``, ``FileProblem``.
    """
    from secrets import token_hex

    from adjudicator.begin import GameChoices, begin_game
    from adjudicator.core.ids import Seat
    from adjudicator.core.ruleset import Player
    from adjudicator.game_languages import with_languages
    from adjudicator.rulesets import ruleset as rules_of
    from adjudicator.store.load import load_position

    rules = rules_of(ruleset.lower())
    holders = players if isinstance(players, Mapping) else dict.fromkeys(players, "")
    secret = token_hex(32) if seed is None else f"{seed:064x}" if isinstance(seed, int) else seed.strip().lower()
    session = begin_game(
        GameChoices(
            ruleset=rules.meta.id,
            id=id,
            players=tuple(Player(Seat(seat.lower()), holder) for seat, holder in holders.items()),
            components=chosen_components(rules, components),
            options=dict(options or {}),
            position=None if position is None else load_position(position, rules),
            secret=secret if recorded is None else None,
            entropy={seat.lower(): word for seat, word in (words or {}).items()},
            recorded=tuple(recorded or ()),
        )
    )
    chosen = tuple(languages)
    return Game(with_languages(session, chosen) if chosen else session)


def chosen_components(rules: AnyRuleset, wanted: str | None) -> Any:
    """Return the component set called ``wanted``, by name or file; ``None``: the default.

    Raises ``RequestError`` for an unknown name, and as loading does.
    """
    from adjudicator.core.suggestions import in_any_case
    from adjudicator.store.components import shipped
    from adjudicator.store.load import load_components

    if wanted is None:
        return shipped(rules)[0]
    named, is_there = in_any_case(wanted, rules.meta.component_sets), wanted == "-" or os.path.exists(wanted)
    if named is not None and (named == wanted or not is_there):
        return shipped(rules, named)[0]
    if not is_there:
        shipped_sets = ", ".join(rules.meta.component_sets)
        raise RequestError(
            f"“{wanted}” is neither a component set nor a file; the sets of {rules.meta.id} are: {shipped_sets}"
        )
    return load_components(wanted, rules)


def play_script(text: str | bytes, *, name: str = "script", folder: str | None = None) -> ScriptResult:
    """Play a whole game that is written as one ``text``, which messages call ``name``; its mistakes are values.

    ``folder`` is the place of the files that the script names (``None``: it can name none). Raises ``RequestError`` if the
    text is no script.
    """
    from adjudicator.script.play import play_script as play
    from adjudicator.script.read import is_script

    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not is_script(data):
        raise RequestError(f"name a script: the first line of {name} does not begin with `script`")
    return ScriptResult(play(name, data, folder))


def audit_files(
    paths: str | Path | Iterable[str | Path],
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = 300,
    compare: Callable[[AuditResult], AuditResult] | None = None,
) -> Generator[AuditResult, None, None]:
    """Yield the verdict on each game at ``paths``: files, scripts, folders, archives or URLs, in a stable order.

    A file that is no game gives a ``Skipped``. Up to ``jobs`` processes decide the games, each within ``timeout`` seconds;
    with ``impact`` by today's rules, whatever the version of the game. ``compare`` makes the final result of the first one,
    as for published texts. Damaged files raise no error.
    """
    from adjudicator.audit.run import AuditOptions, audit_sources
    from adjudicator.sources.find import find_sources

    named = [paths] if isinstance(paths, (str, Path)) else paths
    yield from audit_sources(find_sources(str(path) for path in named), AuditOptions(impact, timeout, compare), jobs)


def simulate_games(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    most_orders: int = 5_000,
) -> Iterator[Game]:
    """Yield finished ``games`` between simulated players, each as soon as it is over; the same ``seed`` gives the same ones.

    ``players`` is the number of seats (0: the fewest), ``player`` is random, greedy or mixed. A game stops unfinished after
    ``most_orders`` orders. Raises ``SetupError``, ``UnknownRuleset``.
    """
    from adjudicator.rulesets import meta
    from adjudicator.simulate.plan import Plan, require_sound
    from adjudicator.simulate.play import play_game

    plan = Plan(
        ruleset=ruleset.lower(),
        games=games,
        players=players or meta(ruleset.lower()).players[0],
        seed=seed,
        player=player,
        options=dict(options or {}),
        most_orders=most_orders,
    )
    require_sound(plan)
    yield from (Game(play_game(plan, number).session) for number in plan.numbers)


def installed_games() -> tuple[Meta, ...]:
    """Return the rulesets that can be played, by id: number of players, options, component sets."""
    from adjudicator.core.ruleset import Meta
    from adjudicator.rulesets import metas

    return tuple(found for _, found in metas() if isinstance(found, Meta))


def render(value: Position | Report, form: str = "txt") -> str:
    """Return a position as text, or a report as ``txt``, ``html``, ``md``, ``svg`` or ``json``.

    Raises ``RequestError`` for another form, and for a picture of a game without a board.
    """
    from adjudicator.reports.position import Position, position_text

    if isinstance(value, Position):
        return position_text(value)
    from adjudicator.reports.forms import FORMS
    from adjudicator.reports.report_picture import NoPictureError

    if form not in FORMS or form == "png":
        raise RequestError(f"choose a form from {', '.join(one for one in FORMS if one != 'png')}, not {form}")
    try:
        return FORMS[form](value).decode()
    except NoPictureError as error:
        raise RequestError(str(error)) from error
