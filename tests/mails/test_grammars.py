"""Grammars of authors: read as Lark reads them, told what is wrong with them, and kept as tables that survive any damage."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudicator as adj
from adjudicator.core.rules import changed
from adjudicator.core.values import replace
from adjudicator.library.errors import EngineFaultError
from adjudicator.orders.grammar import Grammar
from adjudicator.orders.languages import LanguageCode, Spoken
from adjudicator.testing import play_games
from tests.drivers.grammars import assert_read_alike, forget_folder, grammars_in
from tests.drivers.mails import EXAMPLES, GAMES, Reading, new_game, read_file, reading

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own-ruleset" / "last_match"
OWN = (EXAMPLE / "last_match.lark").read_text("utf-8")
NUMBERS = count(1)
Author = Callable[..., adj.Game]


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Author]:
    """Return a game of Last Match, in a package of its own, whose orders are written as a grammar says."""
    made = []

    def game(grammar: str = OWN, change: tuple[str, str] = ("", "")) -> adj.Game:
        name = f"last_match_{next(NUMBERS)}"
        shutil.copytree(EXAMPLE, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / name / "last_match.lark").write_text(grammar, "utf-8")
        code = (EXAMPLE / "__init__.py").read_text("utf-8").replace("last_match:", f"{name}:")
        assert change[0] in code
        (tmp_path / name / "__init__.py").write_text(code.replace(*change), "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        made.append(name)
        return play_games(import_module(name).LastMatch, 1, most_orders=0).games[0]

    yield game
    for name in made:
        sys.modules.pop(name, None)


def told(game: adj.Game, line: str) -> Reading:
    (text,) = adj.read_orders(line, name="a.txt", seat=game.seats[0])
    return reading(game, text, game.seats[0])


FAILS = """
    count: int

    def __post_init__(self):
        if self.count == 7:
            raise RuntimeError("seven")
