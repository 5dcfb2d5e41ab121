"""Order the turns of a car: its speeds, a turn round, and whether it lets others overtake (RR-M, RR-O1)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any

from adjudicator.core.unknown import UnknownChance, UnknownError
from adjudicator.game import Chance, Moves, Order, Part, Problem, Seat, Spent, listed, replace, suggest
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import table_events as marks
from adjudicator.games.rally_round.components import CardId, Does
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import AT_CONTROL, drive, landing, move, others_of, outcome, take
from adjudicator.games.rally_round.kits import check_has_kit, numbered
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.speeds import FASTEST, FASTEST_NAMED, meant_speed, speeds_here
from adjudicator.games.rally_round.state import Crew, Here, course, on_course
from adjudicator.games.rally_round.way import NoWay, Turn, targets, way_ahead


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
    speed: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    then: tuple[int, ...] = ()
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

    @classmethod
    def read(cls, children: list[Any]) -> Speed:
        given: dict[str, list[Any]] = {}
        for name, value in filter(None, children):
            given.setdefault(name, []).append(value)
        to, using = given.get("section", [None])[0], given.get("using", [None])[0]
        first, *then = given["step"]
        return cls(first, tuple(given.get("via", ())), using, tuple(then), to, given.get("lands", [""])[0])

    def text(self) -> str:
        steps = ("/" if step == AT_CONTROL else str(step) for step in (self.speed, *self.then))
        ways = (f"via {name.upper() if re.search('[0-9]', name) else name}" for name in self.via)
        card = (f"using {self.using}",) if self.using else ()
        lands = (self.lands,) if self.lands else ()
        return " ".join(("SPEED" if self.to is None else f"TC{self.to}:", *steps, *ways, *card, *lands))

    def wrong(self, config: Config) -> Problem | None:
        """RR-M1: possible speeds, one turn a line if it names a way or a card, places of the map, cards of the game."""
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
                meant = suggest(name, (*network.named, *network.squares)) or _squares_like(config, name)
                return META.problem("no-such-place", words, "RR-M6", numbered("via", number), meant)
        if self.using is not None and self.using not in config.hazards:
            message = f"the game has no hazard card {self.using}"
            return META.problem("no-such-card", message, "RR-C3", "hazard_card", config.hazards, self.using)
        return None

    def check(self, at: Here) -> Problem | None:
        """Refuse a line that the crew cannot drive, and if the option says so one with illegal speeds (RR-M4)."""
        crew, laid = at.own, course(at.config, at.state)
        problem = check_has_kit(laid, crew) or self._check_control(laid, crew) or self._check_card(crew)
        problem = problem or check_way(laid, crew, self.turn)
        if problem is not None or not laid.rejects:
            return problem
        if self.then and not laid.is_table:
            return self._why_refused(at)
        legal = speeds_here(laid, crew, self.via, self.using)
        if self.speed in legal:
            return None
        return _refused(happened.SpeedRefused(seat=at.seat, speed=self.speed, least=legal[0], most=legal[-1]), 0)

    def _check_control(self, config: Config, crew: Crew) -> Problem | None:
        """Refuse a line that names a control of another section than the crew is in."""
        if self.to is None:
            return None
        section = config.sections[len(crew.lines)]
        if any(self.to == post.number for post in section.posts[crew.met :]):
            return None
        message = f"the next time control is {section.end.name}, not number {self.to}"
        again = replace(self, to=section.end.number).text()
        return META.problem("wrong-control", message, "RR-H2", "section", (again,))

    def _check_card(self, crew: Crew) -> Problem | None:
        """Refuse a hazard card that the crew has not kept (RR-F8)."""
        if self.using is None or self.using in crew.held:
            return None
        held = f"only {listed(crew.held)}" if crew.held else "no hazard card"
        return META.problem("card-not-held", f"you have kept {held}, and cannot use {self.using}", "RR-F8", "hazard_card")

    def _why_refused(self, at: Here) -> Problem | None:
        """Return why the option refuses the illegal line (RR-M4); the hazard pack is never a reason."""
        step = -1
        with suppress(UnknownError):
            for event, _ in outcome(at, drive(at, self.turn, self.then, UnknownChance())):
                step = step_of(event, self.steps, step)
                if refused := _refused(event, step):
                    return refused
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        crew = at.own
        for using in (None, *crew.held) if crew.has_kit() else ():
            yield from (cls(speed, using=using) for speed in range(10, FASTEST_NAMED + 1, 10))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        illegal = self._illegal(course(at.config, at.state), at.own)
        if at.config.is_table:
            return illegal or None
        why, turns = list(illegal), 0
        try:
            for event, _ in outcome(at, drive(at, self.turn, self.then, UnknownChance())):
                turns += isinstance(event, happened.Driven | happened.SpeedRefused)
                why += event.why if isinstance(event, Spent) else ()
        except UnknownError:
            if turns < sum(map(bool, self.steps)):
                return None
        return tuple(why)

    def _illegal(self, config: Config, crew: Crew) -> tuple[Part, ...]:
        """Return the effect of an illegal speed, which costs no marks by itself (RR-M4); nothing for a legal one."""
        legal = speeds_here(config, crew, self.via, self.using)
        if self.speed in legal:
            return ()
        may = f"{legal[0]} to {legal[-1]} mph are" if len(legal) > 1 else f"only {legal[0]} mph is"
        return (Part(0, f"a missed turn: {may} legal here", "RR-M4"),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        if not at.config.is_table:
            return (yield from drive(at, self.turn, self.then, chance))
        return (yield from _announce(on_course(at), self.turn, chance))

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

    def text(self) -> str:
        return "TURN ROUND"

    def check(self, at: Here) -> Problem | None:
        return check_has_kit(at.config, at.own)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        yield from (cls(),) if at.own.has_kit() else ()

    def decide(self, at: Here, chance: Chance) -> Moves:
        at = yield happened.TurnedRound(seat=at.seat)
        return (yield marks.TurnTaken(seat=at.seat)) if at.config.is_table else at


class Block(Order):
    """Say whether to let others overtake, with a card against it: ``always`` or ``never`` block, or ``ask`` each time.

    A crew that chose ``ask`` answers each question: ``yes`` blocks, ``no`` lets the other crew pass.
    """

    examples = ("BLOCK never", "BLOCK ask")
    when: str

    def check(self, at: Here) -> Problem | None:
        """RR-O1: an answer to the crew that asks, or another standing answer of a crew with a card against overtaking."""
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
        if not crew.rights(at.config).can(Does.UNOVERTAKEN) or self.when == now:
            return META.problem(
                "nothing-to-block", "you have no card to block with, or this is already your answer", "RR-O1"
            )
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, ("always", "never", "ask", "yes", "no"))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return None if at.state.announced is not None else ()

    def decide(self, at: Here, chance: Chance) -> Moves:
        """RR-O1: set the standing answer of ``seat``, and carry out the announced move, if there is one."""
        waiting, is_on = at.state.announced, self.when in ("always", "yes")
        if self.when in ("always", "never", "ask"):
            # A crew that wants to be asked has not given way in advance: its card still blocks.
            at = yield marks.BlockSet(seat=at.seat, is_on=self.when != "never", is_asking=self.when == "ask")
        if waiting is None:
            return at
        at = yield marks.BlockAnswered(seat=at.seat, is_on=is_on)
        mover = on_course(replace(at, seat=waiting.mover))
        free, held_by = (waiting.free, at.seat) if is_on else ((*waiting.free, at.seat), None)
        return (yield from _announce(mover, waiting.turn, chance, free, held_by))


def _announce(at: Here, turn: Turn, chance: Chance, free: tuple[Seat, ...] = (), held_by: Seat | None = None) -> Moves:
    """Yield the question of ``at.seat`` whether another crew blocks its ``turn``, or without such a crew drive the turn.

    The position is ``on_course``.
    """
    by = None if held_by else who_is_asked(at, turn, free)
    if by is not None:
        return (
            yield marks.BlockAsked(
                seat=at.seat, by=by, speed=turn.speed, via=turn.via, using=turn.using, lands=turn.lands, free=free
            )
        )
    yield from take(at.config, at, at.seat, turn, chance, held_by)
    return (yield marks.TurnTaken(seat=at.seat))


def who_is_asked(at: Here, turn: Turn, free: Collection[Seat] = ()) -> Seat | None:
    """Return the crew to ask whether ``at.seat`` may overtake it (RR-O1), ``None`` if the answer makes no difference.

    The position is ``on_course``. Those in ``free`` have let it pass.
    """
    config, crews = at.config, at.state.crews
    asking = [crew.seat for crew in crews if crew.is_asking]
    if not asking:
        return None
    asking = [other for other in asking if other != at.seat and other not in free]
    if not asking or turn.speed > FASTEST:
        return None
    crew = at.own
    car, rights = crew.car(config), crew.rights(config, turn.using)
    if turn.speed not in speeds_here(config, crew, turn.via, turn.using):
        return None
    way = way_ahead(config, car, turn.speed // 10 + len(crews) - 1, turn.via)
    blocked, let = (others_of(config, at.state, at.seat, blocks) for blocks in (asking, ()))
    held = landing(config, turn, way, blocked).held
    by = None if held is None else blocked.blocked[held]
    if by not in asking:
        return None
    moves = [move(config, at.seat, car, rights, turn, way, others)._replace(told=()) for others in (blocked, let)]
    return by if moves[0] != moves[1] else None


def check_way(config: Config, crew: Crew, turn: Turn) -> Problem | None:
    """Refuse a way that no car can drive from where it stands (RR-M6)."""
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


def step_of(event: Any, steps: Sequence[int], before: int) -> int:
    """Return which of ``steps``, all speeds of a line, led to ``event``; the event before it came of step ``before``."""
    if isinstance(event, happened.LineDropped):
        return len(steps) - len(event.speeds)
    if isinstance(event, happened.SpeedRefused | happened.Driven):
        return next((step for step in range(before + 1, len(steps)) if steps[step] == event.speed), before)
    return before


def _refused(event: Any, step: int) -> Problem | None:
    """Return why the option refuses the line whose ``step`` led to ``event``: its speed is illegal (RR-M4)."""
    part = numbered("miles", step)
    if isinstance(event, happened.SpeedRefused):
        may = f"{event.least} to {event.most}" if event.most > event.least else f"only {event.least}"
        message = f"{event.speed} mph is illegal there: {may} mph"
        near = str(event.most if event.speed > event.most else event.least)
        return META.problem("illegal-speed", message, "RR-M4", part, (near,))
    if isinstance(event, happened.LineDropped) and event.rule == "RR-M4":
        message = f"the car must stop before the turn at {event.speeds[0]} mph, which is not a legal Starting Speed"
        return META.problem("illegal-speed", message, "RR-M4", part)
    return None


def _squares_like(config: Config, name: str) -> tuple[str, ...]:
    """Return squares that a name such as ``q99`` may mean: the last ones of that column."""
    column = name.upper().rstrip("0123456789")
    return tuple(square for square in config.network.squares if square.rstrip("0123456789") == column)[-2:]
