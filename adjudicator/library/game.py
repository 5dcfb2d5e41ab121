# mypy: implicit-reexport
"""One game: its record, the rules for its set-up, the timeline of its journal, and its file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core import corrections
from adjudicator.core.corrections import Correction, MissedPolicy, Undone, WentOnHoliday
from adjudicator.core.game import ComponentsRef, Record, bring_back, withdraw, withdraw_undone
from adjudicator.core.problem import CorrectionError, SetupError, Violation
from adjudicator.core.rules import AnyRuleset, Ruleset
from adjudicator.core.ruleset import GameMeta, Player, Setup, Standing, options_in_play
from adjudicator.core.step import apply_correction, validate_amendment
from adjudicator.core.timeline import Timeline, ValidTurns
from adjudicator.core.values import (
    LONGEST_NOTE,
    MODERATOR,
    Seat,
    Value,
    Viewer,
    canonical_bytes,
    differences,
    digest,
    is_text,
    json_value,
    replace,
)
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.files.reading import Source, read
from adjudicator.library.errors import BYSTANDER, CannotFollow, RequestError, UnknownViewerError, UnsoundGameError
from adjudicator.rulesets import bug_words, ruleset
from adjudicator.store.game_file import dump_game, load_game
from adjudicator.store.other_files import SeatFile, is_seat_file, load_entrants, load_seat_file

if TYPE_CHECKING:  # each command needs only some of them, and loading all takes time
    from adjudicator import ScriptExport, Verdict
    from adjudicator.core.chance import Head
    from adjudicator.library.reader import Reader
    from adjudicator.library.results import Result, Turn
    from adjudicator.orders.submission import Orders
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report
    from adjudicator.results import Correction as CorrectionMade
    from adjudicator.results import Decision

_LONGEST: Final = 80
"""The number of characters of a value that a message quotes."""
_REMEMBERED: Final = 16
"""The number of configurations that are kept for the next game with the same beginning."""


class Game(Value):
    """A game; it never changes: methods such as ``apply`` or ``undo`` return the game after the change.

    The ``record`` is the content of its file, the ``rules`` are bound to its set-up, and the ``timeline`` has what follows
    from its journal. These three show all secrets: show players only what ``seen_by`` returns. In a player's ``own`` file,
    the position is the view of this player, there is no journal, and ``seen_by`` has no other reader.
    """

    record: Record
    rules: AnyRuleset
    timeline: Timeline
    own: SeatFile | None = None

    @classmethod
    def of(cls, record: Record, rules: AnyRuleset | None = None) -> Game:
        """Return the game with this ``record``. Raises ``UnknownRuleset``, ``UnusableRuleset``, ``SetupError``."""
        bound = rules or bind_rules(ruleset(record.ruleset.id), record.setup, record.ruleset.version)
        return cls(record, bound, Timeline(bound, record))

    @classmethod
    def load(cls, source: Source) -> Game:
        """Load the game in ``source``, a path or the bytes of a file, and check that its state follows from its journal.

        Raises ``CannotRead``, ``Untrusted``, ``SetupError``. Does not catch errors of the rules while they apply the events:
        an audit of the file finds the cause.
        """
        game, name = cls.of(load_game(source)), "the file" if isinstance(source, bytes) else str(source)
        record, folded = game.record, game.timeline.state
        if folded == record.state:
            return game
        asked = (game.rules.answering(folded, ask.seat) for ask in game.rules.asked(folded) if not ask.is_due)
        if any(at is not None and at.state == record.state for at in asked):
            # Until November 2026 a condition that failed reopened the answer of its seat, in the stored state alone.
            return game.with_record(replace(record, state=folded))
        if not game.meta.can_decide(record.ruleset.version):
            words = f"the game was played by version {record.ruleset.version} of {game.meta.id}, "
            words += f"and this program decides versions {game.meta.oldest or game.meta.version} and later"
            raise Untrusted(name, [Violation("$.ruleset.version", words)])
        wrong = list[Violation]()
        for path, *values in differences(json_value(folded), json_value(record.state)):
            right, found = (words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…" for words in map(str, values))
            wrong.append(Violation(f"$.state.{path}", f"must be {right} according to the journal, not {found}"))
        raise Untrusted(name, wrong)

    @classmethod
    def of_player(cls, kind: Ruleset, file: SeatFile) -> Game:
        """Return the game as the player of the own ``file`` knows it. Raises ``SetupError`` if its set-up is impossible.

        Its position is the view: rules answer from that as from the whole (a law of `adjudicator.testing`). No order can be
        carried out in it: it has no secret of chance, and no journal.
        """
        record = Record(
            id=file.id,
            ruleset=file.ruleset,
            components=file.components,
            chance=file.chance,
            setup=replace(
                file.setup, players=tuple(Player(one.seat, file.holders.get(one.seat, "")) for one in file.setup.players)
            ),
            journal=(),
            pending=file.pending,
            state=file.view,
            languages=file.languages,
        )
        rules = bind_rules(kind, file.setup, file.ruleset.version)
        return cls(record, rules, Timeline(rules, record, state=file.view), file)

    def __eq__(self, other: object) -> bool:  # without the rules and the timeline, which follow from the record
        return isinstance(other, Game) and (self.record, self.own) == (other.record, other.own)

    def __hash__(self) -> int:
        return hash(self.record.head)

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.meta.id}, turn {self.turn}, due: {', '.join(self.due_seats) or 'none'}>"

    def __str__(self) -> str:
        """Return the public position as the command `show` prints it."""
        from adjudicator.reports.position import position_text

        return position_text(self.seen_by().position)

    # What is true of it, whoever reads it

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.record.id

    @property
    def meta(self) -> GameMeta:
        """The ruleset: its ``id``, ``name``, ``version``, ``options``, and the ``unit`` of its costs."""
        return self.rules.meta

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of the set-up."""
        return self.record.setup.seats

    @property
    def players(self) -> dict[Seat, str]:
        """The present player of each seat."""
        return self.timeline.past.holders

    @property
    def valid_turns(self) -> ValidTurns:
        """The turn numbers that orders may name now, and the one to print."""
        own = self.own
        return ValidTurns(own.turn, own.latest, {own.seat: frozenset(own.counting)}) if own else self.timeline.valid_turns

    @property
    def turn(self) -> int:
        """The number of the next turn, which players may write above their orders."""
        return self.valid_turns.turn

    @property
    def latest_turn(self) -> int:
        """The greatest number of a turn that orders may name now."""
        return max(self.turn, self.valid_turns.latest)

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.rules.is_over(self.record.state)

    @property
    def due(self) -> tuple[Decision, ...]:
        """The decisions that the game awaits now, each with its ``seat``, its ``kind`` and its question (``ask``)."""
        from adjudicator.results import Decision

        return Decision.due_in(self.rules, self.record.state)

    @property
    def due_seats(self) -> tuple[Seat, ...]:
        """The seats whose decisions are due, each once."""
        return tuple(dict.fromkeys(ask.seat for ask in self.rules.due(self.record.state)))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The ranking, the best first: each seat's ``place``, ``score`` (in the game's unit) and ``note``."""
        return self.rules.standings(self.record.state)

    @property
    def options(self) -> dict[str, str]:
        """The value of each option of the game."""
        return dict(options_in_play(self.meta, self.seats, self.record.setup.options, self.record.ruleset.version))

    @property
    def commitment(self) -> str | None:
        """The commitment to the secret of chance, for publication; ``None`` if people draw the outcomes."""
        return self.record.chance.commitment

    @property
    def secret(self) -> str | None:
        """The secret of chance, which only the moderator may know; ``None`` if people draw the outcomes."""
        return self.record.chance.secret

    @property
    def components(self) -> ComponentsRef:
        """The component set: its ``id``, ``version`` and ``hash``."""
        return self.record.components

    @property
    def promise(self) -> str | None:
        """The promise that was published before the players sent words for chance; ``None`` if there was none."""
        if self.own is not None:
            return self.own.promise
        return self.record.promise if self.record.chance.promised else None

    @property
    def head(self) -> Head | None:
        """The proof of the game so far, for publication; ``None`` if it can have none yet."""
        return self.seen_by().head

    @property
    def position_hash(self) -> str:
        """The hash of the position: games with the same one differ at most in their record."""
        return digest(canonical_bytes(self.record.state))

    @property
    def pending_counts(self) -> dict[Seat, int]:
        """The number of pending orders of each seat that has any."""
        return {sheet.seat: len(sheet.orders) for sheet in self.record.pending}

    @property
    def rule_texts(self) -> dict[str, str]:
        """The text of each rule by its number, with a line for each point about it; empty if no page has the rules.

        Words in backticks are code.
        """
        from adjudicator.resources import MissingResource, rules_page
        from adjudicator.rulebook import rule_texts

        try:
            return rule_texts(rules_page(self.meta))
        except MissingResource:
            return {}

    @property
    def cautions(self) -> tuple[str, ...]:
        """Warnings about a secret of chance that is public too early, for the moderator."""
        if self.timeline.past.revealed is None or self.is_over:
            return ()
        return ("the secret of chance is public, and the game is not over: whoever knows it knows all later draws",)

    @property
    def fork(self) -> corrections.Forked | None:
        """The event with which a private game has begun from a position of another one; ``None`` for other games."""
        first = self.record.journal[0].entry.outside if self.record.journal else None
        return first if isinstance(first, corrections.Forked) else None

    @property
    def own_seat(self) -> Seat | None:
        """The seat whose player's own file this is; ``None`` for a whole game."""
        return self.own.seat if self.own else None

    @property
    def caveat(self) -> str:
        """What a player's own file cannot know, as a sentence; empty for a whole game."""
        unknown = "This file does not know the hands, the secrets and the orders of others, or later draws."
        return unknown if self.own else ""

    @property
    def spoken_rules(self) -> AnyRuleset:
        """The rules with orders in the languages of the game. Raises ``LanguageError`` if words of one are missing."""
        from adjudicator.orders.languages import rules_with_languages

        return rules_with_languages(self.rules, self.record.languages)

    def seat(self, name: str) -> Seat:
        """Return the seat called ``name``; the moderator has none. Raises ``UnknownViewerError``."""
        seat = Seat(name.lower())
        if seat not in self.seats:
            raise UnknownViewerError(name, self.seats, self.players)
        return seat

    def viewer(self, name: str | None) -> Viewer:
        """Return the viewer called ``name`` (``None`` and `bystander`: a bystander). Raises ``UnknownViewerError``.

        In a player's own file the viewer is always this player; other names raise ``RequestError``.
        """
        if self.own is not None:
            if name is not None and name.lower() != self.own.seat:
                raise RequestError(
                    f"leave out `viewer`: this is {self.own.seat}'s own file, which cannot show {name}'s view"
                )
            return self.own.seat
        seat = Seat(BYSTANDER if name is None else name.lower())
        if name is None or (seat == BYSTANDER and seat not in self.seats):
            return None
        if seat not in (*self.seats, MODERATOR):
            raise UnknownViewerError(name, (*self.seats, MODERATOR), self.players)
        return seat

    def seen_by(self, viewer: str | None = None) -> Reader:
        """Return what ``viewer`` may know: a seat, ``"moderator"``, or the public (``None``, in an own file its player).

        Raises ``UnknownViewerError``.
        """
        from adjudicator.library.reader import Reader

        return Reader(self, self.viewer(viewer))

    def require_journal(self) -> None:
        """Raise ``RequestError`` if this is a player's own file, which has no journal."""
        if self.own is not None:
            raise RequestError(f"use the moderator's game file: this is {self.own.seat}'s own file")

    # Orders

    def apply(
        self, orders: Orders = (), *, strict: bool = False, held_seats: Collection[str] = (), comment: str = ""
    ) -> Result:
        """Adjudicate ``orders`` and the pending orders that are due; return the result with the new game.

        ``orders`` are a text with the orders of any seats, a text for each seat (``{"red": "GEAR 1"}``), or several texts.
        A text is a string, the bytes of a mail, or the ``Path`` of a file or a Maildir. Players' mistakes are the
        ``problems`` of the result: a refused order stops only the rest of its sheet. With ``strict``, one problem is enough
        to apply nothing. Pending orders of ``held_seats`` stay pending. The first new entry keeps the moderator's
        ``comment``, which others read when the game is over.

        Raises ``FileProblem`` for a path that cannot be read, ``RequestError`` if this is a player's own file, and
        ``CorrectionError`` for a ``comment`` that is not one line of at most 400 characters.
        """
        from adjudicator.library.adjudicate import adjudicate

        comment = _reason(comment, "comment") if comment.strip() else ""
        return adjudicate(self, orders, strict=strict, held_seats=held_seats, comment=comment)

    def play_turn(
        self,
        orders: Orders = (),
        *,
        strict: bool = False,
        last: int | None = None,
        reported: Mapping[str, int] = MappingProxyType({}),
        held_seats: Collection[str] = (),
        comment: str = "",
        answer: Callable[[Result], Result] | None = None,
    ) -> Turn:
        """Play a turn: adjudicate the new texts in ``orders`` as ``apply`` does, and make a report for each reader.

        The turn leaves out texts that have a receipt, and those in ``reported``: that of an earlier turn. ``last`` is the
        entry with which the last reports began (``Turn.since``); if nothing has happened since, the new reports begin
        there, too. ``answer`` may add to the result of the orders what is ordered after them, as by simulated players.
        Raises what ``apply`` raises.
        """
        from adjudicator.library.results import Turn

        options: dict[str, Any] = {"held_seats": held_seats, "comment": comment}
        return Turn.of_orders(self, orders, last=last, reported=reported, strict=strict, answer=answer, **options)

    def with_record(self, record: Record) -> Game:
        """Return the same game with the changed ``record``; the timeline folds only entries that are new."""
        return replace(self, record=record, timeline=self.timeline.extended(record))

    def with_languages(self, wanted: Iterable[str]) -> Game:
        """Return the game with orders in English and the languages ``wanted``, each a code or an English name.

        Nothing else changes: pending orders are stored in English. Raises ``LanguageError`` for one that is not installed.
        """
        from adjudicator.orders.languages import choose_languages

        return self.with_record(replace(self.record, languages=choose_languages(self.meta, wanted)))

    # Corrections, each an entry in the journal with its reason

    def withdraw(self, seat: str, reason: str, first: int = 1) -> Game:
        """Return the game without the pending orders of ``seat``, from the ``first`` (counted from 1) to the last.

        Raises ``CorrectionError``.
        """
        self.require_journal()
        return self.with_record(withdraw(self.record, self.seat(seat), "withdrawn", _reason(reason), first))

    def bring_back(self, number: int) -> Game:
        """Return the game with the set-aside orders of this ``number`` pending again. Raises ``CorrectionError``."""
        self.require_journal()
        return self.with_record(bring_back(self.record, number))

    def undo(self, to: int, reason: str) -> Game:
        """Return the game in the position after entry ``to`` (0: the set-up); its journal keeps the later entries, too.

        Pending orders are set aside. Raises ``CorrectionError``.
        """
        self.require_journal()
        last = len(self.record.journal) - 1
        if not last:
            raise CorrectionError("this game has only its set-up, entry 0: there is no entry to undo")
        if to == last:
            raise CorrectionError(f"entry {to} is the last one: there is nothing after it to undo")
        if not 0 <= to < last:
            raise CorrectionError(f"there is no entry {to}: name one from 0 (the set-up) to {last - 1}")
        abandoned = self.timeline.past.abandoned
        if to in abandoned:
            raise CorrectionError(f"entry {to} itself was undone by entry {abandoned[to]}")
        words = _reason(reason)
        return self.with_record(withdraw_undone(self.record, words))._corrected(Undone(to=to, reason=words))

    def amend(self, changes: Iterable[str], reason: str) -> Game:
        """Return the game with other values in its position; write ``changes`` such as ``clock of red=31``.

        `adjudicator.library.amendments` describes their form. Raises ``CorrectionError`` for a wrong change, ``SetupError``
        for an impossible position.
        """
        from adjudicator.library.amendments import amended

        self.require_journal()
        before = self.record.state
        after = validate_amendment(self.rules, before, amended(self.rules, before, self.seats, changes))
        if after == before:
            raise CorrectionError("this changes nothing: the position has these values already")
        # The reason is public; the event shows the change to those who may know it.
        return self._corrected(corrections.Amended(before=before, after=after, reason=_reason(reason)))

    def hand_over(self, seat: str, player: str, reason: str) -> Game:
        """Return the game in which ``player`` plays ``seat`` from now on. Raises ``CorrectionError``."""
        self.require_journal()
        if len(player) > 80 or not is_text(player):
            raise CorrectionError("a name has at most 80 characters of plain text, on one line")
        at = self.seat(seat)
        before = self.players[at]
        if before == player:
            raise CorrectionError(f"{player} already has {at}" if player else f"{at} has no player already")
        return self._corrected(corrections.SeatHanded(seat=at, before=before, holder=player, reason=_reason(reason)))

    def take_holiday(self, seat: str, first: str, last: str, reason: str = "", *, takes_number: bool = False) -> Game:
        """Return the game with the note that the player of ``seat`` is away from ``first`` to ``last``, days as text.

        A game that has this note already is returned as it is. Unless it ``takes_number``, the note joins the adjudication
        before it, and players see the same number as without it. Raises ``CorrectionError``.
        """
        self.require_journal()
        event = WentOnHoliday(seat=self.seat(seat), first=first, last=last, reason=_reason(reason) if reason.strip() else "")
        if not takes_number and any(event in link.entry.events for link in self.record.journal):
            return self
        return self._corrected(event, takes_number=takes_number)

    def miss_deadline(
        self, seat: str, due: str, policy: str, count: int = 0, reason: str = "", *, takes_number: bool = False
    ) -> Game:
        """Return the game with the note that ``seat`` sent no orders by ``due``, a time as text.

        ``policy`` says who decides for it: ``default`` (pass, or the cheapest order), ``bot`` (a simulated player, now) or
        ``drop`` (a simulated player, always). ``count`` is how many deadlines the seat has missed in a row (0: one more than
        before), ``takes_number`` as for ``take_holiday``. Raises ``CorrectionError``.
        """
        self.require_journal()
        event = corrections.MissedDeadline(
            seat=self.seat(seat),
            due=due,
            policy=MissedPolicy(policy),
            missed=count or self.missed_deadlines(seat) + 1,
            reason=_reason(reason) if reason.strip() else "",
        )
        return self._corrected(event, takes_number=takes_number)

    def reveal(self, reason: str = "", *, force: bool = False) -> Game:
        """Return the game with its secret of chance published; before the end only with ``force`` and a reason.

        Raises ``CorrectionError``.
        """
        self.require_journal()
        secret = self.secret
        if secret is None:
            raise CorrectionError("the chance of this game is recorded: it has no secret")
        if self.timeline.past.revealed is not None:
            raise CorrectionError("the secret is already public")
        if not self.is_over and not force:
            raise CorrectionError("the game is not over: whoever knows the secret knows all later draws")
        if not self.is_over and not reason.strip():
            raise CorrectionError(
                "to publish the secret before the end, give a reason (`reason`), which the journal records"
            )
        words = _reason(reason) if reason.strip() else ""
        return self._corrected(corrections.SecretRevealed(secret=secret, is_early=not self.is_over, reason=words))

    def _corrected(self, event: Correction, *, takes_number: bool = True) -> Game:
        return self.with_record(apply_correction(self.rules, self.record, event, self.timeline, takes_number=takes_number))

    def missed_deadlines(self, seat: str) -> int:
        """Return the number of deadlines that ``seat`` has missed since its last mail with a receipt."""
        at = self.seat(seat)
        for link in reversed(self.record.journal):
            event = link.entry.outside
            if isinstance(event, corrections.MissedDeadline) and event.seat == at:
                has_come = any(one.seat == at and one.turn > link.entry.turn for one in self.record.receipts)
                return 0 if has_come else event.missed
        return 0

    def correction_since(self, earlier: Game) -> CorrectionMade:
        """Return the entry that corrected the game ``earlier``, the orders that it set aside, and the next decisions."""
        from adjudicator.results import Correction

        entry, seen = self.record.journal[len(earlier.record.journal)].entry, self.seen_by(MODERATOR)
        left = self.pending_counts
        gone = {seat: orders - left.get(seat, 0) for seat, orders in earlier.pending_counts.items()}
        return Correction(
            game=self.id,
            turn=self.turn,
            entry=seen.log_since(earlier)[0],
            pending=left,
            dropped={seat: orders for seat, orders in gone.items() if orders > 0} if type(entry.outside) is Undone else {},
            due=self.due,
            over=self.is_over,
            warnings=self.cautions,
        )

    # Audit and files

    def audit(self) -> Verdict:
        """Decide the whole game again by its rules; return the verdict: verified, or the first divergence."""
        self.require_journal()
        from adjudicator import Verdict, audit_bytes

        verdict = audit_bytes(dump_game(self.record), self.id)
        assert isinstance(verdict, Verdict)
        return verdict

    def script(self, name: str = "", *, with_secret: bool = False) -> ScriptExport:
        """Return the game as a script, which ``play_script`` plays again.

        Write its ``files``, whose names begin with ``name``, beside its ``text``. The script contains the secret of chance;
        unless this is public, ask for it (``with_secret``). Raises ``CannotExportError`` if no script gives the same game
        again.
        """
        self.require_journal()
        from adjudicator import ScriptExport

        return ScriptExport.of(self, name, with_secret=with_secret)

    def to_bytes(self) -> bytes:
        """Return the bytes of the game file, which ``adjudicator.open`` reads. Raises ``FileProblem`` if it is too large."""
        self.require_journal()
        data = dump_game(self.record)
        try:
            load_game(data)
        except Untrusted as error:
            raise UnsoundGameError(str(error)) from error
        return data

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the game to the file ``path``, completely or not at all.

        The file may exist if it is an earlier version of this game: later entries of another program are never lost. With
        ``force``, any file is replaced. Raises ``RequestError`` for any other file, ``FileProblem`` if writing fails.
        """
        from adjudicator.files.writing import locked, write_atomic

        data = self.to_bytes()
        with locked(path):
            if not force:
                self.require_own_file(str(path))
            write_atomic(path, data)

    def require_own_file(self, path: str) -> None:
        """Raise ``RequestError`` if the file ``path`` contains anything but this game or an earlier version of it.

        The set-up identifies a game, because two games can have the same id.
        """
        if not os.path.isfile(path) or not os.path.getsize(path):
            return
        record = self.record
        try:
            there = load_game(path)
        except FileProblem:
            raise RequestError(f"{path} already exists and is not a valid game file") from None
        if there.beginning != record.beginning:
            words = f"another game with the same id, {there.id}" if there.id == record.id else f"another game, {there.id}"
            raise RequestError(f"{path} contains {words}")
        if there.head not in {link.hash for link in record.journal}:
            words = f"entry {there.journal[-1].entry.n} and others would be lost"
            raise RequestError(f"{path} contains later entries of this game; {words}")


def _reason(reason: str, called: str = "reason") -> str:
    """Return the moderator's reason for the journal. Raises ``CorrectionError`` if it is not one line of text."""
    words = reason.strip()
    if not 1 <= len(words) <= LONGEST_NOTE:
        raise CorrectionError(f"a {called} has 1 to {LONGEST_NOTE} characters; this one has {len(words)}")
    if not is_text(words):
        raise CorrectionError(f"a {called} is plain text, on one line")
    return words


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


