"""Play danger cards, and let others cancel them: in seat order, asked or by a standing answer (GR-K1, GR-K4, GR-H4).

No player learns who could have reacted: the record names every seat that has not arrived, in the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import Chance, Event, Flaw, Name, Problem, Public, Seat, count, listed, replace
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import HARMS, CardId
from adjudicator.games.great_race.components import SpaceId
from adjudicator.games.great_race.config import Amount, Config, OneCard, levels_told
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import MOST_SUGGESTED, RaceOrder, check_help, give_guard
from adjudicator.games.great_race.state import Crew, Help, Here, Moves, Reaction, State, Threat
from adjudicator.games.great_race.terms import engine_first, exact, numbered


class DangerThreatened(Event):
    """A seat played a danger card; those ``left`` may cancel it, one after the other."""

    seat: Public[Seat]
    card: Public[OneCard]
    spaces: Public[tuple[SpaceId, ...]]
    target: Public[Seat | None]
    engine: Amount
    chassis: Amount
    left: Public[tuple[Seat, ...]]
    rule: Name = "GR-K4"

    def apply(self, config: Config, state: State) -> State:
        aim: dict[str, Any] = {"spaces": self.spaces, "target": self.target, "engine": self.engine, "chassis": self.chassis}
        return replace(state, pending=Threat(seat=self.seat, card=self.card, left=self.left, **aim))

    def tell(self, config: Config) -> str:
        losses = listed(levels_told(engine=self.engine, chassis=self.chassis)) or "parts"
        what = listed(self.spaces) if self.target is None else f"{losses} of {self.target}"
        return f"{self.seat} wants to {self.card.kind.threat} {what}"


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


# Playing one


class Danger(RaceOrder):
    """An order that plays a danger card: the others may cancel it before it is ``done``."""

    def aim(self, at: Here) -> dict[str, Any]:
        """Return the fields of ``Threat`` that say what the card is aimed at: by default the spaces of the order."""
        return {"spaces": tuple(self._names(self.names_spaces))}

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Put the card on the table."""
        aim: dict[str, Any] = {"spaces": (), "target": None, "engine": 0, "chassis": 0, **self.aim(at)}
        spaces, target, card = aim["spaces"], aim["target"], self.plays
        assert card is not None
        are_alike = len(spaces) > 1 and len({at.state.tiles[space] for space in spaces}) == 1
        if are_alike or (target is not None and not at.of(target).parts):
            yield dealt.CardWasted(seat=at.seat, card=card, target=target)
        left = tuple(other for other in at.config.clockwise(at.seat)[1:] if at.of(other).arrival is None)
        yield DangerThreatened(seat=at.seat, card=card, left=left, **aim)

    @staticmethod
    def done(state: State, threat: Threat) -> Any:
        """Return the event of the card that all have let happen."""
        raise NotImplementedError

    @staticmethod
    def flaws(config: Config, state: State, threat: Threat) -> Iterator[Flaw]:
        """Yield why the card on the table cannot be aimed so."""
        raise NotImplementedError


def _flaws_of_spaces(config: Config, state: State, threat: Threat, many: int) -> Iterator[Flaw]:
    name = config.cards[threat.card].name
    if threat.target is not None or threat.engine or threat.chassis:
        yield Flaw(f"a {name} harms no vehicle", "GR-K1")
    elif len(set(threat.spaces)) != many or not set(threat.spaces) <= state.tiles.keys():
        yield Flaw(f"a {name} needs tiles that lie on the board", "GR-K1")


