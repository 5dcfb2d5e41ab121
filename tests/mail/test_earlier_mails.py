"""Old orders in an earlier mail never count, new ones always do: many languages, programs and frames."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from frames.heads import BARE, FRAMES, HEADS
from frames.pieces import GAMES, ORDERS, mail, plain

from adjudicator.orders.turnfile import TurnFile

Receive = Callable[..., TurnFile]
Sheets = Callable[[str, TurnFile], dict[str, list[str]]]


def wrong_sheets(receive_mail: Receive, sheets: Sheets, build: Callable[[list[str]], bytes], number: int) -> list[object]:
    """Return what is wrong in mails that ``build`` makes from orders, bound to a seat and with a head."""
    game = GAMES[number % len(GAMES)]
    orders, wrong = list(ORDERS[game]), []
    for seat, lines in (("red", orders), (None, ["red:", *orders])):
        found = receive_mail(game, build(lines), seat)
        read = sheets(game, found), [diagnostic.problem.code for diagnostic in found.diagnostics]
        if read != ({"red": orders}, []):
            wrong.append((seat, read))
    return wrong


@pytest.mark.parametrize("frame", FRAMES)
def test_an_earlier_mail_is_found_in_any_language(receive_mail: Receive, sheets: Sheets, frame: str) -> None:
    wrong = {}
    for number, (language, heads) in enumerate(HEADS.items()):
        found = wrong_sheets(receive_mail, sheets, lambda lines, heads=heads: FRAMES[frame](heads, lines), number)
        if found:
            wrong[language] = found
    assert wrong == {}


@pytest.mark.parametrize("mark", BARE)
def test_marks_of_html_are_enough(receive_mail: Receive, sheets: Sheets, mark: str) -> None:
    assert wrong_sheets(receive_mail, sheets, BARE[mark], len(mark)) == []


OWN = [
    *("TC3: see the map", "red: DRAW", "game: rally-042\nturn: 7\ndeadline: Friday, 6 March 2026 20:00"),
    *("game rally-042\nturn 7", "Game: rally-042\nTurn: 7\nDate: 2 March 2026 10:15\nMail: ann@example.org"),
    *("Ann: 10:15\nBob: 12:30\nCarol: 14:00", "Ann: ann@example.org\nBob: bob@example.org\nCarol: carol@example.org"),
    *("Ann: 2 March 2026 10:15\nBob: 3 March 2026 11:00\nCarol: 4 March 2026 12:00", "Tempo: high\nMood: good\nRisk: low"),
    *("Tel.: +49 30 123456-78\nMobil: 01.23.45.67.89\nE-Mail: ann@example.org\nWeb: www.example.org", "Orders for 2 March 2026:"),
    *("My moves for Monday, 2 March 2026, 20:00 UTC:", "2026-03-02 10:15:", "Befehle für den 2. März 2026, 20:00 Uhr bitte:"),
    *("----- Orders -----", "----- Turn 7, 2 March 2026 -----", "-----\nred, turn 7\n-----", "=== my three orders ==="),
    *("--- red ---", "At 10:15 I left:", "Here they are:", "As you wrote on Monday:", "He said:", "See you on 2 March 2026 at 10:15."),
    *("Write to ann@home.example.org if this is wrong:", "From: C3\nTo: D3", "Note: late\nReason: ill"),
    *("===== Checkpoint Rally, 2 March 2026 =====", "----- my plan -----\nSee you on 2 March 2026", "---- Bob, 2 March 2026 ----"),
    *("On 2 March 2026 I shall be away, so this is what I want:", "Name: Ann\nE-Mail: ann@example.org\nDate: 2 March 2026 10:15"),
    *("Player: Ann\nMood: good\nWeather: rain since 2 March 2026", "PS: I am back on 2 March 2026\nNote: by train"),
    *("On 2 March 2026 we meet, don't we?\nMy moves are these:", "I wrote this at 10:15 on 2 March 2026.\nThanks:"),
]  # fmt: skip
"""What players write themselves above and between their orders."""


@pytest.mark.parametrize("own", OWN)
def test_what_players_write_is_no_earlier_mail(receive: Receive, receive_mail: Receive, own: str) -> None:
    """Whatever else it is, the lines below it are not an earlier mail's."""
    for above, seat in product(("", "red:\n", "red:\nMOVE C3 D3\n"), ("red", None)):
        text = f"{above}{own}\nDRAW\n\n{own}\nREFRESH"
        sent = receive_mail("checkpoint-rally", mail(plain(text), sender="Ann <ann@example.org>", subject="turn 7"), seat)
        pasted = receive("checkpoint-rally", [("orders.txt", text.encode())])
        wrong = [one for one in (*sent.ignored, *pasted.ignored) if "earlier mail" in one.why or "introduces" in one.why]
        assert wrong == [], text
