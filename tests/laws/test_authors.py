"""What the author of a game writes with ``adjudicator.game``: values, sentences, events, orders."""

from __future__ import annotations

import copy
import difflib
import pickle
import tracemalloc
from difflib import SequenceMatcher
from random import Random
from types import new_class
from typing import Annotated, Any

import pytest

from adjudicator import game
from adjudicator.core.order import language
from adjudicator.game import OWNER, Given, Public, Said, Seat, Secret, Spent, Tagged, Value, Whole, field, replace
from adjudicator.reports.drawing_text import drawing_text

RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")


# Values --------------------------------------------------------------------------------------------------------------


class Purse(Value):
    """What a seat has."""

    seat: Public[Seat]
    coins: Public[Whole] = 0


class Named(Tagged, kw_only=True):
    x: int
    name: str = "nobody"


class Checked(Value):
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("the wrong way round")


def test_values_are_equal_by_class_and_fields_frozen_copied_and_pickled() -> None:
    one, other = Named(x=1), Named(x=1, name="nobody")
    assert (one == other, hash(one) == hash(other), one == Named(x=2), Purse(RED) == (RED, 0)) == (True, True, False, False)
    for twin in (copy.copy(one), copy.deepcopy(one), *(pickle.loads(pickle.dumps(one, n)) for n in range(2, 6))):
        assert (twin, type(twin)) == (one, Named)
    for attempt in (lambda: setattr(one, "x", 2), lambda: delattr(one, "x"), lambda: setattr(one, "other", 2)):
        with pytest.raises((AttributeError, TypeError)):
            attempt()
    assert (one.kind, Named.kind, Named.__struct_fields__) == ("named", "named", ("x", "name"))
    assert (Purse.__doc__, repr(Checked(1, 2))) == ("What a seat has.", "Checked(low=1, high=2)")


def test_a_change_copies_all_other_fields_and_is_checked_like_a_new_value() -> None:
    value = Named(x=1, name="Ann")
    assert replace(value) == value == Named(x=1, name="Ann")
    assert replace(value, x=2) == replace(value, x=2) == Named(x=2, name="Ann")
    with pytest.raises(TypeError, match="has no field 'z'"):
        replace(value, z=2)
    with pytest.raises(ValueError, match="the wrong way round"):
        replace(Checked(1, 2), low=3)
    with pytest.raises(TypeError):
        Named(1)  # type: ignore[misc]
    with pytest.raises(TypeError):
        Named(x=1, kind="other")  # type: ignore[arg-type]


def test_what_no_frozen_class_can_be_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot follow optional fields"):

        class Late(Value):
            first: int = 1
            second: int

    with pytest.raises(TypeError, match="as a default value is unsafe"):

        class Shared(Value):
            items: list[int] = [1]


# Things of seats -----------------------------------------------------------------------------------------------------


class Bid(Value):
    seat: Public[Seat]
    amount: Secret[int | None]


class Table(game.State[Purse]):
    """A state: not each of its tuples is of things that belong to seats."""

    own_in = "purses"

    numbers: Public[tuple[int, ...]]
    purses: Public[tuple[Purse, ...]]
    bids: Public[tuple[Bid, ...]] = ()
    due: Public[Seat | None] = None
    round: Public[int] = 1


