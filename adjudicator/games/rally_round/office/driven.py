"""Drive time sheets on the map, square by square (RR-M, RR-F), and check the entered speeds.

The drive uses every speed as entered: it reports an illegal one and drives it, so that one slip does not become ten.
Zeros after a speed count as turns that the map makes a crew miss. If the kit is unknown, the report says what needs a card
(RR-H9), and the car continues with that card. As by internet, no other car is in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.game import count, suggest, total
from adjudicator.games.rally_round.car import Car, Loss, Move
from adjudicator.games.rally_round.components import CardId, Does, Effect, HazardCard
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import FASTEST, legal_speeds, moved
from adjudicator.games.rally_round.office.drive_notes import Entered, Found, Notes
from adjudicator.games.rally_round.office.outputs import SheetKit
from adjudicator.games.rally_round.office.scoring import findings_of_times, findings_of_totals, near_speed
from adjudicator.games.rally_round.office.sheet import BIGGEST, Finding, Row, Score, Scored, Sheet, Verdict
from adjudicator.games.rally_round.rights import Rights
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.steering import NoWay, targets, way_ahead
from adjudicator.games.rally_round.timing import FAULT, MINUTE, timed
from adjudicator.games.rally_round.ways import Way

_ANY: Final = Rights(
    (
        *(Effect(does=does, red=BIGGEST, yellow=BIGGEST, white=BIGGEST) for does in (Does.BRIDGE, Does.BEND, Does.ROUGH)),
        *(Effect(does=does) for does in (Does.WATERPROOF, Does.BLACK_SPOT, Does.HIDDEN_TRACK)),
    )
)
"""What some card might allow: nothing that it covers takes a car off the road, or out of the rally."""


def driven(config: Config, sheet: Sheet) -> Score:
    """Drive ``sheet`` on the map of ``config``, and return its score with every wrong entry (RR-P7)."""
    crew, sections, notes = _Crew(config, sheet), list[Scored](), Notes(config, sheet)
    for section, rows in notes.sections():
        crew.begin(section)
        crew.drive(rows)
        faults = notes.faults(section, crew.found.faults)
        penalty = total(timed(section.timing, crew.time, section.target))
        scored = Scored(
            section.end.name, section.timing, section.distance, section.target, crew.time, penalty, faults * FAULT
        )
        sections.append(scored)
        notes.findings += [*crew.found.findings, *notes.passages(rows, crew.found), *findings_of_times(rows[-1], scored)]
        notes.incidents += crew.found.incidents
    score = Score(tuple(sections), ())
    notes.findings += findings_of_totals(sheet, score)
    return replace(score, findings=tuple(notes.findings), incidents=tuple(notes.incidents), disqualified=crew.disqualified)


def _rights(config: Config, sheet: Sheet) -> Rights:
    """Return the rights of the crew of ``sheet``, as far as its kit is known."""
    if sheet.cards:
        return Rights(tuple(effect for card in sheet.cards for effect in config.kit[card].effects))
    kit = sheet.kit or SheetKit()
    known = ((Does.START, kit.start), (Does.ACCELERATE, kit.faster), (Does.DECELERATE, kit.slower))
    return Rights(tuple(Effect(does=does, red=mph, yellow=mph, white=mph) for does, mph in known))


def _without_speeds(end: Row) -> Finding:
    return Finding(end.control, Verdict.FALSE, "the sheet has no speed", "RR-P7", end.at("control"))


class _Crew:
    """The drive of one sheet: where its car is, and what is ``found`` in the section."""

    def __init__(self, config: Config, sheet: Sheet) -> None:
        self.config, self.kit = config, _rights(config, sheet)
        self.is_known, self.knows_speeds = bool(sheet.cards), sheet.kit is not None
        self.faulted, self.disqualified = tuple[str, ...](), ""
        self.pack, self.held = list(config.components.hazards), list[CardId]()

    def begin(self, section: Section) -> None:
        """Begin at the start of ``section``."""
        faulted = tuple(name for name in self.faulted if name == section.start.name)
        self.car = Car(section=section, trail=(section.start.square,), faulted=faulted)
        self.faulted, self.found, self.turns = faulted, Found(section), 0
        self.seconds: int | None = None

    @property
    def time(self) -> int:
        """The seconds that the section took."""
        last = MINUTE if self.seconds is None else self.seconds
        return MINUTE * max(0, self.turns - 1) + (last if self.turns else 0)

    def drive(self, rows: Sequence[Row]) -> None:
        """Drive the speeds of the section in ``rows``."""
        flat = [(row, turn) for row in rows for turn in range(1, len(row.speeds) + 1)]
        left = [Entered(row, turn, number) for number, (row, turn) in enumerate(flat, 1)]
        if not left:
            self.found.findings.append(_without_speeds(rows[-1]))
        while left and self.seconds is None:
            entered = left.pop(0)
            self.turns += 1
            for _ in range(min(self._take(entered, _zeros(left)), _zeros(left))):
                left.pop(0)
                self.turns += 1
        if left and self.seconds is not None:
            words = f"the car reaches {self.car.section.end.name} before this turn"
            self.found.tell(left[0], Verdict.FALSE, words, "RR-P7")
            self.turns += len(left)
        elif flat and self.seconds is None:
            self._falls_short(Entered(*flat[-1], len(flat)))

    def _take(self, entered: Entered, zeros: int) -> int:
        """Drive one turn; return how many turns the crew misses after it; the sheet has ``zeros`` for them."""
        step, speed = entered.row.step(entered.turn), entered.speed
        if step.is_round:
            self._stand(self.car.trail[-1:])
        elif not speed:
            self._rights_with_card(entered)
            words = "the sheet misses a turn, but the map gives no reason"
            self.found.tell(entered, Verdict.NOTE, words, "RR-M4")
            self._stand(self.car.trail)
            return zeros  # report only one of several in a row
        elif speed % 10 or speed > BIGGEST:
            self.found.tell(entered, Verdict.FALSE, f"{speed} mph is not a speed", "RR-M1", near_speed(speed))
            self._stand(self.car.trail)
        else:
            return self._move(entered, zeros)
        return 0

    def _stand(self, trail: Way) -> None:
        self.car = self.car._replace(trail=trail, speed=0)

    def _move(self, entered: Entered, zeros: int) -> int:
        speed, rights = entered.speed, self._rights_with_card(entered)
        ahead = self._ahead(entered)
        if not ahead:
            words = f"the road ends at {self.car.at}"
            self.found.tell(entered, Verdict.FALSE, words, "RR-M6", ("turn",))
            return 0
        self._check_speed(entered, legal_speeds(self.config, self.car, rights, ahead[0]))
        move = moved(self.config, self.car, rights, speed, ahead)
        return self._carry_out(entered, self._believed(entered, move, ahead, rights, zeros), zeros)

    def _rights_with_card(self, entered: Entered) -> Rights:
        using = entered.row.step(entered.turn).using
        if using is None:
            return self.kit
        card = self.config.hazards.get(CardId(using))
        if card is None:
            near = suggest(using, self.config.hazards)
            self.found.tell(entered, Verdict.FALSE, f"the game has no hazard card {using}", "RR-C3", near, "using")
            return self.kit
        if card.id in self.held:
            self.held.remove(card.id)
            self.pack.append(card)
            self.found.happened(entered.number, f"uses {card.id}, {card.name}", "RR-F8")
        else:
            verdict = Verdict.FALSE if self.is_known else Verdict.NOTE
            self.found.tell(entered, verdict, f"the crew does not keep {card.id}", "RR-F8", tuple(self.held), "using")
        return Rights((*self.kit.effects, *card.effects))

    def _ahead(self, entered: Entered) -> Way:
        """Return the squares ahead, over the noted ways as far as a car can drive them."""
        network, via, squares = self.config.network, list[str](), max(1, entered.speed // 10)
        for number, name in enumerate(entered.row.step(entered.turn).via, 1):
            if targets(network, name):
                via.append(name)
                continue
            near = suggest(name, (*network.named, *network.squares))
            words = f"the map has no square, place or road “{name}”"
            self.found.tell(entered, Verdict.FALSE, words, "RR-M6", near, f"via {number}")
        try:
            return way_ahead(self.config, self.car, squares, via)
        except NoWay as none:
            number = via.index(none.name) + 1 if none.name in via else 1
            self.found.tell(entered, Verdict.FALSE, none.words, "RR-M6", noted=f"via {number}")
            return way_ahead(self.config, self.car, squares)

    def _check_speed(self, entered: Entered, legal: range) -> None:
        """RR-M2, RR-M3: report an illegal speed, with the nearest legal one."""
        speed = entered.speed
        if speed in legal:
            return
        what, rule = (
            (f"from {self.car.speed} to {speed} mph", "RR-M3") if self.car.speed else (f"a start at {speed} mph", "RR-M2")
        )
        may = f"{legal[0]} to {legal[-1]}" if len(legal) > 1 else f"only {legal[0]}"
        verdict = Verdict.FALSE if self.knows_speeds else Verdict.CARD
        near = legal[-1] if speed > legal[-1] else legal[0]
        words = f"{what}, where {may} is legal on {self.config.square(self.car.at).colour}"
        self.found.tell(entered, verdict, words, rule, (str(near),))

    def _believed(self, entered: Entered, move: Move, ahead: Way, rights: Rights, zeros: int) -> Move:
        """Return the move that fits the sheet: with a card that explains it, if the sheet misses no turn."""
        if move.banned is not None:
            is_track = move.banned in self.config.network.tracks
            words = f"{'the hidden track' if is_track else 'the Black Spot on'} {move.banned} without a card: disqualified"
            self.disqualified = self.disqualified or (f"disqualified: {words}" if self.is_known else "")
            self.found.tell(entered, Verdict.FALSE if self.is_known else Verdict.CARD, words, "RR-F6")
        elif move.loss is not None and not zeros and entered.speed <= FASTEST:
            self._missed(entered, move.loss.turns, 0, _told(move.loss, entered.speed), move.loss.rule, self.is_known)
        else:
            return move
        return moved(self.config, self.car, Rights((*rights.effects, *_ANY.effects)), entered.speed, ahead)

    def _missed(self, entered: Entered, turns: int, zeros: int, why: str, rule: str, is_known: bool) -> int:
        """Report if the sheet misses too few turns; if that is certain, the missing ones count. Return ``turns``."""
        if zeros < turns:
            entry = f"the sheet has {zeros or 'none'}{': they count' if is_known else ''}"
            words = f"{why}: {count(turns, 'turn')} missed, {entry}"
            near = " ".join([str(entered.speed), *("0",) * turns])
            # No crew can know the pack in advance, so such zeros were forgotten, not omitted.
            verdict = Verdict.NOTE if rule == "RR-F8" else Verdict.FALSE if is_known else Verdict.CARD
            self.found.tell(entered, verdict, words, rule, (near,) if is_known else ())
            self.turns += turns - zeros if is_known else 0
        return turns

    def _carry_out(self, entered: Entered, move: Move, zeros: int) -> int:
        """Apply the result of a ``move``; return the turns missed because of it."""
        trail = (*self.car.trail, *move.squares)
        self.found.meets(entered, move)
        came = len(move.squares) + len(move.rolled) * (-1 if move.rolled[:1] == trail[-2:-1] else 1)
        noted = entered.row.step(entered.turn).squares
        if noted not in (None, came):
            self.found.tell(
                entered, Verdict.NOTE, f"the sheet notes {noted} squares, the map gives {came}", "RR-M1", (f"({came})",)
            )
        self.car = self.car.after(move, entered.speed)
        self.faulted, self.seconds = self.car.faulted, move.seconds
        missed = 0
        if move.loss is not None:
            why = _told(move.loss, entered.speed)
            is_too_fast = entered.speed > FASTEST
            told = f"off the road at {move.loss.square}: {entered.speed} mph" if is_too_fast else why
            self.found.happened(entered.number, told, move.loss.rule)
            missed = self._missed(entered, move.loss.turns, zeros, why, move.loss.rule, self.is_known)
        return missed + (self._draw(entered, max(0, zeros - missed)) if move.draws else 0)

    def _draw(self, entered: Entered, zeros: int) -> int:
        """RR-F8, RR-H7: draw the next card of the crew's own pack; return the turns missed by it."""
        if not self.pack:
            return 0
        card: HazardCard = self.pack.pop(0)
        self.found.happened(entered.number, f"draws {card.id}, {card.name}", "RR-F8")
        if card.is_kept:
            self.held.append(card.id)
            return 0
        self.pack.append(card)
        self._stand(self.car.trail)
        turns = sum(effect.turns for effect in card.effects if effect.does is Does.MISS)
        return self._missed(entered, turns, zeros, f"{card.id}, {card.name}", "RR-F8", self.is_known)

    def _falls_short(self, last: Entered) -> None:
        """Report that the speeds do not reach the time control, and which hidden track would explain it."""
        section, here = self.car.section, self.car.at
        if here in section.way:
            missing = count(section.distance - section.way.index(here), "square")
            words = f"the speeds lead to {here}, {missing} before {section.end.name}"
        else:
            words = f"the speeds lead to {here}, off the route to {section.end.name}"
        near = tuple(_short_cuts(self.config, section, here, last.speed // 10))
        words = f"{words}: another way, a hazard?{' A hidden track would do it' if near else ''}"
        self.found.tell(last, Verdict.NOTE, words, "RR-P7", near)


def _zeros(left: Sequence[Entered]) -> int:
    """Return how many of the next entries are missed turns without turning round."""
    found = 0
    for entered in left:
        step = entered.row.step(entered.turn)
        if entered.speed or step.is_round or step.using:
            break
        found += 1
    return found


def _told(loss: Loss, speed: int) -> str:
    if speed > FASTEST:
        return f"faster than {FASTEST} mph"
    if loss.rule == "RR-F7":
        return f"flooded in the ford on {loss.square}"
    return f"off the road at {loss.square}: {speed} mph, the limit is {loss.limit}"


def _short_cuts(config: Config, section: Section, here: str, move: int) -> Iterator[str]:
    """Yield the hidden tracks that would have brought a car from ``here`` to the end in its last ``move`` (squares)."""
    if here not in section.way:
        return
    way, missing = section.way, section.distance - section.way.index(here)
    for track, ends in config.network.tracks.items():
        if all(end in way for end in ends):
            saved = abs(way.index(ends[0]) - way.index(ends[1])) - 2
            if 0 < missing <= saved < missing + max(1, move):
                yield f"via {track}"
