"""Settings changed by command: one line changes, comments stay, and what a load would refuse is refused."""

from __future__ import annotations

import difflib
from contextlib import closing
from dataclasses import replace

import pytest
from players_post import Post
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app_for
from adjudicator.club.change_settings import change_settings
from adjudicator.club.settings import Nmr
from adjudicator.files.errors import Untrusted


def changed(post: Post, **wanted: str) -> list[str]:
    """Change settings; return the lines that are new (`+`) and gone (`-`)."""
    path = post.folder / "club.toml"
    before = path.read_text("utf-8").splitlines()
    change_settings(post.club, {name.replace("__", "."): value for name, value in wanted.items()})
    lines = difflib.unified_diff(before, path.read_text("utf-8").splitlines(), n=0, lineterm="")
    return [line for line in lines if line[0] in "+-" and not line.startswith(("+++", "---"))]


def command(post: Post, *words: str) -> Result:
    arguments = ["club", "set", str(post.folder), *words]
    return CliRunner().invoke(app_for(arguments), arguments)


def test_one_line_changes_and_keeps_its_comment(post: Post) -> None:
    old = 'press = "moderated"                # messages between players: or "free", "off"'
    assert changed(post, press="off") == [f"-{old}", f"+{old.replace('moderated', 'off', 1)}"]
    assert changed(post, deadlines__drop_after="3") == ["-drop_after = 0", "+drop_after = 3"]
    assert changed(post, deadlines__drop_after="3") == []
    assert post.club.settings.press == "off"
    assert post.club.settings.deadlines.drop_after == 3


def test_a_setting_that_has_no_line_comes_to_its_section(post: Post) -> None:
    assert changed(post, incoming__plus_addresses="true") == ["+plus_addresses = true"]
    assert changed(post, deadlines__days='["mon", "thu"]') == ['+days = ["mon", "thu"]']
    assert changed(post, outgoing__password__env="PASSWORD") == ["+[outgoing.password]", '+env = "PASSWORD"']
    assert changed(post, limits__rules="7") == ["+", "+[limits]", "+rules = 7"]
    settings = post.club.settings
    assert settings.incoming.plus_addresses is True
    assert settings.deadlines.days == ("mon", "thu")
    assert settings.outgoing.password.env == "PASSWORD"
    assert settings.limits.rules == 7


def test_several_settings_that_need_each_other(post: Post) -> None:
    with pytest.raises(Untrusted, match="address"):
        changed(post, desk__folder="public")
    lines = changed(post, desk__folder="public", desk__address="https://club.example.org/desk/")
    assert lines == ["+", "+[desk]", '+folder = "public"', '+address = "https://club.example.org/desk/"']


def test_a_value_is_a_text_where_the_setting_is_one(post: Post) -> None:
    changed(post, name="42", deadlines__at="18:30")
    assert (post.club.settings.name, post.club.settings.deadlines.at) == ("42", "18:30")
    changed(post, name='The "Ärger" # club = [x]')
    assert post.club.settings.name == 'The "Ärger" # club = [x]'
    changed(post, name="'quoted'", deadlines__at="")
    assert (post.club.settings.name, post.club.settings.deadlines.at) == ("quoted", "")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["deadlines.nmr=bto"],
            3,
            "mean “bot”?",
        ),
        (["deadlines.nrm=bot"], 3, "the name “nrm”"),
        (["deadlines.every=now and then"], 3, "“now and then”"),
        (["name=42", "limits.rules=0"], 3, "limits.rules: must be 1 or more, not 0"),
        (["incoming.port=many"], 3, "incoming.port: must be a whole number, not “many”"),
        (["outgoing.kind=smtp"], 3, "outgoing.host: the name of the mail server is missing"),
        (["time_zone=Mars"], 3, "“Mars” is not a time zone"),
        (["press"], 2, "write a setting with its value as NAME=VALUE, not “press”"),
        ([], 2, "name 1 to 8 settings with their values"),
        (["Press=off"], 2, "“Press” is not the name of a setting"),
        (["name=a\nb"], 2, "name: the value has characters that cannot be printed"),
        (["press.kind=off"], 2, "press.kind: “press” is a value in club.toml, not a section"),
    ],
)
def test_what_cannot_be_used_changes_nothing(post: Post, words: list[str], code: int, message: str) -> None:
    before = (post.folder / "club.toml").read_bytes()
    result = command(post, *words)
    assert result.exit_code == code
    assert message in result.stderr
    assert (post.folder / "club.toml").read_bytes() == before


def test_a_file_of_another_style(post: Post) -> None:
    path = post.folder / "club.toml"
    head = 'name = "T"\r\naddress = "a@b.c"\r\nmoderator = "d@e.f"\r\n'
    path.write_bytes(f"{head}deadlines.every = '1 day' # '#'\r\n".encode())
    change_settings(post.club, {"deadlines.every": "2 days"})
    assert path.read_bytes() == f"{head}deadlines.every = \"2 days\" # '#'\r\n".encode()
    change_settings(post.club, {"deadlines.at": "20:00"})
    assert post.club.settings.deadlines.at == "20:00"
    head = head.replace("\r\n", "\n")
    path.write_text(f"{head}deadlines = {{days = ['mon']}}\n")
    change_settings(post.club, {"deadlines.days": '["tue"]'})
    assert path.read_text() == f'{head}deadlines = {{days = ["tue"]}}\n'
    path.write_text(f"{head}[deadlines]\ndays = [\n  'mon',\n]\n")
    change_settings(post.club, {"deadlines.days": '["tue"]'})
    assert path.read_text() == f'{head}[deadlines]\ndays = ["tue"]\n'


def test_the_command_says_what_has_changed_and_the_ledger_keeps_it(post: Post) -> None:
    result = command(post, "deadlines.every=2 days", "deadlines.days=['mon']")
    assert result.stdout == 'deadlines.every: "3 days" → "2 days"\ndeadlines.days: the default → ["mon"]\n'
    ledger = post.club.ledger()
    assert [(one.task, one.words) for one in ledger.changes(0)] == [("set", line) for line in result.stdout.splitlines()]
    ledger.close()


def test_a_game_gets_deadlines_of_its_own_which_begin_as_those_of_the_club(post: Post) -> None:
    of_club = post.club.settings.deadlines
    result = command(post, "race", "deadlines.every=12 hours", "deadlines.nmr=bot")
    assert result.exit_code == 0, result.stderr
    assert post.club.deadlines_of("race") == replace(of_club, every="12 hours", nmr=Nmr.BOT)
    assert post.club.settings.deadlines == of_club
    assert "# Without these lines" in (post.folder / "games/race/game.toml").read_text()
    command(post, "race", "deadlines.days=['mon', 'thu']")
    assert post.club.deadlines_of("race") == replace(of_club, every="12 hours", nmr=Nmr.BOT, days=("mon", "thu"))
    with closing(post.club.ledger()) as ledger:
        words = [one.words for one in ledger.changes(0)]
    assert words[0] == 'race: deadlines.every: "3 days" → "12 hours"'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("deadlines.every=soon", "“soon”"),
        ("deadlines.evry=2 days", "deadlines: the name “evry” is unknown here"),
        ("seats.red.token=abcdefgh", "seats.red.token: of a game, this command changes only deadlines (deadlines.every)"),
    ],
)
def test_a_game_keeps_its_settings_if_the_new_ones_cannot_be_used(post: Post, words: str, message: str) -> None:
    before = (post.folder / "games/race/game.toml").read_bytes()
    result = command(post, "race", words)
    assert result.exit_code != 0
    assert message in result.stderr
    assert (post.folder / "games/race/game.toml").read_bytes() == before
