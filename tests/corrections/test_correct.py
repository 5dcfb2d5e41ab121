"""Corrections: each an entry with its reason; what was undone stays in the record; nothing impossible is accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from play import begin, due, legal, play

from adjudicator.audit.decide import audit_game
from adjudicator.core.corrections import (
    Amended,
    AmendedSeen,
    Change,
    CorrectionError,
    SecretRevealed,
    Undone,
    tell_correction,
)
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.naming import change_words
from adjudicator.core.problem import SetupError
from adjudicator.core.timeline import Timeline
from adjudicator.corrections import correct
from adjudicator.corrections.paths import words_in
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.present import log_of, redact_entry
from adjudicator.session import Session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game
from adjudicator.verdict import Kind


@pytest.fixture
def session() -> Session:
    """Two players who have started, and acted twice."""
    session = begin(seats="red=Ann blue=Bob", secret="5" * 64)
    for _ in range(4):
        session = step(session)
    return session


def step(session: Session) -> Session:
    """Let the seat that is awaited give its first legal order that is no move."""
    orders = legal(session)
    wanted = next((words for words in orders if words.split()[0] in ("DRAW", "DISCARD")), orders[0])
    return play(session, f"{due(session)}: {wanted}")


def entries(session: Session) -> list:
    return [link.entry for link in session.game.journal]


def is_whole(session: Session) -> bool:
    """Return whether the game survives its file, its fold and its audit."""
    data = dump_game(session.game)
    loaded = [load_game(data), load_game(data)]
    folded = Timeline(session.rules, session.config, session.game).state
    return (
        all(game == session.game for game in loaded)
        and folded == session.game.state
        and audit_game(session).divergence is None
    )


def test_what_the_program_has_computed_before_changes_no_amendment() -> None:
    """The plans of simulated players stay in the cache of the configuration: they are no words of the game."""
    session = begin("rally-round", "red blue")
    before = words_in(session.config)
    session.config.memo[Planned] = ((), Planned("BLUE"))
    assert words_in(session.config) == before
    amended = correct.amend(session, ["crews[blue].penalty=1800"], "a penalty was forgotten")
    assert amended.game.state.crew(Seat("blue")).penalty == 1800


@dataclass
class Planned:
    way: str


def test_undo_goes_back_and_keeps_the_record(session: Session) -> None:
    before = [state for _, state in session.timeline.states()]
    undone = correct.undo(session, 2, "a mail was overlooked")
    assert undone.game.state == before[2]
    assert undone.game.journal[: len(session.game.journal)] == session.game.journal
    last = undone.game.journal[-1].entry
    assert (last.seat, last.order) == (MODERATOR, "UNDO to 2")
    assert last.events[0] == Undone(to=2, reason="a mail was overlooked")
    assert set(undone.timeline.undone) == set(range(3, last.n))
    assert is_whole(undone)


def test_after_an_undo_the_same_orders_draw_the_same(session: Session) -> None:
    again = correct.undo(session, 2, "again")
    for _ in range(2):
        again = step(again)
    assert again.game.state == session.game.state
    assert again.game.journal[-1].entry.drawn == session.game.journal[-1].entry.drawn
    assert is_whole(again)


def test_sheets_written_before_a_correction_are_stale(session: Session) -> None:
    corrected = correct.undo(session, 2, "again")
    result = adjudicate_files(corrected, [("t", f"turn {session.game.turn}\nred: DRAW".encode())])
    assert [diagnostic.problem.code for diagnostic in result.diagnostics] == ["orders/wrong-turn"]


def test_what_was_undone_is_no_place_to_go_back_to(session: Session) -> None:
    undone = correct.undo(session, 1, "once")
    with pytest.raises(CorrectionError, match="entry 3 itself was undone by entry"):
        correct.undo(undone, 3, "twice")
    for to in (-1, len(undone.game.journal) - 1, 99):
        with pytest.raises(CorrectionError):
            correct.undo(undone, to, "nowhere")
    assert is_whole(correct.undo(undone, 0, "to the set-up"))


def test_amend_a_clock_moves_the_marker(session: Session) -> None:
    amended = correct.amend(session, ["racers[red].minutes=50"], "misread the dial")
    assert amended.game.state.racer("red").minutes == 50
    assert amended.game.state.order == ("blue", "red")
    assert is_whole(amended)


def test_amend_a_hand_and_the_board(session: Session) -> None:
    tile, spare = session.game.state.stack(session.config)[:2]
    amended = correct.amend(session, [f"racers[blue].hand+={tile}", f'board[1]={{"tile":"{spare}","rot":90}}'], "x")
    assert tile in amended.game.state.racer("blue").hand
    assert amended.game.state.board[1].tile == spare
    assert is_whole(amended)


def told_of(session: Session, viewer: Seat | None = None) -> str:
    """Return the sentence under the last entry, as ``viewer`` reads it."""
    return log_of(session, session.game.journal[-1:], viewer)[0].told[0]


@pytest.mark.parametrize(
    "path",
    [
        "racers[red].minutes",
        "Racers[RED].Minutes",
        "clock of red",
        "CLOCK OF Red",
        "minutes of red",
        "min of red",
        "racers[red].clock",
    ],
)
def test_a_clock_goes_by_every_name(session: Session, path: str) -> None:
    before = session.game.state.racer("red").minutes
    amended = correct.amend(session, [f"{path}=50"], "misread the dial")
    assert amended.game.state.racer("red").minutes == 50
    assert told_of(amended) == f"the moderator set red's clock from {before} to 50: misread the dial"


def test_what_is_on_the_board_goes_by_its_cell_or_tile(session: Session) -> None:
    laid = session.game.state.board[0]
    rot = (laid.rot + 90) % 360
    changed = [correct.amend(session, [f"board[{name}].rot={rot}"], "x") for name in ("a1", laid.tile.lower(), "0")]
    assert {amended.game.state.board[0].rot for amended in changed} == {rot}
    assert {told_of(amended) for amended in changed} == {f"the moderator set board[A1].rot from {laid.rot} to {rot}: x"}
    spare = session.game.state.stack(session.config)[0]
    placed = correct.amend(session, [f'board[B1]={{"tile":"{spare}","rot":90}}'], "forgotten")
    assert placed.game.state.board[1].tile == spare
    assert told_of(placed) == f"the moderator set board[B1] from nothing to tile {spare} rot 90: forgotten"


def test_a_hand_is_told_to_its_seat_alone(session: Session) -> None:
    tile = session.game.state.racer("red").hand[0]
    amended = correct.amend(session, [f"hand of red-={tile.lower()}", f"discard+={tile.lower()}"], "slip")
    assert amended.game.state.racer("red").hand == session.game.state.racer("red").hand[1:]
    assert told_of(amended, Seat("red")) == f"the moderator put {tile} into discard and took {tile} out of red's hand: slip"
    assert told_of(amended) == f"the moderator put {tile} into discard and took 1 unseen out of red's hand: slip"


def test_a_change_that_reads_the_same_is_not_told() -> None:
    """A value that a viewer could not see before, and an empty list, are both “nothing”."""
    assert [change_words("red's trail", before, after) for before, after in ((None, []), ([], None))] == ["", ""]
    assert change_words("red's speed", None, 0) == "set red's speed from nothing to 0"
    changes = (Change("trail", "null", "[]", ""), Change("speed", "null", "0", "set red's speed from nothing to 0"))
    assert tell_correction(AmendedSeen(changes, "look")) == "the moderator set red's speed from nothing to 0: look"


def test_what_a_viewer_may_not_see_is_not_told(session: Session) -> None:
    (card,) = [
        name
        for name in ("K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8")
        if name not in [racer.card for racer in session.game.state.racers]
    ][:1]
    amended = correct.amend(session, [f"card of red={card.lower()}"], "mixed up")
    assert told_of(amended) == "the moderator changed something you may not see: mixed up"
    assert told_of(amended, MODERATOR).startswith("the moderator set red's card from K")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("clock of green=3", "there is no seat “green” for “clock of green”; choose from: red, blue"),
        ("cloak of red=3", "there is no “cloak” in “cloak of red” (did you mean “clock”?); choose from: seat, "),
        ("hnd of red=3", "there is no “hnd” in “hnd of red” (did you mean “hand”?); choose from: seat, "),
        ("stge=over", "there is no “stge” (did you mean “stage”?); choose from: stage, "),
        ("board[Z9].rot=90", "there is no “Z9” in “board[Z9].rot”; choose from: A1 to E5"),
        ("racers[9].minutes=3", "there is no “9” in “racers[9].minutes”; choose from: 0 to 1"),
    ],
)
def test_a_name_that_leads_nowhere_is_told(session: Session, change: str, words: str) -> None:
    with pytest.raises(CorrectionError) as caught:
        correct.amend(session, [change], "x")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("racers[red].minutes=abc", CorrectionError),
        ("racers[red].minutes=-1", CorrectionError),
        ("racers[red].minutes=1.0", CorrectionError),
        ("racers[red].minutes=true", CorrectionError),
        ("racers[red].minuts=3", CorrectionError),
        ("racers[green].minutes=3", CorrectionError),
        ("racers[9].minutes=3", CorrectionError),
        ("racers[red].minutes", CorrectionError),
        ("racers[red].minutes+=3", CorrectionError),
        ("discard-=XX", CorrectionError),
        ("stack=[]", CorrectionError),
        ("discard+=XX", SetupError),
        ("racers[red].car=tractor", SetupError),
        ("racers[red].cell=D5", SetupError),
        ("order=[]", SetupError),
        ("racers=[]", SetupError),
        ('stage="racing"', CorrectionError),
        ("[" * 500 + "=1", CorrectionError),
    ],
)
def test_what_cannot_be_is_refused(session: Session, change: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        correct.amend(session, [change], "no")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["board[2].rot=45"], "“board[2].rot=45”: must be 0, 90, 180 or 270, not 45"),
        (["racers[red].minutes=1e2"], "“racers[red].minutes=1e2”: must be written as a whole number: 100"),
        (["racers[red].minutes=NaN"], "“racers[red].minutes=NaN”: must be a whole number"),
        (["racers[red].minutes=9007199254740992"], "“racers[red].minutes=9007199254740992”: a number is too large"),
        (
            [r'racers[red].car="\ud800"'],
            r'“racers[red].car="\ud800"”: “\ud800” contains half a character (a lone surrogate)',
        ),
        (["racers[red].car=\ud800"], r"“racers[red].car=\ud800”: holds half a character"),
        (["racers[\ud800].car=1"], r"there is no “\ud800” in “racers[\ud800].car”; choose from: 0 to 1"),
        (['racers[red]={"a":1,"a":2}'], '“racers[red]={"a":1,"a":2}”: the name “a” appears twice'),
        (["racers[red].marked[0]=C3"], "there is no “0” in “racers[red].marked[0]”: the list is empty"),
        (["stage=" + 1500 * "[" + 1500 * "]"], "nested too deeply"),
        (["hand of red=H5"], '“hand of red” is a list: write `hand of red=["H5"]`, or change one item with `+=` or `-=`'),
        (["row=[H4, H5]"], '“row” is a list: write `row=["H4","H5"]`, or change one item with `+=` or `-=`'),
        (["racers[red].minutes=true"], "“racers[red].minutes=true”: must be a whole number, not true"),
        (["board[A1]={}"], "“board[A1]={}”: “tile” is missing\n“board[A1]={}”: “rot” is missing"),
        (
            ["racers[red].gps=9", "racers[blue].minutes=x"],
            "“racers[red].gps=9”: must be 2 or less, not 9\n“racers[blue].minutes=x”: must be a whole number, not “x”",
        ),
    ],
)
def test_a_value_that_cannot_be_is_told_with_its_assignment(session: Session, changes: list[str], message: str) -> None:
    with pytest.raises(CorrectionError) as caught:
        correct.amend(session, changes, "no")
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    "name", ["validated_amendment", "proceed", "awaiting", "legal", "view", "standings", "warnings", "draw"]
)
def test_what_the_rules_fail_over_is_refused(session: Session, name: str) -> None:
    """Whatever the checks of a ruleset leave out: an amendment is refused, it is never a fault of the program."""

    def fail(_config: Any, state: Any, *rest: Any) -> Any:
        if getattr(state, "state", state).racers[0].minutes == 77:
            raise KeyError("nobody")
        return getattr(session.rules, name)(_config, state, *rest)

    spoiled = replace(session, rules=session.rules.changed(**{name: fail}))
    assert correct.amend(spoiled, ["racers[red].minutes=50"], "goes on")
    with pytest.raises(SetupError, match=r"the rules cannot go on from it \(KeyError: 'nobody'\)"):
        correct.amend(spoiled, ["racers[red].minutes=77"], "no")


@pytest.mark.parametrize("name", ["validated_amendment", "draw", "warnings", "legal"])
def test_what_the_rules_fail_over_does_not_survive_the_audit(session: Session, name: str) -> None:
    """Not as a damaged file: as an amendment that cannot be, in the words of the command."""
    amended = correct.amend(session, ["racers[red].minutes=77"], "x")

    def fail(config: Any, state: Any, *rest: Any) -> Any:
        if getattr(state, "state", state).racers[0].minutes == 77:
            raise KeyError("nobody")
        return getattr(session.rules, name)(config, state, *rest)

    divergence = audit_game(replace(amended, rules=session.rules.changed(**{name: fail}))).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.field) == (Kind.CORRECTION, "events[0].after")
    assert divergence.recomputed.startswith("impossible: the rules cannot go on from it")


def test_nobody_is_left_waiting_for_ever(session: Session) -> None:
    def awaiting(config: Any, state: Any) -> Any:
        return () if state.racers[0].minutes == 77 else session.rules.awaiting(config, state)

    stuck = replace(session, rules=session.rules.changed(awaiting=awaiting))
    with pytest.raises(SetupError, match="no seat could act"):
        correct.amend(stuck, ["racers[red].minutes=77"], "no")


def test_an_amendment_shows_each_viewer_only_what_it_may_know(session: Session) -> None:
    tile = session.game.state.stack(session.config)[0]
    entry = correct.amend(session, [f"racers[blue].hand+={tile}"], "lost").game.journal[-1].entry
    assert isinstance(entry.events[0], Amended)
    for viewer in (Seat("blue"), MODERATOR):
        assert tile in str(redact_entry(session.rules, session.config, entry, viewer))
    for viewer in (Seat("red"), None):
        masked = redact_entry(session.rules, session.config, entry, viewer)
        assert isinstance(masked.events[0], AmendedSeen)
        assert f'"{tile}"' not in str([change for change in masked.events[0].changes if "hand" in change.path])


def test_a_seat_changes_hands(session: Session) -> None:
    handed = correct.hand_over(session, Seat("red"), "Zoe", "Ann moved away")
    assert handed.holders == {"red": "Zoe", "blue": "Bob"}
    assert handed.game.state == session.game.state
    assert is_whole(step(handed))
    with pytest.raises(CorrectionError):
        correct.hand_over(handed, Seat("red"), "Zoe", "twice")


def test_the_secret_is_not_published_before_the_end_unless_forced(session: Session) -> None:
    with pytest.raises(CorrectionError, match="not over"):
        correct.reveal(session, "", is_forced=False)
    revealed = correct.reveal(session, "asked for", is_forced=True)
    event = revealed.game.journal[-1].entry.events[0]
    assert event == SecretRevealed(secret="5" * 64, is_early=True, reason="asked for")
    assert is_whole(revealed)
    with pytest.raises(CorrectionError, match="already"):
        correct.reveal(revealed, "", is_forced=True)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 401, "half \ud800", "two\nlines", "a \x1b[31m colour", "a\u2028b"])
def test_a_correction_has_a_reason_in_plain_text(session: Session, reason: str) -> None:
    corrections: list[Callable[[], Session]] = [
        lambda: correct.undo(session, 1, reason),
        lambda: correct.amend(session, ["racers[red].minutes=50"], reason),
        lambda: correct.hand_over(session, Seat("red"), "Zoe", reason),
        lambda: correct.reveal(session, reason, is_forced=True),
    ]
    for correction in corrections:
        with pytest.raises(CorrectionError, match="a reason"):
            correction()


@pytest.mark.parametrize("holder", ["x" * 81, "half \ud800", "two\nlines"])
def test_a_holder_is_plain_text(session: Session, holder: str) -> None:
    with pytest.raises(CorrectionError, match="80 characters of plain text"):
        correct.hand_over(session, Seat("red"), holder, "moved")


def test_the_reason_of_a_secret_published_early_is_told(session: Session) -> None:
    event = correct.reveal(session, " a bet ", is_forced=True).game.journal[-1].entry.events[0]
    assert tell_correction(event) == f"the secret of chance is {'5' * 64}, published before the end: a bet"
    assert tell_correction(replace(event, is_early=False, reason="")) == f"the secret of chance is {'5' * 64}"


def test_a_game_that_goes_on_after_its_secret_was_published_is_cautioned_about(session: Session) -> None:
    revealed = correct.reveal(session, "a bet", is_forced=True)
    assert correct.cautions(session) == ()
    assert "all later draws" in correct.cautions(correct.undo(revealed, 2, "back"))[0]
    over = replace(revealed, rules=session.rules.changed(is_over=lambda _config, _state: True))
    assert correct.cautions(over) == ()


def test_pending_orders_go_with_an_undo(session: Session) -> None:
    seat = next(seat for seat in session.seats if seat != session.rules.awaiting(session.config, session.game.state)[0].seat)
    waiting = adjudicate_files(session, [("t", f"{seat}: REFRESH".encode())]).session
    assert waiting.game.pending
    assert correct.undo(waiting, 1, "back").game.pending == ()
    assert correct.amend(waiting, ["racers[red].gps=1"], "spent").game.pending == waiting.game.pending


def test_an_undo_to_what_has_not_happened_does_not_survive_the_audit(session: Session) -> None:
    undone = correct.undo(session, 2, "x")
    link = undone.game.journal[-1]
    forged = replace(link, entry=replace(link.entry, events=(Undone(to=3, reason="x"),)))
    game = replace(undone.game, journal=undone.game.journal[:-1].extended((forged,)))
    verdict = audit_game(undone.with_game(game))
    assert verdict.divergence is not None


def test_a_seat_handed_over_and_a_secret_told_stay_so_whatever_is_undone(session: Session) -> None:
    handed = correct.hand_over(session, Seat("red"), "Zoe", "moved house")
    told = correct.reveal(handed, "all may know", is_forced=True)
    undone = correct.undo(told, 2, "the wrong mail")
    first = len(session.game.journal)
    assert set(undone.timeline.undone) == set(range(3, first))
    assert undone.holders[Seat("red")] == "Zoe"


def test_what_follows_from_an_amendment_comes_after_it_in_the_record() -> None:
    """A car made to crash by the moderator loses its turn at once: first the amendment, then what follows from it."""
    race = begin("checkered-flag", secret="7" * 64)
    first = due(race)
    amended = correct.amend(race, [f"racers[{first}].lost=2"], "its crash was overlooked")
    events = amended.game.journal[-1].entry.events
    assert [event.kind for event in events] == ["amended", "turn-lost", "turn-passed"]
    assert (events[0].before, events[0].after.racer(first).lost) == (race.game.state, 2)
    assert amended.game.state.racer(first).lost == 1
    assert amended.game.state.turn != first
    assert is_whole(amended)