@pytest.mark.parametrize("count", [3, 255, 257, 1000])
def test_the_thing_of_a_seat_is_found_and_changed_alone_among_few_and_among_many(count: int) -> None:
    seats = [Seat(f"s{number}") for number in range(count)]
    table = plain = Table((1, 2), tuple(map(Purse, seats)))
    for number in (0, 1, count // 2, count - 1):
        table = table.with_own(seats[number], {"round": number}, coins=number)
        plain = replace(
            plain,
            round=number,
            purses=tuple(
                Purse(seat, number) if seat == seats[number] else plain.purses[at] for at, seat in enumerate(seats)
            ),
        )
        assert table == plain == table
        assert (table.of(seats[number]).coins, len(table.purses), hash(table.purses)) == (
            number,
            count,
            hash(plain.purses),
        )
        assert (list(table.purses), list(reversed(table.purses))) == ([*plain.purses], [*plain.purses[::-1]])
        assert (table.purses[-1], table.purses[1:70]) == (plain.purses[-1], plain.purses[1:70])
        assert game.of_seat(table.purses, seats[number]) == plain.purses[number]
    with pytest.raises(KeyError):
        table.of(Seat("nobody"))
    with pytest.raises(IndexError):
        _ = table.purses[count]
    with pytest.raises(TypeError, match="has no field 'money'"):
        table.with_own(seats[0], money=1)


def test_a_change_for_one_of_ten_thousand_seats_copies_few_of_their_parts() -> None:
    """Else each event of a rally would take longer the more crews there are."""
    seats = [Seat(f"s{number}") for number in range(10_000)]
    table = Table((), tuple(map(Purse, seats))).with_own(seats[0], coins=1)
    table.with_own(seats[5_000], coins=1)
    tracemalloc.start()
    table.with_own(seats[5_000], coins=2)
    copied = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert copied < 10_000, "a tuple of all has 80,000 bytes"


def test_after_the_last_seat_comes_the_first() -> None:
    seats = game.Configuration((RED, BLUE, GREEN), None, None)
    assert ([seats.after(seat) for seat in seats.seats], seats.clockwise(GREEN)) == ([BLUE, GREEN, RED], (GREEN, RED, BLUE))
    with pytest.raises(ValueError, match="not in tuple"):
        seats.clockwise(Seat("pink"))


@pytest.mark.parametrize(
    ("coins", "places"),
    [
        ((), []),
        ((1, 3, 2), [(1, "b"), (2, "c"), (3, "a")]),
        ((2, 3, 2, 1, 2), [(1, "b"), (2, "a"), (2, "c"), (2, "e"), (5, "d")]),
    ],
)
def test_level_seats_share_a_place_and_the_next_is_as_many_behind(coins: tuple[int, ...], places: list[Any]) -> None:
    purses = [Purse(Seat(seat), amount) for seat, amount in zip("abcde", coins, strict=False)]
    ranked = game.Standing.ranking(
        *(purses, lambda one: -one.coins), score=lambda one: 10 * one.coins, note=lambda one: f"{one.coins} coins"
    )
    assert [(one.place, one.seat) for one in ranked] == places
    assert sorted((one.score, one.note, one.is_final) for one in ranked) == sorted(
        (10 * n, f"{n} coins", False) for n in coins
    )


def test_results_are_kept_for_the_same_value_alone() -> None:
    looked: list[int] = []

    @game.remember_last
    def share(purse: Purse) -> float | None:
        looked.append(purse.coins)
        return 12 / purse.coins if purse.coins != 5 else None

    first, twin, other, none, five = Purse(RED, 3), Purse(RED, 3), Purse(RED, 4), Purse(RED), Purse(RED, 5)
    assert [share(one) for one in (first, first, other, twin, first, five, five)] == [4, 4, 3, 4, 4, None, None]
    assert looked == [3, 4, 3, 3, 5]
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            share(none)
    assert looked[5:] == [0, 0], "a failure is not kept"


def test_a_memo_keeps_results_by_value_for_one_owner_and_forgets_before_it_grows_without_end() -> None:
    asked: list[tuple[int, ...]] = []

    class Board(Value):
        size: Whole
        memo: game.Memo = field(default_factory=game.Memo)

    @game.remembered
    def way(board: Board, here: int, there: int) -> tuple[int, int, int]:
        asked.append((board.size, here, there))
        return here, there, board.size

    one, twin = Board(1), Board(1)
    assert [way(board, 3, 4) for board in (one, one, twin)] == [(3, 4, 1)] * 3
    assert (way(one, 3, 5), way(one, 3, 4), asked) == ((3, 5, 1), (3, 4, 1), [(1, 3, 4), (1, 3, 4), (1, 3, 5)])
    assert (one, hash(one)) == (twin, hash(twin)), "what is kept is no part of the value"
    many = 50_000
    for number in range(many):
        way(one, number, 0)
    assert len(one.memo) < many


# Sentences -----------------------------------------------------------------------------------------------------------

Gear = Annotated[int, Said(lambda config, gear: config[gear])]
Who = Annotated[Seat, Said(lambda _config, seat: seat.capitalize())]


class Shifted(game.Event):
    says = ""
    seat: Who
    gear: Gear
    others: tuple[Who, ...] = ()
    late: Who | None = None
    turns: int = 1
    tiles: tuple[str | None, ...] = ()
    row: Annotated[tuple[str, ...], Said(lambda _config, row: "-".join(row))] = ("U1", "U2")
    rule: game.Name = "T-1"

    @property
    def sum(self) -> int:
        """What follows from the fields."""
        return self.turns + 1


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("{seat} shifts to {gear}", "Red shifts to second"),
        ("{seat} asks {others}", "Red asks Blue, Green and Pink"),
        ("all but {late}", "all but Blue"),
        ("{turns:turn}, {sum:turn}, {sum}", "1 turn, 2 turns, 2"),
        ("the {turns:th}, then the {sum:th}", "the first, then the second"),
        ("{tiles:tile} of {others:seat}", "3 tiles of 3 seats"),
        ("the row {row}", "the row U1-U2"),
        ("nothing of it", "nothing of it"),
    ],
)
def test_the_sentence_of_an_event_shows_its_fields(says: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shifted, "says", says)
    others = (BLUE, GREEN, Seat("pink"))
    shown = Shifted(seat=RED, gear=1, others=others, late=BLUE, tiles=("H3", "G2", None))
    assert shown.tell(("first", "second")) == told


