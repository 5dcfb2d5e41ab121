"""What version 2 of the rules decides otherwise, beside what version 1 did: a watched clue (CC-O1), Café Adler (CC-O2)."""

from __future__ import annotations

from pathlib import Path

import play
import pytest

from adjudicator.audit.audit_source import audit_source
from adjudicator.core.problem import SetupError
from adjudicator.corrections.correct import amend, undo
from adjudicator.games.checkpoint_charlie.components import Colour, Face
from adjudicator.games.checkpoint_charlie.events import ClueChosen, ClueOpened, DeckReady
from adjudicator.games.checkpoint_charlie.orders import Accuse, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import (
    AdlerOpened,
    HearingOpened,
    MarkersSwapped,
    SwapMissed,
    SwapVoid,
)
from adjudicator.games.checkpoint_charlie.state import SEALED, Stage
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.load import load_game

ADLER = {"adler": "on"}
FIVE = {"red": "hat", "blue": "glasses", "green": "raincoat", "yellow": "grey", "white": "newspaper"}
CHOSEN = {**FIVE, "yellow": "orange"}
RECORDED = sorted((Path(__file__).parents[2] / "data" / "games" / "checkpoint-charlie").glob("*.json"))
COUNTERS = "hat glasses coat colour newspaper"
both_versions = pytest.mark.parametrize("version", [1, 2])


# CC-O1: a watched player's clue --------------------------------------------------------------------------------------


@pytest.fixture
def watched(scene):
    """Begin a round, in which the Stasi officer watches yellow, by a version of the rules."""

    def begin(version):
        seats = {seat: {"is_watched": seat == "yellow"} for seat in CHOSEN}
        return scene(**seats, options={"stasi": "on"}, outcomes=COUNTERS, version=version)

    return begin


def choose(game, *seats):
    """Let ``seats`` lay their clues; after the last of all Viktor is turned. Return what the last brings about."""
    for seat in seats:
        told = game.do(seat, Clue(CHOSEN[seat]), "Viktor" if game.asked() == [seat] else "")
    return told


def question(game, seat):
    return next(decision for decision in game.rules.awaiting(game.config, game.state) if decision.seat == seat)


def test_cc_o1_version_2_the_clue_is_sealed_until_all_have_chosen(watched):
    """Yellow is the first to answer: event, words of the journal, view, facts and table tell nothing of the face."""
    game = watched(2)
    assert "(it will lie open when all have chosen: the Stasi officer watches)" in question(game, "yellow").ask
    (chosen,) = choose(game, "yellow")
    assert chosen == ClueChosen(seat="yellow", face=Face.ORANGE, is_open=False, rule="CC-S2")
    for viewer in ("red", None):
        seen = game.redacted(viewer)[-1]
        assert seen == ClueChosen(seat="yellow", face=None, is_open=False, rule="CC-S2")
        assert game.rules.tell(game.config, seen) == "Colombini (yellow) lays a clue (CC-S2)"
        assert game.seen(viewer, "yellow").clue == SEALED
        assert game.view(viewer).state.clues == ()
        assert game.fact(viewer, "clue", "Colombini") is None
        assert game.cell(viewer, "yellow", "clue") == "secret (open when all have chosen)"
        assert game.cell(viewer, "yellow", "answer") == "in"
    assert game.game.journal[-1].entry.order == "CLUE"
    assert game.cell("yellow", "yellow", "clue") == "orange (open when all have chosen)"
    assert game.fact("yellow", "clue") == "orange"


def test_cc_o1_version_2_then_all_see_it(watched):
    """Before the first card is turned; and nobody else's clue."""
    game = watched(2)
    told = choose(game, "yellow", "white", "red", "green", "blue")
    assert told.kinds[:3] == ["clue-chosen", "clue-opened", "deck-ready"]
    opened = told.one(ClueOpened)
    assert opened == ClueOpened(seat="yellow", face=Face.ORANGE)
    words = "Colombini (yellow) opens the clue “orange”: the Stasi officer is watching (CC-O1)"
    assert game.rules.tell(game.config, opened) == words
    for viewer in ("red", None):
        assert opened in game.redacted(viewer)
        assert game.seen(viewer, "yellow").clue is Face.ORANGE
        assert game.fact(viewer, "clue", "yellow") == "orange"
        assert game.cell(viewer, "yellow", "clue") == "orange (open)"
        assert game.seen(viewer, "white").clue == SEALED
    assert {link.entry.order for link in game.game.journal if link.entry.seat == "yellow"} == {"CLUE"}


