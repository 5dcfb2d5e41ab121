"""The library: games as values, in the words of the command line."""

from __future__ import annotations

import py_compile
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import adjudicator as adj
from adjudicator.archive import GameCopy, check_archive, extract_games, is_archive, open_archive, write_archive
from adjudicator.audit import audit_published, read_published
from adjudicator.game import Seat
from adjudicator.library.errors import NoOrdersError, NoSuchEntryError, PreparationError, UnknownViewerError
from adjudicator.library.game import read_players
from adjudicator.library.own_orders import counted_orders, header_turns, orders_in
from adjudicator.library.rulesets import (
    commands_of,
    component_set,
    ids_with_commands,
    rules_of,
    ruleset_ids,
    schema,
    schema_names,
)
from adjudicator.library.words import LanguageError, ambiguous_words, installed_languages
from adjudicator.results import ArchiveProblem
from adjudicator.simulate import require_plot, simulation_plan, statistics, tally_games
from adjudicator.site import SiteFolder, build_site

ROOT = Path(__file__).parents[2]
RACE = ROOT / "examples" / "checkered-flag" / "race"
SECRET = ROOT / "examples" / "checkpoint-rally" / "two-players" / "game.json"


@pytest.fixture
def game() -> adj.Game:
    return adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=7)


def test_the_public_names_are_few_and_each_is_there() -> None:
    assert sorted(adj.__all__) == dir(adj)
    assert len(adj.__all__) <= 40
    assert all(getattr(adj, name) is not None for name in adj.__all__)
    modules = {path.stem for path in (ROOT / "adjudicator").iterdir()}
    assert modules.isdisjoint(adj.__all__), "the import of a module would replace the name"
    with pytest.raises(AttributeError, match="nothing"):
        _ = adj.nothing  # type: ignore[attr-defined]


