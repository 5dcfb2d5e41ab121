"""A game begun: what the choices must have, everything wrong told at once, and the heading that comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.audit.decide import audit_game
from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.chance import ChanceRecord, ImpossibleOutcomeError, commitment
from adjudicator.core.ids import Seat
from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Player
from adjudicator.rulesets import UnknownRuleset, ruleset
from adjudicator.session import load_session
from adjudicator.store.components import reference, shipped
from adjudicator.store.save import dump_game

SECRET = bytes(range(32))


def choices(*seats: str, **changes: Any) -> GameChoices:
    rules = ruleset("checkpoint-rally")
    made = GameChoices(
        ruleset=rules.meta.id,
        id="rally-042",
        players=tuple(Player(Seat(seat)) for seat in seats or ("red", "blue")),
        components=shipped(rules)[0],
        secret=SECRET.hex(),
    )
    return replace(made, **changes)


def refused(wanted: GameChoices) -> list[tuple[str, str]]:
    with pytest.raises(SetupError) as caught:
        begin_game(wanted)
    return [(problem.code, problem.message) for problem in caught.value.problems]


def test_a_game_begins_with_its_set_up_as_entry_0() -> None:
    session = begin_game(choices())
    assert [link.entry.n for link in session.game.journal] == [0]
    assert (session.game.turn, session.seats, session.game.pending) == (1, ("red", "blue"), ())
    assert session.rules.awaiting(session.config, session.game.state)


def test_the_heading_says_what_the_game_is_played_with() -> None:
    game = begin_game(choices(entropy={"red": "horse"}, options={"map": "lower"})).game
    assert (game.ruleset.id, game.ruleset.version) == ("checkpoint-rally", ruleset("checkpoint-rally").meta.version)
    assert game.components == reference(game.setup.components)
    assert game.chance == ChanceRecord(
        source="committed", commitment=commitment(SECRET), secret=SECRET.hex(), entropy={"red": "horse"}
    )
    assert game.setup.options["map"] == "lower"
    assert game.setup.options["car.blue"] == "random"


def test_the_same_choices_give_the_same_game_and_another_secret_another() -> None:
    assert begin_game(choices()).game == begin_game(choices()).game
    assert begin_game(choices()).game.state != begin_game(choices(secret="ab" * 32)).game.state
    assert begin_game(choices()).game.state != begin_game(choices(entropy={"red": "cow"})).game.state


@pytest.mark.parametrize("seats", [("red",), ("a", "b", "c", "d", "e")])
def test_the_number_of_players_must_fit(seats: tuple[str, ...]) -> None:
    assert refused(choices(*seats)) == [("core/player-count", f"Checkpoint Rally is for 2 to 4 players, not {len(seats)}")]


@pytest.mark.parametrize("seat", ["1red", "", "Red", "rède", "red-1", "a" * 25, "red:", "re d", "\udcff"])
def test_a_seat_must_be_a_word(seat: str) -> None:
    ((code, message),) = refused(choices("blue", seat))
    assert code == "core/bad-seat"
    assert "letter" in message


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


@pytest.mark.parametrize("seat", dict.fromkeys(word for words in LINE_WORDS.values() for word in words.split()))
def test_a_seat_cannot_be_called_like_a_word_of_turn_files(seat: str) -> None:
    assert refused(choices("blue", seat)) == [
        ("core/bad-seat", f"choose another name for the seat “{seat}”: this word has a meaning in orders")
    ]


def test_an_older_game_keeps_a_seat_with_such_a_name(forge: Callable[[dict[str, Any]], bytes]) -> None:
    text = dump_game(begin_game(choices("red", "blue")).game).decode()
    session = load_session(forge(json.loads(text.replace('"red"', '"withdraw"').replace(".red", ".withdraw"))))
    assert session.seats == ("withdraw", "blue")


def test_two_seats_cannot_have_one_name() -> None:
    assert refused(choices("red", "red")) == [
        ("core/bad-seat", "choose another name for one seat: two seats have the name “red”")
    ]


@pytest.mark.parametrize("name", ["x" * 81, "a\nb", "a\x1b[2J", "\udcff", "a\u2028b"])
def test_a_player_s_name_must_be_plain_text(name: str) -> None:
    ((code, message),) = refused(choices(players=(Player(Seat("red"), name), Player(Seat("blue")))))
    assert (code, "red" in message) == ("core/bad-seat", True)


def test_a_player_s_name_may_be_in_any_script() -> None:
    names = ("Zoë Ångström", "محمد\u200cرضا", "王小明", "👩\u200d🚀")
    players = tuple(Player(Seat(f"s{at}"), name) for at, name in enumerate(names))
    assert begin_game(choices(players=players)).game.setup.players == players


@pytest.mark.parametrize("name", ["", "a b", "-a", ".a", "é", "a/b", "a" * 81, "a\n"])
def test_the_id_must_be_one_that_a_header_can_ask_for(name: str) -> None:
    ((code, _),) = refused(choices(id=name))
    assert code == "core/bad-id"


def test_a_set_of_one_s_own_cannot_bear_the_name_of_one_that_is_there() -> None:
    components, _ = shipped(ruleset("checkpoint-rally"))
    changed = replace(components, cars=(replace(components.cars[0], highway=1), *components.cars[1:]))
    assert [code for code, _ in refused(choices(components=changed))] == ["core/borrowed-name"]
    own = begin_game(choices(components=replace(changed, id="own")))
    assert own.game.components.id == "own"


@pytest.mark.parametrize("secret", ["", "12", "g" * 64, "A" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n"])
def test_a_seed_is_64_hexadecimal_digits(secret: str) -> None:
    ((code, _),) = refused(choices(secret=secret))
    assert code == "core/bad-seed"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"green": "horse"}, "core/unknown-seat"),
        ({"red": ""}, "core/bad-entropy"),
        ({"red": "x" * 81}, "core/bad-entropy"),
        ({"red": "a\nb"}, "core/bad-entropy"),
        ({"red": "\udcff"}, "core/bad-entropy"),
    ],
)
def test_words_of_entropy_are_short_texts_of_those_who_play(words: dict[str, str], code: str) -> None:
    assert [found for found, _ in refused(choices(entropy=words))] == [code]


def test_everything_wrong_is_told_at_once() -> None:
    codes = [code for code, _ in refused(choices("red", "red", "1", "if", "x", id="?", secret="?", entropy={"me": ""}))]
    assert codes == [
        "core/player-count",
        "core/bad-id",
        "core/bad-seed",
        "core/bad-seat",
        "core/bad-seat",
        "core/bad-seat",
        "core/unknown-seat",
        "core/bad-entropy",
    ]


def test_options_are_checked() -> None:
    assert [code for code, _ in refused(choices(options={"mapp": "lower", "map": "low"}))] == [
        "core/unknown-option",
        "core/bad-choice",
    ]


def test_what_the_rules_themselves_find_wrong_is_told_too() -> None:
    assert refused(choices(options={"corner.red": "A1", "corner.blue": "A1"}))


def test_a_ruleset_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownRuleset, match="mean “checkpoint-rally”"):
        begin_game(choices(ruleset="checkpoint-ralley"))


def recorded_setup() -> list[str]:
    """Return the outcomes of a set-up, as somebody at a table would write them down: always the last possible one."""
    drawn: list[str] = []
    while True:
        try:
            begin_game(choices(secret=None, recorded=drawn))
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[-1])
        else:
            return drawn


def test_a_recorded_set_up_is_the_outcomes_written_down_and_has_no_secret() -> None:
    drawn = recorded_setup()
    game = begin_game(choices(secret=None, recorded=drawn)).game
    assert game.chance == ChanceRecord(source="recorded")
    assert game.journal[0].entry.drawn == len(drawn)
    border = game.journal[0].entry.events[0]
    assert [word for frame in border.frames for word in (frame.piece, frame.face)] == drawn[:8]


@pytest.mark.parametrize(
    ("spoil", "outcome"),
    [
        (lambda drawn: drawn[:-1], None),
        (lambda drawn: [*drawn, "H1"], "H1"),
        (lambda drawn: ["P9", *drawn[1:]], "P9"),
    ],
)
def test_recorded_outcomes_must_make_a_set_up(spoil: Callable[[list[str]], list[str]], outcome: str | None) -> None:
    with pytest.raises(ImpossibleOutcomeError) as caught:
        begin_game(choices(secret=None, recorded=spoil(recorded_setup())))
    assert caught.value.outcome == outcome


def test_a_set_that_borrowed_its_name_is_not_verified() -> None:
    components, _ = shipped(ruleset("checkpoint-rally"))
    begun = begin_game(choices(components=replace(components, cars=components.cars[::-1], id="own")))
    borrowed = replace(begun.game.setup.components, id="house")
    setup = replace(begun.game.setup, components=borrowed)
    forged = begun.with_game(replace(begun.game, setup=setup, components=reference(borrowed)))
    divergence = audit_game(forged).divergence
    assert divergence is not None
    assert divergence.field == "components.id"
