"""Lines of players: no order is lost as a remark, no remark becomes an order, and no courtesy makes a mail fail.

The tables `lines.toml`, `remarks.toml` and `slips.toml` have the lines; what becomes of each stands above its table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import adjudicator as adj
from tests.drivers.mails import (
    EXAMPLES,
    GAMES,
    HEAD,
    RALLY,
    Found,
    Reading,
    mail_of,
    new_game,
    portion,
    read,
    read_at_turn_7,
)

HERE = Path(__file__).parent
LINES, REMARKS, SLIPS = (tomllib.loads((HERE / f"{name}.toml").read_text("utf-8")) for name in ("lines", "remarks", "slips"))
HEADERS = {"Ende", "Fin", "Einde", "Fine", "Runde 3:"}
"""Lines that end a sheet, or name another turn, in a game in which their language is switched on."""
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
every_game = pytest.mark.parametrize("game", GAMES)


def examples(game: str) -> tuple[str, ...]:
    """Return an order of each kind, in canonical words."""
    return tuple({line.split()[0]: line for line in EXAMPLES[game]}.values())


def filled(frames: list[str], game: str, part: int | None) -> Iterator[tuple[str, str, str]]:
    """Yield each of the ``frames`` around an order of the game: all orders, or each frame around one, from ``part`` on."""
    orders = EXAMPLES[game]
    for number, frame in enumerate(frames):
        chosen = orders if part is None else [orders[(number + part) % len(orders)]]
        for order in chosen:
            other = next(one for one in orders if one.split()[0] != order.split()[0])
            yield frame.replace("ORDER", order), order, other


def test_the_tables_are_as_large_as_they_were() -> None:
    assert sum(len(set(lines)) for lines in LINES.values()) >= 300
    assert {language: len(set(lines)) for language, lines in REMARKS.items()} == dict.fromkeys(
        ("en", "de", "fr", "es", "nl", "it"), 50
    )
    assert set(SLIPS) == set(GAMES)
    assert sum(map(len, SLIPS.values())) >= 200


PARTS = [0, pytest.param(None, marks=pytest.mark.soak)]


@every_game
@pytest.mark.parametrize("part", PARTS)
def test_an_order_after_a_mark_or_a_label_is_read(game: str, part: int | None) -> None:
    wrong = []
    for line, order, other in filled(LINES["read"], game, part):
        found = read(f"{line}\n{other}", game)
        if found.red != read(f"{order}\n{other}", game).red or found.raw:
            wrong.append(line)
    assert wrong == []


@every_game
def test_a_text_of_heads_and_orders_is_read_as_between_other_lines(game: str) -> None:
    orders = [*EXAMPLES[game], *(f"red: {order}" for order in examples(game)), "RED:"]
    odd = ["red: NOTE with care", "NOTE with care", "END of orders", "orders of club-1 as red", "TC3:", "PS: no more"]
    for lines in ([*orders], *([*orders[:3], line, *orders[:3]] for line in odd)):
        alone = read("\n".join(lines), game)
        between = read("\n".join(f"{line}\n***" for line in lines), game)
        assert (alone.orders, alone.codes) == (between.orders, between.codes), lines
        assert [(2 * line - 1, why) for line, why in alone.ignored] == [one for one in between.ignored if one[0] % 2], lines


@every_game
@pytest.mark.parametrize("part", PARTS)
def test_an_order_among_other_words_is_a_problem(game: str, part: int | None) -> None:
    """Above, below and between orders; it has a place on the line, and stops the sheet."""
    wrong = []
    for line, _, other in filled(LINES["problem"], game, part):
        below = line.count("\n") + 1
        for text, at in ((f"{line}\n{other}", below), (f"{other}\n\n{line}", below + 2)):
            found = read(text, game)
            left = [] if at == below else read(other, game).red
            if found.red != left or not [one for one in found.raw if one.line == at and one.column]:
                wrong.append(text)
    assert wrong == []


@every_game
def test_a_shouted_line_without_an_order_is_a_remark(game: str) -> None:
    first, second, *_ = examples(game)
    plain = read(f"{first}\n{second}", game).red
    for line in LINES["remark"]:
        found = read(f"{first}\n{line}\n{second}\n{line}", game)
        assert (found.red, found.raw) == (plain, []), line


KINDS = {"stale": ([], ["DRAW"]), "due": (["REFRESH"], ["DRAW", "REFRESH"]), "stopped": ([], [])}
KINDS["prose"] = KINDS["due"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_turn_a_game_or_a_command_counts_whatever_stands_around_it(kind: str) -> None:
    """Above an order, and between two: what is stale stops the orders below it, a command those above it, too."""
    wrong = []
    for line in LINES[kind]:
        first, second = read(f"{line}\nREFRESH"), read(f"DRAW\n{line}\nREFRESH")
        told = [1 in first.wrong, 2 in second.wrong]
        if (first.red, second.red) != KINDS[kind] or told != [kind in ("stale", "stopped")] * 2:
            wrong.append(line)
    assert wrong == []


# One line, or a few, of red for turn 1 of `club-1`: the orders that are read, and the lines with a problem.

TOLD = [
    # What is quoted, or below the end, stays ignored.
    ("DRAW\n> My move: MOVE C3\n", ["DRAW"], []),
    ("DRAW\nEND\nI REFRESH\nPREVIEW", ["DRAW"], []),
    ("DRAW\n-- \nI REFRESH", ["DRAW"], []),
    # A header among words below the last order concerns nothing; between orders it counts for those below.
    *((f"DRAW\n{line}", ["DRAW"], []) for line in ("Turn 7 - orders for red", "My orders for turn 7", "Game rally-099!")),
    *((f"DRAW\n{line}", ["DRAW"], []) for line in ("Game on", "Game over!", "Turn 1:", "turn 9", "turn 9.")),
    *((f"DRAW\n{line}\nMOVE A2", ["DRAW"], [2]) for line in ("turn 9", "turn 9:", "turn nine", "game other", "trun 9")),
    # An order on the line of a header counts below it.
    ("Turn 1: DRAW\nREFRESH", ["DRAW", "REFRESH"], []),
    *((f"{line}\nREFRESH", [], [1]) for line in ("Turn 7: DRAW", "Game rally-099: DRAW", "My orders for turn 7: DRAW")),
    ("Turn 1: DRAW, turn 2: REFRESH\nMOVE C3", None, [1]),
    ("Turn 1: I DRAW\nREFRESH", [], [1]),
    # A header for another seat stops the sheet.
    *((f"{line}\nDRAW", [], [1]) for line in ("Turn 1 - orders for blue", "Turn 1, blue:", "Bob's orders for turn 1")),
    # A word with a colon that is no seat is a remark; another seat, or a word near one, stops the sheet.
    *(
        (f"{word}\nDRAW\n{word}\nREFRESH\n{word}", ["DRAW", "REFRESH"], [])
        for word in ("Two:", "Two :", "three:", "Part:", "Bonus:", "Idea:", "Ja:", "pink:", "Questions:", "Lap:")
    ),
    *(
        (f"DRAW\n{word}\nREFRESH", ["DRAW"], [2])
        for word in ("blue:", "Bob:", "bleu:", "bluee:", "blu:", "BLUE :", "blue", "Bob:s moves")
    ),
    # A name below the last order is a signature, and so are those below thanks.
    *(
        (f"DRAW\n\nCheers,\n{name}", ["DRAW"], [])
        for name in ("red", "Red", "blue", "Ann", "Ann Smith", "Bob", "- Bob", "bob.")
    ),
    ("DRAW\nThanks\nBob", ["DRAW"], []),
    ("DRAW\nMany thanks,\nBob and Carol", ["DRAW"], []),
    ("DRAW\nThanks\nDrew", ["DRAW"], [3]),  # nearly DRAW
    ("DRAW\nLefèvre, Zoé", ["DRAW"], []),
    # A remark in the place of an order is a problem: a sheet without any order needs one.
    *((f"Hi Bob,\n{line}\nregards", [], [2]) for line in ("C3 D3", "2", "I move to C3")),
    # What names something of the game is no good wish.
    *(
        (f"DRAW\n{line}", ["DRAW", order], [])
        for line, order in (("KEEP well H3", "KEEP H3"), ("TAKE U7", "TAKE U7"), ("MOVE on C3", "MOVE C3"))
        if line == "TAKE U7"
    ),
    # A heading may stand before an order on its line.
    ("Orders: MOVE C3\nDRAW", ["MOVE C3", "DRAW"], []),
    # Prose goes on where its line was full; a mistyped order right below it is a problem.
    ("Sorry for being so late, the train from the city was\nstuck again\n\nDRAW", ["DRAW"], []),
    ("Sorry for being so late, the train from the city did not\nmove\n\nDRAW", ["DRAW"], []),
    ("Sorry for being so late, the train from the city did not\n\nmove\n\nDRAW", [], [3]),
    ("Sorry for being so late, here are my orders for this turn:\nMVOE C3\nDRAW", [], [2]),
    ("Sorry for being so late, here are my orders for this turn:\nREFRSH\nDRAW", [], [2]),
    *(
        (f"DRAW\n{above}\nMVOE C3", ["DRAW"], [3])
        for above in ("Sent from my iPhone", "Regards, Ann", "Thanks!", "Virus-free. www.avast.com", "To unsubscribe:")
    ),
    # What begins like an order is one also below the close of a mail.
    ("DRAW\nRegards\n\nMOVE C3", ["DRAW", "MOVE C3"], []),
    ("DRAW\nRegards\nAnn\nMOVE to the castle (or so)", ["DRAW"], [4]),
    ("DRAW\nRegards\nAnn\nMVOE C3", ["DRAW"], [4]),
    ("DRAW\nRegards\nAnn\nMOVE C3\nTELEPORT C3", ["DRAW", "MOVE C3"], [5]),
    ("DRAW\nRegards\nAnn\nTELEPORT C3", ["DRAW"], [4]),
    ("DRAW\nRegards\nAnn\nLondon SW1A 2AA", ["DRAW"], []),
    # Before the first orders prose may be short.
    ("As discussed yesterday\n\nDRAW", ["DRAW"], []),
    ("MVOE the car\n\nDRAW", [], [1]),
]


@pytest.mark.parametrize(("text", "orders", "wrong"), TOLD)
def test_what_becomes_of_a_line(text: str, orders: list[str] | None, wrong: list[int]) -> None:
    found = read(text)
    assert found.red == (found.red if orders is None else orders)
    assert list(dict.fromkeys(found.wrong)) == wrong


def test_a_problem_says_which_order_the_line_has() -> None:
    problem = read("I will MOVE C3 D3 I think\nDRAW").only
    assert (problem.code, problem.column, problem.width) == ("orders/among-words", 8, 4)
    assert problem.suggestions[0].startswith("MOVE C3 D3")
    assert read("My plan is to DRAW now\nREFRESH").only.suggestions == ("DRAW",)
    assert read("Turn 1: I DRAW\nREFRESH").codes == ["among-words"]


def test_words_of_other_games_mean_nothing() -> None:
    """A command that is an order of the game is an order; a word near the name of another player stops the sheet."""
    game = "checkpoint-charlie"
    assert read("WAIT, please\nWAIT 3\nMy move: WAIT 2", game).red == ["WAIT", "WAIT 3", "WAIT 2"]
    for word in ("Carl:", "Crl:", "Carll:"):
        assert read(f"PASS\n{word}\nPASS", game).codes == ["not-yours"], word
    # `move` begins an order of Checkpoint Rally, and none of Checkered Flag:
    assert read("GEAR 1\nMVOE C3\nGEAR 2", "checkered-flag").red == ["GEAR 1", "GEAR 2"]
    assert read("DRAW\nGAER 2\nREFRESH").red == ["DRAW", "REFRESH"]


# Greetings, thanks, names, footers and chat.

COURTESIES = LINES["courtesy"]


@pytest.mark.parametrize("game", [RALLY, "checkered-flag"])
def test_a_courtesy_is_passed_over_wherever_it_stands(game: str) -> None:
    order, wrong = examples(game)[0], []
    for line in COURTESIES:
        places = [f"{line}\n\n{order}", f"{order}\n{line}", f"{order}\n\n{line}\n\n{order}"]
        for text in places[1:] if line in ("Zoé", "Ann Smith") else places[:1] if line == "Bob," else places:
            found = read(text, game)
            if found.raw or found.red != [order] * text.count(order) or len(found.passed) != 1:
                wrong.append((text, found.problems, found.red, found.ignored))
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "is_problem"),
    [
        *(
            (line, True)
            for line in (
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
            )
        ),
        *(
            (line, False)
            for line in (
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
            )
        ),
    ],
)
def test_what_could_be_a_mistyped_order_is_a_problem_and_other_prose_a_remark(line: str, is_problem: bool) -> None:
    found = read(f"REFRESH\n\n{line}\nDRAW")
    assert (found.red, found.wrong) == ((["REFRESH"], [3]) if is_problem else (["REFRESH", "DRAW"], []))


SIGNED = """\
Ann Smith
Senior Engineer
ACME Ltd, 12 High Street, London SW1A 2AA
Direct: +44 20 7946 0123
Mobile: +44 7946 0123
E-Mail: ann@example.org"""


@pytest.mark.parametrize("closing", ["Regards,", "Kind regards", "Mit freundlichen Grüßen", "Sent from my iPhone"])
def test_what_stands_below_the_close_of_a_mail_is_no_order(closing: str) -> None:
    found = read(f"DRAW\n\n{closing}\n\n{SIGNED}")
    assert (found.red, found.raw, len(found.passed)) == (["DRAW"], [], 1 + len(SIGNED.split("\n")))
    assert "not understood" not in [why for _, why in found.ignored]
    assert "not understood" in [why for _, why in read(f"DRAW\n\n{SIGNED}").ignored]


DISCLAIMER = """\
This e-mail and any attachments are confidential. If you are not the
intended recipient, you are notified that to
take
any action in reliance on it is prohibited and may be unlawful."""


def test_a_footer_goes_on_over_its_paragraph() -> None:
    assert read(f"DRAW\n\n{DISCLAIMER}").problems == []
    assert read("DRAW\n\n" + DISCLAIMER.replace("take\n", "\ntake\n")).wrong == [6]


ABOVE = ("DRAW", "Regards, Ann", "Thanks!", "Sent from my iPhone", "Rally mailing list")


@pytest.mark.parametrize("above", ABOVE)
def test_orders_below_a_line_that_speaks_of_another_seat_are_not_those_of_the_seat_above(above: str) -> None:
    """What follows would become the orders of the seat above."""
    for line in ("blue", "Blue.", "blue WIAT", "blue MVOE C3 D3 then C3 and so on", "blue now", "bleu", "And for blue:",
                 "Orders for blue", "Now the orders of the blue player please", "blue player"):  # fmt: skip
        text = f"red:\nDRAW\n{above}\n\n{line}\nMOVE C3"
        for found in (unbound(text), read(text)):
            assert "MOVE C3" not in found.red, text
            assert found.wrong, text
    chat = f"red:\nDRAW\n{above}\n\nBlue is so far ahead that nobody can win any more\nMOVE C3"
    assert unbound(chat).problems == []


def unbound(text: str) -> Reading:
    """Return what is read of a mail from nobody knows whom, for turn 7."""
    return read_at_turn_7(adj.read_mail(mail_of(text, HEAD), name="a.eml"))


@pytest.mark.parametrize(
    ("text", "orders", "problems"),
    [
        ("red:\nDRAW\n\nBob:s moves\nMOVE C3", {"red": ["DRAW"], "blue": ["MOVE C3"]}, []),
        ("red:\nDRAW\n\npurple: hello\nMOVE C3", {"red": ["DRAW"]}, [Found(4, "unknown-seat", "purple")]),
        ("As discussed yesterday\n\nred:\nDRAW", {"red": ["DRAW"]}, []),
        ("MVOE the car\n\nred:\nDRAW", {"red": ["DRAW"]}, [Found(1, "unknown-order", "MVOE")]),
        ("Orders: MOVE C3", {}, [Found(1, "no-seat", "Orders: MOVE C3")]),
        *(
            (f"red:\nDRAW\n\n{line}\nMOVE C3", {"red": ["DRAW", "MOVE C3"]}, [])
            for line in ("And for red:", "Orders for Ann:", "PS: Hi Bob")
        ),
    ],
)
def test_a_mail_from_nobody_knows_whom(text: str, orders: dict[str, list[str]], problems: list[Found]) -> None:
    found = unbound(text)
    assert (found.orders, found.problems) == (orders, problems)


def test_an_only_courteous_mail_has_no_orders() -> None:
    found = read("Hi Max,\n\nthanks for the report!\n\nRegards\nAnn")
    assert found.problems == [Found(0, "empty", "")]
    assert found.only.message == "there are no orders in this mail; 4 lines were ignored (quotes, signatures, remarks)"
    for form in ("# game club-1\n# turn 1\n# red:\n#   DRAW\n", "game club-1\nturn 1\nred:\n  # DRAW\n  # REFRESH"):
        assert "remove the # before each order" in read(form).only.message
    assert "#" not in read("# no time this week").only.message


# Remarks never void orders, and no order with a slip in it is taken for a remark.


@pytest.mark.parametrize("case", portion(product(GAMES, REMARKS), 7), ids=" ".join)
def test_no_remark_refuses_an_order(case: tuple[str, str]) -> None:
    """Below, between and above legal orders: none of them is refused or lost, and no remark becomes an order."""
    game, language = case
    first, second, *_ = examples(game)
    refused = []
    for line, switched in product(REMARKS[language], dict.fromkeys(("", language if language != "en" else ""))):
        texts = {f"{first}\n{line}": [1], f"{first}\n\n{line}\n": [1]}
        if not (line in HEADERS and switched) and line != "Ann":
            texts |= {f"{first}\n{line}\n{second}": [1, 3], f"{line}\n{first}": [2]}
        for text, wanted in texts.items():
            found = read(text, game, switched)
            if found.raw or found.lines != wanted:
                refused.append((switched, text))
    assert refused == []


@every_game
def test_an_order_with_remarks_around_it_is_applied_and_they_are_quoted_back(game: str) -> None:
    of = new_game(game)
    seat, order = of.due_seats[0], of.seen_by(of.due_seats[0]).legal[0].order
    around = [line for lines in REMARKS.values() for line in lines[:12]]
    text = mail_of("\n".join([*around, order, *around]), "From: x\n\n")
    result = of.apply([adj.read_mail(text, name="a.eml", seat=seat)])
    assert result.problems == ()
    assert [row.seat for row in result.log] == [seat]
    (receipt,) = result.receipts
    fates = [one.fate for one in receipt.orders]
    assert fates.count("applied") == 1
    assert fates.count("not understood") == len(fates) - 1 > 10
    assert "When is the deadline?" in [one.order for one in receipt.orders]


@every_game
def test_no_slip_is_taken_for_a_remark(game: str) -> None:
    first, second, *_ = examples(game)
    swallowed = []
    for line in SLIPS[game]:
        found = read(f"{first}\n\n{line}\n{second}", game)
        if 3 not in found.lines and 3 not in found.wrong:
            swallowed.append(line)
        assert not found.raw or 4 not in found.lines, line  # it stops the sheet
    assert swallowed == []


@pytest.mark.parametrize("line", ["FAIS DEMI TOUR x", "FAIS DEMI-TOUR 😀 x", "FAIS DEMI TOUR Bonjour"])
def test_a_verb_of_several_words_in_capitals_begins_no_remark(line: str) -> None:
    assert 1 in read(f"{line}\nPASS", "rally-round", "fr").wrong


@pytest.mark.parametrize("line", ["__Orders:__", "_Orders_:", "__red:__", "_red:_", "__red__:", "__Turn 1__", "_Thanks,_"])
def test_emphasis_changes_no_heading_and_no_courtesy(line: str) -> None:
    found = read(f"{line}\nDRAW")
    assert (found.red, found.wrong) == (["DRAW"], [])


@pytest.mark.parametrize(
    "line",
    [
        *("Hi Max, draw", "Thanks Max, draw", "Hello. Draw please.", "Hallo Max, here are my orders: draw"),
        *("Hi Max! draw two tiles, thanks", "Hi Max, draw. Cheers!"),
    ],
)
def test_an_order_that_ends_a_courtesy_is_a_problem_with_the_order_as_suggestion(line: str) -> None:
    found = read(f"{line}\nREFRESH")
    assert (found.wrong, found.codes) == ([1], ["among-words"])
    assert found.only.suggestions[0].lower().startswith("draw")


@pytest.mark.parametrize(
    "line", ["It was a draw", "Well played, Max", "Hi Max, it was a draw", "Hi Max, take care", "Hi Max, draw near"]
)
def test_a_courtesy_that_ends_with_the_word_of_an_order_is_none(line: str) -> None:
    found = read(f"{line}\nREFRESH")
    assert (found.red, found.wrong) == (["REFRESH"], [])


def mistyped(word: str) -> Iterator[str]:
    """Yield ``word`` with two letters swapped, one doubled, one left out, and the key beside that of one."""
    places = range(len(word))
    yield from (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1])
    yield from (word[: at + 1] + word[at:] for at in places)
    if len(word) > 3:
        yield from (word[:at] + word[at + 1 :] for at in places)
        for at, row in product(places, KEYS):
            key = row.find(word[at])
            beside = row[max(0, key - 1) : key] + row[key + 1 : key + 2] if key >= 0 else ""
            yield from (word[:at] + letter + word[at + 1 :] for letter in beside)


@every_game
@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.soak)])
def test_no_mistyped_verb_is_taken_for_a_remark(game: str, every: int) -> None:
    """Of every kind of order, in capitals and in small letters."""
    first, second, *_ = examples(game)
    words = [
        f"{word} {example.partition(' ')[2]}".strip()
        for example in examples(game)
        for wrong in mistyped(example.split()[0].lower())
        for word in (wrong, wrong.upper())
        if example.split()[0].isalpha()
    ]
    tried = words[::every]
    assert len(tried) >= 15
    reads = {line: read(f"{first}\n\n{line}\n{second}", game) for line in tried}
    assert [line for line, found in reads.items() if 3 not in found.lines and not found.raw] == []


@pytest.mark.parametrize(
    ("text", "ruleset", "orders", "problems"),
    [
        ("red, turn 1\nPASS", "great-race", ["PASS"], []),
        ("PASS\nred, turn 1", "great-race", ["PASS"], []),
        ("draw\nPS: move your mail server please", RALLY, ["DRAW"], []),
        ("PS: DRAW", RALLY, [], [Found(1, "among-words", "DRAW")]),
        ("PS: draw", RALLY, [], [Found(1, "among-words", "draw")]),
        ("Orders: mvoe C3", RALLY, [], [Found(1, "unknown-order", "mvoe")]),
        ("PREVIEW", RALLY, [], [Found(1, "command", "PREVIEW")]),
    ],
)
def test_a_label_is_no_seat(text: str, ruleset: str, orders: list[str], problems: list[Found]) -> None:
    found = read(text, ruleset)
    assert (found.red, found.problems) == (orders, problems)


@pytest.mark.parametrize("lines", ["place U1 at\nB4 rot 90", "move\nA2"])
def test_the_rest_of_an_order_that_a_mail_program_broke_is_shown_with_its_beginning(lines: str) -> None:
    found = read(lines)
    assert [one.code for one in found.problems] == ["incomplete", "wrapped-line"]
    assert found.raw[1].suggestions == (lines.replace("\n", " "),)
