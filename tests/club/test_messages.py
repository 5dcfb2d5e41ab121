"""Messages between players: to whom, when and under which rules they go; none shows a secret, and some not their writer."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from players_post import HOUR, Post, awaited, club_with_game, legal, matters
from test_pending import flat
from typer.testing import CliRunner

from adjudicator.cli.app import app_for
from adjudicator.club.commands import Message, Unclear, commands_in
from adjudicator.club.ledger import Ledger, NewLetter
from adjudicator.club.manage import release
from adjudicator.club.members import settle
from adjudicator.club.players import remove_game
from adjudicator.club.settings import Press
from adjudicator.club.turns import open_game
from adjudicator.reports.data.player_standing import SIMULATED

SEATS = ("red", "blue", "green", "white")
FREE = 'press = "free"\npress_anonymous = true'


@pytest.fixture(scope="module")
def _table(tmp_path_factory: pytest.TempPathFactory) -> Post:
    return club_with_game(tmp_path_factory.mktemp("table") / "club", "checkpoint-rally", *SEATS, game="rally", settings=FREE)


@pytest.fixture
def table(_table: Post, tmp_path: Path) -> Post:
    """A club with a game of four, in which players may write without names; the first reports are read."""
    return _table.copied(tmp_path / "club")


def play(post: Post, *seats: str, after: int = HOUR) -> None:
    """Let the players whose turn it is, or those of ``seats``, send orders, and do a round."""
    session = post.session("rally")
    for seat in seats or awaited(session):
        post.send("rally", seat, legal(session, seat)[0])
    post.run(after=after)


def got(post: Post) -> dict[str, list[str]]:
    """Return the new messages of each player, in the order in which they went out."""
    found: dict[str, list[str]] = {}
    with closing(post.club.ledger()) as ledger:
        order = {row[0]: row[1] for row in ledger._db.execute("select message_id, id from letters")}
    for mail in sorted(post.mails(), key=lambda mail: order[str(mail["Message-ID"])]):
        if ": message " in str(mail["Subject"]):
            text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")  # type: ignore[union-attr]
            found.setdefault(str(mail["To"]).partition("@")[0], []).append(text)
    return found


def told(post: Post, seat: str) -> str:
    """Return the answer to ``seat``."""
    (text,) = (text for key, text in post.got().items() if key.startswith(f"{seat}: rally: your mail"))
    return flat(text)


@pytest.mark.parametrize(
    ("line", "to", "text"),
    [
        ("MESSAGE to blue: hi", ["blue"], "hi"),
        ("Message blue hi: there", ["blue"], "hi: there"),
        ("MESSAGE to blue, green: hi", ["blue", "green"], "hi"),
        ("MESSAGE to Blue & green and WHITE : hi", ["blue", "green", "white"], "hi"),
        ("MESSAGE to blue, all: hi", ["blue", "all"], "hi"),
        ("MESSAGE to blue,blue", ["blue"], ""),
        ("MESSAGE to anderson: hi", ["anderson"], "hi"),
        ("MESSAGE to blue: " + "long " * 500, ["blue"], ("long " * 500).strip()),
    ],
)
def test_a_message_names_its_players(line: str, to: list[str], text: str) -> None:
    assert commands_in([line]).commands == (Message(tuple(to), text),)
    hidden = line.replace("MESSAGE", "MESSAGE anonymous").replace("Message", "MESSAGE anonymously")
    assert commands_in([hidden]).commands == (Message(tuple(to), text, is_anonymous=True),)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "MESSAGE to blue, all hi",
            "MESSAGE to blue and how are you?",
            "MESSAGE anonymous: hi",
            "MESSAGE anonymous to: hi",
        ),
        *(
            "MESSAGE to blue anonymous: hi",
            "MESSAGE to blue (anonymously): hi",
            "MESSAGE:",
            "MESSAGE to " + "a, " * 40 + "b: x",
        ),
    ],
)
def test_a_message_that_is_unclear_goes_to_nobody_and_its_text_is_no_order(line: str) -> None:
    found = commands_in([line, "GEAR 5", "END", "GEAR 1"])
    assert [type(one) for one in found.commands] == [Unclear]
    assert found.lines == ("", "", "", "GEAR 1")


def test_a_message_to_several_goes_to_each_once(table: Post) -> None:
    table.send("rally", "red", "MESSAGE to blue, Green, blue: hi\nall of you\nEND")
    table.run()
    assert "sends your message to Blue (blue) and Green (green)." in told(table, "red")
    table.seen.clear()
    text = "> hi\n> all of you\n"
    assert got(table) == {
        "blue": [f"Red (red) writes to you and Green (green):\n\n{text}"],
        "green": [f"Red (red) writes to you and Blue (blue):\n\n{text}"],
    }


def test_all_replaces_other_names(table: Post) -> None:
    table.send("rally", "red", "MESSAGE to blue, all, moderator: hi")
    table.run()
    mails = {str(mail["To"]).partition("@")[0]: mail for mail in table.mails() if "your mail" not in str(mail["Subject"])}
    assert sorted(mails) == ["blue", "gm", "green", "white"]
    for seat in SEATS[1:]:
        assert "Red (red) writes to all and the moderator:" in mails[seat].get_content()
    assert "Red (red) writes:" in mails["gm"].get_content()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("MESSAGE to blue, purple: hi", "cannot send your message to “purple”. You can write to Blue (blue), Green"),
        ("MESSAGE to blue, red: hi", "cannot send your message to “red”"),
        ("MESSAGE to blue, green:", "to blue and green: it must have 1 to 5,000 characters"),
        ("MESSAGE to blue: " + "x" * 5_001, "it must have 1 to 5,000 characters"),
        ("MESSAGE anonymous to blue, moderator: hi", "the moderator always sees who writes"),
    ],
)
def test_a_message_with_one_wrong_name_goes_to_nobody(table: Post, line: str, why: str) -> None:
    table.send("rally", "red", line)
    table.run()
    assert why in told(table, "red")
    table.seen.clear()
    assert got(table) == {}


def test_a_message_without_a_name_goes_with_the_next_report_and_shows_nobody(table: Post) -> None:
    table.send("rally", "red", "MESSAGE anonymous to blue, green: watch out\nEND\nMESSAGE anonymous to all: boo")
    table.run()
    assert "to Blue (blue) and Green (green) with the next report, without your name." in told(table, "red")
    table.run(after=HOUR)
    assert got(table) == {}
    play(table)
    found = [mail for mail in table.mails() if "message" in str(mail["Subject"])]
    assert len(found) == 5
    for mail in found:
        assert "red" not in mail.as_string().casefold()
        assert str(mail["Subject"]).endswith("rally: message without a name")
        assert str(mail["Date"]) == "Mon, 02 Mar 2026 14:00:00 +0000", "that of the report"
        assert mail["In-Reply-To"] == found[0]["In-Reply-To"]
    texts = {mail.get_content().replace("\r\n", "\n") for mail in found if str(mail["To"]).startswith("blue")}
    assert texts == {
        "A player writes to you, without a name:\n\n> watch out\n",
        "A player writes to all, without a name:\n\n> boo\n",
    }
    play(table)
    assert got(table) == {}


def test_the_order_of_messages_without_a_name_is_not_that_of_their_writing(table: Post) -> None:
    for seat, text in (("red", "zebra"), ("white", "ant"), ("green", "horse")):
        table.send("rally", seat, f"MESSAGE anonymous to blue: {text}")
        table.run(after=60)
    play(table)
    assert [text.split()[-1] for text in got(table)["blue"]] == ["ant", "horse", "zebra"]


def test_a_message_waits_for_a_report_that_its_player_gets(table: Post) -> None:
    """A letter at another time would show that something else has happened."""
    table.send("rally", "red", "MESSAGE anonymous to blue: hi")
    table.run()
    with closing(table.club.ledger()) as ledger, ledger.change():
        ledger.look_at("rally")
        ledger._db.execute("update games set seal = 'old' where id = 'rally'")  # the club announces the same reports again
    table.run(after=HOUR)
    assert got(table) == {}
    play(table)
    assert len(got(table)["blue"]) == 1


def test_messages_of_a_game_can_go_with_its_reports(table: Post) -> None:
    table.settings("[seats.red]", "press_with_report = true\n[seats.red]", "rally")
    table.send("rally", "red", "MESSAGE to blue: zwei\nEND\nMESSAGE to blue: eins")
    table.run()
    assert "sends your message to Blue (blue) with the next report." in told(table, "red")
    table.run(after=HOUR)
    assert got(table) == {}
    play(table)
    assert [text.split()[-1] for text in got(table)["blue"]] == ["zwei", "eins"]


def test_a_game_has_rules_of_its_own(table: Post) -> None:
    table.settings("[seats.red]", 'press = "off"\npress_anonymous = false\n[seats.red]', "rally")
    assert table.club.press_of("rally") == Press(policy="off", is_anonymous=False, is_with_report=False)
    table.send("rally", "red", "MESSAGE to blue: hi\nEND\nMESSAGE to moderator: help")
    table.run()
    assert "in this game, you can write only to the moderator" in told(table, "red")
    table.seen.clear()
    assert got(table) == {}
    assert matters(table) == ["Red (red) writes:\n\n> help"]


def test_two_players_always_know_who_writes(post: Post) -> None:
    post.settings('press = "moderated"', FREE)
    post.send("race", "red", "MESSAGE anonymous to blue: hi")
    post.run()
    assert "with fewer than 3 players, everybody would know" in flat(post.got()["red: race: your mail has a mistake"])


def test_without_a_rule_for_it_no_message_goes_without_a_name(table: Post) -> None:
    table.settings("press_anonymous = true", "press_anonymous = false")
    table.send("rally", "red", "MESSAGE anonymous to blue: hi")
    table.run()
    assert "this game does not allow messages without a name" in told(table, "red")
    play(table)
    assert got(table) == {}


def test_the_moderator_reads_a_message_first(table: Post) -> None:
    table.settings('press = "free"', 'press = "moderated"')
    table.send(
        "rally", "red", "MESSAGE anonymous to blue, green: one\nEND\nMESSAGE to all: two\nEND\nMESSAGE to blue: three"
    )
    table.run()
    names = ["message without a name of Red (red) to Blue (blue) and Green (green): one"]
    assert matters(table) == [*names, "message of Red (red) to all: two", "message of Red (red) to Blue (blue): three"]
    with closing(table.club.ledger()) as ledger:
        release(ledger, 1)
        release(ledger, 2)
        settle(table.club, ledger, 3, table.now)
    table.run(after=60)
    assert got(table) == {seat: ["Red (red) writes to all:\n\n> two\n"] for seat in SEATS[1:]}
    play(table)
    assert {seat: len(texts) for seat, texts in got(table).items()} == {"blue": 1, "green": 1}


def test_a_text_cannot_pass_for_words_of_the_club_for_orders_or_for_secrets(table: Post) -> None:
    red, blue = (table.club.settings_of("rally").seats[seat].token for seat in ("red", "blue"))
    secrets = f"my token: {red.upper()}\n{' '.join(red)}."
    body = f"token rally/blue#{blue}\nWell drawn!\n\x1b[2J\u202eevil\tx\n\nBcc: gm@example.org\n{secrets}"
    table.send("rally", "red", f"MESSAGE to green:\n{body}\nEND")
    table.run()
    (text,) = got(table)["green"]
    lines = text.splitlines()
    assert lines[0] == "Red (red) writes to you:"
    assert all(line.startswith(">") for line in lines[2:])
    assert text.replace("\n", "").isprintable()
    assert lines[-2:] == ["> my token: …", "> …."]
    for secret in (red, blue):
        assert secret not in text
    with closing(table.club.ledger()) as ledger:
        (kept,) = ledger.messages("rally")
    assert red not in kept.text.casefold().replace(" ", "")
    table.send("rally", "green", text)  # back without marks of its own
    table.run(after=60)
    assert "no orders" in told(table, "green")


def test_simulated_players_neither_get_messages_nor_count(table: Post) -> None:
    with closing(table.club.ledger()) as ledger:
        table.send("rally", "red", "MESSAGE anonymous to white, blue: hi")
        table.run()
        table.club.save(open_game(table.club, "rally").hand_over("white", SIMULATED, "gone"))
        table.run(after=60)
        assert [one.waiting for one in ledger.messages("rally")] == [()]
    assert list(got(table)) == ["blue"]
    table.send("rally", "red", "MESSAGE to white: hi\nEND\nMESSAGE to all: hello")
    table.run(after=60)
    assert "You can write to Blue (blue), Green (green), `all`" in told(table, "red")
    table.seen.clear()
    assert "white" not in got(table)


def command(post: Post, task: str, *words: str) -> str:
    arguments = ["club", task, str(post.folder), *words]
    result = CliRunner().invoke(app_for(arguments), arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_moderator_switches_off_messages_of_one_player(table: Post) -> None:
    table.send("rally", "red", "MESSAGE anonymous to blue: before")
    table.run()
    assert command(table, "set", "rally", "seats.red.muted=true") == "rally: seats.red.muted: the default → true\n"
    with closing(table.club.ledger()) as ledger:
        assert [(one.task, one.words) for one in ledger.changes(0)] == [
            ("set", "rally: seats.red.muted: the default → true")
        ]
    table.mails()
    table.send("rally", "red", "MESSAGE to blue: hi\nEND\nMESSAGE to moderator: why?")
    table.send("rally", "blue", "MESSAGE to red: are you there?")
    table.run(after=60)
    assert "the moderator has decided that you can write only to the moderator" in told(table, "red")
    assert len(matters(table)) == 1
    table.seen.clear()
    assert list(got(table)) == ["red"]
    play(table)
    assert got(table) == {}, "what waited at that time stays, too"
    table.seat("rally", "red", "Red", "new@example.org")
    assert table.club.settings_of("rally").seats["red"].muted, "another address changes nothing"
    command(table, "set", "rally", "seats.red.muted=false", "press=moderated")
    play(table)
    assert list(got(table)) == ["blue"]
    assert table.club.press_of("rally").policy == "moderated"


def test_what_is_secret_in_a_game_is_not_set_by_command(table: Post) -> None:
    arguments = ["club", "set", str(table.folder), "rally", "seats.red.token=abcdefgh"]
    result = CliRunner().invoke(app_for(arguments), arguments)
    assert result.exit_code == 2
    assert "edit game.toml" in result.stderr


def test_another_player_of_the_seat_gets_no_message_of_the_past(table: Post) -> None:
    table.send("rally", "red", "MESSAGE anonymous to blue, green: hi")
    table.run()
    table.seat("rally", "blue", "Bea", "bea@example.org")
    play(table)
    play(table)
    assert list(got(table)) == ["green"]


def test_when_the_game_is_over_messages_go_at_once(table: Post) -> None:
    table.settings('press = "free"', 'press = "free"\npress_with_report = true')
    table.send("rally", "red", "MESSAGE anonymous to blue: hi")
    table.run()
    with closing(table.club.ledger()) as ledger, ledger.change():
        ledger._db.execute("update games set is_over = 1")
    table.run(after=60)
    assert list(got(table)) == ["blue"]


def test_the_moderator_lists_all_messages(table: Post) -> None:
    assert command(table, "messages", "rally") == "rally: no messages\n"
    table.settings('press = "free"', 'press = "moderated"')
    for line in (
        "to blue: one\nof two lines\nEND\nMESSAGE to moderator: help",
        "to all: two",
        "anonymous to blue, green: three",
    ):
        table.send("rally", "red", f"MESSAGE {line}")
        table.run()
    with closing(table.club.ledger()) as ledger:
        settle(table.club, ledger, 1, table.now)
        release(ledger, 4)
    text = command(table, "messages", "rally")
    at = "Monday 2026-03-02 12:00 UTC  Red (red)"
    assert text == (
        f"{at} to blue  (dropped)\n  one\n  of two lines\n\n{at} to moderator  (sent)\n  help\n\n"
        f"{at} to all  (waits for you)\n  two\n\n"
        f"{at}, without a name, to blue, green  (not sent yet to blue, green)\n  three\n"
    )


def test_a_game_that_leaves_the_club_sends_no_more_messages(table: Post) -> None:
    table.send("rally", "red", "MESSAGE anonymous to blue: hi")
    table.run()
    with closing(table.club.ledger()) as ledger:
        remove_game(table.club, ledger, "rally")
        assert ledger.waiting_messages() == []
        assert [one.state for one in ledger.messages("rally")] == ["dropped"]


def test_who_is_forgotten_leaves_no_message(table: Post) -> None:
    table.settings('press = "free"', 'press = "moderated"')
    for line in ("MESSAGE to blue: swordfish", "MESSAGE to moderator: secret words"):
        table.send("rally", "red", line)
    table.send("rally", "green", "MESSAGE to blue: words of Green")
    table.run()
    with closing(table.club.ledger()) as ledger:
        with ledger.change():
            ledger.add_person("red@example.org", "token", table.now, 0)
            person = ledger.person_at("red@example.org")
            assert person is not None
            ledger.forget_person(person)
        assert [one.seat for one in ledger.messages("rally")] == ["green"]
        assert [one.words for one in ledger.matters()] == ["message of Green (green) to Blue (blue): words of Green"]
        assert ledger._db.execute("select 1 from matters where instr(words, 'swordfish')").rows == []
        assert ledger._db.execute("select 1 from letters where instr(data, 'swordfish')").rows == []


def test_a_message_that_an_older_version_holds_can_still_be_released(table: Post) -> None:
    """It kept such messages as letters."""
    letter = NewLetter(
        key="message/old/0/blue",
        game="rally",
        seat="blue",
        kind="message",
        recipient="blue@example.org",
        message_id="<old@example.org>",
        data=b"Subject: old\n\nhello",
        at=table.now,
    )
    with closing(table.club.ledger()) as ledger:
        with ledger.change():
            ledger.queue(letter)
            ledger._db.execute("update letters set state = 'held' where key = 'message/old/0/blue'")
            ledger.raise_matter("held/message/old/0/blue", "rally", table.now, "message of Red to Blue: hello")
        assert release(ledger, 1) == "message of Red to Blue: hello"
    table.run()
    assert [str(mail["Subject"]) for mail in table.mails()] == ["old"]


@pytest.mark.parametrize("when", ["kept", "passed on"])
def test_an_interruption_neither_loses_nor_repeats_a_message(
    table: Post, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """The club stops after it has kept the message, or while it queues the letters with a report."""
    table.send("rally", "red", "MESSAGE anonymous to all: hidden\nEND\nMESSAGE to blue, green: open")

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    if when == "kept":
        with monkeypatch.context() as patch:
            patch.setattr("adjudicator.club.intake._reply", stop)
            with pytest.raises(KeyboardInterrupt):
                table.run()
    table.run()
    if when == "passed on":
        calls = iter(range(9))

        def got_once(ledger: Ledger, number: int, seat: str) -> None:
            original(ledger, number, seat)
            if next(calls) == 1:
                raise KeyboardInterrupt

        original = Ledger.got_message
        with monkeypatch.context() as patch:
            patch.setattr(Ledger, "got_message", got_once)
            with pytest.raises(KeyboardInterrupt):
                play(table)
        table.run(after=60)
    else:
        play(table)
    table.run(after=60)
    found = got(table)
    assert {seat: len(texts) for seat, texts in found.items()} == {"blue": 2, "green": 2, "white": 1}
    with closing(table.club.ledger()) as ledger:
        assert len(ledger.messages("rally")) == 2
        assert ledger.waiting_messages() == []


# Where a message ends, and what is held back.


@pytest.mark.parametrize(
    ("lines", "texts", "left"),
    [
        (["MESSAGE to blue: hi", "GEAR 1"], ["hi"], ["", "GEAR 1"]),
        (["MESSAGE to blue: hi", "", "GEAR 1", "END"], ["hi"], ["", "", "GEAR 1", "END"]),
        (["MESSAGE to blue: hi", "END", "GEAR 1"], ["hi"], ["", "", "GEAR 1"]),
        (["MESSAGE to blue: hi", "all of you", "END", "GEAR 1"], ["hi\nall of you"], ["", "", "", "GEAR 1"]),
        (["MESSAGE to blue: hi", "GEAR 1", "END"], ["hi"], ["", "GEAR 1", "END"]),
        (["MESSAGE to blue hi", "GEAR 1"], ["hi"], ["", "GEAR 1"]),
        (["MESSAGE to blue:", "hi", "you", "", "GEAR 1"], ["hi\nyou"], ["", "", "", "", "GEAR 1"]),
        (["MESSAGE to blue:", "", "hi", "", "GEAR 1", "END"], ["hi"], ["", "", "", "", "GEAR 1", "END"]),
        (["MESSAGE to blue:", "hi", "", "you", "END", "GEAR 1"], ["hi\n\nyou"], ["", "", "", "", "", "GEAR 1"]),
        (["MESSAGE to blue:", "hi", "GEAR 1", "END"], ["hi\nGEAR 1"], ["", "", "", ""]),
        (["MESSAGE to blue:", "hi", "> quoted", "GEAR 1"], ["hi"], ["", "", "> quoted", "GEAR 1"]),
        (["MESSAGE to blue:", "hi", "-- ", "Ann"], ["hi"], ["", "", "-- ", "Ann"]),
        (["MESSAGE to blue: hi", "MESSAGE to red: ho", "END"], ["hi", "ho"], ["", "", ""]),
        (["MESSAGE to blue:", "hi", "MESSAGE to red:", "ho"], ["hi", "ho"], ["", "", "", ""]),
        (["MESSAGE to blue:"], [""], [""]),
        (["MESSAGE to blue:", "", ""], [""], ["", "", ""]),
        (["GEAR 1", "MESSAGE to blue: hi", "BRAKE 1"], ["hi"], ["GEAR 1", "", "BRAKE 1"]),
    ],
)
def test_where_a_message_ends(lines: list[str], texts: list[str], left: list[str]) -> None:
    found = commands_in(lines, lambda some: any(line.startswith(("GEAR", "BRAKE")) for line in some))
    assert [one.text for one in found.commands if isinstance(one, Message)] == texts
    assert list(found.lines) == left


TO_BLUE = "MESSAGE to blue:\n"
HELD = (
    *("GEAR 1", "gear 1", "good luck\nGEAR 1", "good luck\n  gear 1.\nsee you", "GEAR 5 is what I want", "red:\nhello"),
    *(
        "turn 1\nhello",
        "turn 7",
        "game race",
        "game: race",
        "orders of race, turn 1, as red",
        "> orders of race, turn 9, as red",
    ),
    *("hello\nORDERS OF race, TURN 1, as red\nGEAR 1\nEND of orders", "GAER 1", "BRAKE"),
)


@pytest.mark.parametrize(
    ("text", "to"), [*((text, "blue") for text in HELD), *((HELD[2], to) for to in ("moderator", "all", "blue, moderator"))]
)
def test_a_message_with_a_line_like_an_order_is_held_and_its_sender_told(post: Post, text: str, to: str) -> None:
    post.settings('press = "moderated"', 'press = "free"')
    post.send("race", "red", f"MESSAGE to {to}:\n{text.lstrip('> ')}\nEND")
    post.run()
    (answer,) = post.mails()
    said = flat(answer.get_content())
    assert answer["To"] == "red@example.org"
    assert "has not sent your message" in said and "looks like an order, or the heading of orders" in said
    assert "The club has found no orders in your mail, although lines in it look like orders." in said
    assert matters(post) == []


@pytest.mark.parametrize(
    "text", ["let's go", "shall we draw?", "are you in 3rd gear?", "only for Red", "I like red: it is fast", "hi\n\nsee you"]
)
def test_chat_is_not_held(post: Post, text: str) -> None:
    post.settings('press = "moderated"', 'press = "free"')
    post.send("race", "red", f"{TO_BLUE}{text}\nEND")
    post.run()
    assert {str(mail["To"]) for mail in post.mails()} == {"red@example.org", "blue@example.org"}


def test_orders_below_a_message_on_one_line_count_and_it_goes_out(post: Post) -> None:
    post.settings('press = "moderated"', 'press = "free"')
    post.send("race", "red", "MESSAGE to blue: good luck\nGEAR 1")
    post.run()
    got = post.got()
    assert "line 2  GEAR 1" in got["red: race: your mail was read"]
    assert got["blue: race: message from Red (red)"] == "Red (red) writes to you:\n\n> good luck\n"


def test_a_game_waits_for_the_orders_that_a_held_message_may_have(post: Post) -> None:
    post.send("race", "blue", "GEAR 1")
    post.run()
    post.mails()
    before = post.session("race").game
    post.send("race", "red", "GEAR 1\nMESSAGE to blue:\ngood luck\nBRAKE 1\nEND")
    post.run(after=HOUR)
    said = flat(post.got()["red: race: your mail has a mistake"])
    assert "None of your orders count yet, because this mail has a mistake." in said
    assert "these orders count: GEAR 1." in said
    assert post.session("race").game.journal == before.journal


@pytest.mark.parametrize("press", ["free", "moderated"])
@pytest.mark.parametrize("frame", ["{0}", "schrieb wer auch immer\n{0}", "\u53d1\u4ef6\u4eba club\n{0}", "{0}\ngood luck"])
def test_no_part_of_a_report_goes_out_in_a_message(spies: Post, frame: str, press: str) -> None:
    """Each block of the own report, without quotation marks, wrapped in another way, below words of any language."""
    spies.settings('press = "moderated"', f'press = "{press}"')
    report = (spies.folder / "games" / "spies" / "reports" / "red.txt").read_text("utf-8")
    blocks = [block for block in report.split("\n\n") if len(block.split()) >= 8]
    assert len(blocks) > 3
    for block in blocks:
        for text in (block, "\n".join(block.split()), " ".join(block.split())):
            lines = "\n".join(line for line in text.splitlines() if line.strip())
            spies.send("spies", "red", f"MESSAGE to blue:\n{frame.format(lines)}\nEND")
            spies.run(after=60)
    mails = spies.mails()
    assert {str(mail["To"]) for mail in mails} == {"red@example.org"}
    assert matters(spies) == []


def test_a_message_says_which_line_below_it_was_not_sent(table: Post) -> None:
    table.send("rally", "red", "MESSAGE to blue: a long text that the\nmail program has wrapped\n\nBye")
    table.run()
    said = told(table, "red")
    assert "sends your message to Blue (blue). It ends above “mail program has wrapped”: for more lines" in said
    table.seen.clear()
    assert got(table)["blue"] == ["Red (red) writes to you:\n\n> a long text that the\n"]
