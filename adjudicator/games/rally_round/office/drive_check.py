"""Drive time sheets on the map, square by square (RR-M, RR-F), and check the entered speeds.

The drive uses every speed as entered: it reports an illegal one and drives it, so that one slip does not become ten.
Zeros after a speed count as turns that the map makes a crew miss. If the kit is unknown, the report says what needs a card
(RR-H9), and the car continues with that card. As by internet, no other car is in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from adjudicator.game import Seat, count, suggest
from adjudicator.games.rally_round.components import CardId, Does, Effect, Rights
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import Move, move
from adjudicator.games.rally_round.events import Disqualified, Driven, Faulted, Flooded, LeftRoad, PassageMet, Rolled
from adjudicator.games.rally_round.office.drive_notes import (
    Entered,
    Rows,
    compared_faults,
    differences,
    sections_of,
    unmet,
)
from adjudicator.games.rally_round.office.outputs import (
    ScoredSection,
    ScoredSheet,
    SheetIncident,
    SheetKit,
    TimeSheet,
    Verdict,
)
from adjudicator.games.rally_round.office.sheet import (
    CARD,
    FALSE,
    NOTE,
    Finding,
    Written,
    changed,
    findings_of_times,
    findings_of_totals,
    nearest,
    noted_faults,
    number_of,
    section_of,
    wrong_speed,
)
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.speeds import FASTEST, FASTEST_NAMED, legal_speeds
from adjudicator.games.rally_round.timing import MINUTE
from adjudicator.games.rally_round.way import Car, NoWay, Turn, targets, way_ahead
from adjudicator.games.rally_round.ways import Way


def _on_all_roads(does: Does, mph: int) -> Effect:
    return Effect(does=does, red=mph, yellow=mph, white=mph)


_ANY: Final = (
    *(_on_all_roads(does, FASTEST_NAMED) for does in (Does.BRIDGE, Does.BEND, Does.ROUGH)),
    *(Effect(does=does) for does in (Does.WATERPROOF, Does.BLACK_SPOT, Does.HIDDEN_TRACK)),
)
"""What some card might allow: nothing that it covers takes a car off the road, or out of the rally."""


def driven(config: Config, written: Written) -> ScoredSheet:
    """Drive ``written`` on the map of ``config``, and return its score with every wrong entry (RR-P7)."""
    sheet, sections, findings = written.sheet, list[ScoredSection](), list[Finding]()
    crew, (there, strange) = _Crew(config, sheet), sections_of(config, sheet)
    noted = noted_faults(sheet.faults, [{post.number for post in section.posts} for section, _ in there], number_of)
    own = {row.control for row in sheet.rows if not written.places or (row.control, "control") in written.places}
    for (section, rows), indexes in zip(there, noted, strict=True):
        end, before = section.end.name, sections[-1].total if sections else 0
        crew.drive(section, rows)
        faults, notes = compared_faults(end, crew.faults, {at: sheet.faults[at] for at in indexes})
        times = {"target": section.target, "time": crew.time}
        sections.append(section_of(end, section.timing, section.distance, **times, faults=faults, before=before))
        findings += [*differences(section, rows), *notes, *crew.findings, *unmet(section, rows, crew.met, own)]
        findings += findings_of_times(rows[-1], sections[-1])
    findings += [*strange, *findings_of_totals(sheet, sections)]
    return written.scored(sections, findings, crew.incidents, crew.disqualified, driven=True)


def _rights(config: Config, sheet: TimeSheet) -> Rights:
    """Return the rights of the crew of ``sheet``, as far as its kit is known."""
    if sheet.cards:
        return Rights(tuple(effect for card in sheet.cards for effect in config.kit[CardId(card)].effects))
    kit = sheet.kit or SheetKit()
    known = ((Does.START, kit.start), (Does.ACCELERATE, kit.faster), (Does.DECELERATE, kit.slower))
    return Rights(tuple(_on_all_roads(does, mph) for does, mph in known))


class _Crew:
    """The drive of one sheet: the car, its incidents, and whether the crew is disqualified.

    For the present section it holds the ``findings``, the ``faults`` with their turns, and the turn of each PC that it
    ``met``.
    """

    def __init__(self, config: Config, sheet: TimeSheet) -> None:
        self.config, self.kit = config, _rights(config, sheet)
        self.is_known, self.knows_speeds = bool(sheet.cards), sheet.kit is not None
        self.disqualified, self.incidents, self.car = "", list[SheetIncident](), Car(config.sections[0], ())
        self.pack, self.held = list(config.components.hazards), list[CardId]()

    @property
    def time(self) -> int:
        """The seconds that the section took."""
        last = MINUTE if self.seconds is None else self.seconds
        return MINUTE * max(0, self.turns - 1) + (last if self.turns else 0)

    def drive(self, section: Section, rows: Rows) -> None:
        """Drive the speeds of ``section`` in ``rows``."""
        self.car = Car(section, (section.start.square,), faulted=tuple({section.start.name}.intersection(self.car.faulted)))
        self.turns = 0
        self.seconds: int | None = None
        self.findings, self.faults, self.met = list[Finding](), list[tuple[Faulted, Entered]](), dict[str, int]()
        flat = [(row, turn) for row in rows for turn in range(1, len(row.speeds) + 1)]
        left = [Entered(row, turn, number) for number, (row, turn) in enumerate(flat, 1)]
        last = left[-1:]
        while left and self.seconds is None:
            entered = left.pop(0)
            zeros = len([*takewhile(_is_zero, left)])
            missed = min(self._take(entered, zeros), zeros)
            self.turns += 1 + missed
            del left[:missed]
        if left:
            self._tell(left[0], FALSE, f"the car reaches {section.end.name} before this turn", "RR-P7")
            self.turns += len(left)
        elif last and self.seconds is None:
            words, near = _told_short(self.config, self.car, last[0].speed)
            self._tell(last[0], NOTE, words, "RR-P7", near)
        elif not last:
            end = rows[-1].control
            self.findings.append(Finding(end, FALSE, "the sheet has no speed", "RR-P7", (end, "control")))

    def _tell(
        self, entered: Entered, verdict: Verdict, words: str, rule: str, near: Sequence[str] = (), note: str = ""
    ) -> None:
        """Record a finding about a speed that was ``entered``, or about a ``note`` with it."""
        end, said = self.car.section.end.name, f"turn {entered.number}: {words}"
        self.findings.append(Finding(end, verdict, said, rule, entered.entry(note), tuple(near)))

    def _happened(self, entered: Entered, words: str, rule: str) -> None:
        """Record what the car has met in a turn."""
        end = self.car.section.end.name
        self.incidents.append(SheetIncident(control=end, turn=entered.number, message=words, rule=rule))

    def _take(self, entered: Entered, zeros: int) -> int:
        """Drive one turn; return how many turns the crew misses after it; the sheet has ``zeros`` for them."""
        wrong = wrong_speed(entered.speed)
        if entered.step.is_round:
            self._stand(self.car.trail[-1:])
        elif not entered.speed:
            self._rights_with_card(entered)
            self._tell(entered, NOTE, "the sheet misses a turn, but the map gives no reason", "RR-M4")
            self._stand(self.car.trail)
            return zeros  # report only one of several in a row
        elif wrong is not None:
            self._tell(entered, FALSE, wrong[0], "RR-M1", wrong[1])
            self._stand(self.car.trail)
        else:
            return self._move(entered, zeros)
        return 0

    def _stand(self, trail: Way) -> None:
        self.car = self.car._replace(trail=trail, speed=0)

    def _move(self, entered: Entered, zeros: int) -> int:
        speed, rights, ahead = entered.speed, self._rights_with_card(entered), self._ahead(entered)
        if not ahead:
            self._tell(entered, FALSE, f"the road ends at {self.car.at}", "RR-M6", ("turn",))
            return 0
        self._check_speed(entered, legal_speeds(self.config, self.car, rights, ahead[0]))
        found = move(self.config, Seat(""), self.car, rights, Turn(speed), ahead)
        if self._is_doubtful(entered, found, zeros):
            found = move(self.config, Seat(""), self.car, Rights((*rights.effects, *_ANY)), Turn(speed), ahead)
        return self._carry_out(entered, found, zeros)

    def _rights_with_card(self, entered: Entered) -> Rights:
        using = entered.step.using
        if using is None:
            return self.kit
        card = self.config.hazards.get(CardId(using))
        if card is None:
            near = suggest(using, self.config.hazards)
            self._tell(entered, FALSE, f"the game has no hazard card {using}", "RR-C3", near, "using")
            return self.kit
        if card.id in self.held:
            self.held.remove(card.id)
            self.pack.append(card)
            self._happened(entered, f"uses {card.id}, {card.name}", "RR-F8")
        else:
            verdict = FALSE if self.is_known else NOTE
            self._tell(entered, verdict, f"the crew does not keep {card.id}", "RR-F8", self.held, "using")
        return Rights((*self.kit.effects, *card.effects))

    def _ahead(self, entered: Entered) -> Way:
        """Return the squares ahead, over the noted ways as far as a car can drive them."""
        network, via, squares = self.config.network, list[str](), max(1, entered.speed // 10)
        for number, name in enumerate(entered.step.via, 1):
            if targets(network, name):
                via.append(name)
                continue
            near = suggest(name, (*network.named, *network.squares))
            words = f"the map has no square, place or road “{name}”"
            self._tell(entered, FALSE, words, "RR-M6", near, f"via {number}")
        try:
            return way_ahead(self.config, self.car, squares, via)
        except NoWay as none:
            number = via.index(none.name) + 1 if none.name in via else 1
            self._tell(entered, FALSE, none.words, "RR-M6", note=f"via {number}")
            return way_ahead(self.config, self.car, squares)

    def _check_speed(self, entered: Entered, legal: range) -> None:
        """RR-M2, RR-M3: report an illegal speed, with the nearest legal one."""
        if entered.speed not in legal:
            what, rule = changed(self.car.speed, entered.speed)
            may = f"{legal[0]} to {legal[-1]}" if len(legal) > 1 else f"only {legal[0]}"
            words = f"{what}, where {may} is legal on {self.config.square(self.car.at).colour}"
            self._tell(entered, FALSE if self.knows_speeds else CARD, words, rule, (nearest(entered.speed, legal),))

    def _is_doubtful(self, entered: Entered, found: Move, zeros: int) -> bool:
        """Report a move that only a card explains, because the sheet misses no turn; return whether it is one."""
        if found.is_out:
            banned = next(one.square for one in found.events if isinstance(one, Disqualified))
            is_track = banned in self.config.network.tracks
            words = f"{'the hidden track' if is_track else 'the Black Spot on'} {banned} without a card"
            self.disqualified = self.disqualified or (f"disqualified: {words}" if self.is_known else "")
            self._tell(entered, FALSE if self.is_known else CARD, f"{words}: disqualified", "RR-F6")
            return True
        if not found.missed or zeros or entered.speed > FASTEST:
            return False
        self._miss(entered, found.missed, 0, _told(found), found.events[-1].rule)
        return True

    def _miss(self, entered: Entered, turns: int, zeros: int, why: str, rule: str) -> int:
        """Report if the sheet misses too few turns; if that is certain, the missing ones count. Return ``turns``."""
        if zeros < turns:
            entry = f"the sheet has {zeros or 'none'}{': they count' if self.is_known else ''}"
            near = " ".join([str(entered.speed), *("0",) * turns])
            # No crew can know the pack in advance, so such zeros were forgotten, not omitted.
            verdict = NOTE if rule == "RR-F8" else FALSE if self.is_known else CARD
            words = f"{why}: {count(turns, 'turn')} missed, {entry}"
            self._tell(entered, verdict, words, rule, (near,) if self.is_known else ())
            self.turns += turns - zeros if self.is_known else 0
        return turns

    def _carry_out(self, entered: Entered, found: Move, zeros: int) -> int:
        """Apply the result of a move; return the turns missed because of it."""
        never = {one.control for one in found.events if isinstance(one, Faulted) and one.words.endswith("never visited")}
        came = 0
        for one in found.events:
            if isinstance(one, Driven):
                came = len(one.squares)
                trail = (*self.car.trail, *one.squares)
            elif isinstance(one, Rolled):
                came += len(one.squares) * (-1 if one.squares[:1] == trail[-2:-1] else 1)
                self._happened(entered, f"rolls down to {one.squares[-1]}", "RR-F9")
            elif isinstance(one, Faulted):
                self.faults.append((one, entered))
                self._happened(entered, f"{one.words}: 30 marks", one.rule)
            elif isinstance(one, PassageMet) and one.control not in never:
                self.met[one.control] = entered.number
                self._happened(entered, f"comes to {one.control}", "RR-F1")
        noted = entered.step.squares
        if noted not in (None, came):
            words = f"the sheet notes {noted} squares, the map gives {came}"
            self._tell(entered, NOTE, words, "RR-M1", (f"({came})",))
        self.car, self.seconds, missed = found.car, found.seconds, 0
        if found.missed:
            loss: Any = found.events[-1]
            why = _told(found)
            off = isinstance(loss, LeftRoad) and entered.speed > FASTEST
            self._happened(entered, f"off the road at {loss.square}: {entered.speed} mph" if off else why, loss.rule)
            missed = self._miss(entered, found.missed, zeros, why, loss.rule)
        return missed + (self._draw(entered, max(0, zeros - missed)) if found.draws else 0)

    def _draw(self, entered: Entered, zeros: int) -> int:
        """RR-F8, RR-H7: draw the next card of the crew's own pack; return the turns missed by it."""
        if not self.pack:
            return 0
        card = self.pack.pop(0)
        self._happened(entered, f"draws {card.id}, {card.name}", "RR-F8")
        if card.is_kept:
            self.held.append(card.id)
            return 0
        self.pack.append(card)
        self._stand(self.car.trail)
        return self._miss(entered, card.turns, zeros, f"{card.id}, {card.name}", "RR-F8")