"""


@pytest.mark.parametrize("line", ["take 7", "take 1 OR take 7", "Hi, take 7!"])
def test_a_bug_on_one_line_fails_its_text_as_a_whole_and_no_other(author: Author, line: str) -> None:
    game = author(change=("\n    count: int\n", FAILS))
    seat, other = game.seats[:2]
    result = game.apply([*adj.read_orders(f"{seat}:\ntake 1\n{line}\n{other}:\ntake 3", name="a.txt"),
                         *adj.read_orders(f"{seat}:\ntake 2", name="b.txt")])  # fmt: skip
    assert [row.order for row in result.log] == ["TAKE 2"]
    assert [(one.code, one.source, one.line, one.seat) for one in result.problems] == [("core/fault", "a.txt", 3, "")]
    assert "nothing of this text counts" in result.problems[0].message
    assert [str(one.fault) for one in result.faults] == ["seven"]


IMPORTING = f"""
%import .common (line, game_header, turn_header, sheet_line, order_line, seat_name)
%import .common (instruction, choice, alternative, when, when_after, bracketed, order, draws, draw)
%import .common (condition, part, not_condition, either, comparison, compare, is_in, is_not_in, fact, cost_of)
%import .common (value, number, word, argument, name, relation)
%import .common (_GAME, _TURN, _OR, _AND, _NOT, _IF, _THEN, _ELSE, _IN, _NOT_IN, _FULL_STOP)
%import .common (COST, LINK, RELATION, NOTHING, SEAT, NAME, ID, INT, OUTCOME)
{OWN}
%ignore /[ ,]+/
"""
PLAIN = '%override order: take\ntake: "take" count ["matches"]\ncount: INT\n'


@pytest.mark.parametrize("grammar", [OWN, IMPORTING, PLAIN, OWN + "%ignore /[ ,]+/\n", OWN + "%ignore /[~]+/\n"])
def test_a_grammar_may_come_from_another_package(author: Author, grammar: str) -> None:
    """Words written as plain strings, which Lark tells from names in a way of its own, are read as well."""
    game = author(grammar)
    (seat, other), read = game.seats[:2], told(game, "take 2 matches\ntake 1 OR take 3")
    assert read.orders == {seat: ["TAKE 2", "TAKE 1 OR TAKE 3"]}
    wrong = told(game, "tkae 3").only
    assert (wrong.code, wrong.suggestions[0]) == (
        "orders/unknown-order",
        "TAKE 3" if grammar != PLAIN else wrong.suggestions[0],
    )
    assert told(game, f"{other}: take 2").codes == ["not-yours"]
    assert ("~" in grammar) is (told(game, "take ~ 2").raw == [])


def test_what_lark_ships_can_be_imported_besides(author: Author) -> None:
    grammar = "%import common.SIGNED_INT\n%override order: take\ntake: _TAKE count\n_TAKE: /take/i\ncount: SIGNED_INT\n"
    assert told(author(grammar), "take +2").orders == {"red": ["TAKE 2"]} or told(author(grammar), "take 2").orders


FAULTY = {
    "an unknown terminal": (
        "%override order: take\n\ntake: TAKE count\ncount: INT\n",
        "'TAKE' used but not defined (in rule take)",
    ),
    "no bar": ("\n%override order: take\ntake: ) INT\n", "at line 3 column 7\n\ntake: ) INT\n"),
    "ends too early": ('\n%override order: take\ntake: INT\nHIGH: "high', "line 4"),
    "two orders": ("order: take\ntake: INT\n", "more than once; list the orders with `%override order: …`"),
    "a name of common": (
        "%override order: take\ntake: name\nname: INT\n",
        "Rule 'name' defined more than once; common.lark defines it: use that definition, rename yours, or write `%over",
    ),
    "a terminal of common": (
        "%override order: take\ntake: INT\nINT.2: /[0-9]/\n",
        "Terminal 'INT' defined more than once; common.lark defines it",
    ),
    "an import of Lark's": (
        "%import common.INT\n%override order: take\ntake: INT\n",
        "Cannot import 'INT' from 'common.lark': Symbol already defined; common.lark defines it: use that definition",
    ),
    "a name of its own": ("%override order: take\ntake: INT\ntake: INT INT\n", "Rule 'take' defined more than once"),
    "nothing overridden": (
        "take: count\ncount: INT\n",
        "no order uses these (does `%override order` name every order?): count, take",
    ),
    "an order without a class": (
        "%override order: take | hop\ntake: count\ncount: INT\nhop: NAME foot\nfoot: NAME     -> left_foot\n",
        "these need an order or a term of the same name: hop, left_foot",
    ),
    "a group with the name of a terminal": (
        "%override order: take\ntake: HIGH count\ncount: INT\nHIGH: /(?P<HIGH>up)[0-9]/\n",
        "redefinition of group name 'HIGH'",
    ),
    "nowhere": ("%import .nowhere (take)\n%override order: take\n", "no grammar is called nowhere.lark"),
    "forgotten imports": (
        IMPORTING.replace(", when_after, bracketed,", ", when_after,").replace("_THEN, ", ""),
        "must import from common.lark by name: THEN, bracketed",
    ),
}


@pytest.mark.parametrize("case", FAULTY)
def test_what_is_wrong_with_a_grammar_is_told_to_its_author(author: Author, case: str) -> None:
    """As the fault of that ruleset, with the file, and the line as the author counts it."""
    grammar, words = FAULTY[case]
    with pytest.raises(EngineFaultError) as caught:
        told(author(grammar), "take 2")
    assert str(caught.value).startswith("the grammar of last-match (last_match_")
    assert words in str(caught.value)
    assert caught.value.ruleset == "last-match"
    assert case != "a name of its own" or "common.lark" not in str(caught.value)


def test_a_faulty_pattern_in_a_game_with_a_language_is_reported_to_its_author(author: Author, tmp_path: Path) -> None:
    rules: Any = author().rules
    words = {"take": ("nimm",)}
    spoken = Spoken(english=rules.language, codes=(LanguageCode("de"),), words=words, own=words, names={})
    (file,) = tmp_path.glob("*/last_match.lark")
    file.write_text(f"{OWN}BAD: /take(/i\n", "utf-8")
    with pytest.raises(EngineFaultError, match=r"the grammar of last-match .* cannot be used: "):
        Grammar(changed(rules, language=replace(rules.language, spoken=spoken)))


# Tables on disk: used when they are sound, and whatever is wrong with them is survived without a word.


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep tables in an empty folder; everything is as before afterwards."""
    monkeypatch.setenv("ADJUDICATOR_CACHE", str(tmp_path / "tables"))
    forget_folder()
    yield tmp_path / "tables"
    forget_folder()


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count how often Lark compiles a grammar."""
    compiled: list[str] = []
    init = lark.Lark.__init__

    def counted(self: lark.Lark, grammar: Any, **options: Any) -> None:
        compiled.append(str(grammar))
        init(self, grammar, **options)

    monkeypatch.setattr(lark.Lark, "__init__", counted)
    return compiled


def stored(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def reads(author: Author) -> None:
    assert told(author(), "take 2").orders == {"red": ["TAKE 2"]}


def test_a_grammar_is_compiled_once_for_all_runs(author: Author, tables: Path, builds: list[str]) -> None:
    reads(author)
    (file,) = stored(tables)
    assert (len(builds), file.name.startswith("last-match-"), file.stat().st_mode & 0o077) == (1, True, 0)
    reads(author)
    assert (len(builds), stored(tables)) == (1, [file])
    assert told(author(OWN.replace("take)", "take|grab)")), "grab 2").orders == {"red": ["TAKE 2"]}
    assert (len(builds), len(stored(tables))) == (2, 2)  # a changed grammar is compiled anew


def test_a_grammar_whose_orders_have_other_names_now_is_looked_at_again(
    author: Author, tables: Path, builds: list[str]
) -> None:
    """The tables would be the same, but nobody would be told that a rule is built by nothing."""
    reads(author)
    with pytest.raises(EngineFaultError, match=r"no order uses these .*: grab"):
        told(author(OWN, ("Take", "Grab")), "take 2")
    assert len(stored(tables)) == 1


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda content: content[:20],
    "half": lambda content: content[: len(content) // 2],
    "a byte short": lambda content: content[:-1],
    "a byte more": lambda content: content + b"\0",
    "a flipped bit": lambda content: content[:500] + bytes([content[500] ^ 1]) + content[501:],
    "other bytes": lambda content: bytes(reversed(content)),
}


def test_damaged_tables_are_replaced_in_silence(
    author: Author, tables: Path, builds: list[str], capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    reads(author)
    (file,) = stored(tables)
    sound = file.read_bytes()
    with caplog.at_level(logging.INFO):
        for number, damage in enumerate(DAMAGES.values(), 2):
            file.write_bytes(damage(sound))
            reads(author)
            content = file.read_bytes()
            assert (len(builds), stored(tables)) == (number, [file])
            assert content[:32] == sha256(content[32:]).digest()
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def refuse(*_: Any, **__: Any) -> None:
    raise PermissionError("no")


UNUSABLE: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "nothing can be written": lambda _, patch: patch.setattr("tempfile.mkstemp", refuse),
    "a full disk": lambda _, patch: patch.setattr(Path, "replace", refuse),
    "others can write": lambda path, _: (path.mkdir(), path.chmod(0o777)),
    "a group can write": lambda path, _: (path.mkdir(), path.chmod(0o770)),
    "it is somebody else's": lambda path, patch: (path.mkdir(mode=0o700), patch.setattr(os, "getuid", lambda: 12345)),
    "a file is in the way": lambda path, _: path.write_text("in the way"),
}


@pytest.mark.posix
@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_folder_that_cannot_be_used_is_survived(
    author: Author, tables: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], kind: str
) -> None:
    UNUSABLE[kind](tables, monkeypatch)
    reads(author)
    reads(author)
    assert stored(tables) == []
    assert kind != "a file is in the way" or tables.read_text() == "in the way"
    assert capfd.readouterr() == ("", "")


def test_old_tables_and_what_interrupted_runs_left_do_not_pile_up(author: Author, tables: Path) -> None:
    """But not what another run is writing now, and no other file."""
    tables.mkdir(mode=0o700)
    kept = [tables / "last-match-2-0123456789abcdef.tables", tables / "notes.txt", tables / ".new-fresh"]
    old = [tables / f"last-match-{number:016x}.tables" for number in range(9)] + [tables / ".new-left"]
    for file in (*kept, *old):
        file.write_bytes(b"x")
    for number, file in enumerate(old[:-1]):
        os.utime(file, (number, number))
    os.utime(old[-1], (0, 0))
    reads(author)
    left = {file.name for file in stored(tables)} - {file.name for file in kept}
    assert len(left) == 3
    assert {old[7].name, old[8].name} < left
    assert all(file.exists() for file in kept)


def test_with_stored_tables_good_orders_are_read_without_lark_and_quietly(tmp_path: Path) -> None:
    """Loading Lark takes longer than all other work for a mail; a whole new process, since a logger may be silenced here."""
    new_game().save(str(tmp_path / "g.json"))
    new_game(language="de").save(str(tmp_path / "d.json"))
    (tmp_path / "good.txt").write_text("red: DRAW\ndraw two\n# a comment\n")
    (tmp_path / "gut.txt").write_text("red: ZIEHE\n")
    (tmp_path / "bad.txt").write_text("red: DRAW\nDRAW U7 OR\n")
    code = (
        "import logging, sys; logging.basicConfig(level=logging.INFO)\n"
        "import adjudicator as adj; from pathlib import Path\n"
        "for game, text in (('g', 'good'), ('d', 'gut'), ('g', 'bad')):\n"
        "    found = adj.open(f'{game}.json').apply(Path(f'{text}.txt'))\n"
        "    print([one.column for one in found.problems], 'lark' in sys.modules)"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    environment.pop("ADJUDICATOR_CACHE", None)
    for is_lark_needed in (True, False):  # the first time the tables are made
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
        )
        assert (run.stdout, run.stderr) == (f"[] {is_lark_needed}\n" * 2 + "[6] True\n", "")
    assert sys.platform != "linux" or list((tmp_path / "cache" / "adjudicator").glob("*.tables"))  # as platformdirs has it


def test_lines_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """500 equal lines cost little more than the first: what was read is remembered."""
    from tests.drivers.mails import lines_run

    few, many = (lines_run(lambda n=n: read_file("DRAW\n" * n)) for n in (50, 500))  # type: ignore[misc]
    assert many <= 10.5 * few


# The reader of lines reads what Lark reads with the grammar files as they are published.

IGNORED = "\n".join(re.findall(r"(?m)^%ignore .*$", (ROOT / "grammar" / "common.lark").read_text("utf-8")))
NAMES = re.sub(r"(?m)^%import \.common", "%import common", IMPORTING.partition(OWN)[0])


@cache
def published(game: str) -> lark.Lark:
    """Return Lark's own parser of the orders of ``game``, made from its grammar file and the common one."""
    own = (ROOT / "grammar" / f"{game.replace('-', '_')}.lark").read_text("utf-8")
    terminals = sorted(set(re.findall(r"(?m)^([A-Z_]+)(?:\.-?\d+)?:", IGNORED)))
    assert terminals == []
    return lark.Lark(
        f"{NAMES}{own}\n{IGNORED}\n",
        parser="lalr",
        start="line",
        import_paths=[str(ROOT / "grammar")],
        maybe_placeholders=True,
        g_regex_flags=int(re.ASCII),
    )


