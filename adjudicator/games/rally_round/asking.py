"""Ask a crew each time whether it lets another one overtake: `BLOCK ask` of games before version 4 (RR-O1)."""

from __future__ import annotations

from adjudicator.game import Chance, Moves, Problem, Seat, replace
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.drive import landing, move, others_of, take
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.state import Here, on_course
from adjudicator.games.rally_round.way import FASTEST, Turn, way_ahead


def take_or_ask(at: Here, turn: Turn, chance: Chance, free: tuple[Seat, ...] = (), held_by: Seat | None = None) -> Moves:
    """Drive the ``turn`` of ``at.seat``, unless another crew must first say whether it blocks it.

    The position is ``on_course``. The crews in ``free`` let it pass, ``held_by`` does not.
    """
    by = None if held_by else who_is_asked(at, turn, free)
    if by is not None:
        return (yield happened.BlockAsked(seat=at.seat, by=by, **turn._asdict(), free=free))
    yield from take(at, turn, chance, held_by)
    return (yield happened.TurnTaken(seat=at.seat))


def who_is_asked(at: Here, turn: Turn, free: tuple[Seat, ...]) -> Seat | None:
    """Return the crew to ask whether ``at.seat`` may overtake it, ``None`` if the answer makes no difference."""
    config, crews = at.config, at.state.crews
    asking = [crew.seat for crew in crews if crew.is_asking and crew.seat != at.seat and crew.seat not in free]
    if not asking or turn.speed > FASTEST or turn.speed not in at.own.legal_speeds(config, turn.via, turn.using):
        return None
    car, rights = at.own.car(config), at.own.rights(config, turn.using)
    way = way_ahead(config, car, turn.speed // 10 + len(crews) - 1, turn.via)
    blocked, let = (others_of(at, way, blocks) for blocks in (asking, ()))
    held = landing(config, turn, way, blocked).held
    if held is None or blocked.blocked[held] not in asking:
        return None
    one, other = (replace(move(config, at.seat, car, rights, turn, way, others), told=()) for others in (blocked, let))
    return blocked.blocked[held] if one != other else None


def check_answer(at: Here, when: str) -> Problem | None:
    """Refuse what is no answer to the crew that asks, or an answer if none does."""
    if at.state.announced is None:
        near = ("always" if when == "yes" else "never",)
        return META.problem("nothing-asked", "no crew asks to overtake now", "RR-O1", "blocking", near)
    if when != "ask":
        return None
    message = "a crew is asking now: answer BLOCK yes, or BLOCK no"
    return META.problem("answer-first", message, "RR-O1", "blocking", ("yes", "no"))


def answer(at: Here, chance: Chance, *, is_on: bool) -> Moves:
    """Let the announced move go ahead: the crew ``at.seat`` blocks it or not."""
    waiting = at.state.announced
    assert waiting is not None
    at = yield happened.BlockAnswered(seat=at.seat, is_on=is_on)
    mover = on_course(replace(at, seat=waiting.mover))
    free, held_by = (waiting.free, at.seat) if is_on else ((*waiting.free, at.seat), None)
    return (yield from take_or_ask(mover, waiting.turn, chance, free, held_by))
