"""Order the turns of a car: its speeds, a turn round, and whether it lets others overtake (RR-M, RR-O1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from adjudicator.core.unknown import UnknownChance
from adjudicator.game import Chance, Moves, Order, Part, Problem, Said, Spent, listed, replace, suggest
from adjudicator.games.rally_round import asking
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.components import Does, HazardId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import AT_CONTROL, drive, look_ahead, take
from adjudicator.games.rally_round.kits import check_has_kit, numbered
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.state import Crew, Here, course, on_course
from adjudicator.games.rally_round.way import FASTEST_NAMED, NoWay, Turn, meant_speed, targets, way_ahead

_Step = Annotated[int, Said(lambda _config, step: "/" if step == AT_CONTROL else str(step))]
_Via = Annotated[str, Said(lambda _config, name: name.upper() if re.search("[0-9]", name) else name)]


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
        found = (_refused(event, step) for step, event, _ in look_ahead(at, moves, self.steps))
        return next(filter(None, found), None)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        crew = at.own
        for using in (None, *crew.held) if crew.has_kit() else ():
            yield from (cls(speed, using=using) for speed in range(10, FASTEST_NAMED + 1, 10))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        """Return the marks, without any for an illegal speed (RR-M4); ``None`` if a hazard card decides."""
        legal, why = at.own.legal_speeds(course(at.config, at.state), self.via, self.using), list[Part]()
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
            return asking.take_or_ask(on_course(at), self.turn, chance)
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

    Before version 4 a crew could ``ask`` to be asked, and answer ``yes`` or ``no``: see ``asking.py``.
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
        if waiting is not None or self.when in ("yes", "no"):
            problem = asking.check_answer(at, self.when)
            if problem is not None or waiting is None:
                return problem
            return check_way(course(at.config, at.state), at.of(waiting.mover), waiting.turn)
        now = "ask" if crew.is_asking else "always" if crew.is_blocking else "never"
        if not crew.rights(at.config).can(Does.UNOVERTAKEN) or self.when == now:
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
        if at.state.announced is None:
            return at
        return (yield from asking.answer(at, chance, is_on=self.when in ("always", "yes")))


def check_way(config: Config, crew: Crew, turn: Turn) -> Problem | None:
    """Refuse a way that no car can drive from its square (RR-M6)."""
    try:
        ahead = way_ahead(config, crew.car(config), 1, turn.via)
    except NoWay as none:
        number, words = turn.via.index(none.name), none.words
        if none.tracks:
            needs = "" if crew.rights(config, turn.using).can(Does.HIDDEN_TRACK) else ", with a card for hidden tracks"
            words = f"{words}; {listed(none.tracks, 'or')} leads there{needs}"
        return META.problem("no-way", words, "RR-M6", numbered("via", number), (*none.tracks, "TURN ROUND"))
    if ahead:
        return None
    return META.problem("dead-end", "the road ends here", "RR-M6", "", ("TURN ROUND",))


def _refused(event: Any, step: int) -> Problem | None:
    """Return why the option refuses the line whose ``step`` led to ``event``: its speed is illegal (RR-M4)."""
    part = numbered("miles", step)
    if isinstance(event, happened.SpeedRefused):
        message = f"{event.speed} mph is illegal there: {event.may} mph"
        return META.problem("illegal-speed", message, "RR-M4", part, (event.nearest,))
    if isinstance(event, happened.LineDropped) and event.rule == "RR-M4":
        message = f"the car must stop before the turn at {event.speeds[0]} mph, which is not a legal Starting Speed"
        return META.problem("illegal-speed", message, "RR-M4", part)
    return None
