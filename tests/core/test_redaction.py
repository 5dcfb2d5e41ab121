"""The journal as one viewer may read it: who sees which events, and who reads what a sheet said."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.engine import Outcome
from adjudicator.core.game import Game
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.journal import Entry
from adjudicator.core.order import FirstOf, When
from adjudicator.core.step import SKIPPED
from adjudicator.present import is_hidden, redact_entry

NewGame = Callable[..., Game]
Play = Callable[..., Outcome]
VIEWERS: tuple[Viewer, ...] = (None, Seat("red"), Seat("blue"), MODERATOR)


@pytest.fixture
def game(toy: ModuleType, new_game: NewGame, play: Play) -> Game:
    """One entry of red with a secret event, words that differ from the order, and a note; then a skipped line of red."""
    skipped = When(Compare(FactOf("coins"), Comparison.MORE, Number(99)), toy.Add(1))
    return play(
        new_game("red", "blue"), toy.sheet("red", FirstOf((toy.Add(7), toy.Hide()))), toy.sheet("blue", skipped)
    ).game


def masked(toy: ModuleType, game: Game, at: int, viewer: Viewer) -> Entry:
    return redact_entry(toy.RULES, game.setup, game.journal[at].entry, viewer)


def test_the_moderator_reads_the_entry_itself(toy: ModuleType, game: Game) -> None:
    assert masked(toy, game, 1, MODERATOR) == game.journal[1].entry


def test_a_seat_reads_its_own_words_and_notes(toy: ModuleType, game: Game) -> None:
    entry = masked(toy, game, 1, Seat("red"))
    assert (entry.written, len(entry.notes), len(entry.events)) == ("ADD 7 OR HIDE", 1, 2)


@pytest.mark.parametrize("viewer", [None, Seat("blue")])
def test_others_read_the_public_order_and_what_they_may_redact(toy: ModuleType, game: Game, viewer: Viewer) -> None:
    entry = masked(toy, game, 1, viewer)
    assert (entry.order, entry.written, entry.notes) == ("HIDE or ADD 1", None, ())
    assert [event.kind for event in entry.events] == ["spent"]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_masking_changes_nothing_else(toy: ModuleType, game: Game, viewer: Viewer) -> None:
    entry, whole = masked(toy, game, 1, viewer), game.journal[1].entry
    assert (entry.n, entry.turn, entry.seat, entry.order, entry.drawn) == (whole.n, whole.turn, whole.seat, whole.order, 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_that_a_condition_was_not_met_is_open_but_which_one_is_not(toy: ModuleType, game: Game, viewer: Viewer) -> None:
    entry = masked(toy, game, 2, viewer)
    assert (entry.order, entry.events) == (SKIPPED, ())
    knows = viewer in (Seat("blue"), MODERATOR)
    assert (entry.written is not None, bool(entry.notes)) == (knows, knows)


def test_outcomes_written_beside_an_order_are_read_by_the_moderator_alone(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    """They may be what others drew: whoever answers last has them all beside its answer."""
    game = play(new_game("red", "blue", recorded=()), toy.sheet("red", (toy.Roll(2), ("6", "3")))).game
    assert masked(toy, game, 1, MODERATOR).written == "ROLL 2 [6 3]"
    assert masked(toy, game, 1, Seat("red")).written is None
    chosen = play(new_game("red", "blue", recorded=()), toy.sheet("red", (FirstOf((toy.Add(7), toy.Roll(1))), ("6",)))).game
    assert masked(toy, chosen, 1, Seat("red")).written == "ADD 7 OR ROLL 1"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_its_seat_and_the_moderator_hear_of_an_order_that_was_skipped(game: Game, viewer: Viewer) -> None:
    assert [is_hidden(link.entry, viewer) for link in game.journal] == [False, False, viewer in (None, "red")]
