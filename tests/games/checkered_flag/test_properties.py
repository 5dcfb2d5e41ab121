"""What holds in every race: the laws of every game, and what is special in this one, on random play (CF, all sections)."""

from dataclasses import replace
from itertools import chain, product

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from adjudicator.audit.decide import audit_game
from adjudicator.core.event import Spent, total
from adjudicator.core.problem import SetupError
from adjudicator.corrections.correct import amend, undo
from adjudicator.games.checkered_flag.bot import turns_left
from adjudicator.games.checkered_flag.events import (
    BrakesChecked,
    CarBraked,
    CarCrashed,
    CurveChecked,
    GearShifted,
    StartTied,
    TurnLost,
    WheelsSpun,
)
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.games.checkered_flag.state import Position, SeatAt, Spun
from adjudicator.simulate.plan import Plan as Games
from adjudicator.simulate.play import play_game
from adjudicator.testing import LAWS, play_games

SETTINGS = settings(max_examples=8, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink))
ORDERS = [
    *(ANSWERS := (*(Brake(spaces) for spaces in (None, *range(20))), *(Brake(to=place) for place in range(60)), Go())),
    *(Shift(gear, answer) for gear, answer in product(range(6), (None, *ANSWERS))),
]
"""Everything that can be ordered, and some that never can."""
POSITIONS = (
    Position(seats=(SeatAt(seat="ann", position=5, gear=2), SeatAt(seat="bob", position=20, lost=2)), turn="ann"),
    Position(seats=(SeatAt(seat="bob", position=4, gear=3), SeatAt(seat="ann", position=28)), turn="bob", spun=Spun(6, 5)),
    Position(seats=(SeatAt(seat="ann"), SeatAt(seat="bob"))),
)

walks = st.tuples(st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 3))


@pytest.fixture(scope="module")
def tracks(parts, house):
    """Return the tracks that are walked on: the house track, and two that are narrow and dangerous throughout."""
    return (house, parts(), parts("==aaAB.=.CcDD..==ee.F=.." + "."))


@pytest.fixture(scope="module", params=[15, pytest.param(60, marks=pytest.mark.soak)])
def looked_at(request):
    """How many positions the laws that take long look at."""
    return request.param


@pytest.fixture(scope="module", params=["from the line", "from positions"])
def games(request, tracks, looked_at):
    """Return races of random and greedy drivers, over one lap and more."""
    if request.param == "from the line":
        chosen = [{"laps": laps, "braking": braking} for laps, braking in product("123", ("free", "last"))]
        return play_games(
            RULESET, 18, components=tracks, options=chosen, positions_looked_at=looked_at, conserved=room, most_orders=400
        )
    rare = (StartTied, CurveChecked, BrakesChecked, CarBraked, CarCrashed, TurnLost)
    return play_games(
        RULESET, 12, components=tracks[1:2], positions=POSITIONS, conserved=room, rare=rare, positions_looked_at=looked_at
    )


def room(config, state):
    """Return who races, and whether there is one car at most on each narrow space (CF-C1)."""
    first, second = (racer.driven for racer in state.racers)
    is_racing = max(first, second) <= config.distance
    is_narrow = is_racing and config.is_narrow_at(first)
    seats = tuple(racer.seat for racer in state.racers)
    return seats, not is_narrow or config.position_at(first) != config.position_at(second)


@pytest.mark.parametrize("law", LAWS)
def test_it_keeps_the_law(law, games):
    law(games)


@pytest.fixture(scope="module")
def walk(start, wander, tracks):
    """Return the race after a walk (seed, steps, laps)."""

    def make(where, played=None):
        seed, steps, laps = where
        return wander(start(seed, tracks[seed % len(tracks)], laps, ("free", "last")[steps % 2]), steps, seed, played)

    return make


def events_of(race):
    return list(chain.from_iterable(link.entry.events for link in race.game.journal))


@given(walks)
@SETTINGS
def test_spaces_add_up(walk, where):
    race = walk(where)
    driven = dict.fromkeys(race.config.seats, 0)
    for spent in events_of(race):
        if isinstance(spent, Spent):
            assert spent.before == driven[spent.seat] <= spent.after
            assert total(spent.why) == spent.after - spent.before
            driven[spent.seat] = spent.after
    assert [(racer.seat, racer.driven) for racer in race.state.racers] == list(driven.items())


@given(walks)
@SETTINGS
def test_each_move_is_what_its_spin_its_brakes_and_its_crash_leave(walk, where):
    race = walk(where)
    spaces, braked, limit, is_crash, state = 0, 0, 0, False, RULESET.initial(race.config)
    for event in events_of(race):
        match event:
            case WheelsSpun(gear=gear, a=a, b=b):
                spaces, braked, is_crash = (min(a, b), max(a, b), a + b)[gear - 1], 0, False
                limit = gear - 1
            case CarBraked(forced=forced, chosen=chosen):
                braked = forced + chosen
                assert braked > 0
            case BrakesChecked(b=b):
                assert (event.limit, event.is_crash) == (braked, b <= braked)
                is_crash = event.is_crash
            case CurveChecked(b=b):
                assert not is_crash
                assert (event.limit, event.is_crash) == (limit, b <= limit)
                is_crash = event.is_crash
            case Spent(before=before, after=after):
                if not is_crash:
                    assert after - before == spaces - braked
                assert after - before <= spaces - braked
            case CarCrashed(turns=turns):
                assert is_crash
                assert turns == limit
        state = RULESET.evolve(race.config, state, event)


