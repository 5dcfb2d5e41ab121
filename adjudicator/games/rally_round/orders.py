"""The orders: lay the route (RR-L), choose a kit (RR-K), drive (RR-M), block others (RR-O1); and their grammar."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Final

from adjudicator.core.chance import UnknownChance
from adjudicator.game import (
    Chance,
    Flaw,
    Given,
    Moves,
    Order,
    Part,
    Problem,
    Said,
    Seat,
    Spent,
    Term,
    listed,
    piles,
    replace,
    suggest,
)
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.components import (
    PREFIXES,
    CardId,
    Control,
    Does,
    HazardId,
    Kind,
    KitId,
    MarkerSquare,
    Side,
    SquareId,
    Timing,
)
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import AT_CONTROL, drive, look_ahead, take, take_or_ask
from adjudicator.games.rally_round.laying import Markers, leg_to, wrong_marker
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.route import NO_REGULARITY, REGULARITIES, post_of
from adjudicator.games.rally_round.state import Crew, Here, State, course, on_course
from adjudicator.games.rally_round.way import FASTEST_NAMED, NoWay, Turn, meant_speed, targets, way_ahead

_Step = Annotated[int, Said(lambda _config, step: "/" if step == AT_CONTROL else str(step))]
_Via = Annotated[str, Said(lambda _config, name: name.upper() if re.search("[0-9]", name) else name)]


def numbered(part: str, number: int) -> str:
    """Return the name of the ``part`` of an order with that ``number``, from 0, for a problem."""
    return f"{part}:{number}" if number else part


# The route of a table ------------------------------------------------------------------------------------------------------


class _End(Order):
    """Put an end of the route on ``square``, which is chequered."""

    square: MarkerSquare

    def check(self, at: Here) -> Problem | None:
        """RR-L1: a free chequered square."""
        free = chequered(at.config, at.state)
        if self.square in free:
            return None
        message = f"{self.square} is not a free chequered square: choose {listed(free, 'or')}"
        return META.problem("not-chequered", message, "RR-L1", "square", tuple(free))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, chequered(at.config, at.state))


class Start(_End):
    """Put the start on ``square``."""

    examples = ("START at A4",)
    template = "START at {square}"

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.StartChosen(seat=at.seat, square=self.square))


class Finish(_End):
    """Put the finish on ``square``."""

    examples = ("FINISH at G16",)
    template = "FINISH at {square}"

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.FinishChosen(seat=at.seat, square=self.square))


def chequered(config: Config, state: State) -> list[SquareId]:
    """Return the chequered squares that are free for the start, or for the finish (RR-L1)."""
    taken = {control.square for control in state.controls}
    return [square for square in config.chequered if square not in taken]


class Place(Order):
    """Place a marker.

    ``what`` is ``tc``, ``pc`` or ``blackspot``; cars enter a control from ``side``; its ``number`` is optional.
    A TC ends a road section unless ``section`` names another kind; a regularity has a ``speed`` in mph.
    """

    examples = (
        "PLACE BLACKSPOT at D6",
        "PLACE PC at E3 from N",
        "PLACE TC4 at K2 from S regularity 24",
        "PLACE TC at T8 from S selective",
    )
    template = "PLACE {marker} at {square}[ from {side}][ {section}][ {speed}]"
    what: str
    square: MarkerSquare
    side: str | None = None
    section: str | None = None
    speed: int | None = None
    number: int | None = None

    @property
    def marker(self) -> str:
        """Its name, such as `TC4`."""
        return f"{self.what.upper()}{self.number or ''}"

    @classmethod
    def read(cls, children: list[Any]) -> Place:
        (what, number, named), square, side, (section, speed) = (*children[:3], children[3] or (None, None))
        sections = " ".join(dict.fromkeys(filter(None, (named, section))))  # several of them: ``wrong`` refuses it
        return cls(what, square, side, sections or None, speed, number)

    def wrong(self, config: Config) -> Problem | None:
        is_timed, is_bare = self.what == "tc", not (self.section or self.speed)
        if (not is_timed and not is_bare) or (self.what == "blackspot" and (self.side or self.number)):
            message = "only a TC ends a section, and a Black Spot has no side and no number"
            return META.problem("no-section", message, "RR-L2")
        if self.section and self.section not in {*Timing}:
            named, said = self.section.split()
            message = f"{PREFIXES[Timing(named)]} ends a {named} section, not a {said} section"
            near = "regularity 24" if named == Timing.REGULARITY else named
            return META.problem("two-kinds", message, "RR-C4", "kind", (near,))
        if (self.section == "regularity") is (self.speed is None) or (self.speed and self.speed not in REGULARITIES):
            return META.problem("no-such-speed", NO_REGULARITY, "RR-T4", "kind", ("regularity 24",))
        if self.section and (self.section == "stage") is not config.is_stage_rally:
            return META.problem("other-rally", "only a stage rally has stages, and it has nothing else", "RR-T6", "kind")
        sides = config.network.sides(self.square)
        if self.what == "blackspot" or self.side in sides:
            return None
        told, part = (f", not from {self.side}", "side") if self.side else (": say from which side", "")
        message = f"cars can enter {self.square} from {listed(sides, 'or')}{told}"
        return META.problem("wrong-side", message, "RR-L3", part, tuple(f"from {side}" for side in sides))

    def flaw(self, config: Config, markers: Markers) -> Flaw | None:
        """Return why it is wrong beside the other ``markers``, ``None`` if it is legal."""
        return wrong_marker(config, markers, self.what, self.square, self.side)

    def check(self, at: Here) -> Problem | None:
        """RR-L3: a correct marker, if the option says so; a number must be that of the next control."""
        flaw = self.flaw(at.config, at.state.markers) if at.config.rejects_markers else None
        if flaw is not None:
            return META.problem("wrong-marker", flaw.message, flaw.rule, "square")
        due = at.state.number_due
        if self.number in (None, due):
            return None
        return META.problem("wrong-number", f"the next control is number {due}", "RR-L1", "marker")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return places(at.config)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        flaw = None if at.config.rejects_markers else self.flaw(at.config, at.state.markers)
        return () if flaw is None else (Part(0, f"a wrong marker, which loses the turn: {flaw.message}", flaw.rule),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        flaw = self.flaw(at.config, at.state.markers)
        if flaw is not None:
            return (yield happened.MarkerRemoved(seat=at.seat, square=self.square, why=flaw.message, rule=flaw.rule))
        if self.what == "blackspot":
            return (yield happened.BlackSpotPlaced(seat=at.seat, square=self.square))
        timing, side = None, Side(self.side or "")
        if self.what == "tc":
            timing = Timing.STAGE if at.config.is_stage_rally else Timing(self.section or Timing.ROAD)
        control = Control(square=self.square, side=side, section=timing, speed=self.speed)
        return (
            yield happened.ControlPlaced(
                seat=at.seat,
                name=post_of(at.state.number_due, control).name,
                square=self.square,
                side=side,
                section=timing,
                speed=self.speed,
                distance=leg_to(at.config, at.state.markers, self.square, side).ways.distance,
            )
        )


class Pass(Order):
    """Place no marker."""

    examples = ("PASS",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.MarkerPassed(seat=at.seat))


def places(config: Config) -> Iterator[Place]:
    """Yield a marker of every kind on every square, from every side."""
    network = config.network
    for square, others in network.links.items():
        yield Place("blackspot", square)
        for other in others:
            side = str(network.side(square, other))
            yield Place("pc", square, side)
            yield Place("tc", square, side)


# Kits ----------------------------------------------------------------------------------------------------------------------


class Pick(Order):
    """Take the kit ``card``, and ``then`` others; at a table the others wait for the next rounds."""

    examples = ("PICK D3", "KIT D1 N1 E4 S2 A2 B5")
    template = "[KIT {card} {then}|PICK {card}]"
    card: KitId
    then: tuple[KitId, ...] = ()

    def check(self, at: Here) -> Problem | None:
        """RR-K1: one card of each kind, none exchanged, and at a table none that another crew has taken."""
        config, crew, cards = at.config, at.own, (self.card, *self.then)

        def chosen_before(number: int) -> Problem:
            free = choosable(config, at.state, crew)
            named = [card for card in self.then if card in free]
            message = f"your kit already has {cards[number]}; it still needs {_needed(config, crew)}"
            return META.problem("one-of-a-kind", message, "RR-K1", numbered("card", number), tuple(named or free)[:6])

        holders = {card: other.seat for other in at.state.crews for card in other.kit} if config.is_table else {}
        if self.card in holders:  # of a kit that is sent again, blame the card that another crew has taken
            gone = next((number for number, card in enumerate(cards) if holders.get(card, crew.seat) != crew.seat), None)
            if gone is None:
                return chosen_before(0)
            kind = config.kit[cards[gone]].kind
            free = tuple(card for card in cards_left(config, at.state) if config.kit[card].kind is kind)
            message = f"{holders[cards[gone]]} has taken {cards[gone]}: choose {listed(free, 'or')}"
            return META.problem("card-taken", message, "RR-K1", numbered("card", gone), free)
        if crew.has_kit():
            return META.problem("kit-complete", "your kit is complete, and you cannot exchange cards", "RR-K1", "card")
        kinds = Counter(config.kit[card].kind for card in crew.kit)
        for number, card in enumerate(cards):
            kind = config.kit[card].kind
            kinds[kind] += 1
            if kinds[kind] > 1:
                if card in crew.kit:
                    return chosen_before(number)
                others = (other for other in (*crew.kit, *cards) if config.kit[other].kind is kind)
                message = f"a kit has one {kind} card: {listed(dict.fromkeys(others))} are too many"
                return META.problem("one-of-a-kind", message, "RR-K1", numbered("card", number))
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, choosable(at.config, at.state, at.own))

    def rest(self, at: Here) -> Pick | None:
        # At a table the engine carries out a kit one turn at a time.
        return Pick(self.then[0], self.then[1:]) if self.then and at.config.is_table else None

    def decide(self, at: Here, chance: Chance) -> Moves:
        for card in (self.card,) if at.config.is_table else (self.card, *self.then):
            at = yield happened.CardPicked(seat=at.seat, card=card)
        return at


class Choose(Order):
    """Choose a lone player's own crew."""

    examples = ("CHOOSE red",)
    crew: Seat

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, at.state.order)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.CrewChosen(seat=self.crew))


