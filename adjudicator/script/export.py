"""Write a game as a script: set-up, orders, corrections, and chance as the secret or as recorded outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from adjudicator.core.corrections import Amended, Correction, MissedDeadline, SeatHanded, Undone, WentOnHoliday
from adjudicator.core.journal import Entry
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.step import gist
from adjudicator.core.values import Value, canonical_text, json_value, replace
from adjudicator.library.game import Game
from adjudicator.orders.clean import clean
from adjudicator.script.assignments import assignments
from adjudicator.script.outcomes import UnwritableOutcomesError, outcomes_of, with_outcomes
from adjudicator.script.play import play_script
from adjudicator.script.quoting import quote_if_needed, without_comments
from adjudicator.script.read import item_of
from adjudicator.store.game_file import is_shipped

_A_LINE: Final = 12
"""Outcomes of the set-up on one line."""
_WORDS: Final = "players sent words for chance during this game, and a script cannot hold them"


class CannotExportError(AdjudicatorError):
    """Report why a game cannot be exported as a script."""


class ScriptExport(Value):
    """A game as a script: its ``text``, and the ``files`` to write beside it, which map names to bytes.

    It ``is_exact`` if playing it restores the chance of the game, and not only its recorded outcomes.
    """

    text: str
    files: Mapping[str, bytes]
    is_exact: bool

    @classmethod
    def of(cls, game: Game, stem: str = "", *, with_secret: bool = False) -> ScriptExport:
        """Export ``game`` as a script that gives the same game again.

        The script contains the secret if it was published, or ``with_secret``; otherwise outcomes follow the orders that
        drew them, as in a game kept by hand. A custom component set and an explicit position become files named after the
        ``stem`` of the script's name (empty: the game can have neither). Raises ``CannotExportError``, also unless it gives
        the same game again.
        """
        record = game.record
        past = game.timeline.past
        if past.words_sent:
            raise CannotExportError(_WORDS)
        is_told = with_secret or past.revealed is not None
        outcomes = None
        if record.chance.source == "committed" and not is_told:
            try:
                outcomes = outcomes_of(game)
            except UnwritableOutcomesError as error:
                raise CannotExportError(f"{error}: export the game with the secret (--with-secret)") from error
        files = dict(_files(game, stem))
        lines = [*_heads(game, outcomes), *_headings(game, files), *_chance(game, outcomes), *_turns(game, outcomes)]
        exported = cls("\n".join(lines) + "\n", files, is_exact=outcomes is None)
        with TemporaryDirectory() as folder:
            for name, data in files.items():
                Path(folder, name).write_bytes(data)
            played = play_script(exported.text, name="the script", folder=folder)
        if played.diagnostics:
            first = played.diagnostics[0]
            raise CannotExportError(
                f"line {first.line} of the script would be refused ({first.text.strip()}): {first.problem.message}"
            )
        if played.game is None or not is_same_game(game, played.game):
            raise CannotExportError(
                "the script would give another game: run `audit`, which says whether this one follows the rules"
            )
        return exported


def is_same_game(game: Game, again: Game) -> bool:
    """Return whether the game of ``again`` is that of ``game``, entry by entry and in its position.

    Only the decision of a note counts, since a later version may explain it in other words. If the chance is now recorded,
    orders as written differ, because outcomes follow them.
    """
    old, new = game.record, again.record
    is_noted = old.chance.source != new.chance.source

    def plain(entry: Entry) -> Entry:
        notes = tuple(map(gist, entry.notes))
        return replace(entry, notes=notes, written=None if is_noted else entry.written)

    if not is_noted and replace(old.chance, secret=None) != replace(new.chance, secret=None):
        return False
    entries = zip(old.journal, new.journal, strict=False)
    is_alike = all(plain(one.entry) == plain(other.entry) for one, other in entries)
    return is_alike and len(old.journal) == len(new.journal) and old.state == new.state


def _heads(game: Game, outcomes: Any) -> Iterator[str]:
    """Yield comments about the parts of the game that the script omits or changes."""
    record = game.record
    if outcomes is not None:
        yield "# The secret of this game was not published: its outcomes are written down, as in a game kept by hand."
        yield f"# Its commitment is {record.chance.commitment}."
        for seat, word in record.chance.entropy.items():
            yield f"# The word of {seat} was {without_comments(canonical_text(word))}."
    for sheet in record.pending:
        yield f"# This script leaves out the pending orders of {sheet.seat}: {len(sheet.orders)}."


def _headings(game: Game, files: Mapping[str, bytes]) -> Iterator[str]:
    record, components = game.record, game.record.components
    yield f"script {record.ruleset.id}"
    yield f"rules {record.ruleset.version}"
    yield f"id {record.id}"
    for player in record.setup.players:
        yield f"seat {player.seat}={_text(player.holder)}" if player.holder else f"seat {player.seat}"
    yield from (f"option {name}={_text(value)}" for name, value in record.setup.options.items())
    own = next((name for name in files if name.endswith(".components.json")), "")
    older = f"{components.id}-{components.version}"
    yield f"components {own or (older if older in game.meta.older_sets else components.id)}"
    yield from (f"position {name}" for name in files if name.endswith(".position.json"))


def _chance(game: Game, outcomes: Mapping[int, Sequence[str]] | None) -> Iterator[str]:
    chance, first = game.record.chance, game.record.journal[0].entry
    if chance.source == "committed" and outcomes is None:
        yield f"seed {chance.secret}"
        yield from (f"entropy {seat}={_text(word)}" for seat, word in chance.entropy.items())
        if chance.promised:
            yield f"promise {game.record.promise}"
        return
    drawn = (first.written or "[]")[1:-1].split() if outcomes is None else outcomes[0]
    yield from (f"recorded {' '.join(drawn[at : at + _A_LINE])}" for at in range(0, len(drawn), _A_LINE))
    if not drawn:
        yield "recorded"


def _turns(game: Game, outcomes: Mapping[int, Sequence[str]] | None) -> Iterator[str]:
    entries = [link.entry for link in game.record.journal]
    joins = {entry.n for entry in entries if getattr(entry.outside, "may_share_turn", False)}
    done = {entry.turn: entry.n for entry in entries if not entry.is_skipped and entry.n not in joins}
    for before, entry in pairwise(entries):
        # Skipped orders have the number of the adjudication before them: here they are a separate turn.
        is_apart = entry.n > done.get(entry.turn, entry.n) and (before.n == done[entry.turn] or before.seat != entry.seat)
        if entry.turn != before.turn or is_apart or joins & {before.n, entry.n}:
            yield f"turn {entry.turn}"
        if isinstance(entry.outside, Correction):
            yield from _correction(entry.outside)
        else:
            text = entry.written or entry.order
            yield f"{entry.seat}: {text if outcomes is None else with_outcomes(game.rules, text, outcomes[entry.n])}"


def _correction(event: Any) -> Iterator[str]:
    match event:
        case Undone(to=to):
            yield f"undo to {to}"
        case Amended(before=before, after=after):
            yield from (f"amend {assignment}" for assignment in assignments(json_value(before), json_value(after)))
        case SeatHanded(seat=seat, holder=holder):
            yield f"seat {seat}={_text(holder)}"
        case MissedDeadline(seat=seat, due=due, policy=policy, missed=missed):
            yield f"nmr {seat} {policy} {missed} by {due}"
        case WentOnHoliday(seat=seat, first=first, last=last):
            yield f"holiday {seat} {first} to {last}"
        case _:
            yield "reveal"
    if event.reason:
        yield f"because {_text(event.reason)}"


def _text(value: str) -> str:
    """Return ``value`` as written at the end of a line, in quotes where necessary."""
    return quote_if_needed(value, _read_back)


def _read_back(value: str) -> str | None:
    item = item_of(1, f"because {value}")
    return item.value if item is not None and clean(value) == value else None


def _files(game: Game, stem: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the script names: a custom component set, an explicit position."""
    setup = game.record.setup
    parts = {"components": None if is_shipped(game.rules, game.record.components) else setup.components}
    parts["position"] = setup.position
    for kind, part in parts.items():
        if part is not None and not stem:
            raise CannotExportError(
                f"the {kind} of this game must go into a separate file: write the script to a file, not to standard output"
            )
        if part is not None:
            yield f"{stem}.{kind}.json", (canonical_text(part) + "\n").encode()