# From files ------------------------------------------------------------------------------------------------------------


def open_game(source: str | Path | bytes, *, name: str = "these bytes", whole: bool = False) -> Game:
    """Open a game and return it: ``source`` is the path of its file, ``ARCHIVE#GAME``, or the bytes of a file.

    Messages call bytes ``name``. The game in a player's own file has what that player may know; if ``whole``, such files
    are refused. Raises ``FileProblem``: ``CannotRead``, or ``Untrusted`` if the file was changed or damaged:
    ``CannotFollow`` if an audit may find the place.
    """
    name, data = (name, source) if isinstance(source, bytes) else read_game_file(os.fspath(source))
    try:
        if not whole and is_seat_file(data):
            return _own_game(name, data)
        try:
            return Game.load(data)
        except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError) as error:
            words = f"the rules cannot follow these entries: somebody has changed them, or this is {bug_words(error)}"
            raise CannotFollow(name, [Violation("$.journal", words)]) from error
    except SetupError as error:
        raise Untrusted(name, [Violation("$.setup", problem.message) for problem in error.problems]) from error
    except FileProblem as error:
        error.rename(name)
        raise


def read_game_file(path: str) -> tuple[str, bytes]:
    """Return name and bytes of the file ``path``, which may be ``ARCHIVE#GAME``. Raises ``FileProblem``."""
    if "#" not in path and not path.endswith((".zst", ".db")):
        return read(path)
    from adjudicator.archive.find import read_game  # slow to load, and few games are in archives

    return read_game(path)


