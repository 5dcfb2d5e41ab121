"""Letters of a club: what their subjects say, whom they name, how to answer them, and what a new player is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest
from players_post import Post, awaited, legal

import adjudicator as adj
from adjudicator.club import letters
from adjudicator.club.ledger import MailState
from adjudicator.club.letters import SeatLetter, with_footer
from adjudicator.club.settings import ClubSettings
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Standing
from adjudicator.library.letters import report_subject
from adjudicator.rulesets import meta, metas

FOOTER = (
    "To send orders, answer this mail and keep its subject."
    " PREVIEW tests your orders, WITHDRAW takes them back, HELP lists all commands."
)


def token_line(post: Post, game: str, seat: str) -> str:
    return f"token {post.tag(game, seat).strip('[]')}"


@pytest.fixture
def game(post: Post) -> adj.Game:
    ann = adj.Game(post.session("race")).hand_over("red", "Ann", "for the test")
    return ann.hand_over("blue", "Bob", "for the test")


def test_the_subject_says_whose_turn_it_is(game: adj.Game) -> None:
    assert report_subject(game, Seat("red")) == "race, turn 1: your turn"
    assert report_subject(game, Seat("blue")) == "race, turn 1: waiting for Ann (red)"
    assert report_subject(game, None) == "race, turn 1: waiting for Ann (red)"


@pytest.mark.parametrize(
    ("places", "told"),
    [((1, 2), "Ann has won"), ((2, 1), "Bob has won"), ((1, 1), "a draw")],
)
def test_the_subject_says_who_has_won(
    game: adj.Game, monkeypatch: pytest.MonkeyPatch, places: tuple[int, int], told: str
) -> None:
    rules = type(game.session.rules)
    rows = tuple(Standing(place, Seat(seat), 0, "x") for place, seat in zip(places, ("red", "blue"), strict=True))
    monkeypatch.setattr(rules, "is_over", lambda *_given: True)
    monkeypatch.setattr(rules, "standings", lambda *_given: rows)
    assert report_subject(game, Seat("red")) == f"race is over: {told}"


def test_a_subject_names_few_players_and_counts_many(empty: Post) -> None:
    empty.add("checkpoint-charlie", "red", "blue", "green", "white", game="spies")
    session = empty.session("spies")
    asked = awaited(session)
    assert len(asked) == 4
    assert report_subject(adj.Game(session), None) == "spies, turn 1: waiting for 4 players"


def test_a_message_names_its_sender(post: Post) -> None:
    post.settings('press = "moderated"', 'press = "free"')
    post.send("race", "red", "MESSAGE to all:\nhello")
    post.run()
    assert post.got()["blue: race: message from Red (red)"] == "Red (red) writes to all:\n\n> hello\n"


def test_a_welcome_says_who_plays_how_to_answer_and_what_to_copy(empty: Post) -> None:
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    got = empty.got()
    red, blue = got["red: race: welcome"], got["blue: race: welcome"]
    for words in (
        "You play red. The players are Red (red) and Blue (blue).",
        "Your orders are due Thursday 2026-03-05 20:00 UTC.",
        token_line(empty, "race", "red"),
        "It is your turn now.",
        *("HELP", "PREVIEW", "WITHDRAW", "RULES", "Where to look"),
    ):
        assert words in red, words
    assert token_line(empty, "race", "red") not in blue
    assert "A first order" not in blue
    order = red.partition("A first order")[2].split("\n    ")[1].partition("\n")[0]
    assert order == legal(empty.session("race"), "red")[0]
    empty.run(after=60)
    assert empty.got() == {}, "a player is welcomed once"


@pytest.mark.parametrize("rules", sorted(one for one, _ in metas()))
def test_the_first_order_of_a_welcome_is_read_as_it_stands(empty: Post, rules: str) -> None:
    options = {"mode": "table", "kit": "deal"} if rules == "rally-round" else {}
    seats = ("red", "blue", "green")[: max(2, meta(rules).players[0])]
    empty.add(rules, *seats, game="game", options=options)
    empty.run()
    got = empty.got()
    seat = awaited(empty.session("game"))[0]
    order = got[f"{seat}: game: welcome"].partition("A first order")[2].split("\n    ")[1].partition("\n")[0]
    empty.send("game", seat, f"PREVIEW\n{order}")
    empty.run()
    assert f"{seat}: game: your mail was read" in empty.got(), "nothing is wrong with it"


def test_a_report_ends_with_how_to_answer_as_text_and_as_a_page(empty: Post) -> None:
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    reports = [mail for mail in empty.mails() if "turn 1" in str(mail["Subject"]) and str(mail["To"]) != "gm@example.org"]
    assert len(reports) == 2
    for mail in reports:
        text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
        page = mail.get_body(("html",)).get_content()
        assert text.endswith(f"\n\n{FOOTER}\n")
        assert f"<p>{FOOTER}</p>" in page
        is_asked = str(mail["To"]) == "red@example.org"
        headline = "Red, it is your turn: choose a gear (neutral now), by" if is_asked else "Waiting for red until"
        assert f"<h1>{headline} Thursday 2026-03-05 20:00 UTC</h1>" in page
        assert "<script" not in page, "mail programs run none"


def test_a_long_page_names_the_attached_board_instead_of_drawing_it(empty: Post) -> None:
    empty.settings('pictures = "none"', 'pictures = "svg"')
    empty.add("rally-round", "red", "blue", game="race")
    empty.run()
    mail = next(mail for mail in empty.mails() if str(mail["To"]) == "red@example.org" and "turn" in str(mail["Subject"]))
    page = mail.get_body(("html",)).get_content()
    assert [part.get_filename() for part in mail.iter_attachments()]
    assert "<p>The picture of the board is attached to this mail.</p>" in page
    assert "<figure" not in page
    assert "Scroll the board" not in page
    assert len(page.encode()) < 102_000, "Gmail cuts longer pages"


COPIED = re.compile(r"(?s)  orders of race.*END of orders\n")


@pytest.mark.parametrize(
    "back",
    [
        lambda text: "".join(COPIED.findall(text)),
        lambda text: text,
        lambda text: f"Hello,\n\n{text}\n-- \nAnn",
        lambda text: "\n> ".join([*COPIED.findall(text), "Max wrote:", *text.split("\n")]),
    ],
    ids=["copied", "whole", "whole with a greeting", "above the quote"],
)
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_order_form_has_the_line_with_the_token_and_can_be_sent_back_in_a_new_mail(
    empty: Post, seat: str, back: Callable[[str], str]
) -> None:
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    reports = [mail for mail in empty.mails() if "turn 1" in str(mail["Subject"]) and str(mail["To"]).startswith(seat)]
    (mail,) = reports
    text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
    page = mail.get_body(("html",)).get_content().replace("\r\n", "\n")
    line = token_line(empty, "race", seat)
    first = f"orders of race, {'turn 1, ' if seat == 'red' else ''}as {seat}"
    assert f"\n  {first}\n  {line}\n" in text
    assert f"{first}\n{line}\n" in page
    other = "blue" if seat == "red" else "red"
    assert token_line(empty, "race", other) not in mail.as_string()
    filled = text.replace("  END of orders", "    GEAR 1\n  END of orders")
    empty.send("race", seat, back(filled), Subject="my orders")
    empty.run()
    receipt = empty.got()[f"{seat}: race: your mail was read"]
    assert "GEAR 1" in receipt
    assert "The club found no mistake in this mail." in receipt
    assert len(receipt.splitlines()) < 40


def test_what_a_player_writes_is_no_form() -> None:
    """A line in the log or in a message that looks like the head of a form gets no token."""
    letter = SeatLetter(key="k", kind="report", game="race", seat="red", subject="s", text="orders of race, turn by turn\n")

    class Club:
        settings = ClubSettings(name="c", address="c@example.org", moderator="m@example.org")

        @staticmethod
        def seat_of(_game: str, _seat: str) -> object:
            return type("Settings", (), {"token": "aaaabbbbcccc"})

    assert with_footer(letter, Club(), "", "").text == f"{letter.text}\n{FOOTER}\n"  # type: ignore[arg-type]
    for first in ("orders of race, turn 3, as red", "orders of race, as red", "orders of race,\n    turn 3, as red"):
        right = replace(letter, text=f"{first}\nEND of orders\n")
        whole = with_footer(right, Club(), "", "").text  # type: ignore[arg-type]
        assert whole.startswith(f"{first}\ntoken race/red#aaaabbbbcccc\nEND of orders\n")


def test_letters_ask_for_answers_to_an_address_with_the_token_if_the_server_takes_such(empty: Post) -> None:
    empty.settings("# plus_addresses = true", "plus_addresses = true")
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    mails = [mail for mail in empty.mails() if str(mail["To"]) == "red@example.org"]
    token = empty.club.settings_of("race").seats["red"].token
    assert {str(mail["Reply-To"]) for mail in mails} == {f"Thursday club <club+{token}@example.org>"}
    empty.send("race", "red", "GEAR 1", Subject="orders", To=str(mails[0]["Reply-To"]))
    empty.run()
    assert len(empty.session("race").game.journal) == 2


def test_by_default_letters_name_no_address_for_answers(empty: Post) -> None:
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    assert {mail["Reply-To"] for mail in empty.mails()} == {None}


def test_a_player_with_the_token_of_another_seat_is_told_the_right_line(post: Post) -> None:
    tag = post.tag("race", "blue")
    post.send("race", "red", "GEAR 1", Subject=f"Fwd: {tag} turn 1")
    post.run()
    got = post.got()
    assert token_line(post, "race", "red") in got["red: race: your mail has no token"]
    assert tag.strip("[]") not in got["red: race: your mail has no token"]
    assert not any(key.startswith("blue") for key in got)
    with closing(post.club.ledger()) as ledger:
        assert len(ledger.mails(MailState.HELD)) == 1


def test_a_player_whose_games_are_over_is_answered(post: Post) -> None:
    with closing(post.club.ledger()) as ledger, ledger.change():
        ledger.set_game(replace(ledger.game("race"), is_over=True))
    post.send("race", "red", "thanks!", Subject="hello")
    post.run()
    assert list(post.got()) == ["red: race: your mail has no token"]


def test_the_patterns_of_a_form_take_linear_time() -> None:
    import re

    from patterns import given_back

    assert not given_back(re.compile(letters._FORM.format("race", "red")))


def test_a_player_of_several_seats_gets_one_letter_about_a_missing_token(post: Post) -> None:
    post.add("checkered-flag", "red", "blue", game="second")
    post.run()
    post.mails()
    for _ in range(2):
        post.send("", "red", "GEAR 1")
        post.run(after=60)
    (mail,) = (mail for mail in post.mails() if "token" in str(mail["Subject"]))
    assert str(mail["Subject"]) == "[Thursday club] your mail has no token"
    text = mail.get_body(("plain",)).get_content()
    assert all(token_line(post, game, "red") in text for game in ("race", "second"))
    assert token_line(post, "race", "blue") not in text
