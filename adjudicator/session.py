"""Open a game: its record, its rules, and the configuration for its set-up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.chance import Head
from adjudicator.core.game import Game
from adjudicator.core.problem import AdjudicatorError, suggest
from adjudicator.core.rules import AnyRuleset, Ruleset
from adjudicator.core.ruleset import Player, Setup, options_in_play
from adjudicator.core.timeline import Timeline, ValidTurns
from adjudicator.core.values import MODERATOR, Digest, Seat, Value, Viewer, differences, json_value, replace
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.reading import Source
from adjudicator.rulesets import ruleset
from adjudicator.store.game_file import load_game

if TYPE_CHECKING:
    from adjudicator.results import LogRow

BYSTANDER: Final = "bystander"
"""The name of the public viewer."""

_LONGEST: Final = 80
"""The number of characters of a value that a message quotes."""
_REMEMBERED: Final = 16
"""The number of configurations that are kept for the next game with the same beginning."""


class UnknownViewerError(AdjudicatorError):
    """Report a reader that the game does not have: no seat of it, nor the moderator."""

    kind = "unknown-seat"

    def __init__(self, wanted: str, viewers: tuple[Seat, ...], holders: Mapping[Seat, str]) -> None:
        """Suggest the seat of the player called ``wanted``, else the viewer whose name is most similar."""
        seats = [seat for seat, holder in holders.items() if holder.casefold() == wanted.casefold()]
        similar = seats or suggest(wanted, viewers, 1)
        suggestion = f" (did you mean “{similar[0]}”?)" if similar else ""
        super().__init__(f"this game has no seat “{wanted}”{suggestion}; choose from: {', '.join(viewers)}")


class OthersViewError(UnknownViewerError):
    """Report that a player's own file was to be viewed as another seat."""

    def __init__(self, wanted: str, seat: Seat) -> None:
        """Name the ``seat`` of the file and the ``wanted`` one."""
        Exception.__init__(self, f"leave out --as: this is {seat}'s own file, which cannot show {wanted}'s view")


class PlayerKnowledge(Value, kw_only=True):
    """The knowledge of the player of ``seat``, which replaces the results of the missing journal.

    The ``rows`` of the log, ``head``, ``promise`` and the ``valid_turns`` are those of the reports.
    """

    seat: Seat
    rows: tuple[LogRow, ...]
    head: Head | None
    promise: Digest | None
    valid_turns: ValidTurns