WORDS = (
    *(
        "PLACE",
        "MOVE",
        "DRAW",
        "TAKE",
        "KEEP",
        "at",
        "to",
        "rot",
        "90",
        "gps",
        "C3",
        "H3",
        "via",
        "OR",
        "IF",
        "THEN",
    ),
    *(
        "ELSE",
        "AND",
        "NOT",
        "in",
        "has",
        "<",
        "<=",
        "=",
        "(",
        ")",
        "hand",
        "row",
        "of",
        "cost",
        "2",
        "two",
        "the",
        "from",
        "with",
    ),
)
RIGHT = (
    *EXAMPLES["checkpoint-rally"],
    "red: PLACE H3 at C2 rot 90 gps",
    "IF tile at C3 = H3 AND NOT (gps = 0 OR minutes of blue > 5) THEN (DRAW OR MOVE C3) ELSE KEEP H3 U1 U2",
    "TAKE U7 IF cost of MOVE C3 D3 <= 4 OR DISCARD G7 and H2",
)
CHANGES = st.lists(st.tuples(st.integers(0, 30), st.sampled_from((*WORDS, "", ""))), max_size=3)


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Return a line that is right, or nearly; the first word stays, since labels and marks before an order mean nothing."""
    first, *words = draw(st.sampled_from(RIGHT)).split()
    for at, word in draw(CHANGES):
        words[at % (len(words) + 1) : at % (len(words) + 1) + (not word)] = [word] if word else []
    return " ".join([first, *words])


def is_read_by_lark(game: str, line: str) -> bool:
    try:
        tree = published(game).parse(line)
    except lark.exceptions.LarkError:
        return False
    return any(str(part.data).endswith("instruction") for part in tree.iter_subtrees())


def assert_read_as_lark_reads(game: str, line: str) -> None:
    """Not the other way round: the program forgives more, such as a sign at the end or two orders on a line."""
    found = read_file(line, game)
    if is_read_by_lark(game, line):
        assert (len(found.red), [one for one in found.codes if one not in VALIDATION]) == (1, []), line


VALIDATION = {"unknown-fact", "unknown-name", "no-argument", "needs-argument"}


@given(lines())
@settings(max_examples=150, deadline=None)
def test_a_line_is_read_if_lark_reads_it(line: str) -> None:
    assert_read_as_lark_reads("checkpoint-rally", line)


@pytest.mark.soak
@given(lines())
@settings(max_examples=20_000, deadline=None)
def test_a_line_is_read_if_lark_reads_it_at_length(line: str) -> None:
    assert_read_as_lark_reads("checkpoint-rally", line)


# The fast reader of lines and Lark read the same.


BOTH = [(game, language) for game in GAMES for language in ("", "de")]


@pytest.mark.parametrize(("game", "language"), BOTH)
def test_lines_are_read_as_lark_reads_them(game: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also without the tables, if a new version of Lark keeps them elsewhere."""
    assert_read_alike(game, language, monkeypatch, 60)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "language"), BOTH)
def test_many_lines_are_read_as_lark_reads_them(game: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_read_alike(game, language, monkeypatch, 10_000)


def test_the_languages_of_a_game_are_kept_side_by_side() -> None:
    """Loading a grammar takes longer than reading a turn, and orders in English are read in games of all languages."""
    found = grammars_in("rally-round", "de")
    assert found[:3] == found[3:]
    assert len(set(found)) == 3


def test_a_version_of_lark_that_builds_trees_in_another_way_reads_all_lines_itself(
    author: Author, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are no tables then, so good lines take longer."""
    renamed = type("Renamed", (lark.parse_tree_builder.ExpandSingleChild,), {})
    monkeypatch.setattr(lark.parse_tree_builder, "ExpandSingleChild", renamed)
    found = told(author(), "take 2\ntake 1\n")
    assert (found.orders, found.codes) == ({"red": ["TAKE 2", "TAKE 1"]}, [])
    assert len(stored(tables)) == 1