def cards_left(config: Config, state: State) -> list[CardId]:
    """Return the kit cards that no crew at the table has taken."""
    return piles.left_in(config.kit, (card for crew in state.crews for card in crew.kit))


def choosable(config: Config, state: State, crew: Crew) -> list[CardId]:
    """Return the cards that ``crew`` may still choose; by internet each crew has all cards to choose from."""
    free, kinds = cards_left(config, state) if config.is_table else config.kit, crew.missing(config)
    return [card for card in free if config.kit[card].kind in kinds]


def check_has_kit(config: Config, crew: Crew) -> Problem | None:
    """Refuse to let ``crew`` drive before its kit is complete."""
    if crew.has_kit():
        return None
    first = {card.kind: card.id for card in reversed(config.components.kit)}
    cards = [first[kind] for kind in crew.missing(config)]
    message = f"first complete the kit: it still needs {_needed(config, crew)}"
    return META.problem("kit-first", message, "RR-K1", near=(Pick(cards[0], tuple(cards[1:])).text(),))


def _needed(config: Config, crew: Crew) -> str:
    """Return the cards that the kit of ``crew`` still needs, as text."""
    return listed(f"{'an' if kind in (Kind.EQUIPMENT, Kind.ACCEL) else 'a'} {kind} card" for kind in crew.missing(config))