def test_cc_o1_version_2_nothing_opens_where_nobody_is_watched(scene):
    game = scene(**{seat: {} for seat in CHOSEN}, outcomes=COUNTERS)
    told = choose(game, *CHOSEN)
    assert told.one(DeckReady) and not told.of(ClueOpened)


def test_cc_o1_version_2_a_position_with_clues_laid_has_it_open(scene):
    game = scene(**five(yellow={"is_watched": True}), options={"stasi": "on"})
    assert game.seen(None, "yellow").clue is Face.GREY
    assert game.cell(None, "yellow", "clue") == "grey (open)"


def test_cc_o1_version_1_opened_it_at_once(watched):
    """Who chose later by mail had seen it."""
    game = watched(1)
    assert "(it will lie open: the Stasi officer watches)" in question(game, "yellow").ask
    assert game.cell("red", "yellow", "clue") == "secret (open)"
    (chosen,) = choose(game, "yellow")
    assert chosen == ClueChosen(seat="yellow", face=Face.ORANGE, is_open=True, rule="CC-O1")
    assert chosen in game.redacted("red") and chosen in game.redacted(None)
    assert game.game.journal[-1].entry.order == "CLUE orange"
    assert game.seen("red", "yellow").clue is Face.ORANGE
    assert game.fact("red", "clue", "yellow") == "orange"
    assert game.cell("red", "yellow", "clue") == "orange (open)"
    assert not choose(game, "red", "blue", "green", "white").of(ClueOpened)


@pytest.fixture
def by_mail():
    """Begin a game of three by a version of the rules, and let some of them choose the first of their faces."""

    def begin(version, *seats):
        game = play.begin("checkpoint-charlie", "red blue green", options={"stasi": "on"}, secret="7" * 64, version=version)
        return play.play(game, *(f"{seat}: {play.legal(game, seat)[0]}" for seat in seats))

    return begin


def chosen(session, *seats):
    for seat in seats:
        order = next(iter(RULESET.legal(session.config, session.game.state, seat)))
        words = f"{seat}: {RULESET.language.text(order)}\n"
        session = adjudicate_files(session, [("orders.txt", words.encode())]).session
    return session


def clue_seen(session, seat):
    """Return what a bystander sees of the clue of ``seat``."""
    return RULESET.view(session.config, session.game.state, None).state.agent(seat).clue


@both_versions
def test_cc_o1_whom_the_officer_watches_may_be_amended_while_clues_are_chosen(by_mail, version):
    """The clue that red has laid is sealed still, and opened with the last choice; by version 1 all see it at once."""
    session = amend(by_mail(version, "red"), ["watched=red"], "red had the marker")
    assert session.game.state.stage is Stage.CLUES
    face = session.game.state.agent("red").clue
    assert clue_seen(session, "red") == (SEALED if version == 2 else face)
    session = chosen(session, "blue", "green")
    opened = [event for event in session.game.journal[-1].entry.events if isinstance(event, ClueOpened)]
    assert opened == ([ClueOpened(seat="red", face=face)] if version == 2 else [])
    assert clue_seen(session, "red") == face


def test_cc_o1_the_last_clue_amended_opens_it_too(by_mail):
    """A moderator tosses for green, who is missing: what follows, follows at once. Undone, the clue is sealed again."""
    session = amend(by_mail(2, "red", "blue"), ["watched=red"], "red had the marker")
    missing = session.game.state.agent("green").trait
    face = next(face for face in Face if face.trait is missing)
    after = amend(session, [f"agents[green].clue={face.value}"], "tossed by the moderator")
    assert [event.kind for event in after.game.journal[-1].entry.events][:3] == ["amended", "clue-opened", "deck-ready"]
    assert clue_seen(after, "red") == after.game.state.agent("red").clue
    assert clue_seen(undo(after, session.game.journal[-1].entry.n, "green has written"), "red") == SEALED


# CC-O2: an exchanged Café Adler marker -------------------------------------------------------------------------------


