"""Reports in every form: complete, the same each time, safe for who reads them whatever players write, and read back."""

from __future__ import annotations

import json
import re
import struct
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise, product, takewhile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from rich.cells import cell_len, get_character_cell_size

import adjudicator as adj
from adjudicator.library.rulesets import rules_of, schema
from tests.drivers.pages import GAMES, MARKUP, SVG, begun, example, game, played

Run = Callable[..., Any]
TEXTS = ("txt", "html", "md", "svg", "json")
HOSTILE = {
    "script": "<script>alert(1)</script>",
    "cdata": "]]><b>x</b>--><!--",
    "template": "{{ 7 * 7 }}{% raw %}{# x #}",
    "directions": "\u202eevil\u202c \u2066x\u2069 \u200f",
    "controls": "\x00\x07\x1b[31mred\x1b[0m\x7f\x9b",
    "long": "x" * 10_000,
    "long words": "word " * 2_000,
    "entities": "&lt;&amp;&#60;script&#62; \" ' `",
    "markdown": "``` ~~~ | a | b | **x** [y](javascript:alert(1)) ![z](http://x) # h",
    "pile": "e" + "\u0301" * 60 + "\U000e0041\u3164\ufeff",
    "markup": MARKUP,
}
BEFORE_TITLES = {"txt": "\n", "md": "## "}
WIDTH = 78
"""Columns of a report as text: mail programs break longer lines."""


def viewers(of: adj.Game) -> list[str | None]:
    return [*of.seats, None, "moderator"]


# What a file of each form is