class Session(Value):
    """A game with its rules, which do not change during the game.

    The ``timeline`` of the game has all that follows from its journal. In a player's own file, the position is the view of
    this player, and the rest is in ``knowledge``.
    """

    game: Game
    rules: AnyRuleset
    timeline: Timeline
    knowledge: PlayerKnowledge | None = None

    def __eq__(self, other: object) -> bool:  # without the rules and the timeline, which follow from the game
        return isinstance(other, Session) and (self.game, self.knowledge) == (other.game, other.knowledge)

    def __hash__(self) -> int:
        return hash((self.game, self.knowledge))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of the set-up."""
        return tuple(player.seat for player in self.game.setup.players)

    @property
    def holders(self) -> dict[Seat, str]:
        """The names of the players who hold the seats now."""
        return self.timeline.past.holders

    @property
    def valid_turns(self) -> ValidTurns:
        """The turn numbers that orders may name now, and the one to print."""
        return self.timeline.valid_turns if self.knowledge is None else self.knowledge.valid_turns

    @property
    def spoken_rules(self) -> AnyRuleset:
        """The rules with orders in the languages of the game. Raises ``LanguageError`` if words of one are missing."""
        from adjudicator.orders.languages import rules_with_languages

        return rules_with_languages(self.rules, self.game.languages)

    def turn_number(self, adjudication: int) -> int:
        """Return the turn number that reports name for an ``adjudication``, counted from 0, or for the next one."""
        return self.timeline.turn_number(adjudication)

    def with_game(self, game: Game) -> Session:
        """Return the same session with the changed ``game``; the timeline folds only entries that are new."""
        return replace(self, game=game, timeline=self.timeline.extended(game))

    def viewer(self, name: str | None) -> Viewer:
        """Return the viewer called ``name`` (``None`` and `bystander`: a bystander). Raises ``UnknownViewerError``.

        In a player's own file the viewer is always this player.
        """
        if self.knowledge is not None:
            if name is not None and name.lower() != self.knowledge.seat:
                raise OthersViewError(name, self.knowledge.seat)
            return self.knowledge.seat
        seat = Seat(BYSTANDER if name is None else name.lower())
        if name is None or (seat == BYSTANDER and seat not in self.seats):
            return None
        if seat not in (*self.seats, MODERATOR):
            raise UnknownViewerError(name, (*self.seats, MODERATOR), self.holders)
        return seat

    def seat(self, name: str) -> Seat:
        """Return the seat called ``name``; the moderator has none. Raises ``UnknownViewerError``."""
        seat = Seat(name.lower())
        if seat not in self.seats:
            raise UnknownViewerError(name, self.seats, self.holders)
        return seat


def new_session(game: Game, rules: AnyRuleset) -> Session:
    """Return the session of ``game`` with a new timeline."""
    return Session(game, rules, Timeline(rules, game))


def open_session(game: Game) -> Session:
    """Return ``game`` with its rules. Raises ``UnknownRuleset``, ``UnusableRuleset``, ``SetupError``."""
    return new_session(game, bind_rules(ruleset(game.ruleset.id), game.setup, game.ruleset.version))


def load_session(source: Source) -> Session:
    """Load the game in ``source``, a path or the bytes of a file, and check that its state follows from its journal.

    Raises ``CannotRead``, ``Untrusted``, ``SetupError``. Does not catch errors of the rules while they apply the events: an
    audit of the file finds the cause.
    """
    session = open_session(load_game(source))
    game, folded = session.game, session.timeline.state
    if folded == game.state:
        return session
    asked = (session.rules.answering(folded, ask.seat) for ask in session.rules.asked(folded) if not ask.is_due)
    if any(at is not None and at.state == game.state for at in asked):
        # Until November 2026 a condition that failed reopened the answer of its seat, in the stored state alone.
        return session.with_game(replace(game, state=folded))
    raise Untrusted("the file" if isinstance(source, bytes) else str(source), _differences(folded, game.state))


def _differences(folded: Any, state: Any) -> Iterator[Violation]:
    """Yield the differences between ``state`` and the ``folded`` one."""
    for path, right, found in differences(json_value(folded), json_value(state)):
        words = f"must be {_quoted(right)} according to the journal, not {_quoted(found)}"
        yield Violation(f"$.state.{path}", words)


def _quoted(value: Any) -> str:
    words = str(value)
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"


def with_languages(session: Session, wanted: Iterable[str]) -> Session:
    """Return ``session`` with orders in English and the languages ``wanted``, each a code or an English name.

    Nothing else changes: pending orders are stored in English. Raises ``LanguageError`` for one that is not installed.
    """
    from adjudicator.orders.languages import choose_languages

    return session.with_game(replace(session.game, languages=choose_languages(session.rules.meta, wanted)))


def bind_rules(kind: Ruleset, setup: Setup, version: int) -> AnyRuleset:
    """Return the rules of a game with this ``setup`` and ``version``. Raises ``SetupError``."""
    options = options_in_play(kind.meta, setup.seats, setup.options, version)
    if setup.position is not None:
        return kind(replace(setup, options=options), version)
    return _cached_rules(_ById(kind), _ById(setup.components), setup.players, tuple(options.items()), version)


class _ById:
    """A ``thing`` that is equal only to itself, so that a cache need not compare large things."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


@lru_cache(_REMEMBERED)
def _cached_rules(
    kind: _ById, components: _ById, players: tuple[Player, ...], options: tuple[tuple[str, str], ...], version: int
) -> AnyRuleset:
    """Return the rules of a game without an explicit position, cached because many games begin alike."""
    rules: AnyRuleset = kind.thing(Setup(players, dict(options), components.thing), version)
    return rules
