"""Decks, bags and stacks: what is left in them, and drawing from them."""

from __future__ import annotations

from adjudicator.core.chance import RecordedChance
from adjudicator.game import piles


def test_what_is_left_is_in_the_order_of_the_whole_without_one_for_each_out():
    assert piles.left_in(("red", "red", "blue", "red"), ["red", "blue", None]) == ["red", "red"]
    assert piles.left_in({"red": 1, "blue": 2, "green": 3}, ["blue", None]) == ["red", "green"]


class Table:
    """A deck and its discards; a renewal is the event that puts the discards back."""

    def __init__(self, deck: list[str], discards: list[str]) -> None:
        self.deck, self.discards = deck, discards

    def draw(self, many: int, *outcomes: str) -> tuple[tuple[str, ...], list[str]]:
        """Draw and return the things drawn, and the events on the way."""
        events, state = [], tuple(self.deck)
        renewal = lambda state: "renewed" if state == tuple(self.deck) and self.discards else None  # noqa: E731
        drawing = piles.draw_from(lambda state: state, renewal, state, many, "a card", RecordedChance(outcomes))
        try:
            event = next(drawing)
            while True:
                events.append(event)
                state = (*self.deck, *self.discards)
                event = drawing.send(state)
        except StopIteration as done:
            found, after = done.value
            assert after == state
            return found, events


def test_things_are_drawn_by_chance_each_at_most_once():
    assert Table(["a", "b", "b"], []).draw(3, "b", "a", "b") == (("b", "a", "b"), [])


def test_an_empty_pile_is_renewed_from_the_discards_when_more_must_be_drawn():
    assert Table(["a"], ["c", "d"]).draw(2, "a", "d") == (("a", "d"), ["renewed"])
    assert Table(["a"], ["c", "d"]).draw(1, "a") == (("a",), [])


def test_as_many_are_drawn_as_there_are():
    assert Table(["a"], []).draw(3, "a") == (("a",), [])
    assert Table([], ["c"]).draw(5, "c") == (("c",), ["renewed"])