# Turns ---------------------------------------------------------------------------------------------------------------------


class Speed(Order):
    """Drive a turn at ``speed`` mph, ``then`` at others, one a turn; ``to`` is the number of the control they lead to.

    ``via``, ``using`` and ``lands`` are those of the first ``Turn``. A 0 among the other speeds is a missed turn,
    ``AT_CONTROL`` a PC.
    """

    examples = (
        "SPEED 40",
        "SPEED 40 via mill lane",
        "SPEED 30 via D10 via mill lane using H7",
        "SPEED 40 behind",
        "SPEED 10 20 30",
        "TC3: 10 20 30 30 30",
        "TC5: 10 30 / 20 30 20",
    )
    template = "[TC{to}:|SPEED] {speed}[ {then}][ via {via: via }][ using {using}][ {lands}]"
    speed: _Step
    then: tuple[_Step, ...] = ()
    via: tuple[_Via, ...] = ()
    using: HazardId | None = None
    to: int | None = None
    lands: str = ""

    @property
    def turn(self) -> Turn:
        """Its first turn."""
        return Turn(self.speed, self.via, self.using, self.lands)

    @property
    def steps(self) -> tuple[int, ...]:
        """All its speeds, 0 for a missed turn."""
        return tuple(step for step in (self.speed, *self.then) if step != AT_CONTROL)

    def wrong(self, config: Config) -> Problem | None:
        """RR-M1: possible speeds, one turn a line if it names a way or a card, places of the map."""
        if self.speed in (0, AT_CONTROL):
            part = "miles" if self.speed == 0 else "passage"
            return META.problem("no-speed", "begin a line with a speed of at least 10 mph", "RR-M1", part, ("10",))
        for number, speed in enumerate(self.steps):
            if speed % 10 or speed > FASTEST_NAMED:
                message = f"no car can drive {speed} mph: use multiples of 10, up to {FASTEST_NAMED}"
                return META.problem("no-such-speed", message, "RR-M1", numbered("miles", number), (meant_speed(speed),))
        if self.lands and not config.is_table:
            return META.problem("alone", "by internet no other car is in the way", "RR-H4", "lands")
        if self.then and (self.via or self.using or self.lands):
            message = "a way or a card belongs to one speed: write each turn on a separate line"
            return META.problem("one-at-a-time", message, "RR-M6", "via" if self.via else "hazard_card")
        for number, name in enumerate(self.via):
            if not targets(config.network, name):
                words, network = f"the map has no square, place or road “{name}”", config.network
                column = name.upper().rstrip("0123456789")  # of `q99`, the last squares of that column
                like = [square for square in network.squares if square.rstrip("0123456789") == column][-2:]
                meant = suggest(name, (*network.named, *network.squares)) or tuple(like)
                return META.problem("no-such-place", words, "RR-M6", numbered("via", number), meant)
        return None

    def check(self, at: Here) -> Problem | None:
        """Refuse a line that the crew cannot drive, and if the option says so one with illegal speeds (RR-M4)."""
        crew, laid = at.own, course(at.config, at.state)
        problem = check_has_kit(laid, crew)
        if problem is not None:
            return problem
        if self.to is not None:
            section = laid.sections[len(crew.lines)]
            if all(self.to != post.number for post in section.posts[crew.met :]):
                message = f"the next time control is {section.end.name}, not number {self.to}"
                again = replace(self, to=section.end.number).text()
                return META.problem("wrong-control", message, "RR-H2", "section", (again,))
        if self.using is not None and self.using not in crew.held:
            held = f"only {listed(crew.held)}" if crew.held else "no hazard card"
            message = f"you have kept {held}, and cannot use {self.using}"
            return META.problem("card-not-held", message, "RR-F8", "hazard_card")
        problem = check_way(laid, crew, self.turn)
        if problem is not None or not laid.rejects:
            return problem
        no_one = UnknownChance()
        moves = take(on_course(at), self.turn, no_one) if laid.is_table else drive(at, self.turn, self.then, no_one)
        for step, event, _ in look_ahead(at, moves, self.steps):
            part = numbered("miles", step)
            if isinstance(event, happened.SpeedRefused):
                message = f"{event.speed} mph is illegal there: {event.may} mph"
                return META.problem("illegal-speed", message, "RR-M4", part, (event.nearest,))
            if isinstance(event, happened.LineDropped) and event.rule == "RR-M4":
                message = f"the car must stop before the turn at {event.speeds[0]} mph, which is not a legal Starting Speed"
                return META.problem("illegal-speed", message, "RR-M4", part)
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        crew = at.own
        for using in (None, *crew.held) if crew.has_kit() else ():
            yield from (cls(speed, using=using) for speed in range(10, FASTEST_NAMED + 1, 10))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        """Return the marks, without any for an illegal speed (RR-M4); ``None`` if a hazard card decides."""
        legal = at.own.legal_speeds(course(at.config, at.state), self.via, self.using)
        why: list[Part] = []
        if self.speed not in legal:
            may = f"{legal[0]} to {legal[-1]} mph are" if len(legal) > 1 else f"only {legal[0]} mph is"
            why.append(Part(0, f"a missed turn: {may} legal here", "RR-M4"))
        if at.config.is_table:
            return tuple(why) or None
        for step, event, _ in look_ahead(at, drive(at, self.turn, self.then, UnknownChance()), self.steps):
            if event is None and any(self.steps[step + 1 :]):
                return None
            why += event.why if isinstance(event, Spent) else ()
        return tuple(why)

    def decide(self, at: Here, chance: Chance) -> Moves:
        if at.config.is_table:
            return take_or_ask(on_course(at), self.turn, chance)
        return drive(at, self.turn, self.then, chance)

    def rest(self, at: Here) -> Speed | None:
        # At a table the engine carries out a line of speeds one turn at a time.
        if not self.then or not at.config.is_table or at.state.is_over(at.config):
            return None
        crew, left, waiting = at.own, self.then, at.state.announced
        for _ in range(crew.lost):
            left = left[1:] if left[:1] == (0,) else left
        left = tuple(step for number, step in enumerate(left) if number or step != AT_CONTROL)
        is_waiting = waiting is not None and waiting.mover == at.seat
        if not left or not (crew.speeds or is_waiting):  # the section is over
            return None
        end = course(at.config, at.state).sections[len(crew.lines)].end.number if is_waiting else None
        return Speed(left[0], then=left[1:], to=self.to or end)


