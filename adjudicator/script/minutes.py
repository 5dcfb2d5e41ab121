"""Compare the numbers that people wrote down with those of the rules: minutes, winner, clocks at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from adjudicator.core.event import Part, Spent
from adjudicator.core.journal import Entry
from adjudicator.core.values import Seat
from adjudicator.library.game import Game
from adjudicator.reports.text.why import why_text
from adjudicator.script.parts import Claim, Line
from adjudicator.verdict import Divergence, Kind


def disagreements(game: Game, taken: Iterable[tuple[Line, Entry]], claims: Iterable[Claim]) -> Iterator[Divergence]:
    """Yield each written number that differs from the rules, in the order of the game, then the result.

    ``game`` holds the game at its end, ``taken`` its orders as written with their entries. A divergence has the correct
    minutes with their parts; its field names the line.
    """
    for line, entry in taken:
        spent = [event for event in entry.events if isinstance(event, Spent) and event.seat == entry.seat]
        minutes = sum(event.after - event.before for event in spent)
        if line.minutes is not None and line.minutes != minutes:
            why = tuple(part for event in spent for part in event.why)
            yield Divergence(
                kind=Kind.MINUTES,
                n=entry.n,
                seat=line.seat,
                order=entry.order,
                field=f"line {line.instruction.line}: minutes",
                recorded=str(line.minutes),
                recomputed=_sum(minutes, why, entry.order),
                rule=_rules(why),
            )
    for claim in claims:
        yield from _result(game, claim)


def clock_differences(game: Game, taken: Iterable[tuple[Line, Entry]], due: Sequence[Seat], written: Seat) -> str:
    """Explain from the written minutes why the rules have ``due`` where the script has ``written``; empty if they cannot.

    They explain it if the clock of ``written`` and that of a seat due come in another order by the written minutes.
    """
    rules = {row.seat: row.score for row in game.rules.standings(game.record.state)}
    apart: dict[Seat, int] = {}
    for line, entry in taken:
        if line.minutes is not None:
            spent = sum(e.after - e.before for e in entry.events if isinstance(e, Spent) and e.seat == entry.seat)
            apart[line.seat] = apart.get(line.seat, 0) + line.minutes - spent
    archive = {seat: score + apart.get(seat, 0) for seat, score in rules.items()}

    def order(clocks: Mapping[Seat, int], seat: Seat) -> int:
        return (clocks[seat] > clocks[written]) - (clocks[seat] < clocks[written])

    swapped = [seat for seat in due if {seat, written} <= rules.keys() and order(archive, seat) != order(rules, seat)]
    sums = [
        f"the archive has {seat} at {archive[seat]}, the rules {rules[seat]}"
        for seat in dict.fromkeys((written, *swapped))
        if swapped and apart.get(seat)
    ]
    if not sums:
        return ""
    return f". T{'; '.join(sums)[1:]}: so {' or '.join(due) or 'no seat'} plays next, not {written}"


def _result(game: Game, claim: Claim) -> Iterator[Divergence]:
    standings = game.rules.standings(game.record.state)
    field = f"line {claim.item.line}: {claim.item.word}"
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


def _sum(minutes: int, why: tuple[Part, ...], order: str) -> str:
    """Return the ``minutes`` and, if they are a sum, its parts, without the rules."""
    parts = why_text(why, order)
    rules = _rules(why)
    words = parts.removesuffix(f" ({rules})") if rules else parts
    return f"{minutes} = {words}" if words and words != str(minutes) else str(minutes)


def _rules(why: tuple[Part, ...]) -> str:
    return ", ".join(dict.fromkeys(part.rule for part in why if part.rule))
