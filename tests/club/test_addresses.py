"""Addresses wherever a club gets them: in its files, in commands, in mails; a bad one never stops the other letters."""

from __future__ import annotations

from pathlib import Path

import pytest
from players_post import Post, legal, matters
from typer.testing import CliRunner

from adjudicator.cli.app import app_for
from adjudicator.club.doctor import check_club
from adjudicator.club.manage import ClubError, begin_club

ANN = ("Smith, Ann <red@müller.de>", "Ann [Red] <red@xn--mller-kva.de>", "red@Müller.de <RED@MÜLLER.DE>")


@pytest.mark.parametrize("written", ANN)
@pytest.mark.parametrize("sender", ANN)
def test_an_address_is_the_same_in_the_files_and_in_mails(post: Post, written: str, sender: str) -> None:
    post.settings('"red@example.org"', f'"{written}"', "race")
    number = next(post.numbers)
    head = f"From: {sender}\nMessage-ID: <{number}@x>\nSubject: Re: {post.tag('race', 'red')} x\n\n"
    post.deliver((head + legal(post.session("race"), "red")[0]).encode())
    post.run()
    assert "red@xn--mller-kva.de" in {str(mail["To"]).lower() for mail in post.mails()}
    assert matters(post) == []


def test_the_address_of_the_club_can_have_letters_of_any_language(post: Post) -> None:
    post.settings("club@example.org", "Thursday <club@müller.de>")
    post.settings("# plus_addresses = true ", "plus_addresses = true ")
    token = post.club.seat_of("race", "red").token
    post.send("", "red", "STATUS", To=f"club+{token}@xn--mller-kva.de")
    post.run()
    (answer,) = post.mails()
    assert (answer["From"].addresses[0].addr_spec, answer["From"].addresses[0].display_name) == (
        "club@xn--mller-kva.de",
        "Thursday club",
    )
    assert str(answer["Reply-To"].addresses[0].addr_spec) == f"club+{token}@xn--mller-kva.de"


@pytest.mark.parametrize("address", ["jürgen@example.org", "red@example.org, eve@example.org", "=?utf-8?q?x=40y.z?=@e.org"])
def test_an_address_that_cannot_get_mail_is_named_and_stops_nothing(post: Post, address: str) -> None:
    post.settings('"red@example.org"', f'"{address}"', "race")
    post.settings('nmr = "wait"', 'nmr = "default"')
    post.send("race", "blue", legal(post.session("race"), "red")[0])
    done = [post.run(), post.run(after=10 * 24 * 3600), post.run(after=10 * 24 * 3600)]
    assert [one.troubles for one in done] == [(), (), ()]
    mails = post.mails()
    assert {str(mail["To"]) for mail in mails} == {"blue@example.org", "gm@example.org"}
    assert any("could not send a report to" in words and address[:6] in words for words in matters(post))
    found = [one.what for one in check_club(post.club, post.now).club_findings if one.check == "games"]
    assert len(found) == 1
    assert found[0].startswith("race/red: the club cannot write to this player: “")


@pytest.mark.parametrize("address", ["ann", "jürgen@example.org", "a@b.c\nBcc: x@y.z", "ann@example.org, b@example.org"])
def test_a_bad_address_is_refused_where_the_moderator_writes_it(post: Post, address: str) -> None:
    with pytest.raises(ClubError, match="red: “"):
        post.seat("race", "red", "Ann", address)
    for options in ({"address": address}, {"moderator": address}):
        with pytest.raises(ClubError, match=r"--(address|moderator): “"):
            begin_club(
                post.folder.parent / "new",
                **{"name": "x", "address": "c@x.org", "moderator": "m@x.org", "time_zone": "UTC", **options},
            )
    arguments = [
        "club",
        "init",
        str(post.folder.parent / "new"),
        "--name",
        "x",
        "--address",
        address,
        "--moderator",
        "m@x.org",
    ]
    result = CliRunner().invoke(app_for(arguments), arguments)
    assert result.exit_code == 2
    assert not (post.folder.parent / "new").exists()


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        ("--name", "\udcff", 2),
        ("--name", "a\nb", 2),
        ("--name", "a\x1b[31mb", 2),
        ("--name", "\u202eevil", 2),
        ("--zone", "\udcff", 2),
        ("--zone", "UTC\n", 2),
        ("--zone", "Mars/Base", 3),
    ],
)
def test_a_club_whose_settings_cannot_be_written_is_not_begun(tmp_path: Path, option: str, value: str, code: int) -> None:
    """A name that is no text was a bug, and left half a club."""
    given = {"--name": "x", "--address": "c@x.org", "--moderator": "m@x.org", "--zone": "UTC", option: value}
    arguments = ["club", "init", str(tmp_path / "new"), *(word for pair in given.items() for word in pair)]
    result = CliRunner().invoke(app_for(arguments), arguments)
    assert (result.exit_code, (tmp_path / "new").exists()) == (code, False), result.output


def test_words_that_are_no_text_are_refused_or_recorded_as_they_look(post: Post) -> None:
    for words, code in ((("forget", "\udcff"), 2), (("forget", "\udcff@example.org"), 2), (("backup", "copy\udcff"), 0)):
        arguments = ["club", words[0], str(post.folder), str(post.folder.parent / words[1]) if code == 0 else words[1]]
        assert CliRunner().invoke(app_for(arguments), arguments).exit_code == code


@pytest.mark.parametrize("address", ANN)
def test_the_moderator_can_write_an_address_with_its_name(post: Post, address: str) -> None:
    post.seat("race", "red", "Ann", address)
    assert [one.lower() for one in post.club.seat_of("race", "red").addresses] == ["red@xn--mller-kva.de"]