class TurnRound(Order):
    """Miss a turn and face the other way."""

    examples = ("TURN ROUND",)
    template = "TURN ROUND"

    def check(self, at: Here) -> Problem | None:
        return check_has_kit(at.config, at.own)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        yield from (cls(),) if at.own.has_kit() else ()

    def decide(self, at: Here, chance: Chance) -> Moves:
        at = yield happened.TurnedRound(seat=at.seat)
        return (yield happened.TurnTaken(seat=at.seat)) if at.config.is_table else at


class Block(Order):
    """Say whether to let others overtake, with a card against it: ``always`` or ``never`` block.

    Before version 4 a crew could ``ask`` to be asked, and answer ``yes`` or ``no``: see ``take_or_ask``.
    """

    examples = ("BLOCK never", "BLOCK always")
    when: str

    def wrong(self, config: Config) -> Problem | None:
        if self.when != "ask" or config.version < 4 or not config.is_table:
            return None
        message = "no crew is asked each time: choose BLOCK always or BLOCK never"
        return META.problem("no-such-answer", message, "RR-O1", "blocking", ("always", "never"))

    def check(self, at: Here) -> Problem | None:
        """RR-O1: another standing answer than the present one, of a crew with a card against overtaking."""
        crew, waiting = at.own, at.state.announced
        if waiting is not None:
            if self.when == "ask":
                message = "a crew is asking now: answer BLOCK yes, or BLOCK no"
                return META.problem("answer-first", message, "RR-O1", "blocking", ("yes", "no"))
            return check_way(course(at.config, at.state), at.of(waiting.mover), waiting.turn)
        if self.when in ("yes", "no"):
            near = ("always" if self.when == "yes" else "never",)
            return META.problem("nothing-asked", "no crew asks to overtake now", "RR-O1", "blocking", near)
        now = "ask" if crew.is_asking else "always" if crew.is_blocking else "never"
        if not at.config.rights(crew.kit).can(Does.UNOVERTAKEN) or self.when == now:
            message = "you have no card to block with, or this is already your answer"
            return META.problem("nothing-to-block", message, "RR-O1")
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, ("always", "never", "ask", "yes", "no"))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return None if at.state.announced is not None else ()

    def decide(self, at: Here, chance: Chance) -> Moves:
        if self.when in ("always", "never", "ask"):
            # A crew that wants to be asked has not given way in advance: its card still blocks.
            at = yield happened.BlockSet(seat=at.seat, is_on=self.when != "never", is_asking=self.when == "ask")
        waiting, blocks = at.state.announced, self.when in ("always", "yes")
        if waiting is None:
            return at
        at = yield happened.BlockAnswered(seat=at.seat, is_on=blocks)
        mover = on_course(replace(at, seat=waiting.mover))
        free, held_by = (waiting.free, at.seat) if blocks else ((*waiting.free, at.seat), None)
        return (yield from take_or_ask(mover, waiting.turn, chance, free, held_by))


