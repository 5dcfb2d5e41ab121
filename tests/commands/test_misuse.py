"""What makes no sense on a command line: told in plain words, for people and programs, and nothing is changed."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from tests.drivers.commands import JARGON, Run, argv, contents, plain, rally, written

TWO = "new checkpoint-rally --seat red --seat blue"
CASES = f"""\
show | Missing argument
show nowhere.json | nowhere.json: there is no such file
show . | this is a folder, not a file
show rally.json --colour | No such option
show rally.json extra | unexpected extra argument
show rally.json --svg picture.gif | ends in .svg
show rally.json --svg x.svg --section TC3 | --section
show rally.json --force | use --force only with --svg
show rally.json --html note.txt | already exists
legal rally.json --limit x | 'x' is not
legal rally.json --limit 1.5 | '1.5' is not
legal rally.json --kind teleport | no order begins with “teleport”
log rally.json --turn x | 'x' is not a whole number
log rally.json --turn 1 --since 1 | not both
new | Missing argument
new nothing | no game “nothing” is installed
new checkpoint-rally | name the seats
{TWO} --seat red | two seats
{TWO} --seat draw | “draw”
{TWO} --seat a --seat b --seat c | is for 2 to 4 players, not 5
{TWO} --option maps=lower | there is no option “maps”
{TWO} --option map=low | did you mean: lower
{TWO} --option map | write an option as NAME=VALUE, not “map”
{TWO} --option map=lower --option MAP=upper | option map is given twice
{TWO} --components hose | “hose” is neither a component set nor a file
{TWO} --seed 12 | as 64 digits
{TWO} --seed two.txt | secret of chance
{TWO} --seed {"0f" * 32} --recorded x.txt | use --seed or --recorded, not both
{TWO} --entropy red=horse --recorded x.txt | use --entropy or --recorded, not both
{TWO} --entropy green=x | “green”, which is not a seat of this game
{TWO} --entropy x | write a word of entropy as SEAT=WORD
{TWO} --id "a b" | in the id of a game, at most 80
{TWO} --language xx | no words are installed for the language “xx”
{TWO} --language de --commit-only -o x | not both
{TWO} --entropy red=horse --commit-only | --commit-only
{TWO} --recorded x --commit-only | --commit-only
{TWO} --recorded nowhere | nowhere: there is no such file
{TWO} --recorded binary | binary:
{TWO} --setup nowhere.json | nowhere.json:
{TWO} --setup - --components - | only once
{TWO} --seed - --setup - | only once
{TWO} -o no/where.json | no such folder
begin prepared.json --without blue | --publish
begin prepared.json red=abc Red=bcd | give only one word for each seat
begin prepared.json red | red
begin prepared.json --replace | use --replace only with a word
show prepared.json | use `adjudicator begin` first
log prepared.json | use `adjudicator begin` first
legal prepared.json | use `adjudicator begin` first
replay prepared.json | use `adjudicator begin` first
reveal prepared.json | use `adjudicator begin` first
apply prepared.json turn.txt | use `adjudicator begin` first
check prepared.json turn.txt | use `adjudicator begin` first
undo prepared.json --to 0 --reason x | use `adjudicator begin` first
amend prepared.json x=1 --reason x | use `adjudicator begin` first
seat prepared.json red --holder Zoe --reason x | use `adjudicator begin` first
apply rally.json | no pending orders
apply rally.json nowhere.txt | nowhere.txt: there is no such file
apply rally.json turn.txt nowhere.txt | nowhere.txt:
apply rally.json no/such/ | no/such/:
apply rally.json empty | empty contains no files: the game has no pending orders
apply rally.json red= | red= names no file
apply rally.json rde=turn.txt | no seat “rde” (did you mean “red”?); its seats are: red, blue
apply rally.json violet=turn.txt | no seat “violet”; its seats are: red, blue
apply rally.json ./red=turn.txt | no such file
apply rally.json =x | =x:
apply rally.json red=- blue=- | standard input
apply rally.json - - | only once
apply - - | name standard input (`-`) only once
apply . turn.txt | a folder
apply turn.txt turn.txt | would replace turn.txt, which this command reads
apply rally.json turn.txt -o turn.txt | it would replace turn.txt, which this command reads
apply rally.json red=turn.txt -o turn.txt | it would replace turn.txt, which this command reads
apply rally.json turn.txt -o . | .: this is
apply rally.json turn.txt -o no/such/x.json | no such folder
apply rally.json ./turn.txt --log turn.txt | it would replace turn.txt, which this command reads
apply rally.json turn.txt --log ./rally.json | in ./rally.json
apply rally.json turn.txt -o a --log a | name another file with --log: the command also writes a
apply rally.json turn.txt --log - | name a file with --log
apply rally.json turn.txt --force | use --force only with -o or --log: the game file itself is always replaced
check nowhere.json turn.txt | nowhere.json:
check rally.json --as blue | name the files with the orders
check rally.json ./rally.json | rally.json is the game itself
check rally.json rally.json --as red | rally.json is the game itself
check rally.json turn.txt --as moderator | name a seat with --as
check rally.json other.txt --as red | these files contain no orders of red: write `red:` above them
turn rally.json | name a folder for the reports with -o
turn - -o out | `turn` changes it
turn rally.json -o - | name a folder with -o, not standard output (`-`)
turn rally.json -o '' | name a folder with -o: the name is empty
report rally.json --all - | name a folder with --all, not standard output (`-`)
desk -o - | name a folder with -o, not standard output (`-`)
turn rally.json -o rally.json | this is a file, but reports need a folder
turn rally.json -o rally.json --force | this is a file, but reports need a folder
turn rally.json -o no/such | no/such: make the folder above it first
turn rally.json nowhere -o out | nowhere:
turn rally.json - - -o out | only once
turn rally.json red.txt -o . --force | this command reads
report rally.json -o red.doc | no format has the extension “.doc”
report rally.json -o red | red has no extension
report rally.json --format doc | the format “doc” is unknown; choose from: txt, html, md,
report rally.json --format txt,html | one file has one form
report rally.json --all out --as red | use --all without --as and -o
report rally.json -o rally.json --format json | would replace
report rally.json -o note.txt | note.txt already exists and is not a report
report rally.json --since x | 'x' is not
pending rally.json --bring-back 7
pending rally.json -o new.json | use -o only with --withdraw or --bring-back
pending rally.json --force | use --force only with --withdraw or --bring-back
pending rally.json --as red --bring-back 1 | leave out --as
pending rally.json --withdraw red --reason x | red has no pending orders
pending rally.json --withdraw pink --reason x | no seat “pink”
pending rally.json --withdraw moderator --reason x | no seat “moderator”; choose from: red, blue
pending waiting.json --withdraw blue --reason " " | 400 characters
pending waiting.json --withdraw blue --reason x -o note.txt | is not a valid game file
withdraw rally.json blue --reason x | use `pending GAME --withdraw SEAT`
undo rally.json --to x --reason y | 'x' is not a whole number
undo rally.json --to 99 --reason x
undo waiting.json --to 0 --reason " " | entry 0
amend rally.json x --reason x
amend rally.json x=1 --reason x | there is no “x”
amend rally.json stage=[] --reason x
amend rally.json stage=dealing --reason x | must be “starting”, “racing” or “over”, not “dealing”
amend rally.json starting=[\\"nobody\\"] --reason x | there is no “starting”
amend rally.json board[0].rot=45 --reason x | not 45
amend rally.json acting=rde --reason x | there is no seat rde in this game
amend rally.json racers[9].minutes=1 --reason x
amend rally.json racers[red]={{}} --reason x
amend rally.json racers[red].minutes=soon --reason x
amend rally.json racers[red].minutes=1e2 --reason x | whole number: 100
amend rally.json racers[red].minutes=1e999 --reason x
amend rally.json racers[red].minutes=9007199254740991 --reason x | 100000 are the most
amend rally.json racers[red].cell=null --reason x | still to start
amend rally.json racers[red].card=null --reason x | (CR-S4)
amend rally.json racers[red].hand+=H4 --reason x
seat rally.json moderator --holder Zoe --reason x | no seat “moderator”
seat rally.json ann --holder Zoe --reason x | has no seat “ann” (did you mean “red”?)
reveal rally.json | not over
reveal rally.json --before-the-end | give a reason (--reason)
reveal rally.json --force | use --before-the-end
reveal rally.json --before-the-end --reason {"x" * 401} | 1 to 400 characters
show rally.json --as ann | has no seat “ann” (did you mean “red”?)
language rally.json --force | use --force only with languages
language rally.json xx | no words are installed for the language “xx”
rules checkpoint-rally CR-Z99 | there is no rule CR-Z99
rules nothing | no game “nothing” is installed
schema nothing | no schema has the name “nothing”
games checkpoint-rally --svg x.txt | give the picture a name that ends in .svg
games checkpoint-rally --force | --force
games checkpoint-rally --set nowhere | neither
games checkpoint-rally --svg mine.svg | mine.svg already exists and is not a picture
games checkpoint-rally --set mine.svg --svg mine.svg | would replace mine.svg, which this command reads
games checkpoint-raly | checkpoint-rally
simulate checkpoint-raly | “checkpoint-rally”?
simulate checkpoint-rally --games many | 'many' is not a whole number
simulate checkpoint-rally --games 0 | number of games is 1 to 1,000,000
simulate checkpoint-rally --jobs 0 | --jobs must be from 1 to 64
simulate checkpoint-rally --players 7 | 2 to 4 players
simulate checkpoint-rally --player clever | random, greedy or mixed
simulate checkpoint-rally --option map | NAME=VALUE
simulate checkpoint-rally --option map=sideways | sideways
simulate checkered-flag --games 1 --plot plot.pdf | .png or .svg
simulate checkered-flag --games 1 --plot nowhere/plot.svg | cannot be written
audit nowhere | nowhere
audit rally.json --jobs x | 'x' is not
audit rally.json --jobs 0 | 0 is not from 1 to 256
audit rally.json --timeout 0
archive x.zip
archive x.adjudicator.db
replay rally.json --from 99
replay x.adjudicator.db#a
audit --published log.jsonl | with --reveal
audit --published nowhere --reveal x | nowhere
audit --published log.jsonl nowhere | “nowhere” is not a file: with --published, name one game file first
audit --published log.jsonl --reveal x | 64 digits
audit rally.json --published log.jsonl --reveal x | without a game file
verify-chance log.jsonl | use `audit --published`
replay two.txt --import x.json | use `script FILE -o GAME`, the new name of `--import`
replay rally.json --export x.txt | use `script GAME -o FILE`
simulate checkpoint-rally --out x | use `-o`, the new name of `--out`
audit rally.json --out x | use `-o`
rally-round route --map x
rally-round sheet lose x
new-ruleset ../up | “../up” is no id
new-ruleset {"a" * 41} | is no id
club start x
club status nowhere | this folder has no club.toml
club init new --name x | add --address, --moderator: a new club needs
club init new --name T --address x --moderator y --zone Nowhere
teleport | No such command
--colour | No such option
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "folder"


