"""Notes: what players write beside their orders is kept with them, changes nothing, and stays private until the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudicator as adj
from adjudicator.audit import read_published
from adjudicator.reports.log import log_json
from adjudicator.reports.receipt import waiting_text

SEED = "ab" * 32
SECRET = "the umbrella is in the attic"


def race(**players: str) -> adj.Game:
    return adj.new("checkered-flag", players or {"red": "Ann", "blue": "Bob"}, seed=SEED, options={"laps": "1"})


def noted(game: adj.Game, viewer: str | None = "moderator") -> list[tuple[str, str, str]]:
    """Return order, note and comment of each entry that has one, as ``viewer`` reads them."""
    rows = game.seen_by(viewer).log()
    return [(row.order, row.note, row.comment) for row in rows if row.note or row.comment]


def finished(game: adj.Game, note: str = "", comment: str = "") -> adj.Game:
    """Play ``game`` to its end by the first legal orders; the first order has the ``note``, its turn the ``comment``."""
    for _ in range(2000):
        if game.is_over:
            return game
        seat = game.due_seats[0]
        order = adj.choose_order(game, seat, seed=1)
        game = game.apply({seat: f"NOTE {note}\n{order}" if note else order}, comment=comment).game
        note = comment = ""
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("NOTE he will brake\nGEAR 1", "he will brake"),
        ("GEAR 1\nNOTE he will brake", "he will brake"),
        ("NOTE: he will brake\nGEAR 1", "he will brake"),
        ("*NOTE* he will brake\nGEAR 1", "he will brake"),
        ("- NOTE he will brake\n- GEAR 1", "he will brake"),
        ("NOTE he  will\tbrake |\nGEAR 1", "he will brake"),
        ("NOTE he\nNOTE will brake\nGEAR 1", "he will brake"),
        ("NOTE he\nGEAR 1\nNOTE will brake", "he will brake"),
        ("NOTIZ er bremst\nGEAR 1", "er bremst"),
        ("NOTE GEAR 2\nGEAR 1", "GEAR 2"),
        (
            "NOTE turn 7; VOTE undo # 2, “x” 🚗 https://a.example/?q=1;2\nGEAR 1",
            "turn 7; VOTE undo # 2, “x” 🚗 https://a.example/?q=1;2",
        ),
        ("NOTE a\u202eb\x07c\nGEAR 1", "a b c"),
        (f"NOTE {'word ' * 16}\nand the rest of it\nGEAR 1", f"{'word ' * 16}and the rest of it"),
        ("note that he brakes\nGEAR 1", ""),
        ("Note: I am away on Friday\nGEAR 1", ""),
        ("NOTE\nGEAR 1", ""),
    ],
)
def test_a_note_is_kept_with_the_order_below_it_or_else_with_the_last(text: str, note: str) -> None:
    for sent in ({"red": text}, "red:\n" + text):
        result = race().apply(sent)
        assert (result.problems, [row.order for row in result.game.seen_by("red").log()][1:]) == ((), ["GEAR 1"])
        assert noted(result.game) == ([("GEAR 1", note, "")] if note else [])


def test_a_note_behind_the_head_of_a_sheet() -> None:
    result = race().apply("**red:** NOTE go\n  GEAR 1\nblue: NOTE: me, too\n  GEAR 1")
    assert (result.problems, [note for _, note, _ in noted(result.game)]) == ((), ["go", "me, too"])


def test_a_note_takes_no_order_away() -> None:
    long = f"NOTE {'word ' * 16}"
    assert [row.order for row in race().apply({"red": f"{long}\nGEAR 1"}).game.seen_by("red").log()][1:] == ["GEAR 1"]
    assert race().apply({"red": f"{long}\nGAER 1"}).problems != ()


def test_a_note_of_an_order_that_cannot_be_read_is_not_kept_with_another() -> None:
    result = race().apply({"red": "NOTE first\nGEAR 1\nNOTE second\nGAER 2"})
    assert noted(result.game) == [("GEAR 1", "first", "")]
    assert [(one.line, "a note is kept with an order" in one.reason) for one in result.ignored] == [(3, True)]


def test_a_note_without_an_order_is_not_kept_and_says_so() -> None:
    result = race().apply({"red": "NOTE he will brake"})
    assert [one.code for one in result.problems] == ["orders/empty"]
    assert ["note is kept with an order" in one.reason for one in result.ignored] == [True]
    assert not result.is_changed


def test_a_note_that_is_too_long_is_cut_and_voids_no_order() -> None:
    result = race().apply({"red": f"NOTE {'x' * 500}\nGEAR 1"})
    assert result.problems == ()
    assert noted(result.game) == [("GEAR 1", "x" * 400, "")]
    assert [one.line for one in result.ignored] == [1]
    result = race().apply({"red": f"NOTE {'x' * 300}\nGEAR 1\nNOTE {'y' * 300}"})
    assert noted(result.game) == [("GEAR 1", f"{'x' * 300} {'y' * 99}", "")]
    assert [(one.line, "at most 400" in one.reason) for one in result.ignored] == [(3, True)]


def test_a_note_waits_with_its_order_and_is_replaced_with_it() -> None:
    ahead = race().apply({"blue": "NOTE first\nGEAR 1"}).game
    assert noted(ahead.apply({"red": "GEAR 1"}).game) == [("GEAR 1", "first", "")]
    again = ahead.apply({"blue": "NOTE second\nGEAR 1"}).game
    reopened = adj.open(again.to_bytes())
    assert noted(reopened.apply({"red": "GEAR 1"}).game) == [("GEAR 1", "second", "")]


def test_receipts_and_lists_of_pending_orders_say_that_a_note_is_kept() -> None:
    (receipt,) = race().apply({"red": "NOTE go\nGEAR 1"}).receipts
    assert [(one.fate, one.reason) for one in receipt.orders] == [("applied", "entry 1, with its note")]
    ahead = race().apply({"blue": f"GEAR 1\nNOTE {SECRET}\nGEAR 2"})
    assert [(one.fate, one.reason) for one in ahead.receipts[0].orders] == [("waits", ""), ("waits", "with its note")]
    for viewer in ("blue", "moderator"):
        pending = ahead.game.seen_by(viewer).pending
        assert pending.waiting[0].notes == ("", SECRET)
        assert f"2. GEAR 2 (noted: {SECRET})" in waiting_text(ahead.game.seen_by(viewer).heading(), pending)
    for viewer in ("red", None):
        assert SECRET not in repr(ahead.game.seen_by(viewer).pending)
    again = ahead.game.apply({"blue": "GEAR 1"}).game.seen_by("blue").pending
    assert (again.waiting[0].notes, again.set_aside[0].notes) == ((), ("", SECRET))


def test_only_the_writer_and_the_moderator_read_a_note_before_the_end() -> None:
    game = race().apply({"red": f"NOTE {SECRET}\nGEAR 1"}, comment="a bold start").game
    assert noted(game, "red") == [("GEAR 1", SECRET, "")]
    assert noted(game) == [("GEAR 1", SECRET, "a bold start")]
    assert noted(game, "blue") == noted(game, None) == []
    over = finished(game)
    for viewer in (None, "red", "blue", "moderator"):
        assert noted(over, viewer) == [("GEAR 1", SECRET, "a bold start")]


def outputs(game: adj.Game, viewer: str | None) -> Iterator[str]:
    reader = game.seen_by(viewer)
    for form in ("txt", "html", "md", "json"):
        yield adj.render(reader.report(since=0), form)
    yield reader.replay_page().text
    if viewer in game.seats:
        yield reader.own_file().decode()


@pytest.mark.parametrize("ruleset", [meta.id for meta in adj.installed_games()])
def test_no_output_tells_a_note_of_another_before_the_end(ruleset: str) -> None:
    fewest = next(meta.players[0] for meta in adj.installed_games() if meta.id == ruleset)
    game = adj.new(ruleset, dict.fromkeys(("red", "blue", "green")[: max(2, fewest)], ""), seed=SEED)
    writer = game.due_seats[0]
    game = game.apply({writer: f"NOTE {SECRET}\n{game.seen_by(writer).legal[0].order}"}, comment=SECRET).game
    assert noted(game) and not game.is_over
    for viewer in (None, *(seat for seat in game.seats if seat != writer)):
        for text in outputs(game, viewer):
            assert SECRET not in text
    assert all(SECRET in text for text in outputs(game, writer))
    assert game.audit().is_verified


def test_readers_see_notes_beside_their_moves_at_the_end() -> None:
    over = finished(race(), SECRET, "a bold start")
    for viewer in (None, "blue", "moderator"):
        for text in outputs(over, viewer):
            assert SECRET in text
            assert "a bold start" in text
    move = next(row.n for row in over.seen_by(None).log() if row.note)
    beside = over.seen_by(None).replay_page().text.partition(f'<li id="entry-{move}">')[2].partition("</li>")[0]
    assert f"noted: <q>{SECRET}</q>" in beside and "comment: <q>a bold start</q>" in beside


def test_a_note_is_no_markup() -> None:
    over = finished(race(), "<img src=x onerror=alert(1)> *bold* | cell")
    report = over.seen_by(None).report(since=0)
    assert "<img src=x" not in adj.render(report, "html")
    assert "\\<img src=x onerror=alert(1)\\>" in adj.render(report, "md")
    assert "<img src=x" not in over.seen_by(None).replay_page().text


def test_logs_that_were_published_before_the_end_stay_true(tmp_path: Path) -> None:
    game = race().apply({"red": f"NOTE {SECRET}\nGEAR 1"}, comment="a bold start").game
    before = log_json(game.seen_by("blue").log())
    over = finished(game)
    after = log_json(over.seen_by("blue").log())
    (tmp_path / "game.json").write_bytes(over.to_bytes())
    for name, text, is_true in (("a", before, True), ("b", after, True), ("c", after.replace(SECRET, "another"), False)):
        (tmp_path / f"{name}.jsonl").write_text(text + "\n", "utf-8")
        told = read_published([str(tmp_path / f"{name}.jsonl")])
        (found,) = adj.audit_files(tmp_path / "game.json", published=tuple(told), jobs=0)
        assert found.is_verified is is_true


def test_an_audit_does_not_take_notes_for_orders() -> None:
    game = finished(race(), SECRET, "a bold start")
    assert game.audit().is_verified


@settings(deadline=None, max_examples=60)
@given(note=st.text(st.characters(exclude_categories=("Cs",)), max_size=120), comment=st.text("ab#;\"' ü🚗", max_size=60))
def test_a_script_gives_the_same_game_again_with_its_notes(note: str, comment: str) -> None:
    game = race().apply({"red": f"NOTE {note}\nGEAR 1"}, comment=comment).game
    text = adj.ScriptExport.of(game, with_secret=True).text
    played = adj.play_script(text)
    assert played.game is not None
    assert [one.entry for one in played.game.record.journal] == [one.entry for one in game.record.journal]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('note: "he', "script/bad-value"),
        (f"note: {'x' * 401}", "script/bad-value"),
        ("note:", "script/bad-value"),
        ("note: a\nnote: b", "script/twice"),
        ("comment: a\ncomment: b", "script/twice"),
    ],
)
def test_problems_of_notes_in_scripts(line: str, code: str) -> None:
    head = f"script checkered-flag\nid race\nseat red\nseat blue\nseed {SEED}\nturn 1\n"
    assert [one.code for one in adj.play_script(f"{head}{line}\nred: GEAR 1\n").problems] == [code]
    alone = adj.play_script(f"{head}red: GEAR 1\nnote: too late\n").problems
    assert [one.code for one in alone] == ["script/misplaced"]


@pytest.mark.parametrize("comment", ["x" * 401, "two\nlines"])
def test_a_comment_is_one_line(comment: str) -> None:
    with pytest.raises(adj.CorrectionError):
        race().apply({"red": "GEAR 1"}, comment=comment)
