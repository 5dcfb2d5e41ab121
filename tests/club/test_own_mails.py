"""A report tells its seat of its own mails alone; each mail is known by the time at which it came."""

from __future__ import annotations

from players_post import Post, legal, states

from adjudicator.core.ids import Seat
from adjudicator.moderate.turn import play_turn
from adjudicator.orders.submission import text_submission
from adjudicator.reports.pages.report_text import report_text

SEATS = ("red", "blue", "green")


def spies(empty: Post) -> dict[str, str]:
    """Begin a game in which all seats are asked at once; return an order for each."""
    empty.add("checkpoint-charlie", *SEATS, game="spies")
    empty.run()
    empty.mails()
    return {seat: legal(empty.session("spies"), seat)[0] for seat in SEATS}


def test_no_other_seat_reads_a_quote_in_a_mail(empty: Post) -> None:
    for seat, order in spies(empty).items():
        empty.send("spies", seat, f"{order}\n\n> my clue of {seat}: CLUE grey\n-- \nsent from {seat}'s sofa")
    empty.run()
    reports = {key.partition(":")[0]: text for key, text in empty.got().items() if "turn" in key and "gm" not in key}
    assert set(reports) == set(SEATS)
    for seat, text in reports.items():
        assert [other for other in SEATS if f"my clue of {other}" in text or f"{other}'s sofa" in text] == [seat]
        assert "ignored: line 3 (quoted" in text
        assert "Received your mail of 2026-03-02 12:00:00 UTC\n" in text
        assert " of your mail of 2026-03-02 12:00:00 UTC\n" in text.partition("For the record")[2]
        assert ", mail " not in text, "the number of a mail tells how many others there are"


def test_a_player_can_tell_two_mails_apart(empty: Post) -> None:
    orders = spies(empty)
    for seat, order in (("red", legal(empty.session("spies"), "red")[1]), *orders.items()):
        empty.send("spies", seat, order)
        empty.now += 60
    empty.run()
    (report,) = (mail for mail in empty.mails() if "turn" in str(mail["Subject"]) and mail["To"] == "red@example.org")
    text = report.get_body(("plain",)).get_content()
    assert "a later one counts instead: your mail of 2026-03-02 12:01:00 UTC" in " ".join(text.split())


def test_texts_with_the_same_name_stay_apart(post: Post) -> None:
    session = post.session("race")
    texts = {seat: f"{seat}:\n# {seat}'s own\nGAER {seat}\n".encode() for seat in ("red", "blue")}
    submissions = [text_submission("mail.txt", text, Seat(seat)) for seat, text in texts.items()]
    reports = {report.viewer: report_text(report) for report in play_turn(session, submissions).reports}
    for seat, other in (("red", "blue"), ("blue", "red")):
        assert f"GAER {seat}" in reports[Seat(seat)]
        assert f"GAER {other}" not in reports[Seat(seat)]
        assert "mail.txt" in reports[Seat(seat)]
        assert ", mail 2" not in reports[Seat(seat)]


def test_a_mail_stays_in_the_queue_while_the_settings_of_its_game_cannot_be_read(post: Post) -> None:
    tag = post.tag("race", "red")
    post.settings("[seats.red]", "[seats.red", "race")
    post.send("", "red", "GEAR 1", Subject=tag)
    for _ in range(2):
        assert "game.toml" in post.run(after=60).troubles[0]
        assert states(post) == ["kept"]
    assert [subject for subject in post.got() if not subject.startswith("gm:")] == []
    post.settings("[seats.red", "[seats.red]", "race")
    post.run(after=60)
    assert "red: race: your mail was read" in post.got()
    assert states(post) == ["taken"]