def check_way(config: Config, crew: Crew, turn: Turn) -> Problem | None:
    """Refuse a way that no car can drive from its square (RR-M6)."""
    try:
        ahead = way_ahead(config, crew.car(config), 1, turn.via)
    except NoWay as none:
        number, words = turn.via.index(none.name), none.words
        if none.tracks:
            needs = "" if config.rights(crew.kit, turn.using).can(Does.HIDDEN_TRACK) else ", with a card for hidden tracks"
            words = f"{words}; {listed(none.tracks, 'or')} leads there{needs}"
        return META.problem("no-way", words, "RR-M6", numbered("via", number), (*none.tracks, "TURN ROUND"))
    if ahead:
        return None
    return META.problem("dead-end", "the road ends here", "RR-M6", "", ("TURN ROUND",))


# The grammar ---------------------------------------------------------------------------------------------------------------


ORDERS: Final = (Pick, Speed, TurnRound, Start, Finish, Place, Pass, Choose, Block)
_NUMBER: Final = re.compile(r"[0-9]+")
_SECTIONS: Final = {"stc": Timing.SELECTIVE, "rtc": Timing.REGULARITY, "ssf": Timing.STAGE}
"""The section that the letters of a time control name; the letters TC name none (RR-C4)."""


def _marker(children: list[Any]) -> tuple[str, int | None, str | None]:
    """Read a marker, its number, and the section that its letters name."""
    letters, number = _NUMBER.sub("", children[0]).replace(" ", "").lower(), _NUMBER.search(children[0])
    what = letters if letters in ("pc", "blackspot") else "tc"
    return what, int(number[0]) if number else None, _SECTIONS.get(letters)