class Tags(HTMLParser):
    """Checks that every element is closed where it should be, and collects names and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()


def check_text(text: str) -> None:
    for line in text.splitlines():
        assert line.isprintable()
        assert cell_len(line) <= WIDTH or " " not in line.strip(), line


def check_html(text: str) -> None:
    tags = Tags(text)
    names = [name for name, _ in tags.seen]
    assert text.startswith('<!doctype html><html lang="en" ')
    pictures = [own for name, own in tags.seen if name == "svg" and own.get("aria-hidden") != "true"]
    assert names.count("h1") == names.count("title") == 1 and all(own["aria-label"] for own in pictures)
    assert not {"iframe", "object", "img", "form", "base"} & {*names}
    assert text.count("<script") == names.count("script") <= 1, "only that of the program, which the page names by its hash"
    (policy,) = (own["content"] for name, own in tags.seen if own.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in (policy or "").split("; "))
    assert rules["default-src"] == "'none'" and "unsafe" not in (policy or "")
    assert re.fullmatch(r"'sha256-[^']+'", rules.get("script-src", "'sha256-'x"[:9] + "x'")), "no other script can run"
    ids = [own["id"] for _, own in tags.seen if "id" in own]
    assert len(ids) == len({*ids}), "no picture takes the definitions of another"
    named = (own.get(one) for _, own in tags.seen for one in ("aria-labelledby", "aria-describedby", "popovertarget"))
    assert {*filter(None, named), *re.findall(r'"url\(#([^)]+)\)"', text)} <= {*ids}
    for name, attributes in tags.seen:
        assert not [key for key in attributes if key.startswith("on") or key == "src"]
        if name == "use":  # what is drawn once, in the same file, and used in several places
            assert (attributes["href"] or "").startswith("#") and (attributes["href"] or "")[1:] in ids
        else:
            assert (attributes.get("href") or "data:,") == "data:,"
        assert name != "th" or attributes["scope"] in ("col", "row")
    for words in ("prefers-color-scheme: dark", "@media print", "width=device-width"):
        assert words in text


def check_markdown(text: str) -> None:
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert text.startswith("# ")
    assert not re.search(r"(?<!\\)[<>]", outside)
    assert not re.search(r"(?<!\\)\]\(", outside)


def check_svg(text: str) -> None:
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert all((child.text or "").strip() for child in [*root][:2])
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "g", "defs", "rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "text"),
        *("tspan", "pattern", "use", "marker", "clipPath", "linearGradient", "radialGradient", "stop", "symbol", "style"),
    }
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


@cache
def report_schema() -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema("output.report.json")))


def check_json(text: str) -> None:
    report_schema().validate(json.loads(text))
    assert text.rstrip("\n").isprintable()


CHECKS = {"txt": check_text, "html": check_html, "md": check_markdown, "svg": check_svg, "json": check_json}


@pytest.mark.parametrize(("name", "form"), [*product(GAMES, TEXTS)])
def test_every_reader_gets_a_sound_report_which_is_the_same_each_time(name: str, form: str) -> None:
    made = {viewer: adj.render(game(name).seen_by(viewer).report(), form) for viewer in viewers(game(name))}
    for text in made.values():
        CHECKS[form](text)
        assert form in ("txt", "svg") or all(line.isprintable() for line in text.split("\n"))
    seat = game(name).seats[0]
    assert adj.render(adj.open(game(name).to_bytes()).seen_by(seat).report(), form) == made[seat]


@pytest.mark.parametrize("form", ["txt", "html", "md", "svg", "png", "json"])
def test_a_report_replaces_reports_and_no_other_file(run: Run, tmp_path: Path, form: str) -> None:
    """Also one that says more and so has other lines first; the program knows its own files by their beginning."""
    if form == "png":
        pytest.importorskip("resvg_py", reason="PNG needs resvg: pip install -e '.[test]'")
    short = "checkered-flag" if form == "png" else "checkpoint-charlie"
    game(short).save("game.json")
    name = f"report.{form}"
    seat = game(short).seats[0]
    run("report", "game.json", "--as", seat, "-o", name, code=0)
    first = Path(name).read_bytes()
    run("report", "game.json", "--as", "moderator", "-o", name, code=0)
    assert first != Path(name).read_bytes() or form == "png"
    if form == "png":
        assert first.startswith(b"\x89PNG\r\n\x1a\n") and 400 < max(struct.unpack(">II", first[16:24])) <= 4096
    Path(name).write_text("buy tea\n")
    assert "already exists" in run("report", "game.json", "--as", seat, "-o", name, code=2).stderr
    assert Path(name).read_text() == "buy tea\n"


def test_a_form_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(adj.AdjudicatorError, match="txt, html, md, svg, json, not pdf"):
        adj.render(game("checkered-flag").seen_by("red").report(), "pdf")


# What players write


@cache
def spoilt(words: str) -> adj.Turn:
    """Return a turn of a game in which names, mails, notes and reasons have these ``words``."""
    plain = words[:80] if words[:80].isprintable() or "\u202e" in words else "plain"
    try:
        found = begun("checkpoint-rally", players={"red": plain, "blue": f"{plain[:70]} 2"}, orders=3)
    except adj.SetupError:  # this name is refused: what is left is what players write in mails
        found = begun("checkpoint-rally", orders=3)
    found = found.undo(1, words[:190] if words[:190].isprintable() else "plain")
    seat, other = found.due_seats[0], next(one for one in found.seats if one not in found.due_seats)
    legal = found.seen_by(seat).legal[0].order
    mail = (
        f"From: x@example.org\nSubject: {words[:50].encode('ascii', 'ignore').decode()!r}\n\n{seat}:\n  {legal}\n  {words}\n"
    )
    ahead = f"{other}:\n  PLACE {words}\n  DRAW [{words}]\n{words}:\n  DRAW\n"
    return found.play_turn([mail.encode(), ahead])


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_names_and_mails_say_is_only_said(kind: str) -> None:
    turn = spoilt(HOSTILE[kind])
    assert kind == "controls" or turn.result.problems, "with a NUL it is no text"
    for report, form in product(turn.reports, TEXTS):
        text = adj.render(report, form)
        CHECKS[form](text)
        assert {one for one in {*text} if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {"\n"}, form
        assert form == "json" or "\u0301" * 5 not in text, "no pile of marks covers the lines above"


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_command_moves_a_terminal(run: Run, kind: str) -> None:
    turn = spoilt(HOSTILE[kind])
    turn.game.save("g.json")
    Path("o.txt").write_bytes(f"red:\n  PLACE {HOSTILE[kind]}\n  {HOSTILE[kind]}\n{HOSTILE[kind]}: DRAW\n".encode())
    for words in (
        *("show g.json", "show g.json --as red", "legal g.json", "log g.json --events", "pending g.json", "audit g.json"),
        *("check g.json o.txt", "apply g.json o.txt -o new.json", "turn g.json o.txt -o out", "replay g.json --boards"),
    ):
        for more in ([], ["--json"]):
            said = run(*words.split(), *more).output
            assert said and {one for one in {*said} if not one.isprintable()} <= {"\n"}, words


# What a report tells


@pytest.mark.parametrize("name", GAMES)
def test_a_report_has_its_parts_in_every_form_that_people_read(name: str) -> None:
    found = game(name)
    seat = found.due_seats[0]
    mail = f"From: a@example.org\n\n{seat}:\n  {found.seen_by(seat).legal[0].order} NONSENSE\n"
    report = found.play_turn([mail.encode()]).reports[found.seats.index(seat)]
    for form in ("txt", "html", "md"):
        text = unescape(adj.render(report, form)).replace("\\", "")
        for title in ("What to do now", "Your orders", "What you can order now", "What has happened so far"):
            assert title in text, form
        assert "NONSENSE" in text and ("Standings" in text or "Result" in text)
    assert "it is your turn" in report.headline and report.headline in unescape(adj.render(report, "html"))


@pytest.mark.parametrize("name", GAMES)
def test_all_forms_have_the_same_sections_in_the_same_order(name: str) -> None:
    found = game(name)
    report = found.seen_by(found.due_seats[0]).report()
    titles = [unescape(one) for one in re.findall(r"<h2[^>]*>(.*?)</h2>", adj.render(report, "html"))]
    titles = [one for one in titles if not one.startswith("The position")]
    assert len(titles) > 5
    for form in ("txt", "md"):
        text = adj.render(report, form).replace("\\", "")
        places = [text.find(f"{BEFORE_TITLES[form]}{title}") for title in titles]
        assert -1 not in places and places == sorted(places), form


def test_an_entry_that_moved_several_clocks_is_told_to_be_undone_once() -> None:
    found = game("great-race")
    rows = found.seen_by(None).log()
    entry = next(own for own, other in pairwise(rows) if own.n == other.n and own.order)
    text = flat(adj.render(found.seen_by(None).report(since=0)))
    log = text.partition(f" {entry.n} {entry.seat} {entry.order}")[2].partition(f" {entry.n + 1} ")[0]
    assert log.count("undone by entry") == 1 and len(re.findall(r"\d → ", log)) > 1


@pytest.mark.parametrize("name", GAMES)
def test_what_has_changed_since_a_turn_is_marked_in_every_form(name: str) -> None:
    found = adj.open(game(name).to_bytes())
    seat = found.due_seats[0]
    plain = {form: flat(adj.render(found.seen_by(seat).report(since=0), form)) for form in TEXTS}
    turn = max(row.turn for row in found.seen_by(seat).log() if row.order and row.seat) - 1
    report = found.seen_by(seat).report(since=turn)
    for form in TEXTS:
        text = flat(adj.render(report, form))
        assert re.search(r"(New|Moved) since turn \d", text), form
        assert not re.search(r"(New|Moved) since turn", plain[form]), form
    lines = [line for line in adj.render(report).splitlines() if re.match(r" *(New|Moved) since turn", line)]
    assert lines


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("name", "orders", "words"),
    [
        ("checkered-flag", 1, ["Moved since turn 1: {seat} from the line to ", "{seat}'s lever"]),
        ("checkpoint-rally", 1, ["New since turn 1: "]),
        ("checkpoint-charlie", 4, ["since turn 1: "]),
        ("great-race", 4, ["since turn 1: "]),
    ],
)
def test_changes_are_told_in_sentences_and_marked(name: str, orders: int, words: list[str]) -> None:
    found = begun(name)
    seat = found.due_seats[0]
    after = found.apply({seat: "GEAR 1"}).game if name == "checkered-flag" else played(found, orders)
    told = flat(adj.render(after.seen_by(seat).report(since=1)))
    assert [one for one in words if one.format(seat=seat) not in told] == []
    svg = adj.render(after.seen_by(seat).report(since=1), "svg")
    marks = [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if group.get("class") == "new"]
    assert marks and any(len(group) for group in marks)


@pytest.mark.parametrize("name", GAMES)
def test_the_form_of_a_report_is_read_back_as_it_is_and_with_an_order(name: str) -> None:
    found = game(name)
    for seat in found.due_seats:
        report = found.seen_by(seat).report()
        form = report.form
        assert form.startswith(f"orders of {found.id}, turn {found.seen_by(seat).turn}, as {seat}\n")
        assert form.endswith("\nEND of orders\n")
        assert max(map(cell_len, form.splitlines()[1:])) <= 58
        empty = found.apply(form)
        assert not empty.is_changed
        assert {problem.code for problem in empty.problems} <= {"orders/empty"}
        orders = [row.order for row in report.legal or ()]
        lines = [line for line in form.splitlines() if line.removeprefix("  # ") in orders]
        assert lines, "an order of each kind stands in the form"
        filled = "".join(f"{line.replace('# ', '', 1) if line == lines[0] else line}\n" for line in form.splitlines())
        assert found.apply(filled).problems == () and found.apply(filled).is_changed
        assert flat(form) in flat(adj.render(report))
    assert all(found.seen_by(viewer).report().form is None for viewer in (None, "moderator"))


def test_secrets_are_told_to_their_seat_alone() -> None:
    rally = game("checkpoint-rally")
    red, blue = (adj.render(rally.seen_by(seat).report()) for seat in rally.seats[:2])
    hidden = [text.partition("What only you know")[2].partition("\n\n")[0] for text in (red, blue)]
    assert all("your hand" in text for text in hidden) and hidden[0] != hidden[1]
    for viewer in (None, "moderator"):
        assert "What only you know" not in adj.render(rally.seen_by(viewer).report())
    assert "What only you know" not in adj.render(game("checkered-flag").seen_by("red").report())


@pytest.mark.parametrize(
    ("viewer", "words"),
    [(None, "as everybody sees it"), ("moderator", "as the moderator sees it"), ("red", "as Ann (red) sees it")],
)
def test_the_heading_says_who_looks(viewer: str | None, words: str) -> None:
    first, *_ = adj.render(begun("checkered-flag").seen_by(viewer).report()).splitlines()
    assert first == f"table · Checkered Flag · turn 1 · components house · {words}"
    assert adj.render(begun("checkered-flag").seen_by(viewer).position).splitlines()[0] == first


@pytest.mark.parametrize(
    ("players", "headline"),
    [
        ({"red": "Ann", "blue": "Bob"}, "Ann, it is your turn: "),
        ({"red": "Red", "blue": ""}, "Red, it is your turn: "),
        ({"red": "", "blue": "Bob"}, "Red, it is your turn: "),
    ],
)
def test_a_headline_names_the_player_once(players: dict[str, str], headline: str) -> None:
    found = next(
        one for seed in range(9) if (one := begun("checkered-flag", players=players, seed=seed)).due_seats == ("red",)
    )
    assert found.seen_by("red").report().headline.startswith(headline)
    waiting = found.seen_by("blue").report().headline
    assert waiting == ("Waiting for Ann (red)" if players["red"] == "Ann" else "Waiting for red")


def test_the_headline_of_a_finished_game_is_its_result_and_nobody_is_asked() -> None:
    over = example("checkered-flag/race/game.json")
    report = over.seen_by("red").report()
    assert report.headline == "Ann (red) has won" and report.form is None
    text = adj.render(report)
    assert " · over: Ann (red) has won · " in text.splitlines()[0]
    assert "Result\n" in text and "`turn" not in text and "What to do now" not in text


def test_who_is_not_asked_gets_no_list_of_orders_but_programs_get_it() -> None:
    found = game("great-race")
    asked, other = found.due_seats[0], next(seat for seat in found.seats if seat not in found.due_seats)
    report = found.seen_by(other).report()
    assert report.is_ahead and json.loads(adj.render(report, "json"))["legal"]
    for form in ("txt", "md", "html"):
        assert "What you can order now" in adj.render(found.seen_by(asked).report(), form)
        assert "What you can order now" not in adj.render(report, form)


INTERNAL = re.compile(
    r"\w*[^\W_]_\w+"  # a name of the program: no_newspaper
    r"|\b[a-z]\w*\[\d+\]"  # a place in a list: lines[0]
    r"|\b(?:None|True|False)\b"  # a value as Python writes it
    r"|<\w+|\w+\(\w+="  # a thing as Python writes it
)
IDENTIFIER = re.compile(r"\b[A-Z]+\d+[a-z]?\b")
"""What stands on a part of the game: a tile H3, a card D1, a marker W2e, a square K12."""
KINDS = [
    *((name, {}, 0) for name in GAMES),
    *((name, {}, 40) for name in GAMES),
    ("rally-round", {"mode": "internet"}, 12),
    ("rally-round", {"mode": "table"}, 25),
    ("rally-round", {"mode": "table", "kit": "deal"}, 25),
]


@pytest.mark.parametrize(("name", "options", "orders"), KINDS)
def test_a_report_has_no_name_that_only_the_program_uses(name: str, options: dict[str, str], orders: int) -> None:
    found = begun(name, orders=orders, options=options)
    for viewer in viewers(found):
        text = adj.render(found.seen_by(viewer).report())
        assert INTERNAL.findall(text) == []
        known, _, rest = text.partition("What only you know")
        rows = [
            row.split("  ", 1) for row in re.findall(r"^  (your .*\n(?:   .*\n)*)", rest.partition("\n\n")[0] + "\n", re.M)
        ]
        shown = {*IDENTIFIER.findall(flat(known + rest.partition("\n\n")[2]))}
        for title, *words in rows:
            said = flat(" ".join(words))
            assert said not in ("", "nothing", "yes", "no"), title
            missing = set(IDENTIFIER.findall(said)) - shown
            assert not missing, f"{title}: {missing} is nowhere else in the report"


@pytest.mark.parametrize("text", ["your clue no_hat", "lines[1]", "suspect None", "Reaction(helps=()", "<Slot.SCOUTS"])
def test_the_criterion_finds_what_it_should(text: str) -> None:
    assert INTERNAL.search(text)


# Rules


@pytest.mark.parametrize("name", GAMES)
def test_the_texts_of_rules_are_those_of_the_rules_page(name: str) -> None:
    texts = game(name).rule_texts
    facts = rules_of(name).facts
    assert [*texts] == [fact.id for fact in facts]
    for fact in facts:
        rulings = (f"{one.kind.capitalize()}: {one.text}" for one in fact.rulings)
        revisions = (f"Since version {one.since}: {one.text}" for one in fact.revisions)
        first, *points = texts[fact.id].replace("`", "").split("\n")
        assert first == fact.text and sorted(points) == sorted([*fact.more, *rulings, *revisions])


@pytest.mark.parametrize("name", GAMES)
def test_each_number_of_a_rule_on_a_page_opens_the_text_that_the_page_has_once(name: str) -> None:
    reader = game(name).seen_by(game(name).due_seats[0])
    for page in (adj.render(reader.report(since=0), "html"), reader.replay_page().text):
        named = {*re.findall(r'popovertarget="rule-([^"]+)"', page)}
        log = re.findall(r'<(td|span) class="why">(.*?)</\1>', page)
        assert named and any("popovertarget" in words for _, words in log)
        for number in named:
            (text,) = re.findall(rf'(?s)<div class="rule-text" id="rule-{number}" popover>(.*?)</div>', page)
            assert number in text and len(text) > 40


@pytest.mark.parametrize("name", GAMES)
def test_each_sentence_of_the_log_has_an_element_of_its_own(name: str) -> None:
    reader = game(name).seen_by("moderator")
    told = {sentence.replace("`", "") for row in reader.log() for sentence in row.told}
    assert told
    for page in (adj.render(reader.report(since=0), "html"), reader.replay_page().text):
        inner = re.findall(r"<(li|p)>(.*?)</\1>", page.partition('"log"')[2])
        assert told <= {unescape(re.sub(r"<[^>]+>", "", words)) for _, words in inner}


# Costs, orders, mistakes: what people add up and look for


def added_up(text: str) -> int:
    """Read the amounts back out of a sum as a person would: quoted labels and the rules at the end say nothing."""
    text = re.sub(r"“[^”]*”", "", re.sub(r" \([^()]*\)$", "", text))
    first = re.match(r"(−?)([0-9:]+)", text)
    assert first is not None, text
    amounts = [amount(first[2]) * (-1 if first[1] else 1)]
    for sign, number in re.findall(r" ([+−]) ([0-9:]+)?", text[first.end() :]):
        amounts.append(amount(number or "1") * (-1 if sign == "−" else 1))
    return sum(amounts)


def amount(words: str) -> int:
    minutes, _, seconds = words.rpartition(":")
    return int(minutes or 0) * 60 + int(seconds)


@pytest.mark.parametrize("name", GAMES)
def test_the_sum_behind_each_cost_adds_up(name: str) -> None:
    page = adj.render(adj.open(game(name).to_bytes()).seen_by("moderator").report(since=0), "html")
    found = 0
    for row in re.findall(r"(?s)<tr>(.*?)</tr>", page.partition('<table class="log">')[2].partition("</table>")[0]):
        cost, why = re.search(r'data-label="\w+">([^<]*)<', row), re.search(r'<td class="why">(.*?)</td>', row)
        if cost is not None and why is not None and why[1]:
            shown = unescape(cost[1])
            assert added_up(unescape(re.sub(r"<[^>]+>", "", why[1]))) == amount(shown.lstrip("−")) * (
                -1 if shown.startswith("−") else 1
            ), row
            found += 1
    assert found >= 3 or name == "checkpoint-charlie"


def expanded(words: str) -> list[str]:
    """Return the orders of a line such as `MOVE C2 | C3 with A | B`: each combination of the words beside bars."""
    parts = re.split(r"(?<!\|) (?!\|)", words)
    choices = []
    for part in parts:
        found = part.split(" | ")
        if "…" in found:  # numbers at equal steps
            first, second, last = int(found[0]), int(found[1]), int(found[-1])
            found = [str(number) for number in range(first, last + 1, second - first)]
        choices.append(found)
    return [" ".join(one) for one in product(*choices)]


@pytest.mark.parametrize("name", [*GAMES, "checkpoint-rally begun"])
def test_the_command_legal_lists_each_order_once_with_its_cost(run: Run, name: str) -> None:
    found = begun("checkpoint-rally") if name.endswith("begun") else game(name)
    found.save("g.json")
    seat = found.due_seats[0]
    lines = run("legal", "g.json", "--as", seat, code=0).stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("order  "))
    listed: dict[str, str] = {}
    effects = {name for name, _ in found.seen_by(seat).choices}  # cards, which stand below the orders with what they do
    for line in takewhile(str.strip, lines[at + 1 :]):
        cells = re.split(r"  +", line.strip())
        if cells[0] in effects:
            continue
        for order in expanded(cells[0]):
            assert order not in listed
            listed[order] = cells[1]
    rows = {row.order: row.min for row in found.seen_by(seat).legal}
    assert listed.keys() == rows.keys()
    for order, least in rows.items():
        shown = listed[order].replace("−", "-")
        assert shown == "–" if least is None else amount(shown.lstrip("-")) * (-1 if shown[0] == "-" else 1) == least, order


@pytest.mark.parametrize("name", GAMES)
def test_a_page_has_its_orders_in_folded_groups_with_their_costs(name: str) -> None:
    found = game(name)
    orders = [row.order for row in found.seen_by(found.due_seats[0]).legal]
    page = re.sub(r"(?s)<svg .*?</svg>", "", adj.render(found.seen_by(found.due_seats[0]).report(), "html"))
    legal = page.partition('id="legal"')[2].partition("</section>")[0]
    assert "<details open" not in page and "adjudicator legal" not in legal and "never under 0" not in legal
    verbs = {order.split()[0] for order in orders}
    assert verbs <= set(re.findall(r"[A-Z]+", unescape(legal)))
    if name == "checkpoint-rally":  # a matrix has the cost of every order
        assert legal.count("<td") >= sum(order.startswith("PLACE") for order in orders) > 100


MISTAKES = (
    *(
        "GEAR 9",
        "  GEAR 9",
        "\tGEAR\t9",
        "red: GEAR 9",
        "RED : GEAR 9",
        "GEAR 9 🚗",
        "GEAR\u00a09",
        "1. GEAR 9",
        "GEAR 9 or GEAR 8",
    ),
    *(
        "GAER 1",
        "GEAR É\u0301",
        "GEAR E\u0301 1",
        "gear 李明",
        "GEAR 1 brake 車9",
        "GEAR",
        "GEAR 1 brake",
        "x" * 90 + " GEAR 9",
    ),
    *(
        f"GEAR 9 {'x' * 500}",
        f"GEAR 1 brake {'車' * 200}9",
        f"GEAR {'9' * 300}",
        "\t" * 60 + "GEAR 9",
        "GEAR 1 \x1b[31mbrake 9",
    ),
    *(
        "\u202eGEAR 9",
        "IF gear is 9 THEN GEAR 9",
        "GEAR 1 IF gear is x THEN GEAR 2",
        "(GEAR 9",
        "GEAR 9 (GEAR 8)",
        "GEAR 1 [9",
    ),
)


def blocks(run: Run, lines: tuple[str, ...]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each problem of a text with these lines, as data and as the lines that are printed."""
    begun("checkered-flag").save("g.json")
    for line in lines:  # a refused order stops the rest of its sheet
        Path("o.txt").write_text(f"red:\n{line}\n", "utf-8")
        told, data = run("check", "g.json", "o.txt"), json.loads(run("check", "g.json", "o.txt", "--json").stdout)
        shown = [block.splitlines() for block in re.split(r"\n\n", told.stderr) if block.startswith("o.txt:")]
        assert len(shown) == len(data["problems"])
        yield from zip(data["problems"], shown, strict=True)