def test_words_for_numbers_and_lists() -> None:
    assert [game.count(n, "space") for n in (0, 1, 2, -1, 21)] == [
        "0 spaces",
        "1 space",
        "2 spaces",
        "-1 space",
        "21 spaces",
    ]
    assert [game.count(n, "die", "dice") for n in (1, 2)] == ["1 die", "2 dice"]
    lists: list[tuple[object, ...]] = [(), ("red",), ("red", "blue"), ("red", "blue", 3)]
    assert [game.listed(words) for words in lists] == ["", "red", "red and blue", "red, blue and 3"]
    assert game.listed(iter(lists[2]), "or") == "red or blue"
    assert [game.ordinal(place) for place in (1, 2, 8, 10)] == ["first", "second", "eighth", "tenth"]
    assert list(game.several(["b", "a", "b", "c", "a", "b"])) == [("b", 3), ("a", 2)]


@pytest.mark.parametrize("signs", ["ab", "HGU0123456789", "abcdeßİé", "abcdefghijklmnopqrstuvwxyz ARZ"])
def test_suggestions_are_those_that_comparing_with_every_name_gives(signs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(written: str, known: list[str], most: int) -> tuple[str, ...]:
        scored = sorted((-SequenceMatcher(None, written.casefold(), name.casefold()).ratio(), name) for name in known)
        return tuple(name for score, name in scored if score <= -0.5)[:most]

    luck, found = Random(signs), 0
    for most in (1, 3, 3) * 60:
        words = ["".join(luck.choices(signs, k=luck.randrange(1, 9))) for _ in range(luck.randrange(1, 14))]
        right = compared(words[0], words[1:], most)
        assert game.suggest(words[0], iter(words[1:]), most) == right
        found += bool(right)
    assert found > 10
    monkeypatch.setattr(difflib, "SequenceMatcher", None)
    assert game.suggest("Q999", [f"{letter}{number}" for letter in "HGU" for number in range(10, 15)]) == (), (
        "none is compared"
    )


# Events --------------------------------------------------------------------------------------------------------------


class CardDrawn(game.Event):
    says = "{seat} draws {card}"
    unseen = "{seat} draws a card"
    seat: Public[Seat]
    card: Secret[str | None]
    last: Public[str | None] = None
    rule: game.Name = "T-1"


class CardsDrawn(game.Event):
    says = "{seat} draws {cards}"
    unseen = "{seat} draws {cards:card}"
    seat: Public[Seat]
    cards: Annotated[tuple[str | None, ...], OWNER.counted]
    rule: game.Name = "T-1"


class SeatGlad(game.Event):
    says = "{seat} is glad"
    seen_by = OWNER
    seat: Public[Seat]
    rule: game.Name = "T-2"


class CoinsLeft(game.Event):
    sets = {"due": "seat", "round": "number", "own.coins": "left"}
    seat: Public[Seat]
    left: Public[int]
    number: Public[int]
    rule: game.Name = "T-3"


class LastRound(game.Event):
    sets = {"due": "seat"}
    becomes = {"round": 9}
    seat: Public[Seat]
    rule: game.Name = "T-3"


class RuleNamed(game.Event):
    """It names its rule itself."""

    says = "by {rule}"
    rule: Public[game.Name]


def test_an_event_has_a_rule_a_kind_named_fields_and_a_sentence_for_who_sees_less() -> None:
    drawn = CardDrawn(seat=RED, card="H3")
    assert (drawn.rule, drawn.kind, drawn.tell(None)) == ("T-1", "card-drawn", "red draws H3")
    assert CardDrawn(seat=RED, card=None, last="H2").tell(None) == "red draws a card"
    assert [CardsDrawn(seat=RED, cards=cards).tell(None) for cards in (("H3", "H4"), (None, None))] == [
        *("red draws H3 and H4", "red draws 2 cards")
    ]
    assert RuleNamed(rule="T-9").tell(None) == "by T-9"
    for wrong in (lambda: CardDrawn(RED), lambda: RuleNamed(), lambda: setattr(drawn, "card", "H4")):  # type: ignore[misc,call-arg]
        with pytest.raises((TypeError, AttributeError)):
            wrong()


def test_an_event_may_declare_what_it_sets() -> None:
    table = Table((), (Purse(RED, 3), Purse(BLUE, 4)))
    after = CoinsLeft(seat=BLUE, left=1, number=2).apply(None, table)
    assert after == Table((), (Purse(RED, 3), Purse(BLUE, 1)), (), BLUE, 2)
    assert LastRound(seat=RED).apply(None, after) == replace(after, due=RED, round=9)
    assert SeatGlad(seat=RED).apply(None, table) is table


class Fighter(Value):
    seat: Seat
    hand: Annotated[tuple[str, ...], game.InOrder(lambda config: config.index)] = ()
    aces: tuple[str, ...] = ()
    shown: str | None = None
    wins: int = 0


class Blow(Value):
    seat: Seat
    card: str | None
    is_hard: bool = False


class Ring(game.State[Fighter]):
    own_in = "fighters"

    fighters: tuple[Fighter, ...]
    deck: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    open: str | None = None
    round: int = 1
    last: Blow | None = None


class Fought(game.Event):
    seat: Seat
    cards: tuple[str | None, ...] = ()
    card: str | None = None
    coins: int = 3
    rule: game.Name = "T-1"


@pytest.mark.parametrize(
    ("declared", "card", "cards", "changes", "of_seat"),
    [
        ({"moves": "cards: deck > own.hand"}, None, ("c", None, "a"), {"deck": ("b",)}, {"hand": ("a", "c", "d", "e")}),
        ({"moves": "cards: > own.hand"}, None, ("a",), {}, {"hand": ("a", "d", "e")}),
        ({"moves": "cards: > own.aces"}, None, ("b", "a"), {}, {"aces": ("b", "a")}),
        ({"moves": "cards: own.hand >"}, None, ("e", "d"), {}, {"hand": ()}),
        ({"moves": "own.hand > pile"}, None, (), {"pile": ("d", "e")}, {"hand": ()}),
        ({"moves": ("open > pile", "card: own.hand > open")}, "d", (), {"open": "d", "pile": ("o",)}, {"hand": ("e",)}),
        ({"moves": ("card: deck > own.shown", "cards: deck >")}, "a", ("b",), {"deck": ("c",)}, {"shown": "a"}),
        ({"moves": "card: deck > own.shown"}, None, (), {}, {}),
        ({"adds": {"round": 2, "own.wins": "-coins"}}, None, (), {"round": 3}, {"wins": -3}),
        ({"adds": {"own.wins": "coins"}, "becomes": {"own.shown": "x", "open": None}}, None, (), {"open": None},
         {"wins": 3, "shown": "x"}),
        ({"sets": {"last": Blow}}, "z", ("x", "y"), {"last": Blow(BLUE, "z")}, {}),
        ({"adds": {"round": 1}, "sets": {"open": "card"}}, "z", (), {"round": 2, "open": "z"}, {}),
    ],
)  # fmt: skip
def test_an_event_declares_which_pieces_it_moves_and_what_it_adds(
    declared: dict[str, Any], card: str | None, cards: tuple[str | None, ...], changes: Any, of_seat: Any
) -> None:
    kind = new_class("Moved", (Fought,), {}, lambda namespace: namespace.update(declared, __module__=str(declared)))
    ring = Ring((Fighter(RED), Fighter(BLUE, ("d", "e"))), ("a", "b", "c"), open="o")
    after = kind(seat=BLUE, card=card, cards=cards).apply("abcde", ring)
    assert after == replace(ring, fighters=(ring.of(RED), replace(ring.of(BLUE), **of_seat)), **changes)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"says": "{seat} and {nobody}"}, r"Spoiled says \{nobody\}, and has no such field"),
        ({"says": "{nobody:>3}"}, r"Spoiled says \{nobody\}"),
        ({"says": "{seat}", "unseen": "{nobody.name}"}, "nobody"),
        ({"__annotations__": {"seat": Seat}}, "Spoiled has no field `rule: Name`"),
        ({"sets": {"coins": "nothing"}}, "Spoiled changes the state by its field nothing, and has no such field"),
        ({"adds": {"own.coins": "-nothing"}}, "Spoiled changes the state by its field nothing"),
        ({"moves": "nothing: own.hand >"}, "Spoiled changes the state by its field nothing"),
        ({"moves": "> own.hand"}, "Spoiled moves “> own.hand”: write “cards: own.hand > discards”"),
    ],
)
def test_a_wrong_event_is_told_when_its_game_is_loaded(how: dict[str, Any], words: str) -> None:
    body = {"__module__": "a_spoiled_game", "__annotations__": {"seat": Seat, "rule": game.Name}, **how}
    new_class("Spoiled", (game.Event,), {}, lambda namespace: namespace.update(body))
    with pytest.raises(TypeError, match=words):
        game.events_of("a_spoiled_game")


