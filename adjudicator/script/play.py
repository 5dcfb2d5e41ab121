"""Play a script: each turn is one adjudication in the sequence of its lines; compare the numbers that people wrote down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from adjudicator.core.corrections import MissedPolicy
from adjudicator.core.engine import adjudicate
from adjudicator.core.event import Part, Spent
from adjudicator.core.journal import Entry
from adjudicator.core.order import Sheet
from adjudicator.core.problem import MOST_PROBLEMS, CorrectionError, Diagnostic, Problem, SetupError
from adjudicator.core.step import committed_chance, validate_expression
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.orders.clean import clean
from adjudicator.orders.locate import locate
from adjudicator.reports.diagnostics import order_problem
from adjudicator.reports.texts import why_text
from adjudicator.results import Decision, OrderProblem
from adjudicator.script.read import (
    BAD_QUOTE,
    BadLinesError,
    Block,
    Claim,
    Item,
    Line,
    Script,
    bad_turn,
    is_script,
    read_script,
    unquote,
)
from adjudicator.script.setup import set_up
from adjudicator.verdict import Divergence, Kind

Taken = tuple[Line, Entry]
"""An order of a script with its entry."""
_ABSENCES: Final = ("nmr", "holiday")
_FORMS: Final = {
    "undo": ("(?:to +)?([0-9]{1,9})", "write the number of the entry to go back to, as in `undo to 12`"),
    "seat": ("([^=]*?) *= *(.*)", "write the new holder of a seat like `seat {}=Zoe`"),
    "nmr": (
        r"(\S{1,40}) +(default|bot|drop) +([1-9][0-9]{0,3}) +by +(.{1,80})",
        "write a missed deadline like `nmr {} bot 1 by 2026-03-02 20:00 UTC`",
    ),
    "holiday": (r"(\S{1,40}) +(\S.{0,79}) to (\S.{0,79})", "write a holiday like `holiday {} 2026-12-20 to 2027-01-03`"),
}
"""The patterns of corrections, and the right forms with a seat."""
_MOST: Final = 1_000
"""Lines of one correction."""


class ScriptResult(Value):
    """The result of a script: the game up to the turn of the first problem, its lines with their entries, all problems.

    ``game`` is ``None`` if the set-up fails. The game ends before the turn of the first of the ``diagnostics``.
    """

    script: Script
    game: Game | None
    accepted: tuple[Taken, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The mistakes in the script, each with its ``code``, ``message``, ``line`` and ``column``."""
        return tuple(map(order_problem, self.diagnostics))

    @property
    def divergences(self) -> tuple[Divergence, ...]:
        """The written minutes and results that the rules contradict."""
        if self.game is None:
            return ()
        claims = () if self.diagnostics else self.script.claims
        wrong_minutes = (_wrong_minutes(line, entry) for line, entry in self.accepted)
        return (*filter(None, wrong_minutes), *(one for claim in claims for one in _wrong_result(self.game, claim)))