def test_threads_open_their_first_game_at_once() -> None:
    script = f"""
import sys, threading
import adjudicator as adj

def open_game(delay):
    for _ in range(delay):
        pass
    commitments.append(adj.open({str(SECRET)!r}).commitment)

sys.setswitchinterval(1e-5)
commitments = []
threads = [threading.Thread(target=open_game, args=(number * 10_000,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(commitments), len(set(commitments)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "4 1\n", done.stderr


def test_every_public_name_has_a_docstring() -> None:
    """Also every public method and property of a game and its results."""
    named = {name: getattr(adj, name) for name in adj.__all__ if name != "AuditResult"}
    own_orders = type(orders_in(adj.new("checkered-flag", ["red", "blue"]), [mail("GEAR 1")], "red"))
    for kind in (adj.Game, adj.Reader, adj.Result, adj.ScriptResult, own_orders):
        members = {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}
        said = {name: value for name, value in members.items() if callable(value) or isinstance(value, property)}
        assert len(said) > 1
        named |= {f"{kind.__name__}.{name}": value for name, value in said.items()}
    assert {name for name, value in named.items() if not (value.__doc__ or "").strip()} == set()


@pytest.mark.parametrize("name", ["", *adj.__all__])
def test_help_describes_every_public_name(name: str) -> None:
    """`docs/library.md` promises it: types in the fields of a struct must be known when a program runs."""
    assert pydoc.render_doc(getattr(adj, name) if name else adj)


def test_the_package_loads_nothing_until_a_name_is_used() -> None:
    script = "import adjudicator, sys; print(*(name for name in sys.modules if name.startswith('adjudicator.')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == []


def test_the_library_needs_no_source(tmp_path: Path) -> None:
    """The desk has only bytecode, as have many archives of programs."""
    package = tmp_path / "adjudicator"
    package.mkdir()
    for path in (ROOT / "adjudicator").iterdir():
        if path.name not in ("__init__.py", "__pycache__"):
            (package / path.name).symlink_to(path)
    py_compile.compile(str(ROOT / "adjudicator" / "__init__.py"), str(package / "__init__.pyc"), optimize=2)
    script = "import adjudicator as adj; print(adj.__file__, *(name for name in dir(adj) if getattr(adj, name)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == [str(package / "__init__.pyc"), *adj.__all__]


def test_a_type_checker_accepts_a_strict_program(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "client.py"
    program.write_text(
        "import adjudicator as adj\n"
        "from adjudicator import Game\n"
        "def bot(game: Game, seat: str) -> str:\n"
        "    return min(game.seen_by(seat).legal, key=lambda row: row.min or 0).order\n"
        "game: Game = adj.open('race.json')\n"
        "codes: list[str] = [one.code for one in game.apply({'red': bot(game, 'red')}).problems]\n"
        "for step in game.seen_by('red').replay():\n"
        "    order: str = step.rows[0].order\n"
        "is_verified: bool = game.audit().is_verified\n"
    )
    told, _, code = api.run(["--strict", "--follow-imports=silent", f"--cache-dir={tmp_path}", str(program)])
    assert code == 0, told


def test_a_game_never_changes(game: adj.Game) -> None:
    before, seat = game.to_bytes(), game.due_seats[0]
    result = game.apply({seat: "GEAR 1"})
    assert game.to_bytes() == before
    assert result.game != game
    assert result.problems == ()
    assert [row.order for row in result.log] == ["GEAR 1"]
    assert len({game, adj.open(before), result.game}) == 2


def test_mistakes_of_players_are_values(game: adj.Game) -> None:
    (seat,) = game.due_seats
    result = game.apply(f"{seat}:\n  GEAR 9\n")
    (problem,) = result.problems
    assert (problem.code, problem.line, problem.column) == ("checkered-flag/no-such-gear", 2, 8)
    assert result.game == game
    assert game.seen_by(seat).check({seat: "GEAR 9"}).problems[0].code == problem.code


def test_every_form_of_orders_is_the_same(game: adj.Game, tmp_path: Path) -> None:
    (seat,) = game.due_seats
    path = tmp_path / "turn.txt"
    path.write_text(text := f"{seat}:\n  GEAR 1\n")
    mail = f"From: {seat}@example.org\nTo: x@example.org\nSubject: y\n\n{text}".encode()
    forms = [text, text.encode(), mail, path, [text], {seat: "GEAR 1"}, {game.players[seat]: "GEAR 1"}]
    assert {game.apply(form).game.record.head for form in forms} == {game.apply(text).game.record.head}
    for foreign in ({"green": "GEAR 1"}, adj.read_orders("GEAR 1", seat=Seat("green"))):
        with pytest.raises(UnknownViewerError):
            game.apply(foreign)
    with pytest.raises(adj.FileProblem):
        game.apply(tmp_path / "missing.txt")


def test_a_seat_that_checks_nothing_of_its_own_learns_it(game: adj.Game) -> None:
    with pytest.raises(NoOrdersError, match="of red"):
        game.seen_by("red").check("blue:\n  GEAR 1\n")
    with pytest.raises(adj.RequestError, match="name a seat"):
        game.seen_by("moderator").check("blue:\n  GEAR 1\n")


def test_readers_see_what_they_may() -> None:
    dealt = adj.open(SECRET)
    steps = list(dealt.seen_by("red").replay())
    assert [step.n for step in steps if step.is_last] == [steps[-1].n]
    assert steps[-1].position.view == dealt.seen_by("red").position.view
    assert steps[0].position.view != dealt.seen_by("red").position.view
    own, others = (dealt.seen_by(seat).report().secrets for seat in dealt.seats)
    assert own
    assert own != others
    assert not dealt.seen_by().report().secrets
    assert str(dealt) == adj.render(dealt.seen_by().position)


def test_the_log_of_turns(game: adj.Game) -> None:
    (seat,) = game.due_seats
    after = game.apply({seat: "GEAR 1"}).game
    assert [row.n for row in after.seen_by().log()] == [0, 1]
    assert [row.n for row in after.seen_by().log(turn=1)] == [1]
    assert [row.n for row in after.seen_by().log(since=1)] == [1]
    with pytest.raises(adj.RequestError, match="no turn 9"):
        after.seen_by().log(turn=9)
    with pytest.raises(adj.RequestError, match="not both"):
        after.seen_by().log(turn=1, since=1)
    with pytest.raises(NoSuchEntryError):
        after.seen_by().replay(first=9)


def test_a_player_s_own_file_answers_what_it_can(game: adj.Game) -> None:
    (seat,) = game.due_seats
    own = adj.open(game.seen_by(seat).own_file())
    assert (own.own_seat, bool(own.caveat)) == (seat, True)
    assert own.seen_by(seat).legal == game.seen_by(seat).legal
    assert own.seen_by().log() == game.seen_by(seat).log()
    assert own.seen_by().check("GEAR 9").problems[0].code == "checkered-flag/no-such-gear"
    with pytest.raises(adj.RequestError, match="own file"):
        own.apply("GEAR 1")


def test_errors_have_one_base(tmp_path: Path) -> None:
    for call in (
        lambda: adj.open(tmp_path / "no.json"),
        lambda: adj.open(b"{}"),
        lambda: adj.new("chess", ["red"]),
        lambda: adj.new("checkered-flag", ["red"]),
        lambda: adj.new("checkered-flag", ["red", "blue"], components="no-set"),
        lambda: adj.new("checkered-flag", ["red", "blue"], languages=["xx"]),
        lambda: adj.play_script("no script"),
        lambda: adj.render(adj.open(SECRET).seen_by().report(), "doc"),
        lambda: adj.choose_order(adj.open(SECRET), "green"),
        lambda: next(adj.simulate_games("checkered-flag", 1, player="genius")),
        lambda: next(tally_games(simulation_plan("checkered-flag"), out=__file__)),
        lambda: require_plot("plot.txt"),
        lambda: commands_of("chess"),
    ):
        with pytest.raises(adj.AdjudicatorError):
            call()  # type: ignore[no-untyped-call]


def test_many_games_are_counted_archived_and_shown(tmp_path: Path) -> None:
    plan, loose, packed = simulation_plan("checkered-flag", 2, seed=3), tmp_path / "loose", tmp_path / "games.adjudicator.db"
    tallies = list(tally_games(plan, out=str(loose), audit=True))
    assert statistics(tallies).games == 2
    with pytest.raises(adj.RequestError, match="not empty"):
        next(tally_games(plan, out=str(loose)))
    copies: list[GameCopy | ArchiveProblem] = []
    write_archive(str(packed), [str(loose)], copies.append)
    assert is_archive(str(packed))
    with open_archive(str(packed)) as archive:
        assert [one.name for one in check_archive(archive)] == [one.name for one in copies]
        (extracted,) = extract_games(archive, tmp_path / "out", [copies[1].name])
    assert adj.open(extracted.name) == adj.open(f"{packed}#2")
    pages = SiteFolder(str(tmp_path / "site"))
    shown = list(build_site([str(packed)], pages))
    assert [one.result.is_verified for one in shown] == [True, True]
    assert pages.count > 2


def test_commands_of_games() -> None:
    assert "rally-round" in ids_with_commands()
    assert commands_of("rally-round") is not None
    assert commands_of("checkered-flag") is None
    assert set(ids_with_commands()) < set(ruleset_ids())


def test_a_simulated_player_chooses_the_same_order_again(game: adj.Game) -> None:
    (seat,) = game.due_seats
    assert adj.choose_order(game, seat) == adj.choose_order(game, seat)
    assert adj.choose_order(game, seat, "random", seed=3) in {row.order for row in game.seen_by(seat).legal}


def test_the_record_can_be_the_seed_of_a_simulated_player() -> None:
    games = [adj.new("checkered-flag", ["red", "blue"], seed=seed) for seed in range(20)]
    chosen = [adj.choose_order(game, game.due_seats[0], "random", None) for game in games]
    assert chosen == [adj.choose_order(game, game.due_seats[0], "random", None) for game in games]
    assert len(set(chosen)) > 1


def mail(body: str, seat: str = "red") -> adj.Submission:
    data = f"From: {seat}@example.org\nTo: x@example.org\nSubject: y\n\n{body}".encode()
    return adj.read_mail(data, seat=seat)


def test_the_orders_of_one_seat_are_read_without_carrying_them_out(game: adj.Game) -> None:
    own = orders_in(game, [mail("GEAR 1\nGEAR 9")], "blue")
    assert own.orders == ()
    own = orders_in(game, [mail("turn 1\nGEAR 1\nGEAR 9")], "red")
    assert (own.orders, own.withdraws, own.has_orders, own.is_meant) == (((2, "GEAR 1"), (3, "GEAR 9")), 0, True, True)
    assert [found.problem.code for found in own.problems] == ["checkered-flag/no-such-gear"]
    assert orders_in(game, [mail("WITHDRAW from 2")], "red").withdraws == 2
    nothing = orders_in(game, [mail("Hello,\n\nBye")], "red")
    assert (nothing.has_orders, nothing.is_meant, nothing.first) == (False, False, None)


def test_the_first_order_has_its_cost_if_it_is_legal(game: adj.Game) -> None:
    dealt = adj.new("checkpoint-rally", ["red", "blue"], seed=7)
    seat = dealt.due_seats[0]
    other = next(one for one in dealt.seats if one != seat)
    row = next(row for row in dealt.seen_by(seat).legal if row.min)
    assert orders_in(dealt, [mail(row.order, seat)], seat).first == row
    assert orders_in(dealt, [mail(f"{row.order} OR DRAW", seat)], seat).first is None
    assert orders_in(dealt, [mail(row.order, other)], other).first is None
    by_chance, illegal = (orders_in(game, [mail(order, "blue")], "blue") for order in ("GEAR 1", "GEAR 3"))
    assert (game.due_seats, by_chance.first, illegal.first) == (("blue",), None, None)


def test_which_of_several_mails_counts(game: adj.Game) -> None:
    mails = [mail("GEAR 1"), mail("GEAR N"), mail("GEAR 1\nGEAR ?")]
    both, last = counted_orders(game, mails, "red"), counted_orders(game, mails[2:], "red")
    assert (both.orders, both.number, both.parts, both.is_flawed) == (("GEAR N",), 1, (1,), False)
    assert (last.orders, last.number, last.is_flawed) == (("GEAR 1",), 0, True)
    refused = counted_orders(game, [mail("GEAR N", "blue"), mail("GEAR 3", "blue")], "blue")
    assert (refused.orders, refused.number, refused.parts, refused.is_flawed) == ((), None, (1,), True)
    none = counted_orders(game, [mail("Hello")], "red")
    assert (none.orders, none.number, none.parts, none.is_flawed) == ((), None, (), False)
    assert header_turns(game, ["turn 7", "GEAR 1", "Turn 2:"]) == (2, 7)
    assert header_turns(game.with_languages(["de"]), ["Zug 7", "GEAR 1", "Spiel race, Zug 2", "turn 3"]) == (2, 3, 7)
    assert game.latest_turn == game.turn == 1


def test_pending_orders_of_a_held_seat_stay_pending(game: adj.Game) -> None:
    first, second = game.due_seats[0], next(seat for seat in game.seats if seat not in game.due_seats)
    sent = game.apply({second: "GEAR 1"}).game
    assert sent.pending_counts == {second: 1}
    held = sent.play_turn({first: "GEAR 1"}, held_seats=[second])
    assert (held.result.counts["applied"], held.game.pending_counts) == (1, {second: 1})
    assert sent.apply({first: "GEAR 1"}, held_seats=[second]).game.due_seats == (second,)
    assert sent.apply({first: "GEAR 1"}).counts["applied"] == 2


def test_what_a_player_wants_to_know_first(game: adj.Game) -> None:
    seat, other = game.due_seats[0], next(seat for seat in game.seats if seat not in game.due_seats)
    assert game.seen_by(seat).example in {row.order for row in game.seen_by(seat).legal}
    assert game.seen_by(other).example is None
    assert not game.seen_by(other).has_answered
    dealt = adj.open(SECRET)
    assert {seat: dealt.seen_by(seat).secrets for seat in dealt.seats} == {
        seat: dealt.seen_by(seat).report().secrets for seat in dealt.seats
    }
    mailed = game.play_turn([mail("GEAR 1", seat)]).game
    assert {one.hash for one in mailed.record.receipts} == {mail("GEAR 1", seat).hash}


def test_a_game_that_nobody_can_deal() -> None:
    prepared = adj.prepare_game("checkered-flag", ["red", "blue"], id="race", seed=7)
    with pytest.raises(PreparationError, match="publish"):
        prepared.begin()
    worded = adj.open_prepared(prepared.to_bytes()).add_words({"red": "Horse"})
    with pytest.raises(PreparationError, match="already “horse”"):
        worded.add_words({"red": "cow"})
    game = worded.publish(without=["blue"]).begin()
    assert (worded.promise.words, worded.promise.silent) == ({"red": "horse"}, ("blue",))
    assert game.promise == prepared.promise.promise
    assert (game.id, game.audit().is_verified) == ("race", True)


def test_a_turn_with_everybodys_report(game: adj.Game) -> None:
    mails = {"red": "GEAR 1", "blue": "GEAR 1"}
    turn = game.play_turn(mails)
    assert [report.viewer for report in turn.reports] == ["red", "blue", None, "moderator"]
    assert turn.result.counts == {"applied": 2, "skipped": 0}
    assert turn.game.seen_by("moderator").log_since(game) == turn.result.log
    again = turn.game.play_turn(mails)
    assert (len(again.known), again.result.is_changed) == (2, False)


def test_who_must_send_orders_again(game: adj.Game) -> None:
    result = game.apply("blue:\n  GEAR 9\nred:\n  GEAR 8\n  GEAR 7\n")
    assert [(problem.seat, problem.line) for problem in result.send_again] == [("blue", 2), ("red", 4)]
    assert not result.is_changed


def test_players_may_write_other_languages(game: adj.Game) -> None:
    assert "de" in installed_languages(game)
    spoken = game.with_languages(["German"])
    assert (game.record.languages, spoken.record.languages, ambiguous_words(spoken)) == ((), ("de",), ())
    with pytest.raises(LanguageError):
        game.with_languages(["Klingon"])


def test_what_is_known_of_a_ruleset(tmp_path: Path) -> None:
    found = component_set("checkered-flag")
    assert (found.meta.id, found.problems, found.parts["id"]) == ("checkered-flag", (), found.reference.id)
    assert adj.new("checkered-flag", ["red", "blue"]).components == found.reference
    assert [rule.id for rule in rules_of("checkered-flag", ["m1"]).facts] == ["CF-M1"]
    for wrong in (lambda: rules_of("checkered-flag", ["m9999"]), lambda: component_set("checkered-flag", "none")):
        with pytest.raises(adj.RequestError):
            wrong()
    assert '"$schema"' in schema("output.apply.json")
    assert "checkered-flag.game-file.json" in schema_names()
    entrants = tmp_path / "entrants.csv"
    entrants.write_text("red,Ann\nblue,Bob\n")
    assert adj.new("checkered-flag", read_players(entrants)).players == {"red": "Ann", "blue": "Bob"}


def test_published_texts_are_checked(game: adj.Game, tmp_path: Path) -> None:
    after = game.apply({"blue": "GEAR 1", "red": "GEAR 1"}).game.reveal("a test", force=True)
    after.save(tmp_path / "race.json")
    log = tmp_path / "public.jsonl"
    command = [sys.executable, "-m", "adjudicator", "log", str(tmp_path / "race.json"), "--json"]
    log.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    game.save(tmp_path / "other.json")
    files = [tmp_path / "race.json", tmp_path / "other.json"]
    found, other = adj.audit_files(files, published=read_published([log]))
    assert isinstance(found, adj.Verdict) and isinstance(other, adj.Verdict)
    assert found.against is not None and found.against.texts == 1
    assert other.against is None, "only the first game is compared"
    assert audit_published(read_published([log])).is_verified
    wrong = audit_published(read_published([log]), "0" * 64).divergence
    assert wrong is not None and wrong.recomputed.startswith("the published commitment is ")


def test_an_own_file_has_no_secret_no_journal_and_no_other_reader(game: adj.Game) -> None:
    own = adj.open(game.seen_by("red").own_file())
    assert (own.secret, own.record.journal) == (None, ())
    assert own.seen_by() == own.seen_by("RED")
    with pytest.raises(adj.RequestError, match="which cannot show blue's view"):
        own.seen_by("blue")
    for refused in (own.to_bytes, own.seen_by().report, own.seen_by().own_file):
        with pytest.raises(adj.RequestError, match="use the moderator's game file"):
            refused()


def test_orders_whose_cost_chance_decides_are_last_of_their_kind() -> None:
    race = adj.open(ROOT / "tests/data/games/checkered-flag/again-001.json").undo(1, "a test")
    kinds: dict[str, list[int | None]] = {}
    for row in race.seen_by(race.due_seats[0]).legal:
        kinds.setdefault(row.order.split()[0], []).append(row.min)
    assert any(None in costs for costs in kinds.values())
    for costs in kinds.values():
        known = [cost for cost in costs if cost is not None]
        assert costs == [*sorted(known), *[None] * (len(costs) - len(known))]
