"""Danger cards, and how others cancel them: in seat order, asked or by a standing answer (GR-K1, GR-K4, GR-H4, GR-H7).

No player learns who could have reacted: the record names every seat that has not arrived, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import (
    OWNER,
    At,
    Chance,
    Event,
    Flaw,
    Name,
    Order,
    Problem,
    Public,
    Seat,
    Secret,
    count,
    listed,
    replace,
)
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.actions import MOST_SUGGESTED, Action, Means, check_help, engine_first, guard_given
from adjudicator.games.great_race.components import Amount, CardId, Config, Does, OneCard, SpaceId, levels_told
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import Help, Here, Moves, Reaction, Slot, State, Threat, reaction_text

_WANTS: Final = {Does.REMOVE: "remove the tile at", Does.SWAP: "swap the tiles at", Does.HARM: "take"}
"""What a danger card does to the spaces or the parts that it names."""
_SPACES: Final = {Does.REMOVE: 1, Does.SWAP: 2, Does.HARM: 0}
"""How many spaces a danger card names; it harms a crew if it names none."""


class Danger(Action):
    """An action that an escort does at once, and that others may cancel if a danger card does it."""

    def aim(self, at: Here) -> dict[str, Any]:
        """Return what a threat says: the spaces that it names, or the crew that it harms and the parts that this loses."""
        raise NotImplementedError

    def decide(self, at: Here, chance: Chance) -> Moves:
        """Do it, or put its card on the table: GR-K4, all others who have not arrived may cancel it."""
        card = self.by
        if isinstance(card, Slot):
            yield from super().decide(at, chance)
            return
        at = yield happened.CardBegun(seat=at.seat, card=card, rule="GR-K1")
        aim = {"spaces": (), "target": None, "engine": 0, "chassis": 0, **self.aim(at)}
        spaces, target = aim["spaces"], aim["target"]
        has_no_parts = target is not None and not at.of(target).parts
        if has_no_parts or (len(spaces) > 1 and len({at.state.tiles[space] for space in spaces}) == 1):
            yield happened.CardWasted(seat=at.seat, card=card, target=target)
        if not has_no_parts or at.config.is_older:
            left = tuple(other for other in at.config.clockwise(at.seat)[1:] if at.of(other).arrival is None)
            yield DangerThreatened(seat=at.seat, card=card, left=left, **aim)


class Remove(Danger):
    """Remove the tile on ``space`` for good: an escort beside the vehicle (GR-A3), a Tracker on a path joined with it."""

    examples = ("PLAY Tracker remove K7", "ESCORT remove K4")
    template = "{verb} remove {space}"
    own_verb = "ESCORT"
    space: SpaceId
    by: Means = Slot.ESCORT

    @staticmethod
    def _near(at: Here, by: Means) -> tuple[SpaceId, ...]:
        here, roads, tiles, occupied = at.own.space, at.config.roads, at.state.tiles, at.state.occupied
        spaces = roads.beside(here) if isinstance(by, Slot) else roads.connected(here, tiles)
        return tuple([space for space in spaces if space in tiles and space not in occupied])

    def refusal(self, at: Here) -> Problem | None:
        """GR-A3, GR-K1, GR-H7: require a tile in reach, with no vehicle on it."""
        space, here, all_near = self.space, at.own.space, self._near(at, self.by)
        if space in all_near:
            return None
        is_escort = isinstance(self.by, Slot)
        near = all_near if is_escort else all_near[:MOST_SUGGESTED]
        if space not in at.state.tiles:
            return META.problem("no-tile-there", f"there is no tile at {space}", self.rule, "space", near)
        if space in at.state.occupied:
            rule = self.rule if is_escort else "GR-H7"
            return META.problem("vehicle-there", f"a vehicle is at {space}", rule, "space", near)
        if is_escort:
            return META.problem("not-beside", f"{space} is not beside {here}", self.rule, "space", near)
        return META.problem("no-path", f"no unbroken path leads from {here} to {space}", self.rule, "space", near)

    @classmethod
    def ways(cls, at: Here, by: Means) -> Iterator[Any]:
        return (cls(space, by) for space in cls._near(at, by))

    def aim(self, at: Here) -> dict[str, Any]:
        return {"spaces": (self.space,)}

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield happened.TileRemoved(seat=at.seat, space=self.space, tile=at.state.tiles[self.space], rule=self.rule)


class Swap(Danger):
    """Swap the tiles on two spaces; the order of the two has no meaning."""

    examples = ("PLAY Cheater swap K4 with M2",)
    template = "{verb} swap {one} with {other}"
    one: SpaceId
    other: SpaceId
    by: Means = CardId.CHEATER

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        return cls(*sorted(children))

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1: require two laid tiles."""
        tiles, one, other = at.state.tiles, self.one, self.other
        for space in (one, other):
            if space not in tiles:
                near = tuple(tiles)[:MOST_SUGGESTED]
                return META.problem("no-tile-there", f"there is no tile at {space}", "GR-K1", f"space={space}", near)
        if one == other:
            return META.problem("same-space", f"a Cheater swaps two tiles, and {one} has only one", "GR-K1", "space:1")
        return None

    @classmethod
    def ways(cls, at: Here, by: Means) -> Iterator[Any]:
        return (cls(one, other, by) for one, other in combinations(sorted(at.state.tiles), 2))

    def aim(self, at: Here) -> dict[str, Any]:
        return {"spaces": (self.one, self.other)}

    def effect(self, at: Here, chance: Chance) -> Moves:
        tiles, one, other = at.state.tiles, self.one, self.other
        yield happened.TilesSwapped(seat=at.seat, one=one, other=other, one_tile=tiles[one], other_tile=tiles[other])