@pytest.fixture
def folder(run: Run, tmp_path: Path, kept: Path) -> Path:
    """Return a folder with a game, a prepared one, one with pending orders, and some files."""
    if kept.exists():
        shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
        return tmp_path
    rally()
    for name, text in {
        "turn.txt": "red: MOVE D3\n", "red.txt": "red: MOVE D3\n", "other.txt": "PLACE H99 at B1\n", "note.txt": "mine",
        "mine.svg": "my own notes", "two.txt": f"{'ab' * 32} {'ab' * 32}", "binary": "\0\1\2",
    }.items():  # fmt: skip
        written(text, name)
    run(*f"{TWO} --commit-only -o prepared.json".split(), code=0)
    shutil.copy("rally.json", "waiting.json")
    run("apply", "waiting.json", "-", stdin="blue: DRAW", code=0)
    written(run("log", "rally.json", "--json", code=0).stdout_bytes, "log.jsonl")
    (tmp_path / "empty").mkdir()
    shutil.copytree(tmp_path, kept)
    return tmp_path


@pytest.mark.parametrize("case", CASES.splitlines(), ids=lambda case: " ".join(case.split())[:70])
def test_a_wrong_command_line_is_told_in_plain_words_and_changes_nothing(run: Run, folder: Path, case: str) -> None:
    line, _, words = case.partition("|")
    before = contents(folder)
    result = run(*shlex.split(line), code=2)
    assert words.strip() in plain(result.stderr)
    assert result.stderr.startswith(("adjudicator: ", "Usage: ")) or line.startswith("audit")
    assert result.stdout == "" or line.startswith("audit")
    answer = json.loads(run(*shlex.split(line), "--json", code=2).stdout.splitlines()[-1])
    assert words.strip() in plain(answer.get("message", words))
    assert contents(folder) == before


