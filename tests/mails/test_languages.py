"""Orders in other languages: the same orders, told in the same places; nothing on record knows of languages."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from lark import Lark
from lark.exceptions import LarkError

import adjudicator as adj
from adjudicator.core.values import replace
from adjudicator.library.rulesets import schema
from adjudicator.library.words import LanguageError, ambiguous_words
from adjudicator.orders.grammar import grammar_of
from adjudicator.orders.languages import ambiguities, in_english, read_words, rules_with_languages, translate, with_words
from adjudicator.orders.submission import clean, plain
from adjudicator.rulesets import ruleset as rules_of
from tests.drivers.mails import (
    EXAMPLES,
    GAMES,
    LANGUAGES,
    RALLY,
    Found,
    at_turn_7,
    new_game,
    pending_after,
    portion,
    read,
    read_file,
)

ROOT = Path(__file__).parents[2]
FILES = {code: json.loads((ROOT / "grammar" / "languages" / f"{code}.json").read_text("utf-8")) for code in LANGUAGES}
EVERY = [(game, code) for game in GAMES for code in LANGUAGES]
"""Six languages for each game; a run of the tests has a portion of them."""
HARD = {
    "checkpoint-rally": (
        "IF row has U7 AND NOT hand < 3 THEN TAKE U7 ELSE (MOVE C3 D3 OR DRAW)",
        "IF minutes of blue at least 3 THEN REFRESH",
        "IF cost of MOVE C3 <= 4 THEN MOVE C3",
        "IF U7 not in row THEN DRAW",
        "IF tile at C3 is not H3 THEN KEEP H3 U1",
        "red: DRAW two tiles",
        "move to C3 and D3",
        "PLACE H3 rot 90 at C2 with gps",
        "PLACE the tile H3 on C2 90 degrees clockwise",
        "REFRESH the row",
        "TAKE U7 from the row",
        "DISCARD G7 and H2",
    ),
    "checkpoint-charlie": (
        "CLUE no hat",
        "CLUE raincoat",
        "ACCUSE Boris received 2026-11-20 18:05",
        "WAIT 3 times in round 2",
        "IF clue of b = hat THEN PASS ELSE WAIT",
        "ANNOUNCE ten points",
        "SWAP white with Laces",
        "PASS",
    ),
    "checkered-flag": (
        "GEAR neutral",
        "GEAR first go",
        "GEAR 2 brake to 36",
        "GEAR third brake before the next danger",
        "do not brake",
        "GO",
        "BRAKE by 2 spaces",
    ),
    "great-race": (
        "IF excess > 0 THEN (DISCARD Caravan OR DISCARD Toolbox)",
        "IF danger at K4 is yes THEN DRIVE K4 using escort ELSE DRIVE K4",
        "PLAN scouts 2 mechanics 2 escort 1",
        "REACT danger with escort, ranger only if parts > 2",
        "SCOUT tiles first K4 then K5",
        "LAY pass at K4",
        "LAY dunes at K4",
        "PAY engine 1 chassis 1 using ranger",
        "DRIVE sea Cairo using transport 1",
        "REPAIR engine 1 chassis 2 using parts 1 toolbox 1 buy 1",
        "PLAY Trail hunter keeping Ranger, Spare parts, Toolbox, Jerrycan",
        "PLAY Cartographer cheap K4 then K5 then K6",
        "PLAY Driver K4 K5 losing chassis using ranger, caravan",
        "PLAY Saboteur on blue engine 1 chassis 1",
        "PLAY Tracker remove K7",
        "PLAY Cheater swap K4 with M2",
        "TAKE Refuelling OR TAKE Financial OR TAKE Mechanic",
        "CANCEL with ranger",
        "BUY 2 levels",
        "BUY parts 2",
        "DRIVE K4 using ranger and caravan",
        "PASS",
    ),
    "rally-round": (
        "KIT driver D3 navigator N1 equipment E4 starting S2 acceleration A2 deceleration B5",
        "IF kept has H7 AND NOT left <= 3 THEN SPEED 50 using H7 ELSE SPEED 40",
        "IF colour is white THEN SPEED 30 ELSE TURN ROUND",
        "IF timing is stage THEN SPEED 60",
        "IF speed of blue at least 40 THEN SPEED 40 ahead ELSE SPEED 30 behind",
        "SPEED 40 via Mill Lane via HT4",
        "PLACE BLACKSPOT at D6",
        "PLACE PC at E3 from the north",
        "PLACE TC4 at K2 from south regularity 24",
        "PLACE TC at T8 from W selective section",
        "START at A4",
        "FINISH on G16",
        "PASS",
        "CHOOSE crew red",
        "BLOCK always",
        "BLOCK never",
        "to TC3: 10 20 30",
        "PICK D3 and E4",
        "SPEED 40 mph",
        "drive 40 with card H7",
    ),
}


@pytest.mark.parametrize("case", portion(EVERY, 7), ids=" ".join)
def test_what_is_translated_is_read_as_what_it_was(case: tuple[str, str]) -> None:
    """So are capitals, and English words go on meaning what they mean."""
    game, code = case
    english = grammar_of(rules_of(game))
    spoken = rules_with_languages(rules_of(game), [code]).language.spoken
    wrong = []
    for text in (*HARD[game], *EXAMPLES[game]):
        said = read_file(text, game)
        line = translate(english, spoken, text)
        read, upper = read_file(line, game, code), read_file(line.upper(), game, code)
        if (read.red, read.codes) != (said.red, said.codes) or read_file(text, game, code).red != said.red:
            wrong.append((text, line, read.red))
        if [one.casefold() for one in upper.red] != [one.casefold() for one in read_file(text.upper(), game).red]:
            wrong.append((text, line.upper(), upper.red))  # a name in a condition stays as it is written
    assert wrong == []


@pytest.mark.parametrize(
    ("game", "code", "line", "said"),
    [
        ("rally-round", "de", "SPEED 40 via Mill Lane", "TEMPO 40 über Mill Lane"),
        ("rally-round", "nl", "SPEED 40 via Mill Lane via HT4", "SNELHEID 40 langs Mill Lane langs HT4"),
        ("checkpoint-charlie", "fr", "ACCUSE Boris received 2026-11-20 18:05", "ACCUSE Boris reçu 2026-11-20 18:05"),
        (RALLY, "it", "MOVE C3 via D3", "MUOVI C3 per D3"),
    ],
)  # fmt: skip
def test_words_that_introduce_names_are_translated(game: str, code: str, line: str, said: str) -> None:
    spoken = rules_with_languages(rules_of(game), [code]).language.spoken
    assert translate(grammar_of(rules_of(game)), spoken, line).casefold() == said.casefold()


@cache
def lines(game: str) -> tuple[str, ...]:
    """Return lines with every keyword of the game, and those that all games share."""
    fact, order = min(rules_of(game).facts), EXAMPLES[game][0]
    return tuple(
        dict.fromkeys((
            *(*HARD[game], *EXAMPLES[game], "game rally, turn 7", "turn 7", "red: WITHDRAW from order 2"),
            *("withdraw all waiting orders", f"{order} OR {order}", f"IF U7 in {fact} THEN {order} ELSE {order}"),
            *(f"IF U7 not in {fact} AND NOT {fact} is at most 3 THEN {order}", f"{order} IF {fact} of blue has red"),
            *(f"IF cost of {order} less than 3 THEN {order}", f"IF {fact} is not red THEN {order}"),
        ))
    )  # fmt: skip


@cache
def translations(game: str, code: str) -> list[tuple[str, str]]:
    """Return the ``lines`` with their translations, in all synonyms: four turns of each word."""
    english, spoken = rules_of(game), rules_with_languages(rules_of(game), [code]).language.spoken

    def turned(table: Any, by: int) -> Any:
        return {word: (*others[by % len(others) :], *others[: by % len(others)]) for word, others in table.items()}

    found = []
    for by in range(4):
        names = {rule: turned(table, by) for rule, table in spoken.names.items()}
        words = replace(spoken, words=turned(spoken.words, by), own=turned(spoken.own, by), names=names)
        found += [(line, translate(grammar_of(english), words, line)) for line in lines(game)]
    return list(dict.fromkeys(found))


def misread(game: str, *codes: str) -> list[tuple[str, str]]:
    """Return the translations that rules with all these languages read as something else; names may be in capitals."""
    english, spoken = grammar_of(rules_of(game)), grammar_of(rules_with_languages(rules_of(game), codes))

    def is_same(line: str, other: str) -> bool:
        return repr(english.parse(line)).casefold() == repr(spoken.parse(clean(other))).casefold()

    return [both for code in codes for both in translations(game, code) if not is_same(*both)]


SELDOM = {"HARM", "_WITH"}
"""Names of cards, and a word that another keyword reads first."""


@pytest.mark.parametrize("case", portion(EVERY, 14), ids=" ".join)
def test_no_word_of_a_language_is_read_as_something_else(case: tuple[str, str]) -> None:
    assert misread(*case) == []
    grammar = grammar_of(rules_of(case[0]))
    kinds = {kind for line in lines(case[0]) for kind, _ in grammar.words(line)}
    keywords = {kind for kind, words in grammar.spellings.items() if any(word.isalpha() for word in words)}
    assert keywords - kinds <= SELDOM, "the lines lack a keyword"
    spoken = rules_with_languages(rules_of(case[0]), [case[1]]).language.spoken
    meant = [(plain(word), english) for english, words in spoken.names["fact"].items() for word in words]
    assert len(dict(meant)) == len(meant)


PAIRS = [(game, *pair) for game in GAMES for pair in combinations(LANGUAGES, 2)]


@pytest.mark.parametrize("case", [("checkered-flag", "de", "es"), (RALLY, "es", "nl"), *portion(PAIRS, 0)], ids=" ".join)
def test_ambiguous_words_of_every_pair_of_languages_are_listed(case: tuple[str, str, str]) -> None:
    """Spanish `en` is “at”, Dutch `en` is “and”; French `de` is “from”, Dutch `de` is “the”."""
    game, *pair = case
    assert bool(misread(*case)) == bool(ambiguities(rules_with_languages(rules_of(game), pair).language.spoken, ()))


def test_words_that_mean_two_things_are_told() -> None:
    def told(codes: str, *seats: str) -> tuple[str, ...]:
        return ambiguous_words(adj.new(RALLY, seats, seed=7).with_languages(codes.split()))

    assert told("de", "red", "blue") == ()
    assert told("de", "lege", "blue") == ("“lege” means “place”, but something in this game has that name",)
    assert told("es nl de", "red", "blue") == ("“en” means “at” or “by” or “in” in Spanish and “and” in Dutch",)


GRAMMAR = """
start: _GO KIND? count -> go
count: INT

