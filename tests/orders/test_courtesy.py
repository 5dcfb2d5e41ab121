"""Greetings, thanks, names, footers and chat never make a mail fail; what could be a mistyped order does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.ids import Seat
from adjudicator.games.checkered_flag.rules import RULESET as FLAG
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.courtesy import bare_spans
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.orders.vocabulary import vocabulary

RED, BLUE = Seat("red"), Seat("blue")
NAMES = frozenset({"c3", "d3", "h3", "highway"})
Read = Callable[..., TurnFile]


def received(
    text: str, seat: Seat | None = RED, rules: Any = RULESET, names: tuple[str, ...] = ("Zoé Lefèvre",)
) -> TurnFile:
    holders = {RED: "Ann Smith", BLUE: "Bob"}
    addressee = Addressee("rally-042", 7, (RED, BLUE), holders, NAMES)
    return read_turn_files(rules, addressee, [Submission("a.eml", tuple(text.split("\n")), seat, is_mail=True, names=names)])


def wrong(text: str, **how: Any) -> list[int]:
    return [diagnostic.line for diagnostic in received(text, **how).diagnostics]


def orders(text: str, **how: Any) -> list[str]:
    return [item.text for sheet in received(text, **how).sheets for item in sheet.instructions]


COURTESIES = [
    "Hi Bob,",
    "Hello everybody!",
    "Dear moderator:",
    "Bob,",
    "Good morning Max",
    "Hallo zusammen,",
    "Liebe Anna, lieber Bob,",
    "Sehr geehrter Herr Müller,",
    "Bonjour à tous,",
    "Hola Max:",
    "Buongiorno!",
    "Hoi allemaal,",
    "Cześć!",
    "Olá pessoal,",
    "Hej Max!",
    "Kære Max,",
    "Dobrý den,",
    "Здравствуйте, Максим!",
    "Here are my orders for turn 7:",
    "Orders:",
    "My moves:",
    "Meine Befehle für diese Runde:",
    "Thanks",
    "Thanks for the quick report, great game so far!",
    "Thank you very much in advance.",
    "Danke!",
    "Vielen Dank und viel Spaß",
    "Merci beaucoup !",
    "¡Muchas gracias!",
    "Grazie mille",
    "Bedankt",
    "Dziękuję bardzo",
    "Muito obrigado",
    "Tusen tack!",
    "Mange tak",
    "Děkuji předem",
    "Большое спасибо",
    "Sorry for the delay.",
    "Sorry if this is late!",
    "Let me know if anything is unclear",
    "Good luck to all, and have fun",
    "See you next turn!",
    "Your move, Max!  What will you do about that?",
    "Take care, Bob",
    "Take care!",
    "Keep well",
    "Drive safely.",
    "Stay safe",
    "Regards, Ann",
    "Best wishes",
    "Cheers",
    "Mit freundlichen Grüßen",
    "Viele Grüsse aus Wien",
    "LG Ann",
    "Cordialement",
    "Un saludo",
    "Cordiali saluti",
    "Met vriendelijke groet,",
    "Pozdrawiam serdecznie",
    "Abraços",
    "Med vänliga hälsningar",
    "Venlig hilsen",
    "S pozdravem",
    "С уважением, Анна",
    "Sent from my iPhone",
    "Sent from my Galaxy S23 Ultra",
    "Von meinem iPhone gesendet",
    "Envoyé de mon iPhone",
    "Enviado desde mi iPhone",
    "Inviato da iPhone",
    "Verstuurd vanaf mijn iPhone",
    "Wysłane z iPhone'a",
    "Enviado do meu iPhone",
    "Skickat från min iPhone",
    "Sendt fra min iPhone",
    "Odesláno z iPhonu",
    "Отправлено с iPhone",
    "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "Outlook für Android<https://aka.ms/ghei36> beziehen",
    "<https://www.example.org>",
    "www.example.org",
    "ann@example.org",
    "[image: logo.png]",
    "[cid:image001.png@01DA6C]",
    "PS: What a race!",
    "P.S. I love it.",
    "Note: away from Friday to Sunday",
    "Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.",
    "This email has been checked for viruses by Avast antivirus software.",
    "Virus-free.www.avast.com",
    "CONFIDENTIALITY NOTICE: This e-mail and any attachments are for the intended recipient only.",
    "Please consider the environment before printing this email",
    "You received this message because you are subscribed to the Google Groups",
    "Rally mailing list",
    "The weather is so bad here that nobody goes out any more",
    ":-)",
    "Zoé",
    "Ann Smith",
]


@pytest.mark.parametrize("line", COURTESIES)
@pytest.mark.parametrize("rules", [RULESET, FLAG], ids=["rally", "flag"])
def test_a_courtesy_is_passed_over_wherever_it_stands(line: str, rules: Any) -> None:
    order = rules.language.examples[0]
    places = [f"{line}\n\n{order}", f"{order}\n{line}", f"{order}\n\n{line}\n\n{order}"]
    for text in places[1 if line in ("Zoé", "Ann Smith") else 0 :]:
        if line == "Bob," and not text.startswith(line):
            continue
        assert wrong(text, rules=rules) == []
        assert orders(text, rules=rules) == [order] * text.count(order)
        headed = received(f"red:\n{text}", seat=None, rules=rules)
        assert headed.diagnostics == ()
        assert [item.why for item in headed.ignored if item.text == line]


@pytest.mark.parametrize(
    "line",
    [
        "DROW",
        "MVOE C3",
        "MOVE to the castle!?",
        "Move (please)",
        "Please move",
        "TELEPORT C3",
        "Thanks, and MOVE C3",
        "Hi Bob, draw two tiles",
        "Take H3 and keep it",
        "Bob",
        "Bob Miller",
        "note: MOVE C3 if you like",
        "Hi: DRAW",
    ],
)
def test_what_could_be_a_mistyped_order_is_a_problem(line: str) -> None:
    assert wrong(f"REFRESH\n\n{line}\nDRAW") == [3]
    assert orders(f"REFRESH\n\n{line}\nDRAW") == ["REFRESH"]


@pytest.mark.parametrize(
    "line",
    [
        "Shuffle",
        "SHUFFLE THE DECK",
        "Attack the red car",
        "I go to C3",
        "I would like to draw two tiles, if I may",
        "Only if blue is still in the race, of course",
        "Ignore the above, I have changed my mind",
        "then C3 and so on until I am there",
        "I wait for him there, with 2 minutes left or so",
        "I want to be on the highway, whatever that may cost",
        "ok",
        "Place: Berlin",
        "pink: good luck",
    ],
)
def test_what_does_not_begin_like_an_order_is_a_remark(line: str) -> None:
    text = f"REFRESH\n\n{line}\nDRAW"
    assert wrong(text) == []
    assert orders(text) == ["REFRESH", "DRAW"]


@pytest.mark.parametrize(
    "line", ["KEEP well H3", "TAKE care3", "MOVE on C3", "TAKE U7", "DRIVE highway", "KEEP up c3", "KEEP safe highway"]
)
def test_what_names_something_of_the_game_is_no_good_wish(line: str) -> None:
    assert orders(f"DRAW\n{line}") == ["DRAW", line]


def test_a_heading_may_stand_before_an_order_on_its_line() -> None:
    assert orders("Orders: MOVE C3\nDRAW") == ["Orders: MOVE C3", "DRAW"]
    assert [diagnostic.problem.code for diagnostic in received("Orders: MOVE C3", seat=None).diagnostics] == [
        "orders/no-seat"
    ]


def test_prose_goes_on_where_its_line_was_full() -> None:
    text = "Sorry for being so late, the train from the city was\nstuck again\n\nDRAW"
    assert wrong(text) == []
    assert [item.line for item in received(text).ignored] == [1, 2]
    wrapped = "Sorry for being so late, the train from the city did not\nmove\n\nDRAW"
    assert wrong(wrapped) == []
    assert wrong(wrapped.replace("not\n", "not\n\n")) == [3]


def test_a_mistyped_order_right_below_prose_is_a_problem() -> None:
    assert wrong("Sorry for being so late, here are my orders for this turn:\nMVOE C3\nDRAW") == [2]
    assert wrong("Sorry for being so late, here are my orders for this turn:\nREFRSH\nDRAW") == [2]


SIGNED = """\
Ann Smith
Senior Engineer
ACME Ltd, 12 High Street, London SW1A 2AA
Direct: +44 20 7946 0123
Mobile: +44 7946 0123
E-Mail: ann@example.org"""


@pytest.mark.parametrize("closing", ["Regards,", "Kind regards", "Mit freundlichen Grüßen", "Sent from my iPhone"])
def test_what_stands_below_the_close_of_a_mail_is_no_order(closing: str) -> None:
    text = f"DRAW\n\n{closing}\n\n{SIGNED}"
    assert wrong(text) == []
    assert len(received(text).ignored) == 1 + len(SIGNED.split("\n"))
    assert not any(item.is_remark for item in received(text).ignored)
    assert any(item.is_remark for item in received(f"DRAW\n\n{SIGNED}").ignored)


def test_what_begins_like_an_order_is_one_also_below_the_close() -> None:
    assert orders("DRAW\nRegards\n\nMOVE C3") == ["DRAW", "MOVE C3"]
    assert wrong("DRAW\nRegards\nAnn\nMOVE to the castle (or so)") == [4]
    assert wrong("DRAW\nRegards\nAnn\nMVOE C3") == [4]
    assert wrong("DRAW\nRegards\nAnn\nMOVE C3\nTELEPORT C3") == [5]
    assert wrong("DRAW\nRegards\nAnn\nTELEPORT C3") == [4]
    assert wrong("DRAW\nRegards\nAnn\nLondon SW1A 2AA") == []


DISCLAIMER = """\
This e-mail and any attachments are confidential. If you are not the
intended recipient, you are notified that to
take
any action in reliance on it is prohibited and may be unlawful."""


def test_a_footer_goes_on_over_its_paragraph() -> None:
    assert wrong(f"DRAW\n\n{DISCLAIMER}") == []
    assert wrong("DRAW\n\n" + DISCLAIMER.replace("take\n", "\ntake\n")) == [6]


@pytest.mark.parametrize(
    "above", ["Sent from my iPhone", "Regards, Ann", "Thanks!", "Virus-free. www.avast.com", "To unsubscribe:"]
)
def test_a_mistyped_order_right_below_any_of_it_is_a_problem(above: str) -> None:
    assert wrong(f"DRAW\n{above}\nMVOE C3") == [3]


@pytest.mark.parametrize("above", ["DRAW", "Regards, Ann", "Thanks!", "Sent from my iPhone", "Rally mailing list"])
@pytest.mark.parametrize("line", ["blue", "Blue.", "blue WIAT", "blue MVOE C3 D3 then C3 and so on", "blue now"])
def test_a_seat_without_its_colon_is_no_courtesy(above: str, line: str) -> None:
    """What follows would become the orders of the seat above."""
    text = f"red:\nDRAW\n{above}\n\n{line}\nMOVE C3"
    assert wrong(text, seat=None) == [5]
    assert "MOVE C3" not in orders(text, seat=None)
    chat = text.replace(line, "Blue is so far ahead that nobody can win any more")
    assert wrong(chat, seat=None) == []


@pytest.mark.parametrize("above", ["DRAW", "Regards, Ann", "Thanks!", "Sent from my iPhone", "Rally mailing list"])
@pytest.mark.parametrize(
    "line",
    [
        "bleu",
        "And for blue:",
        "Orders for blue",
        "Now the orders of the blue player please",
        "blue player",
    ],
)
def test_orders_below_a_line_that_speaks_of_another_seat_are_not_those_of_the_seat_above(above: str, line: str) -> None:
    text = f"red:\nDRAW\n{above}\n\n{line}\nMOVE C3"
    for seat in (None, RED):
        found = received(text, seat=seat)
        assert "MOVE C3" not in [item.text for sheet in found.sheets for item in sheet.instructions if sheet.seat == "red"]
        assert found.diagnostics


def test_orders_below_the_head_of_another_sheet_are_not_those_of_the_seat_above() -> None:
    found = received("red:\nDRAW\n\nBob:s moves\nMOVE C3", seat=None)
    assert [(sheet.seat, len(sheet.instructions)) for sheet in found.sheets] == [("red", 1), ("blue", 1)]
    assert wrong("DRAW\n\nBob:s moves\nMOVE C3") == [3]
    assert wrong("red:\nDRAW\n\npurple: hello\nMOVE C3", seat=None) == [4]
    assert orders("DRAW\n\npurple: hello\nMOVE C3") == ["DRAW", "MOVE C3"]  # the whole mail is red's


@pytest.mark.parametrize(
    "line", ["And for red:", "Orders for Ann:", "Blue is so far ahead that nobody can win any more", "PS: Hi Bob"]
)
def test_lines_that_speak_of_the_own_seat_or_only_chat_are_asides(line: str) -> None:
    assert wrong(f"red:\nDRAW\n\n{line}\nMOVE C3", seat=None) == []
    assert orders(f"red:\nDRAW\n\n{line}\nMOVE C3", seat=None) == ["DRAW", "MOVE C3"]


def test_a_name_is_one_below_thanks_or_where_it_is_known() -> None:
    assert wrong("DRAW\nThanks\nBob") == []
    assert wrong("DRAW\nMany thanks,\nBob and Carol") == []
    assert wrong("DRAW\nThanks\nDrew") == [3]  # nearly DRAW
    assert wrong("DRAW\nLefèvre, Zoé") == []
    assert [item.is_remark for item in received("DRAW\nZoé Lefèvre").ignored] == [False]
    assert [item.is_remark for item in received("DRAW\nZoé Lefèvre", names=()).ignored] == [True]


def test_before_the_first_sheet_of_a_mail_prose_may_be_short() -> None:
    assert wrong("As discussed yesterday\n\nred:\nDRAW", seat=None) == []
    assert wrong("As discussed yesterday\n\nDRAW") == []
    assert wrong("MVOE the car\n\nred:\nDRAW", seat=None) == [1]


def test_an_only_courteous_mail_has_no_orders() -> None:
    found = received("Hi Max,\n\nthanks for the report!\n\nRegards\nAnn")
    assert [(item.problem.code, item.seat, item.line) for item in found.diagnostics] == [("orders/empty", "red", 0)]
    assert (
        found.diagnostics[0].problem.message
        == "there are no orders in this mail; 4 lines were ignored (quotes, signatures, remarks)"
    )
    assert found.sent == frozenset()


def test_the_words_that_begin_orders_are_those_of_the_game() -> None:
    rally, flag = vocabulary(RULESET, NAMES), vocabulary(FLAG, ())
    common = {"if", "withdraw"}
    assert rally.verbs == {"place", "lay", "put", "move", "drive", "draw", "refresh", "take", "discard", "keep", *common}
    assert flag.verbs == {"gear", "shift", "change", "stay", "brake", "go", *common}
    assert vocabulary(RULESET, NAMES) == rally


@pytest.mark.parametrize("word", ["draw", "drwa", "drw", "draww", "plcae", "mov", "moove", "mvoe"])
def test_words_like_those_that_begin_orders(word: str) -> None:
    assert vocabulary(RULESET, ()).is_verb(word)


@pytest.mark.parametrize(
    "word", ["", "a", "dr", "red", "thanks", "mobile", "please", "cell", "any", "ray", "x" * 10_000, "waard"]
)
def test_words_unlike_those_that_begin_orders(word: str) -> None:
    assert not vocabulary(RULESET, ()).is_verb(word)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("your move", False),
        ("the draw", False),
        ("i move", True),
        ("move", True),
        ("c3", True),
        ("h99", True),
        ("the highway", True),
        ("2nd", False),
        ("at 10pm", False),
        ("3", False),
        ("if so", True),
        ("wenn ja", True),
        ("so far so good", False),
    ],
)
def test_words_that_have_something_of_an_order(words: str, expected: bool) -> None:
    assert vocabulary(RULESET, NAMES).may_be_order(words.split()) is expected


def test_a_line_of_a_hundred_thousand_words_is_read_as_fast_as_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last words of a line can be a courtesy: the number of looks does not grow with the line."""
    looks = list[int]()
    monkeypatch.setattr("adjudicator.orders.courtesy._is_courtesy", lambda tokens: looks.append(len(tokens)) or False)
    bare_spans("é x " * 50_000 + "thanks")
    assert 0 < len(looks) <= 8