def five(**changes):
    """Viktor is the chief; Emil and Ivan are assistants, Igor matches three."""
    seats = {seat: {"clue": clue} for seat, clue in FIVE.items()}
    seats["red"]["turned"], seats["blue"]["turned"] = "Viktor Emil Ivan", "Igor Fleming Olga"
    for seat, more in changes.items():
        seats[seat].update(more)
    return seats


@pytest.fixture
def hearing(scene):
    """Come to a hearing: red draws gold, blue and green white, yellow and white black; ``held`` is what they hold before."""

    def begin(version=2, draws="G3b W1c W2b B0a B0b", given=(), **held):
        seats = five(**{seat: {"markers": markers} for seat, markers in held.items()})
        game = scene(**seats, **dict(given), options=ADLER, version=version)
        for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Ivan"), ("yellow", "Igor")):
            game.do(seat, Accuse(suspect))
        game.do("white", Wait(), draws)
        return game

    return begin


ONE_SPENT = {"spent": ("WA",), "swaps": ("white",)}


def swapped(game, *swaps, draws=""):
    """Let all pass but those who swap; return what the last swap brings about."""
    for seat in game.asked():
        if seat not in dict(swaps):
            game.do(seat, Pass())
    for seat, order in swaps[:-1]:
        game.do(seat, order)
    return game.do(*swaps[-1], draws)


def test_cc_o2_version_2_it_lies_open_with_its_receiver(hearing):
    """Everybody sees which marker it is; what it was exchanged for, only the two."""
    game = hearing(blue="WA", green="W2a G4a")
    told = swapped(game, ("blue", Swap("white", "Britton")), draws="W2a")
    opened = AdlerOpened(seat="green", colour=Colour.WHITE, marker="WA")
    assert told.one(AdlerOpened) == opened
    words = "the white Café Adler marker WA lies open with Britton (green) from now on: it is exchanged no more (CC-O2)"
    assert game.rules.tell(game.config, opened) == words
    for viewer in ("red", None):
        assert opened in game.redacted(viewer)
        assert MarkersSwapped(seat="blue", other="green", colour="white", given=None, taken=None) in game.redacted(viewer)
        assert game.seen(viewer, "green").spent == ("WA",)
        assert game.seen(viewer, "green").markers == ("white", "gold", "white")
        assert game.fact(viewer, "open", "Britton") == ("WA",)
        assert game.fact(viewer, "open", "Lansbury") == ()
        assert game.fact(viewer, "markers", "Britton") == 3
        assert game.fact(viewer, "points", "Britton") is None
        assert game.cell(viewer, "green", "markers") == "1 gold, 2 white (WA open)"
        rows = game.rules.draw(game.config, game.view(viewer)).shapes[-1].rows
        assert ("Britton", "WA", "white", "1", "Café Adler, exchanged") in rows
        assert {row[1] for row in rows if row[0] != "Laces"} == {"WA"}
    assert game.fact("green", "open") == ("WA",)


def test_cc_o2_version_1_told_only_the_two(hearing):
    game = hearing(1, blue="WA", green="W2a G4a")
    assert not swapped(game, ("blue", Swap("white", "Britton")), draws="W2a").of(AdlerOpened)
    for viewer in ("red", None):
        assert game.seen(viewer, "green").spent == ()
        assert game.fact(viewer, "open", "Britton") == ()
        assert game.cell(viewer, "green", "markers") == "1 gold, 2 white"
    assert game.seen("green", "green").spent == ("WA",)


@pytest.mark.parametrize(("version", "among"), [(1, {"WA", "W2a", "W2b"}), (2, {"W2a", "W2b"})])
def test_cc_o2_what_chance_picks_among(hearing, version, among):
    """Green holds WA, exchanged before: by version 1 blue could get it back for WB."""
    got = set()
    for marker in ("WA", "W2a", "W2b"):
        game = hearing(version, given=ONE_SPENT, blue="WB", green="WA W2a")
        for seat in game.asked():
            if seat != "blue":
                game.do(seat, Pass())
        if game.send("blue", Swap("white", "Britton"), draws=[marker]).accepted:
            got.add(marker)
    assert got == among