@given(walks)
@SETTINGS
def test_gears_go_by_one_step_and_crashes_by_lost_turns(walk, where):
    race = walk(where)
    lost, gears = dict.fromkeys(race.config.seats, 0), dict.fromkeys(race.config.seats, 0)
    for event in events_of(race):
        match event:
            case GearShifted(seat=seat):
                assert event.came_from == gears[seat]
                assert abs(event.gear - gears[seat]) == 1
                assert lost[seat] == 0
                gears[seat] = event.gear
            case CarCrashed(seat=seat, turns=turns):
                lost[seat] = turns
            case TurnLost(seat=seat, left=left):
                lost[seat] -= 1
                assert left == lost[seat]
                if not left:
                    gears[seat] = 0
    assert [(racer.seat, racer.lost) for racer in race.state.racers] == list(lost.items())
    assert all(racer.gear == (racer.lost + 1 if racer.lost else gears[racer.seat]) for racer in race.state.racers)


@given(walks)
@SETTINGS
def test_legal_is_what_check_accepts(walk, where):
    race = walk(where)
    for seat in race.config.seats:
        legal = race.legal(seat)
        assert len(set(legal)) == len(legal)
        assert {order for order in ORDERS if race.allows(seat, order)} == set(legal)
        assert bool(legal) is (bool(race.due()) and race.due()[0][0] == seat)


@given(walks)
@SETTINGS
def test_everybody_sees_the_same(walk, where):
    race = walk(where)
    seen = [replace(race.view(viewer), viewer=None) for viewer in ("red", "blue", None, "moderator")]
    assert all(one == seen[0] for one in seen)


@given(walks)
@SETTINGS
def test_nobody_waits_for_nothing(walk, where):
    """While the race lasts exactly one decision is due; after it none is, and somebody has won."""
    race = walk(where)
    beyond = [racer.seat for racer in race.state.racers if racer.driven > race.config.distance]
    if race.is_over():
        assert race.due() == []
        assert beyond == [race.state.winner(race.config)]
    else:
        assert len(race.due()) == 1
        assert beyond == []


@given(walks)
@SETTINGS
def test_every_event_is_told_but_the_clock_and_whose_turn_it_is(walk, where):
    race = walk(where)
    for event in events_of(race):
        words = RULESET.tell(race.config, event)
        assert bool(words) is (event.kind not in ("spent", "turn-passed"))
        assert "None" not in words
        assert not words.endswith(".")


@given(walks)
@SETTINGS
def test_what_an_answer_is_worth_is_what_it_brings_without_a_crash(walk, where):
    race = walk(where)
    for seat, kind in race.due():
        if kind == "brake":
            for order in race.legal(seat):
                after = replace(race)
                state_before = after.racer(seat).driven
                worth = after.cost(seat, order)
                outcome = after.send(seat, order)
                assert outcome.accepted
                if not any(isinstance(event, CarCrashed) for event in outcome.accepted[0].entry.events):
                    assert after.racer(seat).driven - state_before == worth


@given(st.integers(0, 2**32), st.integers(1, 2))
@settings(max_examples=8, deadline=None)
def test_every_race_ends(walk, seed, laps):
    assert walk((seed, 5_000, laps)).is_over()


@given(walks)
@SETTINGS
def test_the_guess_goes_down_to_nothing_at_the_finish(walk, where):
    race = walk(where)
    for seat in race.config.seats:
        guess = turns_left(race.config, race.state.racer(seat))
        assert (guess == 0) == (race.state.winner(race.config) == seat)


def test_the_guess_prefers_what_a_driver_would(scene):
    """Nearer the finish is better, a higher gear is better on the straight, and a crash is worse than either."""

    def guess(**fields):
        race = scene(red=fields)
        return turns_left(race.config, race.state.racer("red"))

    assert guess(position=28, gear=2) < guess(position=20, gear=2) < guess(position=2, gear=2)
    assert guess(position=26, gear=2) < guess(position=26, gear=1) < guess(position=26, gear=0)
    assert guess(position=8, gear=2) < guess(position=8, lost=1) < guess(position=8, lost=2)


def test_a_race_may_be_corrected_and_stays_whole():
    """Undo draws the same again; an amended crash loses its turn at once."""
    plan = Games(ruleset="checkered-flag", games=1, players=2, most_orders=12)
    session = play_game(plan, 1).session
    earlier = undo(session, 6, "a mail was overlooked")
    assert earlier.game.state == session.timeline.state_after(6)
    seat = RULESET.awaiting(earlier.config, earlier.game.state)[0].seat
    crashed = amend(earlier, [f"racers[{seat}].lost=2", "spun=null"], "it crashed at the table")
    assert crashed.game.state.racer(seat).lost == 1
    assert RULESET.awaiting(crashed.config, crashed.game.state)[0].seat != seat
    assert audit_game(crashed).divergence is None
    with pytest.raises(SetupError, match="cannot be amended"):
        amend(earlier, [f"racers[{seat}].seat=green"], "a slip")