def _kind(children: list[Any]) -> tuple[str | None, int | None]:
    section, speed = children if len(children) > 1 else (None, *children)
    return section and section.split()[0].lower(), int(speed) if speed else None


TERMS: Final = {
    "card": Term("a card such as D3", lambda children: CardId(children[0].upper()), "RR-C3"),
    "section": Term("", lambda children: Given("to", int(_NUMBER.findall(children[0])[-1]))),
    "miles": Term("a speed such as 30", lambda children: int(children[0]), "RR-M1"),
    "passage": Term("", lambda _children: AT_CONTROL),
    "via": Term("", lambda children: Given("via", " ".join(children[0].lower().replace("’", "'").split()[1:]))),
    "lands": Term("", lambda children: Given("lands", children[0].lower())),
    "square": Term("a square such as K12", lambda children: children[0].upper(), "RR-C1"),
    "at": Term("", lambda children: children[0]),
    "side": Term("N, E, S or W", lambda children: children[0].split()[-1][:1].upper(), "RR-C4"),
    "marker": Term("TC, PC or BLACKSPOT", _marker, "RR-L1"),
    "kind": Term("", _kind),
    "crew": Term("a seat", lambda children: children[0].lower()),
    "blocking": Term("always or never", lambda children: children[0].lower(), "RR-O1"),
    "hazard_card": Term("a hazard card such as H7", lambda children: Given("using", CardId(children[0].upper())), "RR-F8"),
}
"""The parts of the grammar."""
