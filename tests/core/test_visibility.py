"""Marks: who sees what of states and events, and what is told where a mark is missing or would hide nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NewType

import pytest

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.visibility import (
    NOBODY,
    OWNER,
    PUBLIC,
    Mark,
    Public,
    Secret,
    UnmarkedFieldError,
    has_secrets,
    redactor,
    require_marks,
)

RED, BLUE = Seat("red"), Seat("blue")
Card = NewType("Card", str)


@frozen
class Bid:
    seat: Public[Seat]
    amount: Secret[int]


@frozen
class Hand:
    seat: Public[Seat]
    cards: Annotated[tuple[Card, ...], OWNER.counted]
    last: Secret[Card | None] = None
    bid: Public[Bid | None] = None


@frozen
class Table:
    hands: Public[tuple[Hand, ...]]
    deck: Annotated[tuple[Card, ...], NOBODY.shown_as(lambda config, cards: config + len(cards))]
    best: Public[Hand | Bid | None] = None
    nested: Public[tuple[tuple[Bid, ...], ...]] = ()
    turn: Public[int] = 1


def table() -> Table:
    hands = Hand(RED, (Card("A"), Card("B")), Card("C"), Bid(RED, 7)), Hand(BLUE, (), None, Bid(BLUE, 9))
    return Table(hands, (Card("D"),), Bid(RED, 7), ((Bid(RED, 1), Bid(BLUE, 2)),))


def seen(viewer: Any, value: Any = None, config: Any = 100) -> Any:
    value = table() if value is None else value
    redact = redactor(type(value))
    assert redact is not None
    return redact(config, value, value, viewer)


def test_the_moderator_sees_everything() -> None:
    assert seen(MODERATOR) == table()


def test_owners_see_their_own() -> None:
    own = seen(RED)
    assert own.hands[0] == table().hands[0]
    assert own.hands[1] == Hand(BLUE, (), None, Bid(BLUE, None))  # type: ignore[arg-type]


def test_others_see_how_many_there_are_where_they_are_counted() -> None:
    assert seen(BLUE).hands[0].cards == seen(None).hands[0].cards == (None, None)


def test_a_secret_is_nothing_or_what_it_is_shown_as() -> None:
    for viewer in (RED, BLUE, None):
        assert seen(viewer).deck == 101
    assert seen(BLUE).hands[0].last is None


def test_marks_reach_into_optional_things_into_tuples_of_tuples_and_into_things_of_several_classes() -> None:
    assert seen(BLUE).hands[0].bid == Bid(RED, None)  # type: ignore[arg-type]
    assert seen(BLUE).nested == ((Bid(RED, None), Bid(BLUE, 2)),)  # type: ignore[arg-type]
    assert seen(BLUE).best == Bid(RED, None)  # type: ignore[arg-type]
    hand = table().hands[0]
    shown = seen(BLUE, Table((), (), hand)).best
    assert (shown.cards, shown.last, shown.bid) == ((None, None), None, Bid(RED, None))  # type: ignore[arg-type]
    assert seen(BLUE, Table((), ())).best is None


def test_what_hides_nothing_is_handed_on_as_it_is() -> None:
    value = Table((), ())
    assert seen(MODERATOR, value) is value
    assert redactor(type(Open(1))) is None


@frozen
class Open:
    number: Public[int]
    name: str = ""


def test_a_game_without_secrets_needs_no_marks() -> None:
    assert not has_secrets((Open,))
    assert has_secrets((Open, Table))


def test_what_one_sees_may_hang_on_the_configuration_and_on_the_whole() -> None:
    partner = Mark(lambda config, whole, holder, viewer: config.get(viewer) == holder.seat and whole.is_open)

    @frozen
    class Player:
        seat: Public[Seat]
        card: Annotated[str, partner]

    @frozen
    class Game:
        players: Public[tuple[Player, ...]]
        is_open: Public[bool]

    Game.__dataclass_fields__["players"].type = Public[tuple[Player, ...]]
    Player.__dataclass_fields__["card"].type = Annotated[str, partner]
    for is_open in (True, False):
        game = Game((Player(RED, "A"), Player(BLUE, "B")), is_open)
        shown = seen(BLUE, game, {BLUE: RED, RED: BLUE})
        assert [player.card for player in shown.players] == (["A", None] if is_open else [None, None])


# What is wrong with marks -------------------------------------------------------------------------------------------


@frozen
class Forgetful:
    seat: Public[Seat]
    card: Secret[str]
    points: int = 0
    kind: Literal["forgetful"] = "forgetful"


@frozen
class Wrapper:
    """It has no marks of its own: whether it is seen, the field says that it stands in."""

    inside: tuple[Forgetful, ...] = ()
    count: int = 0


@frozen
class Outer:
    wrapped: Public[Wrapper]
    things: Public[tuple[Forgetful | None, ...]]
    rule: str = ""


def test_a_forgotten_mark_is_told_with_its_name_however_deep_it_is() -> None:
    with pytest.raises(UnmarkedFieldError) as caught:
        require_marks({Forgetful: (), Outer: ()})
    names = "Forgetful.points, Outer.wrapped.inside.points, Outer.rule"
    assert str(caught.value) == f"in a game with secrets every field needs a mark (PUBLIC, OWNER, NOBODY): {names}"


def test_only_the_named_fields_of_a_class_need_no_mark() -> None:
    with pytest.raises(UnmarkedFieldError, match=r"\): Outer\.wrapped\.inside\.points$"):
        require_marks({Outer: ("rule",)})
    require_marks({Table: (), Open: ("name",)})


Sealed = NewType("Sealed", Annotated[str, NOBODY])  # type: ignore[valid-newtype]


def test_a_mark_on_a_named_type_counts() -> None:
    @frozen
    class Letter:
        words: Sealed

    Letter.__dataclass_fields__["words"].type = Sealed
    assert has_secrets((Letter,))


def _with_field(hint: Any) -> type:
    @frozen
    class Leaky:
        seat: Public[Seat]
        thing: Any

    Leaky.__dataclass_fields__["thing"].type = hint
    return Leaky


OUT_OF_REACH = {
    "optional": Secret[int] | None,
    "tuple": Public[tuple[Secret[int], ...]],
    "pair": tuple[Secret[int], int],
    "mapping": Mapping[str, Secret[int]],
    "tuple of optional ones": tuple[Secret[int] | None, ...],
    "named": Public[tuple[Sealed, ...]],
}


@pytest.mark.parametrize("hint", OUT_OF_REACH.values(), ids=OUT_OF_REACH)
def test_a_mark_inside_a_type_would_hide_nothing_and_is_refused(hint: Any) -> None:
    with pytest.raises(TypeError, match=r"Leaky\.thing: a mark inside a type hides nothing"):
        has_secrets((_with_field(hint),))


@pytest.mark.parametrize("hint", [Mapping[str, Bid], tuple[Bid, int], list[Bid]], ids=["mapping", "pair", "list"])
def test_things_with_marks_where_nobody_looks_for_them_are_refused(hint: Any) -> None:
    with pytest.raises(TypeError, match="have no effect"):
        has_secrets((_with_field(hint),))


def test_a_secret_of_a_seat_needs_a_seat() -> None:
    @frozen
    class Homeless:
        card: Secret[str]

    with pytest.raises(TypeError, match="card is a secret of its seat, and Homeless has no seat"):
        has_secrets((Homeless,))
    assert PUBLIC.sees(None, None, None, None)
