"""Drive a car (RR-M, RR-F, RR-O1): from an order to its events, turn by turn and square by square.

``move`` is the only place that knows what a car meets. The engine carries out its events, the bot adds up their cost, and
the office compares them with a time sheet.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from adjudicator.core.chance import UnknownChance, UnknownError
from adjudicator.game import At, Chance, Event, Moves, Part, Seat, Spent, Value, piles, replace, total
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.components import (
    ROLLING,
    CardId,
    Does,
    Feature,
    HazardCard,
    Rights,
    Side,
    SquareId,
    Timing,
)
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.roads import Way
from adjudicator.games.rally_round.route import FAULT, MINUTE, RULES_OF_TIME, Post, flying_finish, posts_of, timed
from adjudicator.games.rally_round.state import Crew, Here
from adjudicator.games.rally_round.way import FASTEST, STANDARD, Car, Turn, legal_speeds, limit_at, rolled_trail, way_ahead

AT_CONTROL: Final = -1
"""The value for `/` in a line of speeds: there the car reaches a passage control."""
# A look-up in the enumeration takes twenty times as long, and moves need them for every square.
_GIVE_WAY, _QUIET, _FORD, _HAZARD = Feature.GIVE_WAY, Feature.QUIET, Feature.FORD, Feature.HAZARD
_STAGE, _ROAD = Timing.STAGE, Timing.ROAD


# Other cars ---------------------------------------------------------------------------------------------------------------


class Others(NamedTuple):
    """The other cars on the road: the squares ``taken``, and ``blocked``, the crews on them that let no one overtake."""

    taken: frozenset[SquareId] = frozenset()
    blocked: Mapping[SquareId, Seat] = {}


ALONE: Final = Others()
"""The road without other cars."""


def others_of(at: Here, way: Way, blocks: Collection[Seat] = ()) -> Others:
    """Return the other cars on the road of a table, and those on the ``way`` of ``at.seat`` that block (RR-O1, RR-H4).

    The position is ``on_course``. Of crews that want to be asked, those in ``blocks`` block.
    """
    config, state, seat = at.config, at.state, at.seat

    def lets_nobody_pass(crew: Crew) -> bool:
        if crew.guarded and crew.guarded == state.minute - (crew.seat in state.queue):
            return True  # the hazard card that it used holds until its next turn
        would_block = crew.seat in blocks if crew.is_asking else crew.is_blocking
        return would_block and config.rights(crew.kit).can(Does.UNOVERTAKEN)

    sections = len(config.sections)
    others = [
        crew
        for crew in state.crews
        if crew.seat != seat and crew.trail and not crew.is_off and crew.out is None and len(crew.lines) < sections
    ]
    blocked = {crew.trail[-1]: crew.seat for crew in others[::-1] if crew.trail[-1] in way and lets_nobody_pass(crew)}
    return Others(frozenset([crew.trail[-1] for crew in others]), blocked)


class Landing(Value):
    """The end of a move: after ``squares``; ``is_displaced`` by a taken square, or ``held`` by the car on one."""

    squares: int
    is_displaced: bool = False
    held: SquareId | None = None


def landing(config: Config, turn: Turn, way: Way, others: Others) -> Landing:
    """Return where a move over ``way`` ends among other cars (RR-O1); a control has room for all."""
    squares = min(turn.speed // 10, len(way))
    if others.taken.isdisjoint(way[:squares]):
        return Landing(squares)
    posts = {control.square for control in config.rally.controls}
    taken = others.taken - posts

    def free(squares: int, step: int) -> int:
        while 0 < squares < len(way) and way[squares - 1] in taken:
            squares += step
        return squares  # 0 is the car's own square

    is_displaced = squares > 0 and way[squares - 1] in taken
    end = free(squares, -1 if turn.lands == "behind" else 1) if is_displaced else squares
    at_post = {*way[end - 1 : end]} & posts
    held = next((one for one in way[: max(squares, end)] if one in others.blocked and one not in at_post), None)
    if held is not None:
        return Landing(free(way.index(held), -1), held=held)
    return Landing(end, is_displaced)


# A move -------------------------------------------------------------------------------------------------------------------


class Move(Value):
    """What happens in one turn: its ``events``, without marks, and the ``car`` after it if the section continues.

    The crew then misses so many turns (``missed``), or ``draws`` a hazard card. ``seconds`` is the time of a last turn that
    ends the section; ``is_out``: the crew is disqualified. ``told`` is the event of another car in the way, if there is one.
    """

    events: tuple[Event, ...]
    car: Car
    missed: int = 0
    seconds: int | None = None
    draws: bool = False
    is_out: bool = False
    told: tuple[Event, ...] = ()


def move(config: Config, seat: Seat, car: Car, rights: Rights, turn: Turn, way: Way, others: Others = ALONE) -> Move:
    """Return what happens if a car drives over ``way``, the squares ahead, at a legal speed."""
    if turn.speed > FASTEST:
        driven = happened.Driven(seat=seat, speed=turn.speed, squares=())
        off = happened.LeftRoad(seat=seat, square=car.at, speed=turn.speed, limit=FASTEST, rule="RR-F12")
        return Move((driven, off), replace(car, speed=0), missed=(turn.speed - FASTEST) // 10)
    return _Drive(config, seat, car, rights, turn, others, landing(config, turn, way, others)).over(way)


class _Drive:
    """A move in progress: the ``car`` is ``at`` a square and came from the one ``behind`` it; ``events`` is what it met."""

    def __init__(
        self, config: Config, seat: Seat, car: Car, rights: Rights, turn: Turn, others: Others, landing: Landing
    ) -> None:
        self.config, self.seat, self.car, self.rights, self.others, self.landing = config, seat, car, rights, others, landing
        self.speed, self.at, self.behind = turn.speed, car.trail[-1], car.behind
        self.feature = config.feature(self.at)
        self.is_stage = car.section.timing is _STAGE
        self.events: list[Event] = []
        self.squares: list[SquareId] = []
        self.rolled: list[SquareId] = []
        self.is_last = self.is_over_limit = self.is_off = self.stops = self.draws = self.is_out = False
        self.missed = 0
        self.seconds: int | None = None

    def over(self, way: Way) -> Move:
        """Drive over ``way`` up to the landing, where a ford, a ``!`` or a gradient counts (RR-F7, RR-F8, RR-F9)."""
        config, seat, squares, held = self.config, self.seat, self.landing.squares, self.landing.held
        way = way[:squares]
        for number, square in enumerate(way, 1):
            self.is_last = number == len(way)
            if self._enters(square, self.squares) or self._is_too_fast(square):
                break
        else:
            feature = self.feature if way else None
            if feature is _FORD and not self.rights.can(Does.WATERPROOF):
                self.missed = self.speed // 10
                self.events.append(happened.Flooded(seat=seat, square=self.at))
            elif feature is _HAZARD:
                self.draws = True
            elif feature in ROLLING:
                self._rolls()
        if not (self.is_out or self.missed or self.seconds is not None) and (self.stops or self._needs_start()):
            self.stops = True
            self.events.append(happened.CarStopped(seat=seat, square=self.at, rule="RR-M2"))
        driven = (*self.car.trail, *self.squares)
        told: tuple[Event, ...] = ()
        # Before version 3 the log told of the other car also if this one had not come so far, before version 4 also if this
        # one went off the road before it came so far.
        if len(self.squares) == squares or config.version < 3:
            if held is not None and not (self.is_off and config.version > 3):
                told = (happened.Held(seat=seat, by=self.others.blocked[held], square=driven[-1]),)
            elif self.landing.is_displaced:
                told = (happened.Displaced(seat=seat, square=driven[-1]),)
        trail = rolled_trail(driven, tuple(self.rolled)) if self.rolled else driven
        speed = 0 if self.stops or self.missed else self.speed
        car = Car(self.car.section, trail, speed, self.car.met, self.car.faulted)
        first = happened.Driven(seat=seat, speed=self.speed, squares=tuple(self.squares))
        return Move((first, *self.events), car, self.missed, self.seconds, self.draws, self.is_out, told)

    def _enters(self, square: SquareId, entered: list[SquareId], *, is_back: bool = False) -> bool:
        """Drive or roll onto ``square``; return whether the move ends there: by RR-F6, or on the time control."""
        config = self.config
        passes_sign = entered and self._heeds_give_way() and self.at not in self.others.taken
        if passes_sign and config.network.side(self.at, square) is config.square(self.at).toward:
            self._fault("RR-F5", f"not stopped at the Give Way on {self.at}")
        self.at, self.behind, self.feature = square, self.at, config.feature(square)
        entered.append(square)
        if square in config.network.tracks:
            self.is_out = not self.rights.can(Does.HIDDEN_TRACK)
        elif square not in config.marked:
            return False
        elif square in config.black_spots:
            self.is_out = not self.rights.can(Does.BLACK_SPOT)
        if self.is_out:
            self.events.append(happened.Disqualified(seat=self.seat, square=square))
            return True
        posts = self.car.section.posts[self.car.met :]
        if is_back:  # RR-F9: a control that the car just left, or only drove over, counts as missed
            for post in (self.car.section.start, *self.car.section.posts[: self.car.met]):
                if post.square == square and post.name not in self.car.faulted:
                    self._fault("RR-F9", f"rolled back into {post.name}", post.name)
        elif square == posts[-1].square:
            self._finishes(posts)
        elif square == posts[0].square:  # RR-F1, RR-F4: in a stage the car drives over a passage control, else it stops
            due = posts[0]
            self._meets(due)
            if self._comes_from_other_side_than(due.side):
                self._fault("RR-F4", f"{due.name} entered the wrong way", due.name)
            elif self._stops_at_passages() and not self.is_last:
                self._fault("RR-F1", f"not stopped at {due.name}", due.name)
            self.stops = self.stops or (self.is_last and self._stops_at_passages())
        return self.seconds is not None

    def _finishes(self, posts: Sequence[Post]) -> None:
        """RR-F2, RR-F3, RR-F4: reach the time control at the end of the section, the last of the ``posts`` due."""
        post, timing, squares = posts[-1], self.car.section.timing, len(self.squares)
        for missed in posts[:-1]:
            self._meets(missed)
            self._fault("RR-F1", f"{missed.name} never visited", missed.name)
        if self._comes_from_other_side_than(post.side):
            self._fault("RR-F4", f"{post.name} entered the wrong way", post.name)
        elif timing is _ROAD and not self.rolled and squares < self.speed // 10:
            self._fault("RR-F2", f"carried past {post.name}", post.name)
        is_flying = timing is not _ROAD and not self.rolled and not self.landing.is_displaced
        self.seconds = flying_finish(squares, self.speed // 10) if is_flying else MINUTE

    def _is_too_fast(self, square: SquareId) -> bool:
        """RR-F10, RR-F11: return whether the car leaves the road; of several limits, only the first counts."""
        limit = limit_at(self.config, self.config.square(square), self.rights) if self.feature else None
        if limit is None or self.speed <= limit or self.is_over_limit or square in self.others.taken:
            return False
        if self.feature is _QUIET:
            if not self.is_stage:
                self.is_over_limit = True
                words = f"{self.speed} mph through the Quiet Zone on {square}, where {limit} is allowed"
                self._fault("RR-F10", words)
            return False
        # A sign of a game from before version 3 may say 45: the excess is less than 10, and still costs a turn.
        self.is_off, self.missed = True, max(1, (self.speed - limit) // 10)
        off = happened.LeftRoad(seat=self.seat, square=square, speed=self.speed, limit=limit, rule="RR-F11")
        self.events.append(off)
        return True

    def _rolls(self) -> None:
        """RR-F9, RR-H3, RR-H4: roll down one square or two, back into controls or onto them, up to a taken square."""
        path, before = self.config.network.downhill(self.at), len(self.events)
        if not self.others.taken.isdisjoint(path):
            full = self.others.taken.difference(control.square for control in self.config.rally.controls)
            while path and path[-1] in full:
                path = path[:-1]
        is_back = path[:1] == (self.behind,)
        for number, square in enumerate(path, 1):
            self.is_last = number == len(path)
            if self._enters(square, self.rolled, is_back=is_back):
                break
        if is_back:
            self.behind = replace(self.car, trail=rolled_trail((*self.car.trail, *self.squares), tuple(self.rolled))).behind
        if self.rolled:
            self.events.insert(before, happened.Rolled(seat=self.seat, squares=tuple(self.rolled)))

    def _needs_start(self) -> bool:
        """RR-M2, RR-H5: a car on a control, or on a Give Way in the direction of its sign, however it came there."""
        if self._heeds_give_way():
            return self._comes_from_other_side_than(self.config.square(self.at).toward)
        if self.at not in self.config.marked:
            return False
        post = next((post for post in posts_of(self.config.rally.controls) if post.square == self.at), None)
        return post is not None and (post.is_timed or self._stops_at_passages())

    def _heeds_give_way(self) -> bool:
        return self.feature is _GIVE_WAY and not self.is_stage and not self.rights.can(Does.GIVE_WAY)

    def _stops_at_passages(self) -> bool:
        return not self.is_stage and not self.rights.can(Does.PASSAGE)

    def _comes_from_other_side_than(self, side: Side | None) -> bool:
        return self.behind is None or self.config.network.side(self.at, self.behind) is not side

    def _meets(self, post: Post) -> None:
        self.car = replace(self.car, met=self.car.met + 1)
        self.events.append(happened.PassageMet(seat=self.seat, control=post.name))

    def _fault(self, rule: str, words: str, control: str = "") -> None:
        if control:
            self.car = replace(self.car, faulted=(*self.car.faulted, control))
        self.events.append(happened.Faulted(seat=self.seat, words=words, control=control, rule=rule))


# Turns --------------------------------------------------------------------------------------------------------------------


class Taken(Value):
    """How a turn went: the position after it, turns ``missed`` after it; it ``halted`` the car, the crew has ``drawn``."""

    at: Here
    missed: int = 0
    halted: bool = False
    drawn: bool = False


Turns = Generator[Any, Here, Taken]


def take(at: Here, turn: Turn, chance: Chance, held_by: Seat | None = None) -> Turns:
    """Yield the events of one ``turn`` of ``at.seat``, and return how it went; ``held_by`` answered that it blocks.

    The position is ``on_course``; those after events may belong to another seat, and have no route.
    """
    config, seat, crew, state = at.config, at.seat, at.own, at.state
    car, rights = crew.car(config), config.rights(crew.kit, turn.using)
    further = len(state.crews) - 1 if config.is_table else 0  # past taken squares
    ahead = way_ahead(config, car, max(STANDARD, turn.speed) // 10 + further, turn.via)
    legal = legal_speeds(config, car, rights, ahead[0] if ahead else None)
    if turn.using:
        at = yield happened.CardUsed(seat=seat, card=turn.using)
    if turn.speed not in legal:  # RR-M4
        yield happened.SpeedRefused(seat=seat, speed=turn.speed, least=legal[0], most=legal[-1])
        return Taken((yield happened.TurnsMissed(seat=seat, turns=1, rule="RR-M4")), halted=True)
    blocks = (held_by,) if held_by else ()
    others = others_of(At(config, at.state, seat), ahead, blocks) if config.is_table else ALONE
    found = move(config, seat, car, rights, turn, ahead, others)
    rule, events = "", found.events
    if found.told and config.version > 2:
        events = (events[0], *found.told, *events[1:])
    for event in events:
        at, rule = (yield event), event.rule
        if type(event) is happened.Faulted:
            at = yield _spent(at, seat, (Part(FAULT, event.words, event.rule),))
    last = Taken(at)
    if found.seconds is not None:
        # RR-P1 to RR-P5: end the section; the last turn counts so many seconds.
        section, turns = config.sections[len(crew.lines)], len(at.of(seat).speeds) - 1
        time, end = MINUTE * turns + found.seconds, section.end.name
        why = timed(section.timing, time, section.target)
        if why:
            yield _spent(at, seat, tuple([Part(part.amount, f"{end} {part.what}", part.rule) for part in why]))
        rule = RULES_OF_TIME[section.timing]
        last = Taken((yield happened.SectionEnded(seat=seat, control=end, time=time, target=section.target, rule=rule)))
    elif found.missed:
        last = Taken((yield _miss(config, seat, found.missed, rule)), found.missed, halted=True)
    elif found.draws:
        last = yield from _draw(config, at, seat, chance)
    if config.version < 3 and found.told and last.at.of(seat).trail:
        last = replace(last, at=(yield replace(found.told[0], square=last.at.of(seat).trail[-1])))
    return last


def _spent(at: Here, seat: Seat, why: tuple[Part, ...]) -> Spent:
    before = at.of(seat).penalty
    return Spent(seat=seat, before=before, after=before + total(why), why=why)


def _miss(config: Config, seat: Seat, turns: int, rule: str) -> Event:
    """Miss ``turns``: alone on the road at once, at a table one in each of the next minutes."""
    if config.is_table:
        return happened.MustMiss(seat=seat, turns=turns, is_off=rule in ("RR-F11", "RR-F12"), rule=rule)
    return happened.TurnsMissed(seat=seat, turns=turns, rule=rule)


def _draw(config: Config, at: Here, seat: Seat, chance: Chance) -> Turns:
    """RR-F8: draw the next hazard card; a setback takes effect at once."""
    card: HazardCard | None
    if not config.is_table:
        card = at.of(seat).next_hazard(config)
        if card is not None and isinstance(chance, UnknownChance):
            chance.pick(f"a hazard card for {seat}", ())  # the order of the pack is fixed, but no crew knows it
    elif unseen := piles.left_in(
        config.hazards, (*at.state.returned, *(one for crew in at.state.crews for one in crew.held))
    ):
        card = config.hazards[CardId(chance.pick(f"a hazard card for {seat}", unseen))]
    else:
        card = config.hazards[at.state.returned[0]] if at.state.returned else None
    if card is None:
        return Taken(at)
    at = yield (happened.TableHazardDrawn if config.is_table else happened.HazardDrawn)(seat=seat, card=card.id)
    if card.is_kept:
        return Taken(at, drawn=True)
    stop = happened.CarStopped(seat=seat, square=at.of(seat).trail[-1], rule="RR-F8")
    at = yield _miss(config, seat, card.turns, "RR-F8") if card.turns else stop
    return Taken(at, card.turns, halted=True, drawn=True)


def take_or_ask(at: Here, turn: Turn, chance: Chance, free: tuple[Seat, ...] = (), held_by: Seat | None = None) -> Moves:
    """Drive the ``turn`` of ``at.seat`` at a table, unless another crew must first say whether it blocks it.

    Only in games of before version 4 a crew could ask for that, by `BLOCK ask`. The position is
    ``on_course``. The crews in ``free`` let it pass, ``held_by`` does not.
    """
    by = None if held_by else _who_is_asked(at, turn, free)
    if by is not None:
        speed, via, using, lands = turn.speed, turn.via, turn.using, turn.lands
        return (yield happened.BlockAsked(seat=at.seat, by=by, speed=speed, via=via, using=using, lands=lands, free=free))
    yield from take(at, turn, chance, held_by)
    return (yield happened.TurnTaken(seat=at.seat))


def _who_is_asked(at: Here, turn: Turn, free: tuple[Seat, ...]) -> Seat | None:
    """Return the crew to ask whether ``at.seat`` may overtake it, ``None`` if the answer makes no difference."""
    config, crews = at.config, at.state.crews
    asking = [crew.seat for crew in crews if crew.is_asking and crew.seat != at.seat and crew.seat not in free]
    if not asking or turn.speed > FASTEST or turn.speed not in at.own.legal_speeds(config, turn.via, turn.using):
        return None
    car, rights = at.own.car(config), config.rights(at.own.kit, turn.using)
    way = way_ahead(config, car, turn.speed // 10 + len(crews) - 1, turn.via)
    blocked, let = (others_of(at, way, blocks) for blocks in (asking, ()))
    held = landing(config, turn, way, blocked).held
    if held is None or blocked.blocked[held] not in asking:
        return None
    one, other = (replace(move(config, at.seat, car, rights, turn, way, others), told=()) for others in (blocked, let))
    return blocked.blocked[held] if one != other else None


def drive(at: Here, first: Turn, then: tuple[int, ...], chance: Chance) -> Generator[Any, Here, Here]:
    """Yield the events of a line of ``at.seat`` by internet: of the ``first`` turn, and of turns at the speeds ``then``.

    It ends with the section. After missed turns it continues if its next speed is a legal Starting Speed (RR-M4).
    """
    config, seat, left, last = at.config, at.seat, [first, *map(Turn, then)], Taken(at)
    section, has_drawn = len(at.own.lines), False
    while left:
        crew = last.at.own
        if crew.out is not None or len(crew.lines) != section:
            break
        # If the option refuses illegal speeds, no player could know in advance which are illegal after a card.
        is_asked_again = last.halted or (config.rejects and has_drawn)
        if is_asked_again and left[0].speed not in crew.legal_speeds(config):
            why = "it goes on with no legal Starting Speed"
            yield happened.LineDropped(seat=seat, speeds=_numbers(left), why=why, rule="RR-M4")
            return last.at
        last = yield from take(last.at, left.pop(0), chance)
        has_drawn = has_drawn or last.drawn
        for step in (*(0,) * last.missed, AT_CONTROL):
            if left and left[0].speed == step:
                left.pop(0)
    if dropped := _numbers(left):
        yield happened.LineDropped(seat=seat, speeds=dropped, why="the section is over", rule="RR-H6")
    return last.at


def _numbers(left: list[Turn]) -> tuple[int, ...]:
    return tuple(turn.speed for turn in left if turn.speed != AT_CONTROL)


def look_ahead(at: Here, moves: Generator[Any, Here, Any], steps: Sequence[int]) -> Iterator[tuple[int, Any, Here]]:
    """Yield the events of ``moves``, each with the position after it.

    The numbers say which of ``steps``, all speeds of a line, led to the event. The event is ``None`` where the crew would
    draw a hazard card: no one knows which.
    """
    step = -1
    try:
        event = next(moves, None)
        while event is not None:
            at = at.after(event)
            if isinstance(event, happened.LineDropped):
                step = len(steps) - len(event.speeds)
            elif isinstance(event, happened.SpeedRefused | happened.Driven):
                later = range(step + 1, len(steps))
                step = next((number for number in later if steps[number] == event.speed), step)
            yield step, event, at
            event = moves.send(at)
    except StopIteration:
        return
    except UnknownError:
        yield step, None, at