class Sabotage(Danger):
    """Take parts of ``target``: so many of ``engine`` and ``chassis``, or (``None``) of the engine first."""

    examples = ("PLAY Saboteur on blue", "PLAY Saboteur on blue engine 1 chassis 1")
    template = "{verb} on {target}[ engine {engine}][ chassis {chassis}]"
    target: str
    engine: int | None = None
    chassis: int | None = None
    by: Means = CardId.SABOTEUR

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        target, *losses = children
        parts = {gauge: many for gauge, many in losses if many is not None}
        return cls(target, parts.get("engine"), parts.get("chassis"))

    def _split(self, at: Here) -> tuple[int, int, int]:
        """Return the parts that the target loses, and how many of them engine and chassis lose."""
        crew, card = at.of(self.target), self.by
        assert isinstance(card, CardId)
        parts = min(at.config.amount(card), crew.parts)
        return parts, *engine_first(self.engine, self.chassis, parts, crew.engine)

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1, GR-H7: require another player who has not arrived, and a split that adds up."""
        target, near = self.target, _victims(at)
        if target not in near:
            if target == at.seat:
                message = f"{at.seat} would harm itself: a {CardId(self.by).words} needs another seat"
            else:
                is_seat = target in at.config.seats
                message = f"{target} {'is in the finish city' if is_seat else 'is not a seat of this game'}"
            return META.problem("no-such-target", message, "GR-H7", "target", near)
        crew, (parts, engine, chassis) = at.of(target), self._split(at)
        if engine + chassis != parts:
            split = f"engine {engine} chassis {chassis} is {engine + chassis}"
            message = f"{target} loses {count(parts, 'part')}, but {split}"
        elif engine > crew.engine or chassis > crew.chassis:
            message = f"{target} has engine {crew.engine} and chassis {crew.chassis}"
        else:
            return None
        fitting = min(parts, crew.engine)
        splits = (replace(self, engine=fitting, chassis=parts - fitting).text(),)
        return META.problem("does-not-add-up", message, "GR-K1", "loss", splits)

    @classmethod
    def ways(cls, at: Here, by: Means) -> Iterator[Any]:
        return (cls(target, by=by) for target in _victims(at))

    def aim(self, at: Here) -> dict[str, Any]:
        _, engine, chassis = self._split(at)
        return {"target": Seat(self.target), "engine": engine, "chassis": chassis}

    def effect(self, at: Here, chance: Chance) -> Moves:
        _, engine, chassis = self._split(at)
        yield happened.PartsLost(seat=Seat(self.target), engine=engine, chassis=chassis)


def _victims(at: Here) -> tuple[Seat, ...]:
    return tuple([seat for seat in at.config.seats if seat != at.seat and at.of(seat).arrival is None])


# A card on the table


class DangerThreatened(Event):
    """A seat played a danger card; those ``left`` may cancel it, one after the other."""

    sets = {"pending": Threat}
    seat: Public[Seat]
    card: Public[OneCard]
    spaces: Public[tuple[SpaceId, ...]]
    target: Public[Seat | None]
    engine: Amount
    chassis: Amount
    left: Public[tuple[Seat, ...]]
    rule: Name = "GR-K4"

    def tell(self, config: Config) -> str:
        losses = listed(levels_told(engine=self.engine, chassis=self.chassis)) or "parts"
        what = listed(self.spaces) if self.target is None else f"{losses} of {self.target}"
        return f"{self.seat} wants to {_WANTS[self.card.does]} {what}"


class ReactionAsked(Event):
    """The program asks a seat whether it cancels the danger card on the table."""

    says = "{seat} must say whether it cancels the danger"
    seat: Public[Seat]
    rule: Name = "GR-K4"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, pending=replace(state.pending_as(Threat), asked=self.seat))


class DangerAccepted(Event):
    """A seat lets the danger card on the table happen."""

    says = "{seat} lets it happen"
    seat: Public[Seat]
    rule: Name = "GR-K4"

    def apply(self, config: Config, state: State) -> State:
        threat = state.pending_as(Threat)
        left = tuple([seat for seat in threat.left if seat != self.seat])
        return replace(state, pending=replace(threat, left=left, asked=None))


class CardCancelled(Event):
    """A seat cancelled the danger card on the table."""

    says = "{seat} cancels it with {guard}"
    becomes = {"pending": None}
    seat: Public[Seat]
    guard: Public[Help]
    rule: Name = "GR-K4"


class DangerDone(Event):
    """All seats let the danger card happen: it takes effect."""

    becomes = {"pending": None}
    rule: Name = "GR-K4"


def threatened(threat: Threat) -> Any:
    """Return the action that the card on the table carries out."""
    card = threat.card
    if card.does is Does.REMOVE:
        return Remove(threat.spaces[0], card)
    if card.does is Does.SWAP:
        return Swap(threat.spaces[0], threat.spaces[1], card)
    assert threat.target is not None
    return Sabotage(threat.target, threat.engine, threat.chassis, card)


def flaws_of(at: Here, threat: Threat) -> Iterator[Flaw]:
    """Yield why the card on the table of ``at`` cannot be a danger card, aimed so by its player (GR-K1, GR-H7)."""
    name, spaces = at.config.cards[threat.card].name, _SPACES.get(threat.card.does)
    if spaces is None:
        yield Flaw(f"{threat.card} is not a danger card", "GR-K1")
    elif not spaces and (threat.target is None or threat.spaces):
        yield Flaw(f"a {name} needs another player", "GR-H7")
    elif spaces and (len(threat.spaces) != spaces or threat.target is not None or threat.engine or threat.chassis):
        yield Flaw(f"a {name} needs {count(spaces, 'tile')} and harms no vehicle", "GR-K1")
    elif (problem := threatened(threat).refusal(At(at.config, at.state, threat.seat))) is not None:
        yield Flaw(problem.message, problem.rule)


def react_on(at: Here, chance: Chance) -> Moves:
    """Ask the next seat that may cancel the card, or use its standing answer; when all let it happen, carry it out."""
    threat = at.state.pending_as(Threat)
    if not threat.left:
        at = yield DangerDone()
        yield from threatened(threat).effect(At(at.config, at.state, threat.seat), chance)
        return
    seat = threat.left[0]
    crew = at.of(seat)
    if crew.to_cards is None and (crew.hand or crew.active.escort):
        yield ReactionAsked(seat=seat)
        return
    parts = threat.engine + threat.chassis if threat.target == seat else 0
    helps = () if crew.to_cards is None else crew.to_cards.against(parts)
    guard = next((guard for guard in helps if crew.has(guard)), None)
    if guard is None:
        yield DangerAccepted(seat=seat)
    else:
        yield from _cancel(seat, guard)


def _cancel(seat: Seat, guard: Help) -> Moves:
    yield guard_given(seat, guard, "GR-K4")
    yield CardCancelled(seat=seat, guard=guard)


class Cancel(Order):
    """Cancel the danger card on the table with an escort or a Ranger, the ``guard``."""

    examples = ("CANCEL with ranger",)
    template = "CANCEL with {guard}"
    guard: str

    def check(self, at: Here) -> Problem | None:
        """GR-K4: require an escort or a Ranger of the seat."""
        return check_help(at, self.guard, "guard", ("ACCEPT",))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, ("escort", "ranger"))

    def decide(self, at: Here, chance: Chance) -> Moves:
        return _cancel(at.seat, Help(self.guard))


class Accept(Order):
    """Let the danger card on the table happen."""

    examples = ("ACCEPT",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield DangerAccepted(seat=at.seat)


class React(Order):
    """Answer danger from now on with ``helps`` (none: never; ``None``: ask).

    Games begun with older rules know answers to danger cards or tiles alone (``scope``), and to more than ``over`` parts.
    """

    examples = ("REACT danger with escort, ranger", "REACT danger never", "REACT danger ask")
    sealed = "REACT (sealed)"
    helps: tuple[str, ...] | None
    over: int = -1
    scope: str = "danger"

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        helps = tuple(dict.fromkeys(child for child in children if isinstance(child, str))) or ("escort", "ranger")
        scope = given.get("scope", "danger")
        return cls(given["answer"], -1, scope) if "answer" in given else cls(helps, given.get("over", -1), scope)

    def text(self) -> str:
        if not self.helps:
            return f"REACT {self.scope} {'ask' if self.helps is None else 'never'}"
        over = f" only if parts > {self.over}" if self.over >= 0 else ""
        return f"REACT {self.scope} with {', '.join(self.helps)}{over}"

    def wrong(self, config: Config) -> Problem | None:
        if config.is_older or (self.scope, self.over) == ("danger", -1):
            return None
        message = "a standing answer holds for every danger, of cards and tiles alike, and has no limit"
        return META.problem("one-answer", message, "GR-K4", near=(React(self.helps).text(),))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, (None, (), ("escort",), ("ranger",), ("escort", "ranger"), ("ranger", "escort")))

    def decide(self, at: Here, chance: Chance) -> Moves:
        reaction = None if self.helps is None else Reaction(tuple(map(Help, self.helps)), self.over if self.helps else -1)
        for to in ("cards", "tiles"):
            if self.scope in ("danger", to):
                yield ReactionChosen(seat=at.seat, to=to, reaction=reaction)


class ReactionChosen(Event):
    """A seat changed its standing answer to danger cards or to tiles; only that seat sees this."""

    seen_by = OWNER
    seat: Public[Seat]
    to: Public[Name]
    reaction: Secret[Reaction | None]
    rule: Name = "GR-K4"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, **{f"to_{self.to}": self.reaction})

    def tell(self, config: Config) -> str:
        what = "danger cards" if self.to == "cards" else "the danger of tiles drawn"
        return f"from now on {self.seat} answers {what} {reaction_text(self.reaction)}"
