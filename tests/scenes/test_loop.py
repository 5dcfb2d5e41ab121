"""Circuits as loops: closed, never meeting themselves, each space about as long as any other."""

from itertools import combinations, pairwise
from math import hypot
from random import Random

import pytest

from adjudicator.scenes.loop import Stretch, loop_of

UNIT = 26


def random_circuit(seed):
    """Make straights and bends in turn, as a component set might have them: short, long, with several parts."""
    rng = Random(seed)
    found = [Stretch((rng.randint(1, 30),), False)]
    for _ in range(rng.randint(1, 12)):
        found.append(Stretch(tuple(rng.randint(1, 5) for _ in range(rng.choice((1, 1, 2, 3)))), True))
        found.append(Stretch((rng.choice((1, 2, 5, 12, 40)),), False))
    return found


CIRCUITS = {
    "one bend": [Stretch((9,), False), Stretch((3,), True), Stretch((28,), False)],
    "no bend": [Stretch((40,), False)],
    "nothing but bends": [Stretch((1,), False), Stretch((5,) * 12, True), Stretch((1,), False)],
    "one long bend": [Stretch((2,), False), Stretch((60,), True), Stretch((2,), False)],
    "short": [Stretch((5,), False), Stretch((2,), True), Stretch((6,), False), Stretch((1,), True), Stretch((7,), False)],
    **{f"random {seed}": random_circuit(seed) for seed in range(24)},
}


def crosses(one, other):
    """Return whether two pieces of way cross."""

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    # Pieces of one straight lie on one line, but for what is rounded.
    return side(a, b, c) * side(a, b, d) < -1e-6 and side(c, d, a) * side(c, d, b) < -1e-6


@pytest.mark.parametrize("name", CIRCUITS)
def test_a_circuit_is_closed_and_never_meets_itself(name):
    stretches = CIRCUITS[name]
    total = sum(stretch.spaces for stretch in stretches)
    loop = loop_of(tuple(stretches), UNIT, 84)
    assert loop.stations[-1] == pytest.approx(total)
    assert loop.points[0] == pytest.approx(loop.points[-1], abs=1e-6)
    points = [loop.at(half / 2)[0] for half in range(2 * total)]
    pieces = [*pairwise([*points, points[0]])]
    assert not any(crosses(one, other) for one, other in combinations(pieces, 2))
    assert sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(loop.points)) == pytest.approx(UNIT * total)


@pytest.mark.parametrize("name", CIRCUITS)
def test_no_space_is_much_longer_than_another(name):
    stretches = CIRCUITS[name]
    loop = loop_of(tuple(stretches), UNIT, 84)
    ends = [loop.at(station)[0] for station in range(sum(stretch.spaces for stretch in stretches) + 1)]
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(ends)]
    assert min(lengths) > 0.45 * UNIT
    assert max(lengths) < 1.6 * UNIT


def test_it_begins_at_the_top_to_the_right_and_goes_around_with_the_clock():
    loop = loop_of(tuple(CIRCUITS["one bend"]), UNIT, 84)
    (x, y), direction = loop.at(0)
    assert direction == pytest.approx(0, abs=1e-6)
    assert y <= min(point[1] for point in loop.points) + 1
    assert loop.at(10)[0][0] > x
    assert loop.at(20)[0][1] > y


def test_straights_are_straight_and_bends_turn_to_both_sides():
    stretches = [
        Stretch((8,), False),
        Stretch((3, 3), True),
        Stretch((8,), False),
        *[Stretch((3,), True), Stretch((8,), False)] * 3,
    ]
    loop = loop_of(tuple(stretches), UNIT, 84)
    straight = [loop.at(station + 0.5)[1] for station in range(15, 21)]
    assert max(straight) - min(straight) < 0.02
    turns = [after - before for before, after in pairwise(loop.at(8 + half / 2)[1] for half in range(13))]
    assert min(turns) < -0.1 < 0.1 < max(turns)