class PlayTracker(Danger):
    """Remove the tile on ``space``."""

    examples = ("PLAY Tracker remove K7",)

    words = "PLAY Tracker remove {0.space}"
    plays = CardId.TRACKER
    names_spaces = ("space",)
    space: SpaceId

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1, GR-H7: require a tile on a path joined with the vehicle, with no vehicle on it."""
        space, here = self.space, at.own.space
        all_near = _trackable(at)
        if space in all_near:
            return None
        near = all_near[:MOST_SUGGESTED]
        if space not in at.state.tiles:
            return META.problem("no-tile-there", f"there is no tile at {space}", "GR-K1", "space", near)
        if space in at.state.occupied:
            return META.problem("vehicle-there", f"a vehicle is at {space}", "GR-H7", "space", near)
        return META.problem("no-path", f"no unbroken path leads from {here} to {space}", "GR-K1", "space", near)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, _trackable(at))

    @staticmethod
    def done(state: State, threat: Threat) -> Any:
        (space,) = threat.spaces
        return dealt.TileRemoved(seat=threat.seat, space=space, tile=state.tiles[space], rule="GR-K1")

    @staticmethod
    def flaws(config: Config, state: State, threat: Threat) -> Iterator[Flaw]:
        found = [*_flaws_of_spaces(config, state, threat, 1)]
        yield from found
        if not found and threat.spaces[0] in state.occupied:
            yield Flaw("a Tracker removes no tile with a vehicle on it", "GR-H7")


def _trackable(at: Here) -> tuple[SpaceId, ...]:
    """Return the spaces whose tile a Tracker may remove for a vehicle that is ``here``."""
    return at.state.removable(at.config.roads.connected(at.own.space, at.state.tiles))


class PlayCheater(Danger):
    """Swap the tiles on two spaces; the order of the two has no meaning."""

    examples = ("PLAY Cheater swap K4 with M2",)

    plays = CardId.CHEATER
    names_spaces = ("one", "other")
    one: SpaceId
    other: SpaceId

    @classmethod
    def read(cls, children: list[Any]) -> PlayCheater:
        return cls(*sorted(children))

    def text(self) -> str:
        one, other = sorted((self.one, self.other))
        return f"PLAY Cheater swap {one} with {other}"

    def part(self, kind: str, place: int, name: str) -> str:
        return f"space={name}"  # The order has its spaces sorted, not as written.

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1: require two laid tiles."""
        tiles, one, other = at.state.tiles, self.one, self.other
        for place, space in enumerate((one, other)):
            if space not in tiles:
                near, part = tuple(tiles)[:MOST_SUGGESTED], self.part("space", place, space)
                return META.problem("no-tile-there", f"there is no tile at {space}", "GR-K1", part, near)
        if one == other:
            return META.problem("same-space", f"a Cheater swaps two tiles, and {one} has only one", "GR-K1", "space:1")
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        for one, other in combinations(sorted(at.state.laid, key=lambda laid: laid.space), 2):
            yield cls(one.space, other.space)

    @staticmethod
    def done(state: State, threat: Threat) -> Any:
        one, other = threat.spaces
        one_tile, other_tile = state.tiles[one], state.tiles[other]
        return dealt.TilesSwapped(seat=threat.seat, one=one, other=other, one_tile=one_tile, other_tile=other_tile)

    @staticmethod
    def flaws(config: Config, state: State, threat: Threat) -> Iterator[Flaw]:
        return _flaws_of_spaces(config, state, threat, 2)