def test_the_events_of_a_module_come_in_its_order_and_with_those_of_every_game() -> None:
    declared = "class Second(Event): rule: str = 'T-1'\nclass First(Event): rule: str = 'T-2'\n"
    source = f"from adjudicator.game import Event\n{declared}"
    first, again = ({"__name__": "a_game_of_a_test"} for _ in range(2))
    exec(source, first)
    assert game.events_of("a_game_of_a_test", "nothing") == (first["Second"], first["First"], Spent)
    exec(source.replace("Second", "Other"), again)
    assert game.events_of("a_game_of_a_test") == (again["Other"], again["First"], Spent), "loaded anew"
    with pytest.raises(TypeError, match="another_game declares two events called First"):
        exec(source + source.partition("'T-1'\n")[2], {"__name__": "another_game"})


# Orders --------------------------------------------------------------------------------------------------------------


class Move(game.Order):
    examples = ("MOVE C3", "MOVE C3 2", "MOVE C3 2 fast")
    cell: str
    steps: int = 1
    how: str | None = None


class DrawTwo(game.Order):
    """It has nothing to say."""

    examples = ("DRAW",)


@pytest.mark.parametrize(
    ("parts", "meant", "words"),
    [
        (["C3"], Move("C3"), "MOVE C3"),
        (["C3", 2], Move("C3", 2), "MOVE C3 2"),
        (["C3", None], Move("C3"), "MOVE C3"),
        (["C3", None, "fast"], Move("C3", 1, "fast"), "MOVE C3 fast"),
        (["C3", 0], Move("C3", 0), "MOVE C3 0"),
    ],
)
def test_an_order_is_read_field_by_field_and_written_without_what_is_usual(
    parts: list[Any], meant: Move, words: str
) -> None:
    assert (Move.read(parts), meant.text(), DrawTwo().text()) == (meant, words, "DRAWTWO")


