"""`language`, and games in which orders come in several languages: what is read, what is told, what is on record."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]

GERMAN = "Spiel rally, Zug 1\nred:\n  FAHRE nach D3\n  ziehe zwei Plättchen\nEnde\nVielen Dank!\n"


def test_it_tells_what_is_understood_and_what_there_is(run: Run, game: Path) -> None:
    lines = run("language", game, code=0).stdout.splitlines()
    assert lines[0] == "languages for the orders of rally: English"
    assert lines[1].startswith("other available languages: de (German), es (Spanish), fr (French)")


def test_languages_are_chosen_by_code_or_name_in_any_case_and_english_takes_all_away(run: Run, game: Path) -> None:
    before = game.read_bytes()
    run("language", game, "DE", "polish", "en", "german", code=0)
    assert load_game(str(game)).languages == ("de", "pl")
    run("language", game, "fr", code=0)
    assert load_game(str(game)).languages == ("fr",)
    run("language", game, "English", code=0)
    assert game.read_bytes() == before


def test_words_that_cannot_be_told_apart_are_noted(run: Run, game: Path) -> None:
    told = run("language", game, "es", "nl", code=0).stdout
    assert "note: “en” cannot be read as “and”: “en” means something else there" in told
    warnings = json.loads(run("language", game, "--json", code=0).stdout)["warnings"]
    assert warnings
    assert run("language", game, "de", code=0).stdout.count("note:") == 0


def test_a_language_that_is_not_there_is_misuse_and_nothing_is_changed(run: Run, game: Path) -> None:
    before = game.read_bytes()
    result = run("language", game, "germn", code=2)
    assert "no words are installed for the language “germn” (did you mean “German”?)" in result.stderr
    assert "game file" in run("language", "-", "de", stdin=before, code=2).stderr
    assert game.read_bytes() == before


def test_a_game_begins_with_languages(run: Run, tmp_path: Path) -> None:
    arguments = ("new", "checkpoint-rally", "--seat", "lege", "--seat", "blue", "--language", "de", "--language", "Italian")
    result = run(*arguments, code=0)
    assert load_game(str(tmp_path / "game.json")).languages == ("de", "it")
    assert "note: “lege” means “place”" in result.stderr
    assert "use --language or --commit-only, not both" in run(*arguments, "--commit-only", "-o", "other.json", code=2).stderr


def test_orders_are_read_and_what_is_on_record_is_english(run: Run, game: Path, orders: Orders) -> None:
    turn = orders(GERMAN)
    run("check", game, turn, code=1)
    run("language", game, "de", code=0)
    result = run("apply", game, turn, code=0)
    assert "ignored: turn.txt" in result.stderr
    loaded = load_game(str(game))
    assert [link.entry.order for link in loaded.journal[1:]] == ["MOVE D3", "DRAW"]
    assert all(link.entry.written is None for link in loaded.journal)
    assert "verified" in run("audit", game, code=0).stdout


def test_places_are_those_of_what_was_written_and_suggestions_know_the_words(run: Run, game: Path, orders: Orders) -> None:
    run("language", game, "de", code=0)
    turn = orders("red: FAHRE nach Z9\nblue:\n  PLATZIER U1 auf A2\n")
    told = run("check", game, turn, "--json", code=1).stdout
    illegal, unknown = json.loads(told)["problems"]
    assert (illegal["line"], illegal["column"], illegal["width"]) == (1, 17, 2)
    assert (unknown["line"], unknown["column"], unknown["width"]) == (3, 3, 8)
    assert unknown["suggestions"] == ["PLATZIERE U1 auf A2", "PLACE U1 auf A2"]


def test_orders_that_wait_are_still_read_when_the_languages_have_changed(run: Run, game: Path, orders: Orders) -> None:
    run("language", game, "de", code=0)
    run("apply", game, orders("blue: ziehe\n"), code=0)
    run("language", game, "en", code=0)
    result = run("apply", game, orders("red: MOVE D3\n"), code=0)
    assert "pending: blue 1 order" in result.stdout


@pytest.mark.parametrize("code", ["xx", "../../etc", ""])
def test_a_game_in_a_language_that_is_not_installed_says_so(
    run: Run, game: Path, orders: Orders, forge: Callable[..., bytes], code: str
) -> None:
    document = json.loads(game.read_bytes())
    document["languages"] = [code]
    game.write_bytes(forge(document))
    result = run("apply", game, orders("red: MOVE D3\n"), code=2 if code else 3)
    assert f"“{code}”" in result.stderr or not code
    run("show", game, code=0 if code else 3)
