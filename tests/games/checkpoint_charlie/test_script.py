"""A game kept by hand: its windows in the order in which they are asked, its outcomes beside the last answer."""

from __future__ import annotations

from adjudicator.script.play import play_script

GAME = """
script checkpoint-charlie
id hand-1
seat red=Mia
seat blue=Theo
seat green=Ida
option rounds=1

recorded red hat glasses coat      # the first player; the counters of Mia, Theo, Ida

turn 1
red: CLUE hat
blue: CLUE glasses
green: CLUE raincoat [Viktor]
turn 2
blue: WAIT
green: WAIT
red: WAIT [Emil]
turn 3
green: WAIT
red: WAIT
blue: WAIT [Meridian grey]
turn 4
green: WAIT
red: WAIT
blue: WAIT [Boris]
turn 5
red: ACCUSE Viktor
blue: ACCUSE Boris
green: ACCUSE Emil [newspaper G3a B0a B1a]
"""


def played(text: str):
    return play_script("hand.txt", text.encode(), None)


def test_a_game_kept_by_hand_is_played():
    found = played(GAME)
    assert not found.diagnostics
    assert found.session.game.state.stage == "over"
    assert [agent.markers for agent in found.session.game.state.agents] == [("G3a",), ("B0a",), ("B1a",)]


def test_cc_p1_in_a_script_a_wait_for_several_windows_answers_one():
    """The lines of a script stand for themselves: the later windows have lines of their own."""
    found = played(GAME.replace("green: WAIT\n", "green: WAIT 2\n"))
    assert not found.diagnostics
    assert len(found.session.game.journal) == len(played(GAME).session.game.journal)


def test_a_window_out_of_order_is_told():
    """Blue turns next in window 1, so that blue is asked first."""
    found = played(GAME.replace("blue: WAIT\ngreen: WAIT\nred: WAIT [Emil]", "red: WAIT\nblue: WAIT\ngreen: WAIT [Emil]"))
    (diagnostic,) = found.diagnostics
    assert diagnostic.problem.code == "script/not-due"
    assert diagnostic.line == 16