def test_parts_that_fit_no_field_are_told_and_not_dropped() -> None:
    assert Move.read([None]).cell is None
    with pytest.raises(TypeError, match="cell"):
        Move.read([])
    with pytest.raises(TypeError, match="Move has 3 fields, its rule of the grammar 4 parts"):
        Move.read(["C3", 1, "fast", "more"])


class Fix(game.Order):
    """An order with all that a template knows."""

    examples = ("FIX",)
    template = (
        "FIX[ car {number}|[ all {parts:, }| itself]][ {gently}][ using[ oil {oil}][ by {helps:/}]] {gear}[ {again}]{end}"
    )
    number: int = 0
    parts: tuple[str, ...] | None = None
    gently: bool = False
    oil: int = 0
    helps: tuple[DrawTwo, ...] = ()
    gear: Annotated[int, Said(lambda _config, gear: "N123"[gear])] = 0

    @property
    def again(self) -> str:
        return "again" if self.oil > 1 else ""

    @property
    def end(self) -> str:
        return "." if self.oil else ""


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (Fix(), "FIX itself N"),
        (Fix(number=3, parts=("a",)), "FIX car 3 N"),
        (Fix(parts=("a", "b")), "FIX all a, b N"),
        (Fix(parts=()), "FIX all nothing N"),
        (Fix(gently=True, gear=2), "FIX itself gently 2"),
        (Fix(oil=2), "FIX itself using oil 2 N again."),
        (Fix(oil=1, helps=(DrawTwo(), DrawTwo())), "FIX itself using oil 1 by DRAWTWO/DRAWTWO N."),
    ],
)
def test_a_template_words_an_order(order: Fix, words: str) -> None:
    assert order.text() == words


