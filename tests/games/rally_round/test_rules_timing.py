"""Target times, flying finishes and penalties for time (RR-T, RR-F3, RR-P): every printed cell."""

import pytest

from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.timing import PRINTED, clock, flying_finish, target_time, timed

SQUARES = range(12, 25)
ROAD = "4:00 5:00 5:00 5:00 6:00 6:00 6:00 7:00 7:00 7:00 8:00 8:00 8:00"
SELECTIVE = "4:00 4:20 4:40 5:00 5:20 5:40 6:00 6:20 6:40 7:00 7:20 7:40 8:00"
STAGE = "2:00 2:10 2:20 2:30 2:40 2:50 3:00 3:10 3:20 3:30 3:40 3:50 4:00"
REGULARITY = """\
20 6:00 6:30 7:00 7:30 8:00 8:30 9:00 9:30 10:00 10:30 11:00 11:30 12:00
21 5:43 6:11 6:40 7:09 7:37 8:06 8:34 9:03 9:31 10:00 10:29 10:57 11:26
22 5:27 5:55 6:22 6:49 7:16 7:44 8:11 8:38 9:05 9:32 10:00 10:27 10:54
23 5:13 5:39 6:05 6:31 6:57 7:23 7:49 8:16 8:42 9:07 9:34 10:00 10:26
24 5:00 5:25 5:50 6:15 6:40 7:05 7:30 7:55 8:20 8:45 9:10 9:35 10:00
25 4:48 5:12 5:36 6:00 6:24 6:48 7:12 7:36 8:00 8:24 8:48 9:12 9:36
26 4:37 5:00 5:23 5:46 6:09 6:32 6:55 7:18 7:42 8:04 8:28 8:51 9:13
27 4:26 4:49 5:11 5:33 5:56 6:18 6:40 7:02 7:24 7:46 8:09 8:31 8:53
28 4:17 4:39 5:00 5:21 5:43 6:04 6:25 6:47 7:09 7:30 7:51 8:13 8:34
29 4:08 4:29 4:50 5:10 5:31 5:52 6:12 6:33 6:54 7:14 7:35 7:56 8:16
30 4:00 4:20 4:40 5:00 5:20 5:40 6:00 6:20 6:40 7:00 7:20 7:40 8:00"""
FLYING = """\
1:00
0:30 1:00
0:20 0:40 1:00
0:15 0:30 0:45 1:00
0:12 0:24 0:36 0:48 1:00
0:10 0:20 0:30 0:40 0:50 1:00
0:09 0:17 0:26 0:34 0:43 0:51 1:00
0:08 0:15 0:23 0:30 0:38 0:45 0:53 1:00
0:07 0:13 0:20 0:27 0:33 0:40 0:47 0:53 1:00
0:06 0:12 0:18 0:24 0:30 0:36 0:42 0:48 0:54 1:00"""


@pytest.mark.parametrize(("timing", "row"), [(Timing.ROAD, ROAD), (Timing.SELECTIVE, SELECTIVE), (Timing.STAGE, STAGE)])
def test_rr_golden_1_printed_targets(timing, row):
    assert " ".join(clock(target_time(timing, squares)) for squares in SQUARES) == row


@pytest.mark.parametrize("row", REGULARITY.splitlines())
def test_rr_t4_printed_regularity_targets(row):
    speed, *cells = row.split()
    assert [clock(target_time(Timing.REGULARITY, squares, int(speed))) for squares in SQUARES] == cells


def test_rr_t2_a_selective_counts_20_seconds_a_square():
    assert target_time(Timing.SELECTIVE, 13) == 260


def test_rr_t3_a_stage_counts_10_seconds_a_square():
    assert target_time(Timing.STAGE, 25) == 250


def test_rr_t5_exceptions_are_one_second_below_the_formula():
    for speed, squares in PRINTED:
        exact = 600 * squares / speed
        assert exact - target_time(Timing.REGULARITY, squares, speed) > 0.5
    assert len(PRINTED) == 10


def test_rr_t5_outside_the_table_the_formula_holds():
    assert target_time(Timing.REGULARITY, 34, 25) == 816
    assert target_time(Timing.REGULARITY, 11, 22) == 300
    assert target_time(Timing.STAGE, 34) == 340


def test_rr_t4_a_regularity_needs_its_speed():
    with pytest.raises(ValueError, match="speed"):
        target_time(Timing.REGULARITY, 12)


def test_rr_f3_flying_finish_table():
    rows = [" ".join(clock(flying_finish(n, move)) for n in range(1, move + 1)) for move in range(1, 11)]
    assert "\n".join(rows) == FLYING


@pytest.mark.parametrize(
    ("squares", "timing", "speed", "target"),
    [
        (19, Timing.ROAD, None, "7:00"),
        (16, Timing.REGULARITY, 24, "6:40"),
        (15, Timing.ROAD, None, "5:00"),
        (23, Timing.SELECTIVE, None, "7:40"),
        (17, Timing.STAGE, None, "2:50"),
        (27, Timing.ROAD, None, "9:00"),
    ],
)
def test_rr_golden_2_example_rally(squares, timing, speed, target):
    assert clock(target_time(timing, squares, speed)) == target


@pytest.mark.parametrize(
    ("timing", "taken", "target", "costs", "rule"),
    [
        (Timing.ROAD, 300, 240, 60, "RR-P1"),
        (Timing.ROAD, 240, 360, 240, "RR-P1"),
        (Timing.STAGE, 250, 190, 60, "RR-P2"),
        (Timing.STAGE, 180, 190, 0, None),
        (Timing.SELECTIVE, 399, 400, 0, None),
        (Timing.SELECTIVE, 435, 400, 35, "RR-P2"),
        (Timing.REGULARITY, 380, 384, 4, "RR-P3"),
        (Timing.REGULARITY, 390, 384, 6, "RR-P3"),
    ],
)
def test_rr_p1_late_and_early(timing, taken, target, costs, rule):
    why = timed(timing, taken, target)
    assert sum(part.amount for part in why) == costs
    assert [part.rule for part in why] == ([rule] if rule else [])
