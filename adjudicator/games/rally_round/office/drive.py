"""Drive time sheets on the map, square by square (RR-M, RR-F), and compare each section with the sheet.

The drive uses every speed as entered: it reports an illegal one and drives it, so that one slip does not become ten.
Zeros after a speed count as turns that the map makes a crew miss. If the kit is unknown, the report says what needs a card
(RR-H9), and the car continues with that card. As by internet, no other car is in the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from adjudicator.game import Event, Seat, count, replace, suggest
from adjudicator.games.rally_round.components import CardId, Does, Effect, Rights
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import move
from adjudicator.games.rally_round.events import CarStopped, Driven, Faulted, PassageMet, Rolled
from adjudicator.games.rally_round.office.outputs import ScoredSheet, SheetIncident, Verdict
from adjudicator.games.rally_round.office.sheets import (
    CARD,
    FALSE,
    NOTE,
    Row,
    Sheet,
    Word,
    changed,
    nearest,
)
from adjudicator.games.rally_round.roads import Way
from adjudicator.games.rally_round.route import MINUTE, Section
from adjudicator.games.rally_round.way import FASTEST, FASTEST_NAMED, Car, NoWay, Turn, legal_speeds, targets, way_ahead


def _on_all_roads(does: Does, mph: int) -> Effect:
    return Effect(does=does, red=mph, yellow=mph, white=mph)


_CAR: Final = Seat("")
_ANY: Final = (
    *(_on_all_roads(does, FASTEST_NAMED) for does in (Does.BRIDGE, Does.BEND, Does.ROUGH)),
    *(Effect(does=does) for does in (Does.WATERPROOF, Does.BLACK_SPOT, Does.HIDDEN_TRACK)),
)
"""What some card might allow: nothing that it covers takes a car off the road, or out of the rally."""


def drive(config: Config, sheet: Sheet) -> ScoredSheet:
    """Drive ``sheet`` on the map of ``config``, and return its score with every wrong entry (RR-P7)."""
    there = list[tuple[Section, list[Row]]]()
    pairs = (pair for section in config.sections for pair in zip(section.posts, section.distances, strict=True))
    on_map = {post.number: (post, distance) for post, distance in pairs}
    for section in config.sections:
        rows = [row for post in section.posts for row in sheet.rows if row.number == post.number]
        if rows and rows[-1].number == section.end.number:
            there.append((section, rows))
    crew, noted = _Crew(config, sheet), sheet.noted([{post.number for post in section.posts} for section, _ in there])
    for (section, rows), unexplained in zip(there, noted, strict=True):
        end = section.end.name
        for row in rows:
            post, distance = on_map[row.number]
            for what, written, right, rule in (
                ("control", row.control, post.name, "RR-C4"),
                ("section", row.timing, post.timing if row.control == post.name else row.timing, "RR-C4"),
                ("distance", row.distance, distance, "RR-H1"),
                ("regularity speed", row.mph, post.speed, "RR-T4"),
            ):
                if written != right:
                    words = f"the sheet says {what} {written}, the map gives {right}"
                    sheet.find(row.control, FALSE, words, rule, row.entries.get(what, (0, row.word))[1], [str(right)])
        time, faults = crew.drive(section, rows)
        for fault, word in faults:
            same = max(unexplained, key=lambda noted: _likeness(noted.words, fault.words), default=None)
            if same is not None and _likeness(same.words, fault.words):
                unexplained.remove(same)
                continue
            short = fault.words.partition(", where")[0]
            near = f"+30 {short}{'' if end in short else f' on the way to {end}'}"
            sheet.find(end, NOTE, f"{fault.words}: 30 marks, missing on the sheet", fault.rule, word, [near])
        for other in unexplained:
            words = f"the sheet notes “{other.words}”, but the speeds cause no such fault: 30 marks"
            sheet.find(other.control or end, NOTE, words, "RR-P4", other.word)
        many = len(faults) + len(unexplained)
        sheet.end_section(rows[-1]._replace(control=end), section.timing, section.distance, section.target, time, many)
    for row in sheet.rows:
        if row.number not in on_map:
            sheet.find(row.control, FALSE, f"the route has no {row.control}", "RR-P7", row.word)
    sheet.out = sheet.out or crew.disqualified
    return sheet.scored(is_driven=True)


def _likeness(noted: str, words: str) -> int:
    """Return how well a ``noted`` fault fits one from the drive by its ``words``, 0 if it is about something else."""
    told = noted.lower().partition(" on the way")[0]
    is_vague = not re.search(r"[a-z][0-9]|give way|quiet|roll", told)
    return 2 * len({*re.findall(r"[a-z]{4,}|[a-z]+[0-9]+", told)} & {*re.findall(r"\w+", words.lower())}) + is_vague


class _Crew:
    """The drive of one sheet: the car, the crew's own pack, and whether it is disqualified.

    ``turn`` is the present turn, with its ``number`` in the section; ``minutes`` are those of the section so far.
    """

    def __init__(self, config: Config, sheet: Sheet) -> None:
        self.config, self.sheet, self.car = config, sheet, Car(config.sections[0], ())
        start, faster, slower = sheet.limits or (0, 0, 0)
        known = ((Does.START, start), (Does.ACCELERATE, faster), (Does.DECELERATE, slower))
        effects = [effect for card in sheet.kit for effect in card.effects]
        self.kit = Rights(tuple(effects or (_on_all_roads(does, mph) for does, mph in known)))
        self.disqualified, self.pack, self.held = "", list(config.components.hazards), list[CardId]()
        self.faults, self.minutes, self.number = list[tuple[Faulted, Word]](), 0, 0
        self.seconds: int | None = None

    def drive(self, section: Section, rows: Sequence[Row]) -> tuple[int, list[tuple[Faulted, Word]]]:
        """Drive the speeds of ``section`` in ``rows``; return its seconds, and the faults with their speeds."""
        turns = [turn for row in rows for turn in row.turns]
        self.car = Car(section, (section.start.square,), faulted=tuple({section.start.name}.intersection(self.car.faulted)))
        self.faults, self.minutes, self.seconds, at = [], 0, None, 0
        while at < len(turns) and self.seconds is None:
            self.turn, self.number = turns[at], at + 1
            zeros = len([*takewhile(lambda turn: not (turn.speed or turn.is_round or turn.using), turns[at + 1 :])])
            missed = min(self._take(zeros), zeros)
            self.minutes += 1 + missed
            at += 1 + missed
        if at < len(turns):
            self.turn, self.number = turns[at], at + 1
            self._find(FALSE, f"the car reaches {section.end.name} before this turn", "RR-P7")
            self.minutes += len(turns) - at
        elif not turns:
            self.sheet.find(rows[-1].control, FALSE, "the sheet has no speed", "RR-P7", rows[-1].word)
        elif self.seconds is None:
            self.turn, self.number = turns[-1], len(turns)
            self._find_short()
        last = MINUTE if self.seconds is None else self.seconds
        return (MINUTE * (self.minutes - 1) + last if self.minutes else 0), self.faults

    def _find(self, verdict: Verdict, words: str, rule: str, near: Iterable[str] = (), word: Word | None = None) -> None:
        """Record a finding about the present turn, or about a ``word`` noted with it."""
        end = self.car.section.end.name
        self.sheet.find(end, verdict, f"turn {self.number}: {words}", rule, word or self.turn.word, near)

    def _happened(self, words: str, rule: str) -> None:
        end = self.car.section.end.name
        self.sheet.incidents.append(SheetIncident(control=end, turn=self.number, message=words, rule=rule))

    def _take(self, zeros: int) -> int:
        """Drive one turn; return how many turns the crew misses after it; the sheet has ``zeros`` for them."""
        turn, config, is_known = self.turn, self.config, bool(self.sheet.kit)
        speed, rights = turn.speed, self._rights()
        if turn.is_round:
            self.car = replace(self.car, trail=self.car.trail[-1:], speed=0)
            return 0
        if not speed:
            self._find(NOTE, "the sheet misses a turn, but the map gives no reason", "RR-M4")
            self.car = replace(self.car, speed=0)
            return zeros  # report only one of several in a row
        if self.sheet.find_speed(self.car.section.end.name, self.number, turn):
            self.car = replace(self.car, speed=0)
            return 0
        ahead = self._ahead()
        if not ahead:
            self._find(FALSE, f"the road ends at {self.car.at}", "RR-M6", ["turn"])
            return 0
        legal = legal_speeds(config, self.car, rights, ahead[0])
        if speed not in legal:
            what, rule = changed(self.car.speed, speed)
            may = f"{legal[0]} to {legal[-1]}" if len(legal) > 1 else f"only {legal[0]}"
            words = f"{what}, where {may} is legal on {config.square(self.car.at).colour}"
            self._find(FALSE if self.sheet.limits else CARD, words, rule, nearest(speed, legal))
        found = move(config, _CAR, self.car, rights, Turn(speed), ahead)
        last, is_doubtful = found.events[-1], found.is_out or (found.missed > zeros == 0 and speed <= FASTEST)
        if found.is_out:
            self.disqualified = self.disqualified or (_said(config, last) if is_known else "")
            self._find(FALSE if is_known else CARD, _said(config, last), last.rule)
        elif is_doubtful:
            self._miss(found.missed, zeros, _said(config, last), last.rule)
        if is_doubtful:
            found = move(config, _CAR, self.car, Rights((*rights.effects, *_ANY)), Turn(speed), ahead)
        self._meet(found.events)
        missed, self.car, self.seconds = found.missed, found.car, found.seconds
        if missed:
            self._miss(missed, zeros, _said(config, found.events[-1]), found.events[-1].rule)
        if found.draws and self.pack:  # RR-F8, RR-H7: the crew's own pack
            card = self.pack.pop(0)
            self._happened(f"draws {card.id}, {card.name}", "RR-F8")
            if card.is_kept:
                self.held.append(card.id)
            else:
                self.pack.append(card)
                self.car, missed = replace(self.car, speed=0), card.turns
                self._miss(missed, zeros, f"{card.id}, {card.name}", "RR-F8")
        return missed

    def _meet(self, events: Sequence[Event]) -> None:
        """Record what happens in a move: its faults, its incidents, and another number of squares than the sheet notes."""
        never = {one.control for one in events if isinstance(one, Faulted) and one.words.endswith("never visited")}
        came, trail = 0, self.car.trail
        for one in events:
            if isinstance(one, Driven):
                came, trail = len(one.squares), (*trail, *one.squares)
            if isinstance(one, Rolled):
                came += len(one.squares) * (-1 if one.squares[:1] == trail[-2:-1] else 1)
            if isinstance(one, Faulted):
                self.faults.append((one, self.turn.word))
            if not isinstance(one, Driven | CarStopped) and not (isinstance(one, PassageMet) and one.control in never):
                self._happened(_said(self.config, one), one.rule)
        if self.turn.squares not in (None, came):
            words = f"the sheet notes {self.turn.squares} squares, the map gives {came}"
            self._find(NOTE, words, "RR-M1", [f"({came})"])

    def _rights(self) -> Rights:
        """Return what the kit allows, and the hazard card that the turn uses."""
        using = self.turn.using
        if using is None:
            return self.kit
        card = self.config.hazards.get(CardId(using.text.upper()))
        if card is None:
            near = suggest(using.text, self.config.hazards)
            self._find(FALSE, f"the game has no hazard card {using.text}", "RR-C3", near, using)
            return self.kit
        if card.id in self.held:
            self.held.remove(card.id)
            self.pack.append(card)
            self._happened(f"uses {card.id}, {card.name}", "RR-F8")
        else:
            verdict = FALSE if self.sheet.kit else NOTE
            self._find(verdict, f"the crew does not keep {card.id}", "RR-F8", self.held, using)
        return Rights((*self.kit.effects, *card.effects))

    def _ahead(self) -> Way:
        """Return the squares ahead, over the noted ways as far as a car can drive them."""
        network, via, squares = self.config.network, dict[str, Word](), max(1, self.turn.speed // 10)
        for word in self.turn.via:
            name = word.text.lower().replace("’", "'")
            if targets(network, name):
                via[name] = word
            else:
                near = suggest(name, (*network.named, *network.squares))
                self._find(FALSE, f"the map has no square, place or road “{name}”", "RR-M6", near, word)
        try:
            return way_ahead(self.config, self.car, squares, list(via))
        except NoWay as none:
            self._find(FALSE, none.words, "RR-M6", word=via.get(none.name))
            return way_ahead(self.config, self.car, squares)

    def _miss(self, turns: int, zeros: int, why: str, rule: str) -> None:
        """Report if the sheet misses too few turns; if that is certain, the missing ones count."""
        if zeros < turns:
            is_known = bool(self.sheet.kit)
            entry = f"the sheet has {zeros or 'none'}{': they count' if is_known else ''}"
            near = [" ".join([str(self.turn.speed), *("0",) * turns])] if is_known else []
            # No crew can know the pack in advance, so such zeros were forgotten, not omitted.
            verdict = NOTE if rule == "RR-F8" else FALSE if is_known else CARD
            self._find(verdict, f"{why}: {count(turns, 'turn')} missed, {entry}", rule, near)
            self.minutes += turns - zeros if is_known else 0

    def _find_short(self) -> None:
        """Say that the speeds do not reach the time control, and suggest hidden tracks that would explain it."""
        section, network, near = self.car.section, self.config.network, list[str]()
        missing, way, move = section.left(self.car.at), section.way, self.turn.speed // 10
        where = f"off the route to {section.end.name}"
        if missing is not None:
            where = f"{count(missing, 'square')} before {section.end.name}"
            for track, ends in network.tracks.items():
                saved = abs(section.place(ends[0]) - section.place(ends[1])) - 2
                if {*ends} <= {*way} and 0 < missing <= saved < missing + max(1, move):
                    near.append(f"via {track}")
        explained = " A hidden track would do it" if near else ""
        self._find(NOTE, f"the speeds lead to {self.car.at}, {where}: another way, a hazard?{explained}", "RR-P7", near)


def _said(config: Config, event: Event) -> str:
    """Return the sentence about ``event`` without its seat."""
    return event.tell(config).strip(" :")
