"""Decide one game again from its set-up, and name the first difference from its record with entry, field and rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import zip_longest
from typing import Any, Final, NoReturn

from adjudicator.core.chance import BadWordError, CommittedChance, ImpossibleOutcomeError, WordSent, normalize_word
from adjudicator.core.corrections import Amended, Correction, Forked, Past, SecretRevealed, Undone
from adjudicator.core.journal import SKIPPED, Entry, Outside
from adjudicator.core.order import Instruction, instruction_text
from adjudicator.core.problem import SetupError
from adjudicator.core.rules import AnyRules
from adjudicator.core.ruleset import fill_options
from adjudicator.core.step import (
    DRAWN,
    RefusedError,
    committed_chance,
    gist,
    redecide,
    validate_amendment,
    validate_expression,
)
from adjudicator.core.values import MISSING, MODERATOR, Seat, canonical_text, differences, json_value, replace
from adjudicator.library.game import Game
from adjudicator.orders.grammar import Grammar, UnreadableError, grammar_of
from adjudicator.rulesets import bug_words
from adjudicator.store.game_file import is_borrowed
from adjudicator.verdict import Divergence, Kind, Verdict, verdict

_REMEMBERED: Final = 16_384
_MOST: Final = 2_000


class _DivergenceError(Exception):
    """End the audit of a game at its first divergence, the only argument."""


def order_reader(rules: AnyRules) -> Callable[[str], Instruction | None]:
    """Return the reader of recorded orders of ``rules``; it returns ``None`` for text that is not an order."""
    return partial(read_order, grammar_of(rules))


@lru_cache(_REMEMBERED)
def read_order(grammar: Grammar, text: str) -> Instruction | None:
    """Return the recorded order ``text``, ``None`` if it is not an order; cached, because archives repeat the same lines."""
    try:
        return Instruction(*grammar.expression(text))
    except UnreadableError:
        return None


def canonical_word(word: str) -> str:
    """Return the canonical form of a player's ``word``, or why it is not possible."""
    try:
        return normalize_word(word)
    except BadWordError as error:
        return f"a word that {error}"


def fault(error: Exception, ruleset: str = "", entry: Entry | None = None) -> Divergence:
    """Return the divergence for a bug in the program or in the ``ruleset`` of the game; the file may be fine."""
    n, seat, order = (None, "", "") if entry is None else (entry.n, entry.seat or "", entry.order)
    return Divergence(Kind.FAULT, n, seat, order, recomputed=bug_words(error, ruleset), sentence=True)


def audit_game(game: Game, source: str = "") -> Verdict:
    """Return the verdict on ``game``, whose schema, chain and commitment were checked at loading."""
    record, rules = game.record, game.rules
    undos = (event for link in record.journal for event in link.entry.events[:1] if type(event) is Undone)
    earlier = {event.to: (None, 0) for event in undos}
    walk = _Walk(game, order_reader(rules), Past(record.setup.players, record.chance.entropy), earlier)
    divergence, is_over = None, False
    try:
        walk.audit_heading()
        for link in record.journal:
            walk.audit_entry(link.entry)
        _compare(Kind.STATE, "state", record.state, walk.state)
        walk.audit_pending()
    except _DivergenceError as found:
        (divergence,) = found.args
    except Exception as error:  # everything before agrees with the rules, so this is a bug and not a forgery
        at = walk.past.entries
        divergence = fault(error, record.ruleset.id, record.journal[at].entry if at < len(record.journal) else None)
    entries = [link.entry for link in record.journal[: walk.past.entries]]
    try:
        is_over = bool(entries) and rules.is_over(walk.state)
    except Exception as error:  # what the audit found before counts more
        divergence = divergence or fault(error, record.ruleset.id)
    return verdict(source, divergence, game=record.id, ruleset=record.ruleset.id, entries=entries, over=is_over)