// A comment with a word: /go/i
_GO.2: /(?:go|walk)(?![A-Z0-9_])/i
KIND.2: /(?:at +(?:least|most)|than)(?![A-Z0-9_])/i
    | "/" | /up +to(?![A-Z0-9_])/i
INT: /[0-9]+/
NAME: /[A-Z]+/i
%ignore " "
"""


def test_words_are_inserted_into_the_text_of_a_grammar() -> None:
    words = {"go": ("gehe", "Öffne"), "at least": ("mindestens",), "up": ("bis",), "to": ("zu",), "than": ("als",)}
    text, meant = with_words(GRAMMAR, words, {"fact": {"mud": ("błoto",)}})
    parser = Lark(text, parser="lalr", g_regex_flags=int(re.ASCII))
    lines = ("GO 1", "gehe 2", "oeffne 3", "ÖFFNE mindestens 4", "walk bis  zu 5", "o\u0308ffne at most 6", "go / 7")
    trees = [parser.parse(line) for line in lines]
    kinds = [in_english(meant["KIND"], token) for tree in trees for token in tree.children if isinstance(token, str)]
    assert kinds == ["at least", "up  to", "at most", "/"]
    assert [line for line in ("gehee 1", "gehe2", "öffn 3") if _is_read(parser, line)] == []
    assert set(meant) == {"_GO", "KIND"}
    assert "// A comment with a word: /go/i\n" in text
    assert with_words(GRAMMAR, {}, {}) == (GRAMMAR, {})


def _is_read(parser: Lark, line: str) -> bool:
    with suppress(LarkError):
        return bool(parser.parse(line))
    return False


READ = [
    # Accents, capitals and English words make no difference.
    (RALLY, "pl", "poloz H3 na C2 obrot 90", "PLACE H3 at C2 rot 90"),
    (RALLY, "pl", "POŁÓŻ H3 NA C2 OBRÓT 90", "PLACE H3 at C2 rot 90"),
    (RALLY, "pl", "polo\u0301ż H3 na C2 obro\u0301t 90", "PLACE H3 at C2 rot 90"),
    (RALLY, "pl", "połóż H3 at C2 rot 90", "PLACE H3 at C2 rot 90"),
    (RALLY, "pl", "  połóż   H3, na C2 obrót=90 stopni.", "PLACE H3 at C2 rot 90"),
    # Names that only one game asks for have accents, too.
    ("great-race", "de", "lege Dünen auf K4", "LAY dunes at K4"),
    ("great-race", "de", "lege Duenen auf Le-Havre", "LAY dunes at Le-Havre"),
    pytest.param("great-race", "fr", "POSE GUÉ sur K4", "LAY ford at K4", marks=pytest.mark.soak),
    # Umlauts may be spelled out.
    *((RALLY, "de", line, "DRAW") for line in ("ZIEHE zwei Plättchen", "ziehe zwei Plaettchen", "ziehe zwei plattchen")),
    # Apostrophes are read as mail programs leave them.
    *((RALLY, "fr", f"si tuile à C3 n{sign}est pas H3 alors pioche", "IF tile at C3 is not H3 THEN DRAW") for sign in "'’´"),
    # A word of one letter is no part of a name: in Spanish and Italian `o` is “or” and `e` “and”.
    ("rally-round", "es", "VELOCIDAD 20 por O10", "SPEED 20 via O10"),
    ("rally-round", "it", "VELOCITÀ 20 per e4", "SPEED 20 via E4"),
]


@pytest.mark.parametrize(("game", "code", "line", "meant"), READ)
def test_a_line_in_another_language_is_the_english_order(game: str, code: str, line: str, meant: str) -> None:
    assert read_file(line, game, code).red == read_file(meant, game).red != []


@pytest.mark.parametrize(
    ("code", "line", "problem", "suggestion"),
    [
        *(
            ("de", line, "unknown-order", None) for line in ("ziehen2", "ziehé", "zieheé C3", "behalteH3")
        ),  # a word ends where it ends
        *((("de", f"if {word} hand < 3 then draw", "too-deep", None)) for word in ("nicht " * 30, "not " * 30)),
        ("fr", "si main < 3 alor pioche", "unexpected", "si main < 3 ALORS pioche"),
        ("", "ziehe", "unknown-order", None),  # English rules know nothing of languages
        ("de", "ziehhe", "unknown-order", "ZIEHE"),
    ],
)
def test_what_is_wrong_in_another_language_is_told_in_english(
    code: str, line: str, problem: str, suggestion: str | None
) -> None:
    found = read_file(line, RALLY, code)
    assert [one for one in found.codes if one != "empty"] == [problem] or found.codes == ["empty"]
    assert suggestion is None or found.only.suggestions[:1] == (suggestion,)
    assert suggestion != "si main < 3 ALORS pioche" or "`THEN`" in found.only.message


@pytest.mark.parametrize(
    ("code", "word"),
    [("fr", "pièces de rechange"), ("pl", "części zamienne"), ("es", "piezas de repuesto"), ("nl", "reserveonderdelen")],
)
def test_a_message_writes_words_as_their_language_does(code: str, word: str) -> None:
    message = read_file("REPAIR engine 1 using x", "great-race", code).only.message
    assert message == f"“x” does not fit here: expected `{word}`"


@pytest.mark.parametrize("case", portion(EVERY, 7), ids=" ".join)
def test_the_order_words_of_the_languages_of_the_game_count_among_other_words(case: tuple[str, str]) -> None:
    """`Ich/je/yo ZIEHE x` is an order with other words around it, which stops the sheet: it is no remark."""
    game, code = case
    verbs = {example.split()[0].casefold() for example in EXAMPLES[game]}
    own = FILES[code]["games"][game]["words"]
    words = sorted({word.upper() for verb in verbs for word in own.get(verb, ()) if word.isalpha()})
    assert words
    order = EXAMPLES[game][0]
    reads = {word: read(f"{order}\n\nIch/je/yo {word} x\n{order}", game, code) for word in words}
    assert [word for word, found in reads.items() if 3 not in found.wrong] == []


def test_headers_ends_and_greetings_of_a_sheet() -> None:
    game = at_turn_7().with_languages(["de"])
    found = pending_after(
        game, "Spiel rally-042, Zug 7\nred:\n  ziehe\n  erneuere die Auslage\nEnde.\nbis bald\nblue:\nfahre C3\n"
    )
    assert (found.orders, found.raw) == ({"red": ["DRAW", "REFRESH"], "blue": ["MOVE C3"]}, [])
    wrong = pending_after(game, "Zug 6\nred: ziehe\nblue: DRAW\nZug sieben\nred: DRAW\n")
    assert (wrong.orders, wrong.problems) == ({}, [Found(1, "wrong-turn", "6"), Found(4, "unexpected", "sieben")])


def test_nothing_on_record_knows_of_languages() -> None:
    plain, spoken = new_game(), new_game().with_languages(["de"])
    assert spoken.record.languages != plain.record.languages
    seat = plain.due_seats[0]
    english = plain.seen_by(seat).legal[0].order
    german = english.replace("PLACE", "lege").replace(" at ", " auf ").replace(" rot ", " gedreht ")
    one, other = plain.apply({seat: english}).game, spoken.apply({seat: german})
    assert other.problems == ()
    assert [row.order for row in one.seen_by().log()] == [row.order for row in other.game.seen_by().log()]
    with pytest.raises(LanguageError):
        plain.with_languages(["klingon"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "this is not complete JSON: it ends too early"),
        ("[]", "must be a group of names and values, not a list"),
        ('{"code": "de"}', "“name” is missing"),
        ('{"code": "de", "name": "G", "gams": 1}', "the name “gams” is unknown here; did you mean “games”?"),
        ('{"code": "en", "name": "English"}', "code: write the code of a language other than English, such as de, not “en”"),
        ('{"code": "DE", "name": "G"}', "such as de, not “DE”"),
        ('{"code": "de", "name": ""}', "name: must not be empty"),
        ('{"code": "de", "name": "G", "words": []}', "words: must be a group of names and values, not a list"),
        ('{"code": "de", "name": "G", "words": {"if": "wenn"}}', "words.if: must be a list, not “wenn”"),
        ('{"code": "de", "name": "G", "words": {"if": ["we(nn)"]}}', "words.if[0]: write 1 to 40 letters"),
        ('{"code": "de", "name": "G", "words": {"if": ["wenn", "a  b"]}}', "words.if[1]: write 1 to 40 letters"),
        ('{"code": "de", "name": "G", "games": {"g": {"wrods": {}}}}', "games.g: the name “wrods” is unknown here; did you"),
        ('{"code": "de", "name": "G", "games": {"g": {"names": {"fact": 1}}}}', "games.g.names.fact: must be a group"),
        ('{"code": "de", "name": "G", "name": "H"}', "the name “name” appears twice"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_bad_file_of_words_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(LanguageError, match=r"xx\.json") as caught:
        read_words("xx.json", text)
    assert words in str(caught.value)


def test_all_mistakes_in_a_file_of_words_are_told_at_once() -> None:
    with pytest.raises(LanguageError) as caught:
        read_words("xx.json", '{"code": "DE", "words": {"if": ["?", "wenn", 3]}}')
    assert [line.partition(":")[0].strip() for line in str(caught.value).splitlines()[1:]] == [
        "“name” is missing",
        "code",
        "words.if[0]",
        "words.if[2]",
    ]


def test_every_file_is_as_its_schema_says_and_has_every_verb() -> None:
    validator = Draft202012Validator(json.loads(schema("language.json")))
    assert [error for language in FILES.values() for error in validator.iter_errors(language)] == []
    assert {language["code"] for language in FILES.values()} == set(LANGUAGES)
    assert {path.stem for path in (ROOT / "grammar" / "languages").glob("*.json")} == set(LANGUAGES)
    for code, language in FILES.items():
        assert set(language["games"]) == set(GAMES), code
        for game in GAMES:
            verbs = {word for word in (line.split()[0].casefold() for line in EXAMPLES[game]) if word.isalpha()}
            assert verbs <= language["games"][game]["words"].keys() | language["words"].keys(), (code, game)


def test_the_page_has_an_example_and_the_site_tables_of_all_words() -> None:
    example = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "languages.md").read_text("utf-8"), re.DOTALL)[0]
    assert json.loads(example)["code"] == "eo"
    assert list(Draft202012Validator(json.loads(schema("language.json"))).iter_errors(json.loads(example))) == []
    tables = run_path(str(ROOT / ".ci" / "language_words.py"))["tables"]()
    cells = {cell for line in tables.splitlines() for cell in line.strip("|").split("|")}
    words = [item for one in FILES.values() for part in (one, *one["games"].values()) for item in part["words"].items()]
    assert len(words) > 1000
    assert [english for english, spoken in words if not {f"`{english}`", ", ".join(spoken)} <= cells] == []


def test_another_package_brings_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shared words come with the program."""
    from adjudicator.orders.languages import languages

    package = tmp_path / "foreign_game"
    (package / "data" / "languages").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    names = {"fact": {"height": ["Höhe"]}, "word": {"height": ["Höhe"]}}
    own = {"code": "de", "name": "German", "games": {"foreign": {"words": {"jump": ["springe"]}, "names": names}}}
    (package / "data" / "languages" / "de.json").write_text(json.dumps(own))
    monkeypatch.syspath_prepend(str(tmp_path))
    ((code, found),) = languages(replace(rules_of(RALLY).meta, id="foreign", ruleset="foreign_game:Foreign")).items()
    assert (code, found.games["foreign"].words, found.words["if"][0]) == ("de", {"jump": ("springe",)}, "wenn")
    assert found.games["foreign"].names["fact"] == {"height": ("Höhe",)}


def test_no_word_of_a_language_stands_twice_in_its_file() -> None:
    """A game's words come on top of those that all games share, and its facts have the same words as its orders."""
    twice = []
    for code, language in FILES.items():
        for game, own in language["games"].items():
            names = [item for kind in ("fact", "word") for item in own.get("names", {}).get(kind, {}).items()]
            twice += [(code, game, one) for one in own["words"].items() if one in language["words"].items()]
            twice += [(code, game, one) for one in names if one in {**language["words"], **own["words"]}.items()]
    assert twice == []


@pytest.mark.parametrize("game", GAMES)
def test_french_and_dutch_differ_in_one_word(game: str) -> None:
    seats = ["red", "blue", "green"][: 3 if game == "checkpoint-charlie" else 2]
    (said,) = ambiguous_words(adj.new(game, seats, seed=7).with_languages(["fr", "nl"]))
    assert said.startswith("“de” means “") and said.endswith(" in French and “the” in Dutch")