def test_carets_stand_under_what_is_wrong(run: Run) -> None:
    """Measured by another library than the program's, whatever the player typed around the mistake."""
    seen = 0
    for problem, (head, line, carets, *_) in blocks(run, MISTAKES):
        assert head.startswith(f"o.txt:{problem['line']}:{problem['column']}: {problem['code']}")
        assert sum(map(get_character_cell_size, line)) <= 107 and len(carets) <= 107
        assert set(carets) == {" ", "^"}
        above, column = "", 0
        for character in line:
            width = get_character_cell_size(character)
            if carets[column : column + max(width, 1)].strip() and width:
                assert carets[column : column + width] == "^" * width, "a caret is as wide as its letter"
                above += character
            column += width
        marked = problem["text"][problem["column"] - 1 :][: problem["width"]]
        wanted = "".join(one for one in marked if get_character_cell_size(one) and one.isprintable())
        if wanted.strip() and len(wanted) < 80:
            shown = "".join(one for one in unicodedata.normalize("NFC", above) if one != "…")
            assert shown.strip() == unicodedata.normalize("NFC", wanted).strip() or not marked.isprintable(), (line, carets)
            seen += 1
        else:
            assert carets.strip() == "^" * carets.count("^")
    assert seen >= 15


def test_a_mistake_has_its_place_its_rule_and_what_to_try(run: Run) -> None:
    ((_, lines),) = blocks(run, ("  GEAR 9",))
    assert lines[0] == "o.txt:2:8: checkered-flag/no-such-gear (CF-C3)"
    assert lines[1:3] == ["  red: GEAR 9", "            ^"]
    assert lines[4:] == ["  try: GEAR N", "       GEAR 1", "       GEAR 2", "       GEAR 3"]
    player = adj.render(begun("checkered-flag").play_turn({"red": "GEAR 9"}).reports[0])
    assert "there is no gear 9" in player and "rule CF-C3 [checkered-flag/no-such-gear]" in player


