"""Find the spaces and cards that orders name, in any case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from adjudicator.game import Problem, change, suggest
from adjudicator.games.great_race.components import CardId, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.order_parts import Aid, card_words

_NAMING = ("space", "then", "one", "other", "spaces", "using")
"""The fields of orders with names of spaces."""
_BETWEEN = ("losing", "using", "then")
"""Words after spaces: with a typo they look like one more space."""


def find_space(config: Config, name: str) -> SpaceId | None:
    """Return the space of that name, in any case; ``None`` if the board has no such space."""
    spaces = config.roads.spaces
    if name in spaces:
        return SpaceId(name)
    wanted = name.casefold()
    return next((space for space in spaces if space.casefold() == wanted), None)


def space_called(config: Config, name: str) -> SpaceId:
    """Return the space of that name, which ``validate`` has checked."""
    space = cast("SpaceId", name) if name in config.roads.spaces else find_space(config, name)
    assert space is not None
    return space


def path_of(config: Config, order: Any) -> tuple[SpaceId, ...]:
    """Return the spaces of a drive, which ``validate`` has checked."""
    return tuple([space_called(config, name) for name in (order.space, *order.then)])


def unknown_space(config: Config, name: str, part: str) -> Problem | None:
    """Return the refusal of a space that the board does not have."""
    if find_space(config, name) is not None:
        return None
    message = f"{config.roads.board.name} has no space {name}"
    return META.problem("unknown-space", message, "GR-C1", part, suggest(name, (*config.roads.spaces, *_BETWEEN)))


def unknown_card(config: Config, card: str, part: str) -> Problem | None:
    """Return the refusal of a card that the game does not have."""
    if card in config.cards:
        return None
    known = [card_words(known) for known in config.cards]
    message = f"this game has no resource card “{card_words(card)}”"
    return META.problem("unknown-card", message, "GR-C3", part, suggest(card_words(card), known))


def not_in_hand(seat: str, card: str, wanted: int, has: int, part: str, hand: tuple[str, ...]) -> Problem:
    """Return the refusal of cards that a seat does not hold."""
    named = card_words(card)
    message = f"{seat} has no {named} in hand"
    if has:
        message = f"{seat} has {has} of the {wanted} cards “{named}” in hand"
    return META.problem("not-in-hand", message, "GR-K1", part, tuple(map(card_words, dict.fromkeys(hand))))


def spelled(config: Config, order: Any) -> Any:
    """Return ``order`` with the names of spaces as the board has them."""
    given = {name: _spelled(config, getattr(order, name)) for name in _NAMING if hasattr(order, name)}
    if "one" in given:  # the order of the two has no meaning: keep them sorted
        given["one"], given["other"] = sorted((given["one"], given["other"]))
    return change(order, **given) if any(value != getattr(order, name) for name, value in given.items()) else order


def _spelled(config: Config, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_spelled(config, one) for one in value)
    if isinstance(value, str):
        return (value and find_space(config, value)) or value
    return change(value, at=_spelled(config, value.at)) if isinstance(value, Aid) else value


def words_of(config: Config) -> Iterator[str]:
    """Yield the words that conditions may compare facts with: spaces, tiles, cards, stages."""
    yield from map(str, config.roads.spaces)
    yield from map(str, config.tiles)
    yield from (fact_word(card) for card in CardId)


def fact_word(name: str) -> str:
    """Return the name of a card in conditions: one word, ``trail_hunter``."""
    return name.replace("-", "_")