def test_the_words_of_programmers_are_known() -> None:
    """The check above would find them."""
    for words in ("KeyError: 1", "None", "it was True", "[Errno 2]", "must be a valid array", "$.setup", "a <= b"):
        assert JARGON.search(words), words
    assert not JARGON.search("none of these files, a true story, false teeth")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("amend", "rally.json", "racers[red].minutes=9", "--reason", "\ud800"), "plain text"),
        (("seat", "rally.json", "red", "--holder", "\ud800", "--reason", "x"), "plain text"),
        (("show", "bad\0name"), ""),
        (("simulate", "checkered-flag", "--games", "1", "-o", "\0"), "cannot be used"),
        (("show", "\x1b[2Jrally.json"), "␛[2Jrally.json"),
    ],
)
def test_odd_characters_are_told_and_move_no_terminal(run: Run, folder: Path, words: tuple[str, ...], told: str) -> None:
    before = contents(folder)
    result = run(*words, code=2)
    assert told in plain(result.stderr)
    assert "\x1b" not in result.output
    assert contents(folder) == before


def test_everything_wrong_with_a_set_up_is_told_at_once(run: Run) -> None:
    found = json.loads(run(*argv("new checkpoint-rally --seat 1 --seed 2 --id ? --json"), code=2).stdout)
    codes = {"core/player-count", "core/bad-seat", "core/bad-seed", "core/bad-id"}
    assert (found["error"], {one["code"] for one in found["problems"]}) == ("setup", codes)