def _own_game(name: str, data: bytes) -> Game:
    """Return the game in the player's own file ``name``. Raises ``SetupError``, ``Untrusted``."""
    rules, file = load_seat_file(name, data)
    place, does = "$.setup", "begin with this set-up"
    try:
        game = Game.of_player(rules, file)
        place, does = "$.view", "show this position"
        _ = game.seen_by().position
    except SetupError:
        raise
    except Exception as error:  # without a journal no audit can distinguish a forgery from a bug
        cause = f"somebody has changed it (ask the moderator to send it again), or this is {bug_words(error, rules.meta.id)}"
        raise Untrusted(name, [Violation(place, f"the rules cannot {does}: {cause}")]) from None
    return game


def read_players(path: str | Path) -> tuple[Player, ...]:
    """Read the file ``path``, with a line such as ``red,Ann`` for each seat, and return its players for ``new``.

    Raises ``FileProblem``.
    """
    return load_entrants(path)


def render(value: Position | Report, form: str = "txt") -> str:
    """Return a position as ``txt`` or ``json``, or a report as ``txt``, ``html``, ``md``, ``svg`` or ``json``.

    Raises ``RequestError`` for another form, and for a picture of a game without a board.
    """
    from adjudicator.reports.position import Position, position_text, shown_position
    from adjudicator.reports.texts import safe_json

    if isinstance(value, Position):
        if form not in ("txt", "json"):
            raise RequestError(f"choose a form from txt, json, not {form}")
        return position_text(value) if form == "txt" else safe_json(shown_position(value))
    from adjudicator.reports.forms import FORMS, write_report
    from adjudicator.reports.images import NoPictureError

    if form not in FORMS or form == "png":
        raise RequestError(f"choose a form from {', '.join(one for one in FORMS if one != 'png')}, not {form}")
    try:
        return write_report(value, form).decode()
    except NoPictureError as error:
        raise RequestError(str(error)) from error
