"""Write a player's own file of a game, and open it as if it were the game."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.game import PendingSheet, Record
from adjudicator.core.journal import Entry, Link
from adjudicator.core.order import without_draws
from adjudicator.core.rules import AnyRules, Ruleset
from adjudicator.core.ruleset import Setup
from adjudicator.core.timeline import Timeline, ValidTurns
from adjudicator.core.values import Seat, replace
from adjudicator.library.game import Game, PlayerKnowledge, bind_rules
from adjudicator.library.present import head_of, log_of, promise_of_game
from adjudicator.store.other_files import SeatFile

NOT_KNOWN: Final = "This check does not know the hands, the secrets and the orders of others, or later draws."


def own_file(game: Game, seat: Seat) -> SeatFile:
    """Return the knowledge of ``seat`` about ``game``: only facts that its reports contain."""
    record, turns = game.record, game.valid_turns
    return SeatFile(
        id=record.id,
        ruleset=record.ruleset,
        components=record.components,
        chance=replace(record.chance, secret=None),
        promise=promise_of_game(game),
        setup=replace(record.setup, position=known_position(game.rules, record.setup)),
        seat=seat,
        turn=turns.turn,
        latest=turns.latest,
        counting=tuple(sorted(turns.by_seat.get(seat, ()))),
        languages=record.languages,
        holders=game.holders,
        head=head_of(game),
        pending=tuple(_without_outcomes(game, sheet) for sheet in record.pending if sheet.seat == seat),
        log=log_of(game, record.journal, seat),
        view=game.rules.view(record.state, seat).state,
    )


def known_position(rules: AnyRules, setup: Setup) -> Any:
    """Return the public part of the explicit position of ``setup``, which may also contain secrets."""
    return None if setup.position is None else rules.known_position(setup.position)


def _without_outcomes(game: Game, sheet: PendingSheet) -> PendingSheet:
    """Return pending orders as their seat may read them: without outcomes, which may be draws of others."""
    orders = tuple(replace(order, order=without_draws(order.order)) for order in sheet.orders)
    return replace(sheet, turn=game.turn_number(sheet.turn), orders=orders)


def open_own(kind: Ruleset, file: SeatFile) -> Game:
    """Return the game as the player of ``file`` knows it. Raises ``SetupError`` if its set-up is impossible.

    Its position is the view: rules answer from that as from the whole (a law of `adjudicator.testing`). No order can be
    carried out in it: it has no secret of chance, and no journal.
    """
    players = tuple(replace(player, holder=file.holders.get(player.seat, "")) for player in file.setup.players)
    entry = Entry(n=0, turn=max(file.latest - 1, 0), seat=None, order="", written=None, notes=(), events=(), drawn=0)
    record = Record(
        id=file.id,
        ruleset=file.ruleset,
        components=file.components,
        # A dummy secret: nothing here draws with it.
        chance=replace(file.chance, secret="0" * 64) if file.chance.source == "committed" else file.chance,
        setup=replace(file.setup, players=players),
        journal=(Link(entry, "0" * 64),),
        pending=file.pending,
        state=file.view,
        languages=file.languages,
    )
    rules = bind_rules(kind, file.setup, file.ruleset.version)
    turns = ValidTurns(file.turn, file.latest, {file.seat: frozenset(file.counting)})
    known = PlayerKnowledge(seat=file.seat, rows=file.log, head=file.head, promise=file.promise, valid_turns=turns)
    return Game(record, rules, Timeline(rules, record, state=file.view), known)