@dataclass(slots=True)
class _Walk:
    """The ``state`` after the last of the ``past`` entries, and the values that the next entry must fit.

    ``read`` reads the recorded orders. ``committed`` is the chance of the game (``None``: recorded), ``drawn`` how many
    outcomes are used up. ``earlier`` has state and outcomes after each entry to which the game goes back later. ``turn`` is
    the adjudication of the last entry, which ``is_closed`` if no order can be added to it; ``word_seats`` sent words in it.
    """

    game: Game
    read: Callable[[str], Instruction | None]
    past: Past
    earlier: dict[int, tuple[Any, int]]
    committed: CommittedChance | None = None
    state: Any = None
    drawn: int = 0
    turn: int = 0
    is_closed: bool = True
    word_seats: tuple[Seat | None, ...] = ()

    def audit_heading(self) -> None:
        """Check the parts of a game before its first entry: players, options and chance."""
        game, record, chance = self.game, self.game.record, self.game.record.chance
        meta, seats = game.rules.meta, game.seats
        fewest, most = meta.players
        if not fewest <= len(seats) <= most:
            _diverge(Kind.SETUP, "setup.players", len(seats), f"{fewest} to {most}")
        options = fill_options(meta, seats, record.setup.options, record.ruleset.version)
        _compare(Kind.SETUP, "setup.options", dict(record.setup.options), options)
        if is_borrowed(game.rules, record.setup.components):
            words = "another id: the set with this id has other contents"
            _diverge(Kind.SETUP, "components.id", record.components.id, words)
        asked = set(seats) if chance.source == "committed" else set()
        if not set(chance.entropy) <= asked:
            words = f"words of {' '.join(seats)}" if asked else "{}"
            _diverge(Kind.SETUP, "chance.entropy", dict(chance.entropy), words)
        if chance.promised:
            for seat, word in chance.entropy.items():
                _compare(Kind.SETUP, f"chance.entropy.{seat}", word, canonical_word(word))
            silent = tuple(seat for seat in seats if seat not in chance.entropy)
            if chance.without != silent:
                _diverge(Kind.SETUP, "chance.without", chance.without, " ".join(silent) or "nobody")
        if chance.source == "committed" and chance.secret is None:
            _diverge(Kind.CHANCE, "chance.secret", "nothing", "the secret: without it no draw can be checked")
        self.committed = committed_chance(record, 0, words=())

    def audit_entry(self, entry: Entry) -> None:
        """Decide one ``entry`` again, and compare everything in it. Raises ``_DivergenceError``."""
        event = asked = entry.outside
        if event is None:
            if entry.n:
                self.audit_order(entry)
        elif entry.n and isinstance(event, Correction):
            self.audit_correction(entry, event)
        elif entry.n and type(event) is WordSent:
            self.audit_word(entry, event)
            asked = replace(event, outcome=self.past.most_drawn)
        # The count of outcomes goes back with the state.
        state, drawn = self.earlier[event.to] if type(event) is Undone else (self.state, self.drawn)
        try:
            taken = redecide(self.game.rules, state, entry, asked, self.committed, drawn, self.read)
        except (RefusedError, ImpossibleOutcomeError, SetupError) as error:
            self.refute(entry, asked, error)
        is_order = event is None and entry.n > 0
        said = (entry.note, entry.comment) if is_order else ()
        right = taken.entry(entry.n, entry.turn, entry.seat, *said) if entry.n else taken.entry(0, 0, None)
        if entry != right:
            heading, _, others = _kinds(entry)
            if entry.notes != right.notes and heading is Kind.BRANCH:
                _compare_notes(entry, right.notes)
                right = replace(right, notes=entry.notes)
            for name in ("seat", "notes", "turn", "order", "written", "note", "comment"):
                _compare(heading, name, getattr(entry, name), getattr(right, name), entry)
            for index, (old, new) in enumerate(zip_longest(entry.events, right.events)):
                if old != new:
                    _compare(others, f"events[{index}]", old, new, entry, _rule(new) or _rule(old))
            _compare(Kind.CHANCE, "drawn", entry.drawn, right.drawn, entry)
        self.state, self.drawn = taken.state, taken.drawn
        if entry.n in self.earlier:
            self.earlier[entry.n] = taken.state, taken.drawn
        if entry.turn != self.turn:
            self.word_seats = ()
        if type(event) is WordSent and self.committed is not None:
            self.word_seats = (*self.word_seats, entry.seat)
            self.committed.take(event)
        self.is_closed = not is_order or (self.is_closed and entry.turn == self.turn)
        self.turn = entry.turn
        self.past.take(entry)

    def refute(self, entry: Entry, event: Outside | None, error: Exception) -> NoReturn:
        """Raise ``_DivergenceError``: the rules cannot decide ``entry`` with this correction or word, as ``error`` says."""
        kind = _kinds(entry)[1]
        if isinstance(error, RefusedError):
            where, text = ("order", entry.order) if entry.written is None else ("written", entry.written)
            if not error.seat_is_due:
                due = " ".join(sorted(ask.seat for ask in self.game.rules.due(self.state)))
                _diverge(Kind.REFUSED, "seat", entry.seat, due or "nobody", entry)
            if not error.refusals:
                _diverge(Kind.UNREADABLE, where, text, "an order of this game", entry)
            problem = error.refusals[0][1]
            if problem is not DRAWN:
                where, text = "order", entry.order
            _diverge(Kind.REFUSED, where, text, f"refused: {problem.message}", entry, problem.rule)
        if isinstance(error, ImpossibleOutcomeError):
            if kind is Kind.CHANCE:
                _compare_notes(entry, error.choice.notes)
            recorded = "nothing" if error.outcome is None else error.outcome
            among = " ".join(error.among[:20]) + (" …" if len(error.among) > 20 else "")
            words = f"{error.purpose}: one of {among}" if among else "no more outcomes"
            _diverge(kind, "outcome", recorded, words, entry)
        if isinstance(event, Amended):
            _diverge(Kind.CORRECTION, "events[0].after", event.after, f"impossible: {error}", entry)
        if entry.n:
            raise error
        if isinstance(event, Forked):
            _diverge(Kind.SETUP, "events[0].state", event.state, f"impossible: {error}", entry)
        _diverge(Kind.SETUP, "setup.position", "as it is", f"impossible: {error}")

    def audit_correction(self, entry: Entry, event: Correction) -> None:
        """Audit a correction by the moderator: whether it records its change correctly, not whether it was wise."""
        rules, kind = self.game.rules, Kind.CORRECTION
        _compare(kind, "seat", entry.seat, MODERATOR, entry)
        self.audit_turn(entry, kind, may_share=event.may_share_turn)
        for name, recorded, right in event.flaws(self.past):
            _diverge(kind, f"events[0].{name}", recorded, right, entry)
        if isinstance(event, SecretRevealed):
            if event.secret != self.game.record.chance.secret:
                _diverge(kind, "events[0].secret", event.secret, "the secret committed to", entry)
            _compare(kind, "events[0].is_early", event.is_early, not rules.is_over(self.state), entry)
        if isinstance(event, Amended):  # it starts from the recorded state and makes another one that the rules accept
            _compare(kind, "events[0].before", event.before, self.state, entry)
            if event.after == self.state:
                _diverge(kind, "events[0].after", "the state before", "another state", entry)
            try:
                amended = validate_amendment(rules, self.state, event.after)
            except SetupError as error:
                _diverge(kind, "events[0].after", event.after, f"impossible: {error}", entry)
            _compare(kind, "events[0].after", event.after, amended, entry)

    def audit_word(self, entry: Entry, event: WordSent) -> None:
        """Audit a word for chance: it closes the adjudication or makes its own, and each seat sends at most one in it."""
        past, kind = self.past, Kind.ENTRY
        may_join = not self.is_closed or (bool(self.word_seats) and entry.seat not in self.word_seats)
        self.audit_turn(entry, kind, may_share=may_join)
        if self.committed is None:
            _diverge(kind, "order", entry.order, "nothing: people draw the outcomes of this game", entry)
        if self.game.rules.is_over(self.state):
            _diverge(kind, "order", entry.order, "nothing: the game is over", entry)
        _compare(kind, "seat", entry.seat, event.seat, entry)
        if event.seat not in past.holders:
            _diverge(kind, "seat", event.seat, f"one of {' '.join(past.holders)}", entry)
        _compare(kind, "events[0].word", event.word, canonical_word(event.word), entry)
        for name, recorded, right in event.flaws(past):
            _diverge(kind, f"events[0].{name}", recorded, right, entry)

    def audit_order(self, entry: Entry) -> None:
        """Audit an order of a player, in a possible adjudication."""
        holders = self.past.holders
        if entry.seat == MODERATOR:
            _diverge(Kind.CORRECTION, "events", entry.events, "a correction as the first event", entry)
        if entry.seat is None or entry.seat not in holders:
            _diverge(Kind.ENTRY, "seat", entry.seat or "nobody", f"one of {' '.join(holders)}", entry)
        self.audit_turn(entry, Kind.ENTRY, may_share=not self.is_closed or entry.order == SKIPPED)

    def audit_turn(self, entry: Entry, kind: Kind, *, may_share: bool) -> None:
        """Audit the number of an adjudication: the next one, or with ``may_share`` also that of the entry before."""
        if entry.turn != self.turn + 1 and not (may_share and entry.turn == self.turn):
            turns = (self.turn, self.turn + 1) if may_share else (self.turn + 1,)
            _diverge(kind, "turn", entry.turn, " or ".join(map(str, turns)), entry)

    def audit_pending(self) -> None:
        """Check that pending and set-aside orders are possible; the record does not prove that anybody sent them."""
        record = self.game.record
        turns = [(f"pending[{at}].turn", sheet.turn, sheet.seat) for at, sheet in enumerate(record.pending)]
        # Set-aside orders may be unreadable: that is one of the reasons for setting them aside.
        for at, aside in enumerate(record.set_aside):
            turns.append((f"set_aside[{at}].turn", aside.turn, aside.sheet.seat))
            turns.append((f"set_aside[{at}].sheet.turn", aside.sheet.turn, aside.sheet.seat))
        for field, turn, seat in turns:
            if turn > self.turn + 1:
                _diverge(Kind.PENDING, field, turn, f"at most {self.turn + 1}", seat=seat)
        rules = self.game.rules
        for at, sheet in enumerate(record.pending):
            for line, one in enumerate(sheet.orders):
                instruction = self.read(one.order)
                if instruction is None:
                    right = "an order of this game"
                elif instruction.draws and self.committed is not None:
                    right = f"refused: {DRAWN.message}"
                elif wrong := next(validate_expression(rules, instruction.expression), None):
                    right = f"refused: {wrong[1].message}"
                else:
                    right = instruction_text(instruction, rules.language.text)
                if right != one.order:
                    field = f"pending[{at}].orders[{line}].order"
                    _diverge(Kind.PENDING, field, one.order, right, seat=sheet.seat, order=one.order)