def play_script(
    text: str | bytes,
    *,
    name: str = "script",
    folder: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> ScriptResult:
    """Play the whole game in ``text``, a script, and return the result: mistakes in it are values, not errors.

    Messages call the script ``name``. It can name files in ``folder`` (``None``: no files). Each adjudication calls
    ``notify``. Raises ``RequestError`` if ``text`` is no script.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not is_script(data):
        raise RequestError(f"name a script: the first line of {name} does not begin with `script`")
    script = read_script(data)
    game: Game | None = None
    taken, found = list[Taken](), list(script.diagnostics)
    first = script.blocks[0].line if script.blocks else None
    try:
        if script.rules is not None and not any(first is None or 0 < one.line < first for one in found):
            game = set_up(script, folder)
            found += _impossible_orders(script, game)
            for block in () if found else script.blocks:
                notify()
                game, new = _play(game, block, taken)
                taken += new
    except BadLinesError as error:
        found += error.diagnostics
    # Those of the whole script, such as the number left out, come last.
    placed = sorted(found, key=lambda one: (not one.line, one.line, one.column))
    return ScriptResult(script, game, tuple(taken), tuple(replace(one, source=name) for one in placed))


def _impossible_orders(script: Script, game: Game) -> list[Diagnostic]:
    """Return problems of the first orders that are illegal in every position, and one that says there are more."""
    impossible = (
        Diagnostic(problem, line.seat, said.line, order, text=said.text, place=said.place)
        for block in script.blocks
        for line in block.lines
        for said in (line.instruction,)
        for order, problem in validate_expression(game.rules, said.expression)
    )
    found = locate(game.rules, islice(impossible, MOST_PROBLEMS + 1))
    if len(found) > MOST_PROBLEMS:
        message = f"more than {MOST_PROBLEMS} orders are illegal in every position: correct these {MOST_PROBLEMS} first"
        found[MOST_PROBLEMS:] = [Diagnostic(Problem("orders/too-many-problems", message))]
    return found


def _play(game: Game, block: Block, before: Sequence[Taken]) -> tuple[Game, list[Taken]]:
    """Return ``game`` after ``block``, and its lines with their entries; ``before`` are those of the turns before it.

    Raises ``BadLinesError`` unless the whole block is carried out in the sequence of its lines.
    """
    # Only skipped orders and absences may repeat the number of the last turn.
    is_repeated, due = block.turn != game.record.turn, bad_turn(game.record.turn)
    is_absence = bool(block.correction) and block.correction[0].word in _ABSENCES
    if is_repeated and (block.turn != game.record.turn - 1 or (block.correction and not is_absence)):
        raise BadLinesError(block.at(due))
    if block.correction:
        return _correct(game, block.correction, takes_number=not is_repeated), []
    sheets = (Sheet(line.seat, (line.instruction,)) for line in block.lines)
    chance = committed_chance(game.record, game.record.journal[-1].entry.drawn, words=())
    said = block.comment
    outcome = adjudicate(game.rules, game.record, sheets, turn=block.turn, chance=chance, in_sequence=True, comment=said)
    after = game.with_record(outcome.record)
    new = list(zip(block.lines, (link.entry for link in outcome.accepted), strict=False))
    if outcome.diagnostics:
        raise BadLinesError(*locate(game.rules, outcome.diagnostics))
    if len(new) < len(block.lines):
        raise BadLinesError(_not_due(after, block.lines[len(new)], [*before, *new]))
    if is_repeated and not all(entry.is_skipped for _, entry in new):
        raise BadLinesError(block.at(due))
    return after, new


def _not_due(game: Game, line: Line, before: Sequence[Taken]) -> Diagnostic:
    """Return the problem of ``line``, whose seat is not due in ``game``; the lines ``before`` it may explain why.

    They do if the clock of its seat and that of a seat due come in another order by the written minutes.
    """
    awaited = Decision.due_in(game.rules, game.record.state)
    asked = "; ".join(f"{one.seat}: {one.ask}" for one in awaited) or "nothing"
    message, seat, due = f"{line.seat} is not due here. What is due: {asked}", line.seat, [one.seat for one in awaited]
    rules = {row.seat: row.score for row in game.rules.standings(game.record.state)}
    archive = dict(rules)
    for other, entry in before:
        if other.minutes is not None:
            archive[other.seat] = archive.get(other.seat, 0) + other.minutes - _spent(entry)[0]

    def order(clocks: Mapping[Seat, int], other: Seat) -> int:
        return (clocks[other] > clocks[seat]) - (clocks[other] < clocks[seat])

    swapped = [one for one in due if {one, seat} <= rules.keys() and order(archive, one) != order(rules, one)]
    sums = [
        f"the archive has {one} at {archive[one]}, the rules {rules[one]}"
        for one in dict.fromkeys((seat, *swapped))
        if swapped and archive[one] != rules[one]
    ]
    if sums:
        message += f". T{'; '.join(sums)[1:]}: so {' or '.join(due)} plays next, not {seat}"
    said, words = line.instruction, clean(line.instruction.text)
    start = len(words) - len(words.lstrip())
    where = Diagnostic(Problem("script/not-due", message), seat, said.line, place=said.place)
    return where.at(start + 1, len(words) - start, said.text)


def _correct(game: Game, items: Sequence[Item], *, takes_number: bool) -> Game:
    """Return ``game`` after the correction in ``items``, the lines of one turn. Raises ``BadLinesError``.

    Unless it ``takes_number``, an absence joins the adjudication before it.
    """
    reasons = [item for item in items if item.word == "because"]
    said = [item for item in items if item.word != "because"]
    first, seat = (said or items)[0], Seat("")
    groups: tuple[str, ...] = ()

    def bad(message: str, item: Item = first) -> BadLinesError:
        return BadLinesError(item.wrong("bad-correction", message))

    if not said:
        raise bad("write the correction before its reason: a line such as `undo to 12`, then `because`")
    for other in (*said[1:], *reasons[1:]):
        if other.word != "amend" or first.word != "amend" or len(said) > _MOST:
            raise bad("one turn holds one correction with one reason: write the next one in a separate turn", other)
    reason = unquote(reasons[0].value) if reasons else ""
    if reason is None:
        raise bad(BAD_QUOTE, reasons[0])
    if first.word in _FORMS:
        pattern, form = _FORMS[first.word]
        match = re.fullmatch(pattern, first.value, re.IGNORECASE)
        groups, form = match.groups() if match else ("",), form.format(game.seats[0])
        seat = Seat(groups[0].lower())
        if first.word == "undo" and match is None:
            raise bad(form)
        if first.word != "undo" and seat not in game.seats:
            raise bad(f"{form}: {', '.join(game.seats)}")
    try:
        match first.word:
            case "amend":
                return game.amend([item.value for item in said], reason)
            case "undo":
                return game.undo(int(groups[0]), reason)
            case "seat":
                holder = unquote(groups[1])
                if holder is None:
                    raise bad(BAD_QUOTE)
                return game.hand_over(seat, holder, reason)
            case "nmr":
                _, policy, missed, due = groups
                how = MissedPolicy(policy.lower())
                return game.miss_deadline(seat, due.strip(), how, int(missed), reason, takes_number=takes_number)
            case "holiday":
                _, begin, end = groups
                return game.take_holiday(seat, begin.strip(), end.strip(), reason, takes_number=takes_number)
        if not reason and not game.is_over:
            raise bad("to publish the secret before the end, give a reason, which the journal records (`because`)")
        return game.reveal(reason, force=True)
    except CorrectionError as error:
        raise bad(str(error)) from error
    except SetupError as error:
        raise bad("; ".join(problem.message for problem in error.problems)) from error


# The numbers that people wrote down


def _spent(entry: Entry) -> tuple[int, tuple[Part, ...]]:
    """Return the minutes that the seat of ``entry`` spent, and their parts."""
    spent = [event for event in entry.events if isinstance(event, Spent) and event.seat == entry.seat]
    return sum(event.after - event.before for event in spent), tuple(part for event in spent for part in event.why)


def _wrong_minutes(line: Line, entry: Entry) -> Divergence | None:
    """Return how the written minutes differ from those of the rules, which have the correct sum with its parts."""
    minutes, why = _spent(entry)
    if line.minutes in (None, minutes):
        return None
    rules = ", ".join(dict.fromkeys(part.rule for part in why if part.rule))
    words = why_text(why, entry.order)
    words = words.removesuffix(f" ({rules})") if rules else words
    return Divergence(
        kind=Kind.MINUTES,
        n=entry.n,
        seat=line.seat,
        order=entry.order,
        field=f"line {line.instruction.line}: minutes",
        recorded=str(line.minutes),
        recomputed=f"{minutes} = {words}" if words not in ("", str(minutes)) else str(minutes),
        rule=rules,
    )


def _wrong_result(game: Game, claim: Claim) -> Iterator[Divergence]:
    standings, field = game.rules.standings(game.record.state), f"line {claim.item.line}: {claim.item.word}"
    if claim.minutes is None:
        winners = {row.seat for row in standings if row.is_final and row.place == 1}
        right = " ".join(seat for seat in game.seats if seat in winners) or "none: the game is not over"
        if winners != set(claim.seats):
            yield Divergence(Kind.RESULT, field=field, recorded=" ".join(claim.seats), recomputed=right)
        return
    scores = {row.seat: row.score for row in standings}
    for seat in claim.seats:
        if scores.get(seat) != claim.minutes:
            right = str(scores.get(seat, "none"))
            yield Divergence(Kind.RESULT, seat=seat, field=field, recorded=str(claim.minutes), recomputed=right)
