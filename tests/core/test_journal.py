"""The journal and its seals: a changed byte anywhere is found, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.chance import commitment
from adjudicator.core.engine import Outcome
from adjudicator.core.game import ComponentsRef, Game, PendingOrder, PendingSheet, RulesetRef
from adjudicator.core.journal import Entry, Journal, Link, first_break, link
from adjudicator.core.ruleset import Player

NewGame = Callable[..., Game]
Play = Callable[..., Outcome]


@pytest.fixture
def game(toy: ModuleType, new_game: NewGame, play: Play) -> Game:
    sheets = toy.sheet("red", toy.Roll(2), toy.Add(2), toy.Add(3)), toy.sheet("blue", toy.Add(1))
    return play(new_game(entropy={"red": "horse"}), *sheets).game


def breaks(game: Game, journal: tuple[Link, ...]) -> int | None:
    return first_break(game.beginning, ((canonical_bytes(item.entry), item.hash) for item in journal))


def test_a_hash_is_over_the_hash_before_and_the_canonical_entry(game: Game) -> None:
    before = game.journal[0]
    entry = canonical_bytes(game.journal[1].entry)
    assert game.journal[1].hash == sha256(before.hash.encode() + entry).hexdigest()


def test_an_untouched_journal_has_no_break(game: Game) -> None:
    assert breaks(game, game.journal) is None


CHANGES: tuple[tuple[str, Any], ...] = (
    ("n", 77),
    ("turn", 77),
    ("seat", "green"),
    ("order", "ADD 9"),
    ("written", "ADD 9 OR ADD 8"),
    ("notes", ("because",)),
    ("events", ("another",)),
    ("drawn", 77),
)


@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize(("field", "value"), CHANGES, ids=[field for field, _ in CHANGES])
def test_a_change_in_any_field_of_any_entry_is_found_there(game: Game, at: int, field: str, value: Any) -> None:
    changed = replace(game.journal[at], entry=replace(game.journal[at].entry, **{field: value}))
    assert breaks(game, (*game.journal[:at], changed, *game.journal[at + 1 :])) == at


def test_an_entry_hashed_anew_breaks_the_next_one(game: Game) -> None:
    forged = link(game.journal[0].hash, replace(game.journal[1].entry, order="ADD 9"))
    assert breaks(game, (game.journal[0], forged, *game.journal[2:])) == 2


def test_entries_left_out_swapped_or_told_twice_break_the_chain(game: Game) -> None:
    first, second, third, fourth = game.journal
    assert breaks(game, (second, third, fourth)) == 0
    assert breaks(game, (first, third, fourth)) == 1
    assert breaks(game, (first, third, second, fourth)) == 1
    assert breaks(game, (first, second, second)) == 2


def test_entries_cut_off_at_the_end_are_the_seal_s_to_find(game: Game) -> None:
    shorter = replace(game, journal=game.journal[:-1])
    assert breaks(shorter, shorter.journal) is None
    assert shorter.seal != game.seal


HEADINGS: tuple[tuple[str, Any], ...] = (
    ("id", "another"),
    ("ruleset", RulesetRef("toy-coins", 4)),
    ("components", ComponentsRef("standard", 1, "f" * 64)),
)


@pytest.mark.parametrize(("field", "value"), HEADINGS, ids=[field for field, _ in HEADINGS])
def test_the_heading_is_where_the_chain_begins(game: Game, field: str, value: Any) -> None:
    changed = replace(game, **{field: value})
    assert changed.beginning != game.beginning
    assert breaks(changed, changed.journal) == 0


def test_chance_and_set_up_belong_to_the_heading_but_the_secret_does_not(game: Game) -> None:
    for changed in (
        replace(game, chance=replace(game.chance, source="recorded")),
        replace(game, chance=replace(game.chance, commitment=commitment(b"x" * 32))),
        replace(game, chance=replace(game.chance, entropy={"red": "cow"})),
        replace(
            game, setup=replace(game.setup, players=(Player(game.setup.players[0].seat, "Eve"), *game.setup.players[1:]))
        ),
        replace(game, setup=replace(game.setup, options={**game.setup.options, "goal": "2"})),
        replace(game, setup=replace(game.setup, position={"coins": 3})),
    ):
        assert changed.beginning != game.beginning
    assert replace(game, chance=replace(game.chance, secret=None)).beginning == game.beginning


def test_the_seal_covers_what_the_chain_does_not(game: Game) -> None:
    pending = (PendingSheet(game.setup.players[0].seat, 1, (PendingOrder(3, "ADD 4"),)),)
    changed = [
        replace(game, pending=()),
        replace(game, pending=pending),
        replace(game, state=replace(game.state, rounds=7)),
        replace(game, chance=replace(game.chance, secret=None)),
    ]
    assert len({game.seal, *(other.seal for other in changed)}) == 5


def test_the_turn_of_a_game_is_the_adjudication_that_comes_next(game: Game) -> None:
    assert game.turn == game.journal[-1].entry.turn + 1 == 2
    assert replace(game, journal=Journal()).turn == 0
    assert replace(game, journal=Journal()).head == game.beginning


def links(count: int, first: int = 0) -> list[Link]:
    return [Link(numbered(number), f"{number:064x}") for number in range(first, first + count)]


def numbered(n: int) -> Entry:
    return Entry(n=n, turn=n, seat=None, order="", written=None, notes=(), events=(), drawn=0)


def test_a_journal_goes_on_and_the_old_one_stays_as_it_was() -> None:
    old = Journal(links(3))
    new = old.extended(links(2, 3))
    assert (len(old), len(new)) == (3, 5)
    assert list(old) == links(3)
    assert list(new) == links(5)
    assert list(reversed(old)) == links(3)[::-1]


def test_two_that_go_on_from_the_same_journal_do_not_mix() -> None:
    old = Journal(links(3))
    one, other = old.extended(links(1, 7)), old.extended(links(1, 8))
    assert [list(one)[3:], list(other)[3:]] == [links(1, 7), links(1, 8)]
    assert one[:3] == other[:3] == old
    assert one != other
    assert one.extended(links(1, 9))[:4] == one


def test_a_journal_is_indexed_like_any_sequence() -> None:
    journal = Journal(links(3)).extended(links(2, 3))
    short = journal[:3]
    assert (journal[-1], journal[0], short[-1]) == (links(1, 4)[0], links(1)[0], links(1, 2)[0])
    assert list(journal[1:4]) == links(3, 1)
    with pytest.raises(IndexError):
        _ = short[3]
    assert journal != links(5)
    assert len({journal, Journal(links(5))}) == 1


def test_entries_are_picked_out_of_each_of_several_journals_that_share_them(game: Game) -> None:
    looked: list[int] = []

    def is_of_red(entry: Entry) -> bool:
        looked.append(entry.n)
        return entry.seat == "red"

    every = list(game.journal)
    begun = Journal(every[:2])
    longer = begun.extended(every[2:])
    other = begun.extended(every[3:])  # which must copy what is its own
    for journal in (longer, begun, other, longer, begun, other):
        assert journal.those(is_of_red) == tuple(link.entry for link in journal if link.entry.seat == "red")
    assert looked == [*(link.entry.n for link in longer), *(link.entry.n for link in other)]