class PlaySaboteur(Danger):
    """Take parts of ``target``: so many of ``engine`` and ``chassis``, or (``None``) of the engine first.

    Other cards than a Saboteur may do so, too.
    """

    examples = ("PLAY Saboteur on blue", "PLAY Saboteur on blue engine 1 chassis 1")
    target: str
    engine: int | None = None
    chassis: int | None = None
    card: CardId = CardId.SABOTEUR

    @property
    def plays(self) -> CardId:  # type: ignore[override]
        """The card that it plays."""
        return self.card

    @classmethod
    def read(cls, children: list[Any]) -> PlaySaboteur:
        target, *losses = children
        parts = exact(losses)
        return cls(target, parts.get("engine"), parts.get("chassis"))

    def text(self) -> str:
        return " ".join((f"PLAY {self.plays.words} on {self.target}", *numbered(engine=self.engine, chassis=self.chassis)))

    def refusal(self, at: Here) -> Problem | None:
        """GR-K1, GR-H7: require another player who has not arrived, and a split that adds up."""
        near = _victims(at)
        if self.target not in near:
            return META.problem("no-such-target", self._why_not(at), "GR-H7", "target", near)
        crew, (engine, chassis) = at.of(Seat(self.target)), self._split(at)
        parts = min(at.config.amount(self.plays), crew.parts)
        if engine + chassis != parts:
            split = f"engine {engine} chassis {chassis} is {engine + chassis}"
            message = f"{self.target} loses {count(parts, 'part')}, but {split}"
        elif engine > crew.engine or chassis > crew.chassis:
            message = f"{self.target} has engine {crew.engine} and chassis {crew.chassis}"
        else:
            return None
        fitting = min(parts, crew.engine)
        splits = (replace(self, engine=fitting, chassis=parts - fitting).text(),)
        return META.problem("does-not-add-up", message, "GR-K1", "loss", splits)

    def _split(self, at: Here) -> tuple[int, int]:
        """Return how many parts engine and chassis lose: as the order says, or else the engine first."""
        crew = at.of(Seat(self.target))
        return engine_first(self, min(at.config.amount(self.plays), crew.parts), crew.engine)

    def _why_not(self, at: Here) -> str:
        if self.target == at.seat:
            return f"{at.seat} would harm itself: a {self.plays.words} needs another seat"
        if self.target not in at.config.seats:
            return f"{self.target} is not a seat of this game"
        has_arrived = at.of(Seat(self.target)).arrival is not None
        return f"{self.target} {'is in the finish city' if has_arrived else 'has no parts left to lose'}"

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, _victims(at))

    def aim(self, at: Here) -> dict[str, Any]:
        engine, chassis = self._split(at)
        return {"target": Seat(self.target), "engine": engine, "chassis": chassis}

    @staticmethod
    def done(state: State, threat: Threat) -> Any:
        assert threat.target is not None
        return happened.PartsLost(seat=threat.target, engine=threat.engine, chassis=threat.chassis)

    @staticmethod
    def flaws(config: Config, state: State, threat: Threat) -> Iterator[Flaw]:
        target = threat.target
        if target is None or target == threat.seat or state.of(target).arrival is not None or threat.spaces:
            yield Flaw(f"a {threat.card.words} needs another player who has not arrived", "GR-H7")
        elif threat.engine > state.of(target).engine or threat.chassis > state.of(target).chassis:
            yield Flaw(f"{target} does not have that many parts to lose", "GR-K1")


def _victims(at: Here) -> tuple[Seat, ...]:
    """Return the seats that a Saboteur of ``seat`` can harm."""
    crews = (at.of(other) for other in at.config.seats if other != at.seat)
    return tuple(crew.seat for crew in crews if crew.arrival is None)


DANGERS: Final[dict[CardId, type[Danger]]] = {
    CardId.TRACKER: PlayTracker,
    CardId.CHEATER: PlayCheater,
    **dict.fromkeys(HARMS, PlaySaboteur),
}
"""The danger cards, which a guard can cancel (GR-K4)."""


# Answering one


class Cancel(RaceOrder):
    """Cancel the danger card on the table with an escort or a Ranger, the ``guard``."""

    examples = ("CANCEL with ranger",)

    words = "CANCEL with {0.guard}"
    guard: str

    def refusal(self, at: Here) -> Problem | None:
        """GR-K4: require an escort or a Ranger of the seat."""
        return check_help(at, self.guard, "guard", ("ACCEPT",))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        yield from (cls("escort"), cls("ranger"))

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield from _cancel(at.seat, Help(self.guard))


class Accept(RaceOrder):
    """Let the danger card on the table happen."""

    examples = ("ACCEPT",)

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield DangerAccepted(seat=at.seat)


def react_on(at: Here, _chance: Chance) -> Moves:
    """Ask the next seat that may cancel the card; when all have let it happen, carry it out."""
    threat = at.state.pending_as(Threat)
    if not threat.left:
        at = yield DangerDone()
        yield DANGERS[threat.card].done(at.state, threat)
        return
    seat = threat.left[0]
    crew = at.of(seat)
    if crew.to_cards is None and (crew.hand or crew.active.escort):
        yield ReactionAsked(seat=seat)
        return
    guard = _standing_guard(crew, crew.to_cards, threat)
    if guard is None:
        yield DangerAccepted(seat=seat)
    else:
        yield from _cancel(seat, guard)


def _standing_guard(crew: Crew, reaction: Reaction | None, threat: Threat) -> Help | None:
    """Return the guard that a standing answer uses against ``threat``."""
    parts = threat.engine + threat.chassis if threat.target == crew.seat else 0
    helps = () if reaction is None else reaction.against(parts)
    return next((guard for guard in helps if crew.has(guard)), None)


def _cancel(seat: Seat, guard: Help) -> Moves:
    yield give_guard(seat, guard, "GR-K4")
    yield CardCancelled(seat=seat, guard=guard)
