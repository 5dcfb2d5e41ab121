"""The laws find what breaks them: a sound game keeps all, and each fault is told by the law that it breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.core.rules import changed
from adjudicator.game import Option, replace
from adjudicator.testing import LAWS, Games, LawBrokenError, check_laws, play_games, rules_cited
from tests.drivers.faulty import FAULTS, HelpsNot
from tests.drivers.low_card import (
    CardPlayed,
    CardRegretted,
    CardsShown,
    Components,
    HandAt,
    LowCard,
    Position,
    StakesTaken,
    everything,
)

GAMES = 7
POSITION = Position(seats=(HandAt(seat="ann", cards=("C1", "C5")), HandAt(seat="bob", cards=("C2", "C3"))))
RULES = ("LC-1", "LC-2", "LC-3", "LC-4", "LC-5")


def conserved(config: Any, state: Any) -> Any:
    return sorted(everything(config, state))


def told(**how: Any) -> dict[str, Any]:
    return {"conserved": conserved, "positions": (POSITION,), "rare": (CardRegretted,), **how}


def named(law: str) -> Callable[[Games], None]:
    return next((one for one in LAWS if one.__name__.replace("_", " ") == law), LAWS[0])


def broken(law: str, games: Games) -> str:
    """Return what is told of ``games`` by the law of that name, which they do not keep."""
    with pytest.raises(LawBrokenError) as caught:
        named(law)(games)
    return caught.value.words


# A sound game --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games() -> Games:
    how = told(rule_ids=RULES, never_shown={"LC-5": "the cards themselves"}, rare=())
    return play_games(LowCard, 20, **how)


@pytest.mark.parametrize("law", LAWS)
def test_a_sound_game_keeps_every_law(law: Callable[[Games], None], games: Games) -> None:
    law(games)


def test_laws_are_called_by_what_holds_and_say_it_in_a_sentence() -> None:
    assert len({law.__name__ for law in LAWS}) == len(LAWS) >= 20
    for law in LAWS:
        assert re.fullmatch(r"[A-Z`][^\n]+\.", law.__doc__ or "")


def test_all_laws_in_one_call() -> None:
    check_laws(LowCard, games=GAMES, conserved=conserved)


def test_a_game_need_not_be_installed_and_is_not_afterwards() -> None:
    check_laws(LowCard, games=2, rare=(CardRegretted,))
    with pytest.raises(adj.UnknownRuleset):
        adj.new("low-card", ["red", "blue"])


def test_the_same_seed_gives_the_same_games_however_many() -> None:
    first, second, other = play_games(LowCard, 4), play_games(LowCard, 2), play_games(LowCard, 2, seed=2)
    assert [session.record for session in first.games][:2] == [session.record for session in second.games]
    assert [session.record.head for session in other.games] != [session.record.head for session in second.games]


def test_games_take_turns_with_players_options_and_components() -> None:
    sets = [Components(id=name, version=1, cards=tuple(f"{name}{n}" for n in range(1, 8))) for name in ("D", "E")]
    options = ({"most": "1"}, {"most": "3"}, {})
    setups = [session.record.setup for session in play_games(LowCard, 24, components=sets, options=options).games]
    begun = {(len(setup.players), setup.components.id, setup.options["most"]) for setup in setups}
    assert begun == {(players, name, most) for players in (2, 3) for name in "DE" for most in "13"}


def test_games_take_turns_with_the_players_and_the_versions_that_are_named() -> None:
    older = changed(LowCard, meta=replace(LowCard.meta, version=3, oldest=2))
    for how, begun in (
        ({}, {(2, 2), (3, 2), (2, 3), (3, 3)}),
        ({"players": (3,)}, {(3, 2), (3, 3)}),
        ({"versions": (3,)}, {(2, 3), (3, 3)}),
    ):
        sessions = play_games(older, 8, **how).games
        assert {(len(session.seats), session.record.ruleset.version) for session in sessions} == begun


@pytest.mark.parametrize("options", [(), ({"most": "1", "deal": "two"},)])
def test_a_game_of_an_older_version_has_no_options_that_came_later(options: Any) -> None:
    (most,) = LowCard.meta.options
    deal = Option("deal", ("one", "two"), "one", "how it is dealt", since=3, before="one")
    newer = changed(LowCard, meta=replace(LowCard.meta, version=3, oldest=2, options=(most, deal)))
    games = [session.record for session in play_games(newer, 12, options=options).games]
    assert {("deal" in game.setup.options, game.ruleset.version) for game in games} == {(False, 2), (True, 3)}
    assert {game.setup.options["most"] for game in games} == ({"1"} if options else {"1", "3"})
    assert "two" in {game.setup.options.get("deal") for game in games}


def test_without_options_any_are_chosen() -> None:
    chosen = {session.record.setup.options["most"] for session in play_games(LowCard, 12).games}
    assert chosen == {"1", "3"}


def test_every_other_game_begins_from_a_position_with_its_seats() -> None:
    sessions = play_games(LowCard, 4, positions=(POSITION,)).games
    assert [session.record.setup.position for session in sessions] == [POSITION, None, POSITION, None]
    assert sessions[0].seats == ("ann", "bob")


def test_options_that_are_named_must_exist() -> None:
    with pytest.raises(adj.SetupError, match="most"):
        play_games(LowCard, 1, options=({"most": "7"},))


def test_games_are_as_long_as_they_may_be() -> None:
    assert {len(session.record.journal) for session in play_games(LowCard, 4, most_orders=2).games} == {3}


# Faulty games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_the_law_that_it_breaks(fault: str) -> None:
    rules, law, words = FAULTS[fault]
    with pytest.raises(LawBrokenError) as caught:
        named(law)(play_games(rules, GAMES, **told()))
    assert caught.value.law == law
    assert words in caught.value.words


def test_every_law_has_a_fault_that_breaks_it() -> None:
    tested = {law for _, law, _ in FAULTS.values()} | {"everything happens", "rules are shown"}
    assert tested == {law.__name__.replace("_", " ") for law in LAWS} | {"games can be played"}


def test_what_is_broken_is_told_with_the_game_its_seed_and_the_entry() -> None:
    with pytest.raises(AssertionError) as caught:
        check_laws(FAULTS["IsCurt"][0], games=GAMES, seed=7)
    assert re.fullmatch(
        r"refusals say why: A refusal has the game's code, .*\n"
        r"  where: game low-card-000\d\d of seed 7 \([23] players, most=[13]\), entry \d+(: \w+: PLAY.*| \(the set-up\))\n"
        r"  found: \w+: the message for refusing PLAY C\d.* is “No.”: empty, or with a full stop",
        str(caught.value),
    )


def test_everything_that_is_broken_is_told_at_once() -> None:
    class Twice(LowCard):
        facts = HelpsNot.facts

        def standings(self, state: Any) -> Any:
            return ()

    with pytest.raises(AssertionError, match=r"(?s)facts are explained: .*\n\nstandings name everybody: "):
        check_laws(Twice, games=GAMES)


def test_a_game_that_cannot_be_played_is_told_as_one() -> None:
    with pytest.raises(
        LawBrokenError, match=r"games can be played: .*\n  where: game low-card-00001 of seed 3 \(3 players\)"
    ):
        check_laws(FAULTS["FailsOverOrders"][0], games=1, seed=3)


# What the author says ------------------------------------------------------------------------------------------------


def test_what_no_game_shows_is_named_unless_it_is_rare() -> None:
    one = play_games(LowCard, 1, most_orders=0)
    missing = CardPlayed, CardRegretted, CardsShown, StakesTaken
    assert "no game shows CardPlayed, CardRegretted, CardsShown, StakesTaken: " in broken("everything happens", one)
    named("everything happens")(Games(LowCard, one.games, rare=missing))


@pytest.mark.parametrize(
    ("rules", "never", "words"),
    [
        (RULES, {}, "no log cites LC-5"),
        (RULES[:3], {}, "logs cite rules that are not in `rule_ids`: LC-4"),
        (RULES, {"LC-5": "", "LC-4": ""}, "logs cite LC-4: remove them from `never_shown`"),
        (RULES[:4], {"LC-9": ""}, "`never_shown` has unknown rules: LC-9"),
    ],
)
def test_rules_are_shown_or_it_is_said_why_not(games: Games, rules: Any, never: Any, words: str) -> None:
    asked = Games(LowCard, games.games, rule_ids=rules, never_shown=never)
    assert words in broken("rules are shown", asked)
    assert rules_cited(games.games) == set(RULES[:4])


def test_a_keyword_that_the_laws_do_not_know_is_refused() -> None:
    how: Any = {"otherwise": lambda *_at: None}
    with pytest.raises(TypeError, match="the laws know no otherwise"):
        check_laws(LowCard, games=1, **how)