def test_lines_that_count_as_nothing_are_told_in_stretches_and_not_without_end(run: Run) -> None:
    begun("checkered-flag").save("g.json")
    Path("o.txt").write_text("red:\n  GEAR 1\n" + "".join(f"> line {n}\n" for n in range(5)), "utf-8")
    told = run("check", "g.json", "o.txt").output
    assert "ignored: o.txt, lines 3 to 7 (" in told and "… and 2 more" in told
    Path("o.txt").write_text("red:\n" + "".join(f"  GEAR 1\n> line {n}\n" for n in range(400)), "utf-8")
    told = run("check", "g.json", "o.txt").output
    assert re.search(r"… and \d+ more lines about ignored text", told)
    assert told.count("ignored: ") < 300


def test_a_receipt_names_the_file_alone_and_of_a_text_for_several_seats_no_hash(run: Run) -> None:
    """With the hash, a seat could try out what others may have ordered; a place tells how much they have written."""
    begun("checkered-flag", orders=1).save("g.json")
    Path("in").mkdir()
    head = "From: ann@example.org\nReceived: by mx.example.org; Mon, 2 Mar 2026 17:08:41 +0000\n\n"
    Path("in/ann.eml").write_text(f"{head}red:\n  GEAR 1\n")
    own = run("check", "g.json", "in/ann.eml").stdout
    assert re.search(r"red: received ann\.eml, 2026-03-02 17:08:41 UTC, sha256 [0-9a-f]{16}\n  line \d+ +GEAR 1 ", own)
    Path("in/both.txt").write_text("red:\n  GEAR 1\nblue:\n  GEAR 1\n")
    both = run("check", "g.json", "in/both.txt").stdout
    assert "red: received both.txt, a text for several seats\n  GEAR 1" in both
    assert "sha256" not in both and "in/" not in own + both
