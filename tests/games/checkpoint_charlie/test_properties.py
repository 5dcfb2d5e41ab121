"""What holds in every game: laws checked on random play, driven by Hypothesis (CC, all sections).

A *walk* is a game from a seed, with options, after a number of random legal orders. The corpus is a handful of whole games.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from adjudicator.core.canonical import json_value
from adjudicator.core.chance import CommittedChance
from adjudicator.core.corrections import Amended, redact_correction
from adjudicator.core.event import Spent, total
from adjudicator.core.ids import MODERATOR
from adjudicator.core.step import carry_out
from adjudicator.games.checkpoint_charlie.bot import advise
from adjudicator.games.checkpoint_charlie.components import FACES, INVESTIGATORS, TRAITS, Colour, Face
from adjudicator.games.checkpoint_charlie.events import (
    Accused,
    Answered,
    ClaimRejected,
    ClueChosen,
    CounterDrawn,
    RoundBegun,
    RoundEnded,
    SuspectTurned,
)
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import (
    AccusationJudged,
    EndDeclared,
    GameEnded,
    MarkerDrawn,
    StasiReturned,
    Stated,
)
from adjudicator.games.checkpoint_charlie.state import DECK, POOL, Answer, Speech, Stage, Statement

SETTINGS = settings(max_examples=8, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink))
FULL = {"stasi": "on", "adler": "on"}
OPTIONS = (
    {},
    FULL,
    {"stasi": "on"},
    {"adler": "on", "window": "lap"},
    {**FULL, "accuse": "rows", "rounds": "2"},
)
seeds = st.integers(0, 2**32)
versions = st.integers(1, 2)
walks = st.tuples(st.integers(3, 5), seeds, st.integers(0, 250), st.sampled_from(range(len(OPTIONS))), versions)


@pytest.fixture(scope="module")
def walk(start, wander):
    """Return the game after a walk (players, seed, steps, number of the options, version of the rules)."""

    def make(where):
        players, seed, steps, options, version = where
        return wander(start(players, seed % 1000, version, **OPTIONS[options]), steps, seed)

    return make


@pytest.fixture(scope="module")
def corpus(start, wander):
    """Whole games of three, four and five, with every option; by version 1 of the rules with those that have changed."""
    games = [
        wander(start(players, seed, version, **options), 10_000, seed)
        for version in (1, 2)
        for seed, options in enumerate(OPTIONS)
        for players in (3, 4, 5)
        if version == 2 or options == FULL
    ]
    assert all(game.is_over() for game in games)
    return games


def happenings(game):
    """List each event with the state before and after it; each game is played again once."""
    kept = vars(game).setdefault("happened", {})
    if game.game.head not in kept:
        kept[game.game.head] = list(played_again(game))
    return kept[game.game.head]


def played_again(game):
    """Yield each event with the state before and after it."""
    state = RULESET.initial(game.config)
    for link in game.game.journal:
        for event in link.entry.events:
            after = RULESET.evolve(game.config, state, event)
            yield event, state, after
            state = after


def states(game):
    """Yield the state after each entry: where players are asked."""
    after = (state for _, _, state in happenings(game))
    state = RULESET.initial(game.config)
    for link in game.game.journal:
        for _ in link.entry.events:
            state = next(after)
        yield state


UNIVERSE = [
    *(Clue(face.value) for face in Face),
    Wait(),
    Announce(),
    Pass(),
    *(Swap(colour.value, name) for colour in Colour for name in INVESTIGATORS),
]


def universe(config):
    return [*UNIVERSE, *(Accuse(suspect) for suspect in config.looks)]


# Conservation, legality, replay --------------------------------------------------------------------------------------


def test_every_card_counter_and_marker_is_in_one_place_after_every_event(corpus):
    for game in corpus:
        config = game.config
        suspects, markers = sorted(config.looks), sorted(config.markers)
        for _, _, state in happenings(game):
            assert sorted((*DECK.left(config, state), *state.shown)) == suspects
            held = [marker for agent in state.agents for marker in agent.markers]
            assert sorted((*held, *POOL.left(config, state))) == markers
            drawn = [agent.counter for agent in state.agents if agent.counter is not None]
            assert sorted((*drawn, *state.bag, *(face.trait for face in state.public))) == sorted(TRAITS)
            assert not drawn or len(drawn) != len(config.seats) or len(state.bag) == state.bag_size
            assert all(set(agent.spent) <= set(agent.markers) for agent in state.agents)
            # Chance picks from what is derived, so that its order counts.
            assert list(DECK.left(config, state)) == sorted(DECK.left(config, state), key=list(config.looks).index)
            assert list(POOL.left(config, state)) == sorted(POOL.left(config, state), key=list(config.markers).index)


@SETTINGS
@given(where=walks)
def test_what_is_legal_is_exactly_what_check_accepts(walk, where):
    game = walk(where)
    due = dict(game.due())
    for seat in game.config.seats:
        accepted = {order for order in universe(game.config) if game.allows(seat, order)}
        legal = game.legal(seat)
        assert set(legal) == accepted
        assert len(set(legal)) == len(legal)
        assert bool(legal) is (seat in due)
        for order in universe(game.config):
            assert RULESET.cost_if_legal(game.config, game.state, seat, order) == (() if order in accepted else None)


def test_waits_for_several_windows_are_as_legal_as_one(corpus):
    for game in corpus:
        for state in list(states(game))[::7]:
            for seat in game.config.seats:
                one = RULESET.refusal(game.config, state, seat, Wait()) is None
                assert one is (RULESET.refusal(game.config, state, seat, Wait(99)) is None)
                assert one is (RULESET.refusal(game.config, state, seat, Wait(2, state.round)) is None)


def as_in_format_1(config, state):
    """Return ``state`` as plain JSON of the first format, which stored what follows from the rest."""
    old = json_value(state)
    old["accusations"] = [accusation.by for accusation in state.accusations]
    old["deck"], old["bag"], old["pool"] = list(DECK.left(config, state)), list(state.bag), list(POOL.left(config, state))
    old["spent"] = list(config.sorted_markers(marker for agent in state.agents for marker in agent.spent))
    del old["watched"]
    for agent in old["agents"]:
        seat = agent["seat"]
        agent["accused"], agent["is_watched"] = state.accused(seat), state.watched == seat
        agent["trait"] = state.agent(seat).counter
        del agent["spent"]
    if state.stage is Stage.CLUES and not any(agent["trait"] for agent in old["agents"]):
        old["stage"] = "drawing"
    elif state.speaking:
        old["stage"] = "hearing"
    return old


def test_a_state_of_format_1_becomes_the_same_state(corpus):
    stages = set()
    for game in corpus:
        for _, _, state in happenings(game):
            old = as_in_format_1(game.config, state)
            stages.add(old["stage"])
            assert RULESET.upgrades[1].state(old) == json_value(state)
    assert stages == {"drawing", "clues", "turning", "window", "last-call", "scoring", "hearing", "over"}


def test_every_event_is_told_and_cites_a_rule(corpus):
    """But those that only bracket others: the log tells points itself."""
    kept_quiet = ("claim-rejected", "swap-void", "swap-missed")
    silent = {"deck-ready", "window-opened", "window-closed", "hearing-closed", "spent"}
    seen = set()
    for game in corpus:
        for event, _, _ in happenings(game):
            seen.add(event.kind)
            if event.kind in silent:
                assert RULESET.tell(game.config, event) == ""
            for viewer in (MODERATOR, None, *game.config.seats) if event.kind not in silent else ():
                shown = RULESET.redact(game.config, event, viewer)
                assert RULESET.tell(game.config, shown) if shown is not None else event.kind in kept_quiet
            assert event.kind == "spent" or event.rule.startswith("CC-")
    assert len(seen) >= 28


# A second reading of the rules ----------------------------------------------------------------------------------------


def test_cc_v1_rows_and_piles_say_what_matches(corpus):
    """A row has only what matches the clue of its owner, a pile only what does not."""
    for game in corpus:
        for event, before, after in happenings(game):
            if isinstance(event, SuspectTurned):
                agent = after.agent(event.seat)
                assert event.is_match is (before.agent(event.seat).clue in game.config.looks[event.suspect])
                assert event.suspect in (agent.row if event.is_match else agent.pile)
                assert event.seat == before.to_turn


def test_cc_a2_rounds_end_when_they_must(corpus):
    """With all but one accused by accusations, with all accused once the deck is empty, and never otherwise."""
    for game in corpus:
        for event, before, _ in happenings(game):
            if isinstance(event, RoundEnded):
                assert len(before.silent) == (0 if event.late is None else 1)
                assert event.late is not None or not (before.cards or DECK.left(game.config, before))
        assert all(len(state.silent) >= 2 for state in states(game) if state.stage is Stage.WINDOW)


def test_cc_p1_one_accuser_each_and_one_accusation_a_round(corpus):
    for game in corpus:
        for event, before, _ in happenings(game):
            accused = [accusation.suspect for accusation in before.accusations]
            if isinstance(event, Accused):
                assert event.suspect not in accused and before.accused(event.seat) is None
                assert event.suspect in before.shown
                assert event.place == len(accused) + 1
            elif isinstance(event, ClaimRejected):
                assert before.accused(event.by) == event.suspect


def test_cc_k2_markers_are_due_as_the_rules_say(corpus):
    """Five matches gold, four white, fewer black; late black, but white while the chief is in the deck."""
    for game in corpus:
        for event, state, _ in happenings(game):
            if not isinstance(event, AccusationJudged):
                continue
            clues = {agent.clue for agent in state.agents} | set(state.public)
            assert len(clues) == 5
            (chief,) = [name for name, looks in game.config.looks.items() if set(looks) == clues]
            if event.suspect is None:
                assert event.colour is (Colour.BLACK if chief in state.shown else Colour.WHITE)
            else:
                matches = len(clues.intersection(game.config.looks[event.suspect]))
                assert len(event.matched) == matches
                assert event.colour is {5: Colour.GOLD, 4: Colour.WHITE}.get(matches, Colour.BLACK)


def test_cc_k3_points_add_up(corpus):
    """``why`` has a part for each marker and adds up to the points; the winners have the most, then the most gold."""
    for game in corpus:
        spent = {event.seat: event for event, _, _ in happenings(game) if isinstance(event, Spent)}
        assert set(spent) == set(game.config.seats)
        for seat, event in spent.items():
            markers = game.agent(seat).markers
            assert len(event.why) == len(markers)
            assert total(event.why) == event.after - event.before == sum(game.config.markers[m].points for m in markers)
        (ended,) = [event for event, _, _ in happenings(game) if isinstance(event, GameEnded)]
        gold = {seat: sum(game.config.markers[m].colour == "gold" for m in game.agent(seat).markers) for seat in spent}
        best = max((spent[seat].after, gold[seat]) for seat in spent)
        assert ended.winners == tuple(seat for seat in game.config.seats if (spent[seat].after, gold[seat]) == best)
        assert {item.seat for item in RULESET.standings(game.config, game.state) if item.place == 1} == set(ended.winners)


def test_cc_e1_games_end_for_a_reason(corpus):
    """And only then."""
    for game in corpus:
        rounds = [event.round for event, _, _ in happenings(game) if isinstance(event, RoundBegun)]
        (declared,) = [event for event, _, _ in happenings(game) if isinstance(event, EndDeclared)]
        assert rounds == list(range(1, len(rounds) + 1))
        assert len(rounds) == game.config.rounds or declared.reason != "last-round"


def test_cc_o1_the_stasi_marker_is_held_between_rounds_by_nobody(corpus):
    for game in corpus:
        for event, before, after in happenings(game):
            if isinstance(event, RoundBegun):
                assert not any("STASI" in agent.markers for agent in after.agents)
            if isinstance(event, StasiReturned):
                assert before.ending is None


# Secrets: what a viewer may not know changes nothing of what it is given ----------------------------------------------


def otherwise(game, viewer, rng):
    """Return a state that differs from that of ``game`` only in what ``viewer`` may not know, as ``rng`` has it."""
    state, config = game.state, game.config
    if state.stage is Stage.OVER:
        return state
    state = _other_counters(config, state, viewer, rng)
    state = _other_markers(config, state, viewer, rng)
    for agent in state.agents:
        if agent.seat == viewer:
            continue
        if agent.answer is not None:
            suspect = rng.choice([None, *state.shown])
            received = rng.choice([None, "2026-11-20T18:05"]) if suspect else None
            state = state.with_agent(agent.seat, answer=Answer(suspect, received))
        if agent.statement is not None:
            said = rng.choice(
                [Statement(Speech.PASS), Statement(Speech.ANNOUNCE), Statement(Speech.SWAP, Colour.WHITE, config.seats[0])]
            )
            state = state.with_agent(agent.seat, statement=said)
    return state


def _other_counters(config, state, viewer, rng):
    """Deal the counters that ``viewer`` has not seen anew, and lay them otherwise."""
    if state.is_scored:
        return state
    # A watched player's clue lies open: by version 2 of the rules once all have chosen.
    is_open = state.stage is not Stage.CLUES or not config.is_opened_last
    hidden = [
        agent
        for agent in state.agents
        if agent.seat != viewer
        and agent.counter
        and not (is_open and state.watched == agent.seat and agent.clue is not None)
    ]
    traits = [*(agent.counter for agent in hidden), *state.bag]
    rng.shuffle(traits)
    for agent in hidden:
        trait = traits.pop()
        if agent.clue is None:
            state = state.with_agent(agent.seat, trait=trait)
        else:
            state = state.with_agent(agent.seat, clue=rng.choice(FACES[trait]))
    assert state.bag == tuple(sorted(traits, key=TRAITS.index))
    return state


def _other_markers(config, state, viewer, rng):
    """Exchange the values behind the colours that ``viewer`` has not seen; the Stasi marker lies open or in the pool.

    By version 2 of the rules exchanged Café Adler markers lie open as well.
    """
    own = state.agent(viewer).markers if viewer else ()
    if config.is_spent_open:
        own = (*own, *(marker for agent in state.agents for marker in agent.spent))
    is_stasi_open = any("STASI" in agent.markers for agent in state.agents)
    hidden = [marker for marker in config.markers if marker not in own and not (marker == "STASI" and is_stasi_open)]
    mapping = {}
    for colour in Colour:
        group = [marker for marker in hidden if config.markers[marker].colour is colour]
        # Before it is shown, the Stasi marker is in the pool, as everybody knows.
        fixed = [marker for marker in group if marker == "STASI"]
        group = [marker for marker in group if marker not in fixed]
        mapping.update(zip(group, rng.sample(group, len(group)), strict=True))
    for agent in state.agents:
        markers = tuple(mapping.get(marker, marker) for marker in agent.markers)
        is_seen = agent.seat == viewer or config.is_spent_open
        spent = agent.spent if is_seen else tuple(rng.sample(markers, rng.randint(0, len(markers))))
        state = state.with_agent(agent.seat, markers=markers, spent=spent)
    return state


ARGUMENTS = ("", "Laces", "blue", "gold", "Boris", "Viktor", "nonsense")


def given_to(game, state, viewer):
    """Return everything the program gives to ``viewer``."""
    config = game.config
    seen = RULESET.view(config, state, viewer)
    values = RULESET.fact_values(config, seen)
    told = {
        name: [value(argument) for argument in ARGUMENTS] if callable(value) else value for name, value in values.items()
    }
    amended = redact_correction(RULESET, config, Amended(before=game.state, after=state, reason="so"), viewer)
    assert not amended.changes
    public = (
        RULESET.awaiting(config, state),
        RULESET.standings(config, state),
        tuple(RULESET.warnings(config, state)),
        RULESET.is_over(config, state),
    )
    own = ()
    if viewer is not None:
        own = (
            tuple(RULESET.legal(config, state, viewer)),
            [RULESET.refusal(config, state, viewer, order) for order in universe(config)],
            [RULESET.public_text(config, state, viewer, order) for order in universe(config)],
            [RULESET.continuation(config, state, viewer, order) for order in (Wait(), Wait(3))],
            advise(config, seen, Random(1), plans=True).ahead(seen.state),
        )
    return seen, told, RULESET.draw(config, seen), public, own


@settings(SETTINGS, max_examples=15)
@given(where=walks, seed=seeds)
def test_secrets_change_nothing_of_what_a_viewer_is_given(walk, where, seed):
    """Others' clues and counters, sealed answers, markers' values, the bag: view, facts, legal orders, all are equal."""
    game = walk(where)
    for viewer in (None, *game.config.seats):
        other = otherwise(game, viewer, Random(seed))
        for left, right in zip(given_to(game, other, viewer), given_to(game, game.state, viewer), strict=True):
            assert left == right


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("kind", ["clue", "window", "hearing"])
def test_secrets_are_really_varied(start, wander, kind, version):
    """The test above compares states that do differ, at every kind of decision."""
    differences = 0
    for seed in range(6):
        game = wander(start(4, seed, version, **FULL), 40 * seed, seed)
        while not game.is_over() and game.due()[0][1] != kind:
            game = wander(game, 1, seed)
        if not game.is_over():
            differences += otherwise(game, "red", Random(seed)) != game.state
    assert differences >= 2


@SETTINGS
@given(where=walks)
def test_a_sealed_order_looks_the_same_to_others_whatever_it_says(walk, where):
    """While others are awaited: the events, the words in the journal and the view after it."""
    game = walk(where)
    assume(len(game.due()) > 1 and game.due()[0][1] != "last-call")
    seat = game.asked()[0]
    assume(game.state.watched != seat or game.config.is_opened_last)
    chance = CommittedChance(bytes(32), {})
    for viewer in (None, *(other for other in game.config.seats if other != seat)):
        seen = set()
        for order in game.legal(seat):
            taken = carry_out(RULESET, game.config, game.state, seat, order, chance)
            events = tuple(RULESET.redact(game.config, event, viewer) for event in taken.events)
            seen.add((events, taken.public_text, RULESET.view(game.config, taken.state, viewer)))
        assert len(seen) == 1


def test_hidden_events_look_the_same_to_others_whatever_they_hold(corpus):
    """Counters, clues, answers, statements, markers: to all but those they are of, and to those as they are."""
    hidden = {
        CounterDrawn: ("trait", tuple(TRAITS)),
        ClueChosen: ("face", tuple(Face)),
        Answered: ("answer", (Answer(), Answer("Boris"))),
        Stated: ("statement", (Statement(Speech.PASS), Statement(Speech.ANNOUNCE))),
        MarkerDrawn: ("marker", ("W1a", "W2a")),
    }
    met = set()
    for game in corpus:
        for event, _, _ in happenings(game):
            if type(event) not in hidden or getattr(event, "is_open", False):
                continue
            met.add(type(event))
            name, values = hidden[type(event)]
            for viewer in (None, *game.config.seats, MODERATOR):
                seen = {RULESET.redact(game.config, replace(event, **{name: value}), viewer) for value in values}
                assert len(seen) == (len(values) if viewer in (event.seat, MODERATOR) else 1)
    assert met == set(hidden)


class OtherMarkers:
    """Chance that gives the same outcomes for the same seed, but for score markers: other values of the same colour."""

    def __init__(self, seed, is_other):
        self.seed, self.is_other, self.drawn = seed, is_other, 0

    def pick(self, purpose, among):
        self.drawn += 1
        if " marker for " in purpose:
            plain = [marker for marker in among if marker != "STASI"] or list(among)
            return plain[-1 if self.is_other else 0]
        return Random(f"{self.seed} {self.drawn} {purpose}").choice(list(among))


@pytest.mark.parametrize("version", [1, 2])
def test_whom_the_adjudicator_asks_tells_nothing_of_values(start, wander, version):
    """A round scored twice with other values of the same colours gives bystanders the same events, hearings included."""
    compared = 0
    for seed in range(18):
        game = wander(start(3 + seed % 3, seed, version, **FULL), 20 + 6 * seed, seed)
        while not game.is_over() and not (game.due()[0][1] == "window" and len(game.due()) == 1):
            game = wander(game, 1, seed)
        for order in [] if game.is_over() else game.legal(game.asked()[0]):
            streams = []
            for is_other in (False, True):
                taken = carry_out(RULESET, game.config, game.state, game.asked()[0], order, OtherMarkers(seed, is_other))
                if not RULESET.is_over(game.config, taken.state):
                    streams.append([RULESET.redact(game.config, event, None) for event in taken.events])
            if len(streams) == 2:
                assert streams[0] == streams[1]
                compared += any(isinstance(event, MarkerDrawn) for event in streams[0])
    assert compared >= 6


def test_all_is_open_once_the_game_is_over(corpus):
    for game in corpus:
        views = [RULESET.view(game.config, game.state, viewer) for viewer in (None, *game.config.seats)]
        assert {seen.state for seen in views} == {game.state}