def _kinds(entry: Entry) -> tuple[Kind, Kind, Kind]:
    """Return the kinds of differences in the heading of ``entry``, in an outcome that is not possible, and in its events."""
    event = entry.outside
    if entry.n == 0:
        return Kind.SETUP, Kind.SETUP, Kind.SETUP
    if isinstance(event, Correction):
        return Kind.CORRECTION, Kind.CORRECTION, Kind.CORRECTION
    return (Kind.BRANCH, Kind.CHANCE, Kind.EVENTS) if event is None else (Kind.ENTRY, Kind.ENTRY, Kind.CHANCE)


def _rule(event: Any) -> str:
    """Return the rule of ``event``, or the rules of the parts of a cost."""
    return getattr(event, "rule", "") or ", ".join(dict.fromkeys(part.rule for part in getattr(event, "why", ())))


def _compare_notes(entry: Entry, notes: tuple[str, ...]) -> None:
    """Compare the branches; their words may be those of an older version."""
    _compare(Kind.BRANCH, "notes", tuple(map(gist, entry.notes)), tuple(map(gist, notes)), entry)


def _compare(kind: Kind, field: str, recorded: Any, right: Any, entry: Entry | None = None, rule: str = "") -> None:
    """Raise ``_DivergenceError`` at the first part of ``field`` that differs; values of two types differ as a whole."""
    if recorded == right:
        return
    old, new = (MISSING if value is None else json_value(value) for value in (recorded, right))
    parts = differences(old, new, field) if type(recorded) is type(right) else ()
    _diverge(kind, *next(iter(parts), (field, old, new)), entry, rule)


def _diverge(
    kind: Kind,
    field: str,
    recorded: Any,
    right: Any,
    entry: Entry | None = None,
    rule: str = "",
    *,
    seat: str = "",
    order: str = "",
) -> NoReturn:
    """Raise ``_DivergenceError`` at ``entry`` (``None``: outside the entries); values other than text are shown as JSON."""
    shown = [value if isinstance(value, str) else canonical_text(value) for value in (recorded, right)]
    old, new = (text if len(text) <= _MOST else f"{text[: _MOST - 1]}…" for text in shown)
    n, seat, order = (None, seat, order) if entry is None else (entry.n, entry.seat or "", entry.order)
    raise _DivergenceError(Divergence(kind, n, seat, order, field, old, new, rule))