@pytest.mark.parametrize(
    ("template", "words"),
    [("GO {nowhere}", "has {nowhere}"), ("GO[ {cell}", "not closed"), ("GO {cell}]", "“]” outside"), ("G|O", "“|” outside")],
)
def test_a_wrong_template_is_told_when_its_game_is_loaded(template: str, words: str) -> None:
    kind = new_class("Wrong", (Move,), {}, lambda body: body.update(template=template))
    with pytest.raises(TypeError, match="Wrong: .*" + words.replace("|", r"\|")):
        language("no.lark", (kind,), {})


class Lay(game.Order):
    examples = ("LAY", "LAY K4")
    tile: str
    cells: tuple[str, ...] = ()
    fuel: int = 0
    helps: tuple[str, ...] = ()
    line: str = ""


@pytest.mark.parametrize(
    ("parts", "meant"),
    [
        (["sand", "K4", "K5"], Lay("sand", ("K4", "K5"))),
        (["sand", None], Lay("sand")),
        (["sand", ("K4",), 3], Lay("sand", ("K4",), 3)),
        ([Given("line", "sea"), "sand", Given("fuel", 2), "K4", Given("fuel", 1)], Lay("sand", ("K4",), 3, (), "sea")),
        (["sand", Given("helps", "a"), Given("helps", "b"), Given("line", "sea"), Given("line", "air")],
         Lay("sand", (), 0, ("a", "b"), "air")),
        (["sand", Given("helps", ("a", "b"))], Lay("sand", helps=("a", "b"))),
    ],
)  # fmt: skip
def test_the_rest_of_the_parts_goes_to_a_tuple_and_those_given_for_a_field_to_it(parts: list[Any], meant: Lay) -> None:
    assert Lay.read(parts) == meant