def test_cc_o2_version_2_a_swap_that_could_only_get_one_is_refused(hearing):
    """Yellow's only white marker is WA: the refusal names it, the rule, and with whom one can swap."""
    game = hearing(given=ONE_SPENT, blue="WB", yellow="WA")
    problem = game.rules.refusal(game.config, game.state, "blue", Swap("white", "Colombini"))
    assert game.code_and_rule(problem) == ("exchanged-before", "CC-O2")
    assert problem.message == "Colombini (yellow) has no white marker face down: WA has been exchanged before"
    assert problem.suggestions == ("Britton",)
    assert problem.part == "investigator"
    assert game.legal("blue") == [Pass(), Swap("white", "Britton")]
    assert game.wrong("blue", Swap("white", "Laces")) == ("nothing-to-exchange", "CC-O2")


def test_cc_o2_version_2_without_anybody_else_one_passes(scene):
    """The only white marker that another holds lies open with red."""
    seats = five(red={"markers": "WA"}, blue={"markers": "G5a G4a W2a WB"})
    game = scene(**seats, **ONE_SPENT, options=ADLER)
    for seat, suspect in (("red", "Viktor"), ("blue", "Emil"), ("green", "Igor"), ("yellow", "Olga")):
        game.do(seat, Accuse(suspect))
    game.do("white", Wait(), "G3b W1c B0a B0b B0c")
    problem = game.rules.refusal(game.config, game.state, "blue", Swap("white", "Laces"))
    assert game.code_and_rule(problem) == ("exchanged-before", "CC-O2")
    assert problem.suggestions == ("PASS",)


def test_cc_o2_version_1_allowed_it(hearing):
    """Blue could get WA, and give WB for it: both changed places."""
    game = hearing(1, given=ONE_SPENT, blue="WB", yellow="WA")
    assert Swap("white", "Colombini") in game.legal("blue")
    assert swapped(game, ("blue", Swap("white", "Colombini")), draws="WA").one(MarkersSwapped).taken == "WA"
    assert (game.agent("blue").spent, game.agent("yellow").spent) == (("WA",), ("WB",))


def test_cc_o2_version_2_two_exchanged_for_each_other_both_lie_open(hearing):
    """Ruling: green's own swap comes to nothing, as by version 1; all know that no Adler of white is left to swap."""
    game = hearing(blue="WA", green="WB")
    told = swapped(game, ("green", Swap("white", "Lansbury")), ("blue", Swap("white", "Britton")), draws="WB")
    assert [(event.seat, event.marker) for event in told.of(AdlerOpened)] == [("green", "WA"), ("blue", "WB")]
    assert told.one(SwapVoid).seat == "green"
    assert told.one(HearingOpened).seats == ("yellow", "white")


def test_cc_o2_version_1_asked_on_for_all_that_everybody_knew(hearing):
    """One exchange of white: that it was of two Adlers, only the two knew; neither could exchange its own again."""
    game = hearing(1, blue="WA", green="WB")
    told = swapped(game, ("green", Swap("white", "Lansbury")), ("blue", Swap("white", "Britton")), draws="WB")
    assert told.one(SwapVoid).seat == "green"
    assert told.one(HearingOpened).seats == ("blue", "green", "yellow", "white")
    for seat in ("blue", "green"):
        assert game.wrong(seat, Swap("white", "blue" if seat == "green" else "green")) == ("no-adler-held", "CC-O2")


def test_cc_o2_version_2_a_sealed_swap_for_what_was_exchanged_in_the_same_hearing_is_void(hearing):
    """Ruling: blue gets yellow's only white marker, and WA lies there now. Green alone is told, and keeps its own Adler."""
    game = hearing(blue="WA", green="WB", yellow="W2a")
    told = swapped(game, *((seat, Swap("white", "Colombini")) for seat in ("blue", "green")), draws="W2a")
    missed = SwapMissed(seat="green", other="yellow", colour=Colour.WHITE)
    assert told.one(SwapMissed) == missed
    words = "Britton (green) gets nothing from Colombini (yellow), whose last white marker face down was exchanged before"
    assert game.rules.tell(game.config, missed) == f"{words} (CC-O2)"
    assert missed in game.redacted("green")
    for viewer in ("blue", "yellow", None):
        assert not any(isinstance(event, SwapMissed) for event in game.redacted(viewer))
    assert (game.agent("green").markers, game.agent("green").spent) == (("WB", "W2b"), ())
    assert game.legal("green") == [Pass(), Swap("white", "Lansbury")]