def test_a_wrong_name_in_a_set_up_is_told_with_what_was_meant(run: Run) -> None:
    found = json.loads(run(*argv("new checkpoint-rally --seat red --seat blue --option mop=upper --json"), code=2).stdout)
    (problem,) = found["problems"]
    assert sorted(problem) == ["code", "message", "part", "rule", "suggestions"]
    assert (problem["code"], problem["part"], problem["suggestions"]) == ("core/unknown-option", "option:mop", ["map"])


CLUB = "init thu --name Thursday --address club@example.org --moderator gm@example.org"
CLUB_CASES = f"""\
{CLUB}                                        | thu already has a club
add thu race.json --seat red=ann@example.org  | blue has no address
add thu duel.json --seat red=x --seat blue=b@c | “x” is not a mail address
add thu race.json --seat red=a@b --seat blue=b@c | the club already has a game
add thu race.json --seat green=a@b            | race has no seat green
add thu                                       | Missing argument 'FILE'
pause thu                                     | Missing argument 'GAME...'
pause thu rally                               | the club has no game rally; its games: race
extend thu race --by soon                     | duration
settle thu x                                  | 'x' is not a whole number
release thu 7                                 | there is no matter 7
accept thu 7                                  | there is no matter 7
accept thu 7 --seat red --seat blue           | name the game, the number in `club status`
accept thu race                               | name the game, the number in `club status`
accept thu race 7 --seat red                  | there is no matter 7
accept thu race 1.x --seat red                | the number in `club status`
seat thu race red                             | Missing argument 'NAME'
seat thu race green Carol c@example.org       | race has no seat green
seat thu race red Carol carol                 | “carol”
seat thu race red " " c@example.org           | the player needs a name
remove thu                                    | Missing argument 'GAME'
remove thu rally                              | no game rally
list thu rally                                | no game rally
open thu                                      | Missing argument 'RULESET'
open thu now!                                 | name a ruleset
forget thu x@example.net                      | no member with the address x@example.net
publish thu                                   | Missing option '-o'
publish thu -o thu                            | use --force
publish thu -o ''                             | name a folder with -o: the name is empty
"""
SETTINGS = [
    ('every = "3 days"', 'every = "now and then"', "deadlines.every: “now and then” is not a duration"),
    ('at = "20:00"', 'at = "26:00"', "deadlines.at: “26:00” is not a time of day"),
    ('nmr = "wait"', 'nmr = "guess"', "deadlines.nmr: must be “wait”, “default”, “bot” or “drop”, not “guess”"),
    ('time_zone = "Europe/Berlin"', 'time_zone = "Mars"', "time_zone: “Mars” is not a time zone"),
    ('kind = "folder" ', 'kind = "smtp" ', "outgoing.host: the name of the mail server is missing"),
    ("drop_after = ", "drop_afer = ", "deadlines: the name “drop_afer” is unknown here; did you mean “drop_after”?"),
    ("drop_after = 0", "drop_after = ", "this is not valid TOML"),
]


def test_what_makes_no_sense_for_a_club_is_told_and_changes_nothing(run: Run) -> None:
    for name in ("race", "duel"):
        run(*argv(f"new checkered-flag --seat red=Ann --seat blue=Bob -o {name}.json"), code=0)
    run("club", *CLUB.split(), "--zone", "Europe/Berlin", code=0)
    run(*argv("club add thu race.json --seat red=ann@example.org --seat blue=bob@example.org"), code=0)
    run("club", "run", "thu", "--once", code=0)
    for case in CLUB_CASES.splitlines():
        line, _, words = case.partition("|")
        before = run("club", "list", "thu", code=0).stdout
        assert words.strip() in plain(run("club", *shlex.split(line), code=2).stderr), line
        assert run("club", "list", "thu", code=0).stdout == before
    path = Path("thu/club.toml")
    text = path.read_text()
    for old, new, words in SETTINGS:
        assert old in text
        path.write_text(text.replace(old, new))
        assert words in plain(run("club", "run", "thu", "--once", code=3).stderr)
    wrong = text
    for old, new, _ in SETTINGS[:-1]:
        wrong = wrong.replace(old, new)
    path.write_text(wrong)
    told = plain(run("club", "run", "thu", "--once", code=3).stderr)
    assert [words for *_, words in SETTINGS[:-1] if words not in told] == [], "all mistakes come at once"
    path.write_text(text)