@pytest.mark.parametrize(("word", "read"), [("007", 7), ("3rd", 3), ("Third gear", 3), ("n", 0), ("12 gear", 12)])
def test_a_number_may_be_a_word(word: str, read: int) -> None:
    term = game.Term.number("a gear", {"n": 0, "third": 3})
    assert term.read is not None
    assert (term.read([word]), term.help) == (read, "a gear")
    constant = game.Term.constant("fast")
    assert constant.read is not None
    assert constant.read(["anything"]) == "fast"


# Scenes


def test_a_picture_is_described_by_what_is_told_of_its_places_and_who_is_there() -> None:
    """Places of which the same is told share a sentence, numbers in sequence are a span, and keys are no pieces."""
    scenes = game.scenes
    spaces = [scenes.group((), id=f"to {at}", name=f"space {at}", told="danger" if at > 2 else "") for at in range(1, 10)]
    car = scenes.Token("red", 0, 0, "space 6", "red", "red", told="car")
    key = scenes.Token("red", 0, 0, "space 1", "red", "red", is_key=True)
    beside = scenes.Token("blue", 0, 0, "the finish", "blue", "blue")
    track = scenes.group((scenes.group(spaces),), 5, 5)
    scene = scenes.Scene("track", "Track", (track,), 10, 10, (car, key, beside), told="A track of 9 spaces")
    assert scenes.describe(scene) == [
        "A track of 9 spaces.",
        "Space 3 to 5 and 7 to 9: danger.",
        "Space 6: danger, red (car).",
        "The finish: blue (piece).",
    ]
    assert scenes.describe(scenes.Scene("empty", "Empty", (), 10, 10)) == []


def test_inks_colour_words_on_a_terminal_and_are_nowhere_else() -> None:
    scenes, drawing = game.scenes, game.drawing
    words = scenes.inked("▲red", seat="red"), scenes.inked("c", "city") + scenes.inked("x", "nothing"), "H3"
    line = " ".join((*words[:2], scenes.inked(words[2], scenes.STRONG)))
    assert scenes.bare(line) == "▲red cx H3" and scenes.inked(line, "city").count("\x0e") == 2
    board = drawing.Drawing((scenes.Scene("b", "Board", (), 10, 10, text=(line,)),))
    assert drawing_text(board, seats=("red",)) == "Board\n  ▲red cx H3"
    painted = "\x1b[1mBoard\x1b[0m\n  \x1b[1;31m▲red\x1b[0m \x1b[31mc\x1b[0mx \x1b[1mH3\x1b[0m"
    assert drawing_text(board, seats=("red",), color=True) == painted
    folded = drawing_text(board, seats=("red",), color=True, width=8)
    assert folded.split() == ["\x1b[1mBoard\x1b[0m", "▲red", "cx", "H3"], "a line that is too long"


def test_a_wide_board_is_cut_into_parts_of_about_equal_size() -> None:
    def part(first: int, last: int) -> list[str]:
        return ["abcdefg"[first:last]]

    assert game.scenes.in_parts(7, 7, part) == ["abcdefg"]
    assert game.scenes.in_parts(7, 4, part) == ["abcd", "", "efg"]
    assert len([line for line in game.scenes.in_parts(7, 0, part) if line]) == 7
