"""Verdicts in words and as JSON: one line a game, safe for a terminal, and a summary that adds up."""

from __future__ import annotations

from adjudicator.core.canonical import json_value
from adjudicator.reports.cli.audits import Tally, audit_end, audit_row, result_text, tally_text
from adjudicator.verdict import Divergence, Kind, Skipped, Verdict

VERIFIED = Verdict("a/rally.json", "rally-042", "checkpoint-rally", 315, 312, 2, 57)
EVENTS = Divergence(Kind.EVENTS, 12, "red", "PLACE H3 at C2 rot 90", "events[1].after", "32", "31", "CR-P2, CR-P3")


def diverged(divergence: Divergence) -> Verdict:
    return Verdict("a/rally.json", "rally-042", divergence=divergence)


def test_a_verified_game_has_its_counts() -> None:
    assert result_text(VERIFIED) == "verified   rally-042  312 orders, 57 draws, 2 corrections  a/rally.json"
    one = Verdict("x", "g", orders=1, draws=1)
    assert result_text(one) == "verified   g  1 order, 1 draw  x"


def test_a_divergence_is_told_on_one_line() -> None:
    assert result_text(diverged(EVENTS)) == (
        "diverged   rally-042  entry 12 (red: PLACE H3 at C2 rot 90): events[1].after is 32, should be 31 (CR-P2, CR-P3)"
        "  a/rally.json"
    )


def test_places_that_are_no_entry_of_a_seat() -> None:
    assert "set-up: order is x, should be empty" in result_text(diverged(Divergence(Kind.SETUP, 0, "", "x", "order", "x")))
    state = Divergence(Kind.STATE, None, "", "", "state.row", '["H1"]', '["H2"]')
    assert 'state.row is ["H1"], should be ["H2"]' in result_text(diverged(state))
    waiting = Divergence(Kind.PENDING, None, "blue", "X", "pending[0].orders[0].order", "X", "an order of this game")
    assert "  blue: pending[0]" in result_text(diverged(waiting))
    assert "entry 3 (no seat): seat" in result_text(diverged(Divergence(Kind.ENTRY, 3, field="seat", recorded="nobody")))


def test_what_was_not_decided_says_why() -> None:
    damaged = Verdict("a.json", divergence=Divergence(Kind.DAMAGED, field="journal[3]", recomputed="does not fit its hash"))
    assert result_text(damaged) == "damaged    –  journal[3]: does not fit its hash  a.json"
    unread = Verdict("a.zip/b", divergence=Divergence(Kind.UNREAD, recomputed="it is encrypted: not opened"))
    assert result_text(unread) == "unread     –  it is encrypted: not opened  a.zip/b"


def test_what_is_wrong_with_a_line_is_told_in_a_sentence() -> None:
    words = "refused: G5 is not in the row"
    line = Divergence(Kind.REFUSED, 7, "red", "TAKE G5", "line 30", "red: TAKE G5", words, "CR-G1", is_sentence=True)
    told = "diverged   rally-042  entry 7 (red: TAKE G5): line 30: refused: G5 is not in the row (CR-G1)  a/rally.json"
    assert result_text(diverged(line)) == told
    data = json_value(audit_row(diverged(line)))["divergence"]
    assert (data["recorded"], data["recomputed"], data["sentence"]) == ("red: TAKE G5", words, True)


def test_a_game_that_names_a_file_nobody_can_open_is_a_game_all_the_same() -> None:
    why = Divergence(Kind.UNREAD, field="line 5", recomputed="no such file")
    counted = tally(Verdict("a.txt", "rally-042", "checkpoint-rally", divergence=why), diverged(why))
    assert (counted.undecided, counted.judged) == (2, 1)


def test_hostile_words_stay_on_their_line() -> None:
    hostile = "\x1b[2J\n\r\u202etext\udcff"
    divergence = Divergence(Kind.EVENTS, 1, hostile, hostile, hostile, hostile * 500, hostile, hostile)
    line = result_text(Verdict(hostile, hostile, divergence=divergence))
    assert line.isprintable()
    assert len(line) < 4_000


def test_what_is_no_game_has_no_line_and_what_is_skipped_has() -> None:
    assert result_text(Skipped("a.json")) == ""
    assert result_text(Skipped("a", "a link to a folder: not followed")).startswith("skipped ")


def test_impact_has_words_of_its_own() -> None:
    assert result_text(VERIFIED, is_impact=True).startswith("same ")
    assert result_text(diverged(EVENTS), is_impact=True).startswith("differs ")


def test_the_data_has_everything() -> None:
    data = json_value(audit_row(diverged(EVENTS)))
    assert data["status"] == "diverged"
    assert data["divergence"] == {
        "kind": "events",
        "n": 12,
        "seat": "red",
        "order": "PLACE H3 at C2 rot 90",
        "field": "events[1].after",
        "recorded": "32",
        "recomputed": "31",
        "rule": "CR-P2, CR-P3",
        "sentence": False,
    }
    assert json_value(audit_row(VERIFIED))["divergence"] is None
    assert json_value(audit_row(Skipped("a"))) == {"source": "a", "status": "skipped", "reason": "no game"}


def tally(*results: Verdict | Skipped, is_impact: bool = False) -> Tally:
    counted = Tally(is_impact=is_impact)
    for result in results:
        counted.add(result)
    return counted


def test_the_summary_counts_by_kind() -> None:
    counted = tally(
        *[VERIFIED] * 3,
        *[diverged(EVENTS)] * 2,
        diverged(Divergence(Kind.CHANCE, 1)),
        diverged(Divergence(Kind.DAMAGED)),
        diverged(Divergence(Kind.UNREAD)),
        Skipped("a"),
        Skipped("b", "why"),
    )
    assert (counted.verified, counted.diverged, counted.undecided, counted.judged) == (3, 3, 2, 7)
    assert tally_text(counted).split("\n") == [
        "8 games: 3 verified, 3 diverged, 2 not decided",
        "  2  events",
        "  1  chance",
        "  1  damaged",
        "  1  not looked at",
        "1 file ignored: not a game",
    ]
    assert json_value(audit_end(counted)) == {
        "summary": {
            "impact": False,
            "verified": 3,
            "diverged": 3,
            "undecided": 2,
            "kinds": {"events": 2, "chance": 1, "damaged": 1, "not looked at": 1},
            "skipped": 2,
        }
    }


def test_the_summary_of_an_impact() -> None:
    counted = tally(VERIFIED, diverged(EVENTS), is_impact=True)
    assert tally_text(counted).split("\n")[0] == "2 games: 1 same, 1 would be decided differently"
    summary = audit_end(counted).summary
    assert (summary.impact, summary.verified, summary.diverged) == (True, 1, 1)


def test_one_game() -> None:
    assert tally_text(tally(VERIFIED)) == "1 game: 1 verified"