def test_cc_o2_version_1_it_got_what_had_just_been_given(hearing):
    game = hearing(1, blue="WA", green="WB", yellow="W2a")
    told = swapped(game, *((seat, Swap("white", "Colombini")) for seat in ("blue", "green")), draws="W2a WA")
    assert [(event.seat, event.taken) for event in told.of(MarkersSwapped)] == [("blue", "W2a"), ("green", "WA")]


@pytest.mark.parametrize(("version", "asked"), [(1, ["blue", "green", "yellow", "white"]), (2, ["yellow", "white"])])
def test_cc_o2_who_is_asked_for_a_swap(hearing, version, asked):
    """After one exchange of white an Adler of white could be about; by version 2 all see that both lie open."""
    given = {"spent": ("WA", "WB"), "swaps": ("white",)}
    assert hearing(version, given=given, blue="WA", green="WB").asked() == asked


@pytest.mark.parametrize(("version", "is_asked"), [(1, True), (2, False)])
def test_cc_e1_what_lies_open_is_worth_what_all_see(hearing, version, is_asked):
    """Yellow has a gold and three white markers: 5 + 2 + 2 + 2 at most, but two of the white ones are worth 1 each."""
    given = {"spent": ("WA", "WB"), "swaps": ("white", "white")}
    game = hearing(version, given=given, yellow="G5a WA WB W2a")
    assert ("ANNOUNCE" in question(game, "yellow").ask) is is_asked


# Positions and amendments --------------------------------------------------------------------------------------------


def test_cc_o2_version_2_each_exchange_leaves_one_that_lies_open(scene):
    """A position that forgot which was exchanged would let it be exchanged again; by version 1 only its holder knew."""
    seats = five(green={"markers": "WA"})
    scene(**seats, options=ADLER, swaps=("white", "white"), version=1)
    scene(**seats, options=ADLER, swaps=("white",), spent=("WA",))
    with pytest.raises(SetupError) as error:
        scene(**seats, options=ADLER, swaps=("white", "white"), spent=("WA",))
    (problem,) = error.value.problems
    words = "each exchange leaves a Café Adler marker that is exchanged no more: white has 2 exchanges and 1 such marker"
    assert (problem.message, problem.rule) == (words, "CC-O2")


def test_cc_o2_an_exchanged_marker_named_twice_is_one(scene):
    game = scene(**five(green={"markers": "WA"}), options=ADLER, swaps=("white",), spent=("WA",))
    twice = game.state.with_agent("green", spent=("WA", "WA"))
    assert game.rules.validated_amendment(game.config, twice) == game.state


# Recorded games ------------------------------------------------------------------------------------------------------


def changed_in(game):
    """Return the rules that version 2 has changed and that a game has come to: a clue laid open, markers exchanged."""
    events = [event for link in game.journal for event in link.entry.events]
    is_opened = any(event.kind == "clue-chosen" and event.is_open for event in events)
    is_exchanged = any(event.kind == "markers-swapped" for event in events)
    return {rule for rule, is_met in (("CC-O1", is_opened), ("CC-O2", is_exchanged)) if is_met}


def verdict_of(path, *, is_impact):
    with Opener() as opener:
        return audit_source(Source(str(path), str(path)), opener, is_impact=is_impact)


def test_the_impact_names_the_games_of_version_1_that_would_have_gone_otherwise():
    """Those in which a clue was laid open, or a Café Adler marker exchanged; all are verified by their own rules."""
    otherwise, expected = {}, {}
    for path in RECORDED:
        game = load_game(path)
        if game.ruleset.version == 2:
            continue
        assert verdict_of(path, is_impact=False).divergence is None
        divergence = verdict_of(path, is_impact=True).divergence
        if divergence is not None:
            otherwise[path.stem] = "CC-O1" if divergence.recorded.startswith("CLUE ") else divergence.rule
        if changed_in(game):
            expected[path.stem] = changed_in(game)
    assert otherwise.keys() == expected.keys()
    assert all(rule in expected[name] for name, rule in otherwise.items())
    assert set(otherwise.values()) == {"CC-O1", "CC-O2"}
    assert len(otherwise) < 40
