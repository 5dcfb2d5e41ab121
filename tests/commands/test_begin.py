"""A game begun through the library: what the choices must have, and everything wrong told at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.begin import ImpossibleOutcomeError
from tests.drivers.commands import ROOT

SEED = bytes(range(32)).hex()


def begun(*seats: str, **changes: Any) -> adj.Game:
    usual = {"id": "rally-042", "seed": SEED, **changes}
    game: adj.Game = adj.new("checkpoint-rally", usual.pop("players", seats or ("red", "blue")), **usual)
    return game


def refused(*seats: str, **changes: Any) -> list[str]:
    with pytest.raises(adj.SetupError) as caught:
        begun(*seats, **changes)
    return [problem.code.removeprefix("core/") for problem in caught.value.problems]


def test_a_game_begins_with_its_set_up_and_says_what_it_is_played_with() -> None:
    game = begun(words={"red": "horse"}, options={"map": "lower"})
    document = json.loads(game.to_bytes())
    assert ([row.n for row in game.seen_by().log()], game.turn, game.seats) == ([0], 1, ("red", "blue"))
    assert (bool(game.due), game.seen_by("moderator").pending.waiting) == (True, ())
    assert (document["ruleset"]["id"], document["components"]["id"]) == ("checkpoint-rally", "house")
    assert document["chance"]["secret"] == SEED and document["chance"]["entropy"] == {"red": "horse"}
    assert (game.options["map"], game.options["car.blue"]) == ("lower", "random")


def test_the_same_choices_give_the_same_game_and_another_secret_or_word_another() -> None:
    assert begun() == begun()
    assert len({begun(**how).position_hash for how in ({}, {"seed": "ab" * 32}, {"words": {"red": "cow"}})}) == 3


LINE_WORDS = {
    "readers": "moderator bystander all",
    "lines": "game turn if then else otherwise or and not withdraw from end order orders word token",
    "letters to a club": "message preview status resend help resign rule holiday vote wait join set",
    "orders": "draw move place keep",
    "German": "ende spiel runde wort zug oder wenn",
    "Spanish": "fin partida turno palabra retirar si",
    "French": "partie tour mot retirer fin ou",
    "Italian": "partita turno parola ritirare fine gioco",
    "Dutch": "spel beurt woord intrekken einde",
    "Polish": "gra tura koniec wycofaj albo",
}


def test_a_seat_is_a_word_that_means_nothing_in_orders() -> None:
    words = [word for words in LINE_WORDS.values() for word in words.split()]
    for seat in (*words, "1red", "", "rède", "red-1", "a" * 25, "red:", "re d", "\udcff"):
        assert refused("blue", seat) == ["bad-seat"], seat
    with pytest.raises(adj.SetupError, match="choose another name for the seat “zug”: this word has a meaning in orders"):
        begun("blue", "zug")
    assert refused("red", "red") == ["bad-seat"]
    for seats in (("red",), ("a", "b", "c", "d", "e")):
        assert refused(*seats) == ["player-count"]


def test_an_older_game_keeps_a_seat_with_such_a_name(forge: Callable[[dict[str, Any]], bytes]) -> None:
    text = begun().to_bytes().decode()
    game = adj.open(forge(json.loads(text.replace('"red"', '"withdraw"').replace(".red", ".withdraw"))))
    assert game.seats == ("withdraw", "blue")


def test_a_player_s_name_is_plain_text_in_any_script() -> None:
    for name in ("x" * 81, "a\nb", "a\x1b[2J", "\udcff", "a\u2028b"):
        assert refused(players={"red": name, "blue": ""}) == ["bad-seat"]
    names = {"s0": "Zoë Ångström", "s1": "محمد\u200cرضا", "s2": "王小明", "s3": "👩\u200d🚀"}
    assert dict(begun(players=names).players) == names


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        *(("bad-id", {"id": name}) for name in ("", "a b", "-a", ".a", "é", "a/b", "a" * 81, "a\n")),
        *(("bad-seed", {"seed": seed}) for seed in ("", "12", "g" * 64, "0" * 63, "0" * 65)),
        ("unknown-seat", {"words": {"green": "horse"}}),
        *(("bad-entropy", {"words": {"red": word}}) for word in ("", "x" * 81, "a\nb", "\udcff")),
        ("unknown-option", {"options": {"mapp": "lower"}}),
        ("bad-choice", {"options": {"map": "low"}}),
    ],
)
def test_ids_seeds_words_and_options_are_checked(code: str, changes: dict[str, Any]) -> None:
    assert refused(**changes) == [code]


def test_everything_wrong_is_told_at_once_also_what_the_rules_find() -> None:
    codes = refused("red", "red", "1", "if", "x", id="?", seed="?", words={"me": ""})
    assert codes == ["player-count", "bad-id", "bad-seed", "bad-seat", "bad-seat", "bad-seat", "unknown-seat", "bad-entropy"]
    assert refused(options={"corner.red": "A1", "corner.blue": "A1"})
    with pytest.raises(adj.UnknownRuleset, match="mean “checkpoint-rally”"):
        adj.new("checkpoint-ralley", ["red", "blue"])


def test_a_set_of_your_own_cannot_bear_the_name_of_one_that_is_there(tmp_path: Path) -> None:
    house = json.loads((ROOT / "adjudicator/games/checkpoint_rally/data/house.json").read_text("utf-8"))
    house["cars"][0]["highway"] = 1
    path = tmp_path / "own.json"
    path.write_text(json.dumps(house))
    assert refused(components=str(path)) == ["borrowed-name"]
    path.write_text(json.dumps({**house, "id": "own"}))
    assert json.loads(begun(components=str(path)).to_bytes())["components"]["id"] == "own"


def test_recorded_outcomes_make_a_set_up_and_each_that_cannot_be_is_named() -> None:
    drawn: list[str] = []
    while True:  # as somebody at a table would write them down: always the last possible one
        try:
            game = begun(seed=None, recorded=drawn)
            break
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[-1])
    document = json.loads(game.to_bytes())
    assert (document["chance"]["source"], document["chance"]["secret"], document["chance"]["commitment"]) == (
        "recorded",
        None,
        None,
    )
    assert document["journal"][0]["entry"]["drawn"] == len(drawn) > 8
    frames = document["journal"][0]["entry"]["events"][0]["frames"]
    assert [word for frame in frames for word in (frame["piece"], frame["face"])] == drawn[:8]
    for spoilt, outcome in ((drawn[:-1], None), ([*drawn, "H1"], "H1"), (["P9", *drawn[1:]], "P9")):
        with pytest.raises(ImpossibleOutcomeError) as caught:
            begun(seed=None, recorded=spoilt)
        assert caught.value.outcome == outcome