def _is_zero(entered: Entered) -> bool:
    """Return whether an entry is a missed turn without turning round."""
    return not (entered.speed or entered.step.is_round or entered.step.using)


def _told_short(config: Config, car: Car, speed: int) -> tuple[str, tuple[str, ...]]:
    """Say that the speeds do not reach the time control, and return hidden tracks that would explain it."""
    section, missing, near = car.section, car.section.left(car.at), tuple[str, ...]()
    where = f"off the route to {section.end.name}"
    if missing is not None:
        where = f"{count(missing, 'square')} before {section.end.name}"
        near = tuple(_short_cuts(config, section.way, missing, speed // 10))
    explained = " A hidden track would do it" if near else ""
    return f"the speeds lead to {car.at}, {where}: another way, a hazard?{explained}", near


def _told(found: Move) -> str:
    loss: Any = found.events[-1]
    if isinstance(loss, Flooded):
        return f"flooded in the ford on {loss.square}"
    if loss.speed > FASTEST:
        return f"faster than {FASTEST} mph"
    return f"off the road at {loss.square}: {loss.speed} mph, the limit is {loss.limit}"


def _short_cuts(config: Config, way: Way, missing: int, move: int) -> Iterator[str]:
    """Yield the hidden tracks that would have spared a car the ``missing`` squares of ``way`` in its last ``move``."""
    for track, ends in config.network.tracks.items():
        if all(end in way for end in ends):
            saved = abs(way.index(ends[0]) - way.index(ends[1])) - 2
            if 0 < missing <= saved < missing + max(1, move):
                yield f"via {track}"
