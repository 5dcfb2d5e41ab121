"""Orders in other languages: the same orders, told in the same places; nothing on record knows of languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from portion import portion

from adjudicator.core.ids import Seat
from adjudicator.core.languages import LanguageCode, spoken
from adjudicator.games.checkered_flag.rules import RULESET as FLAG
from adjudicator.games.checkpoint_charlie.rules import RULESET as CHARLIE
from adjudicator.games.checkpoint_rally.rules import RULESET as RALLY
from adjudicator.games.great_race.rules import RULESET as RACE
from adjudicator.games.rally_round.rules import RULESET as ROUND
from adjudicator.orders.clean import clean
from adjudicator.orders.conflicts import conflicts
from adjudicator.orders.grammar_source import shared_terminals
from adjudicator.orders.languages import LanguageError, languages, read_words, rules_with_languages
from adjudicator.orders.line_parser import line_parser, load_grammar, stepper
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import reader
from adjudicator.orders.submission import Addressee
from adjudicator.orders.synonyms import extend, terminals_of
from adjudicator.orders.translation import translate
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.store import schema as schemas

SEATS = (Seat("red"), Seat("blue"))
GAMES = {rules.meta.id: rules for rules in (RALLY, CHARLIE, FLAG, RACE, ROUND)}
RECORDED = Path(__file__).parents[1] / "data" / "games"
EVERY = [(game, code) for game, rules in GAMES.items() for code in languages(rules.meta)]
"""Six languages for each game; a run of the tests has a portion of them."""


def recorded_orders(game: str) -> Iterator[str]:
    for path in (RECORDED / game).glob("*.json"):
        for entry in json.loads(path.read_text("utf-8"))["journal"]:
            words = entry["entry"]["written"] or entry["entry"]["order"]
            if words and entry["entry"]["seat"]:
                yield words


HARD = {
    "checkpoint-rally": (
        "IF row has U7 AND NOT hand < 3 THEN TAKE U7 ELSE (MOVE C3 D3 OR DRAW)",
        "IF minutes of blue at least 3 THEN REFRESH",
        "IF cost of MOVE C3 <= 4 THEN MOVE C3",
        "IF U7 not in row THEN DRAW",
        "IF tile at C3 is not H3 THEN KEEP H3 U1",
        "red: DRAW two tiles",
        "game rally, turn 7",
        "move to C3 and D3",
        "PLACE H3 rot 90 at C2 with gps",
        "red: WITHDRAW from order 2",
        "withdraw all waiting orders",
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
        "drive 40 with card H7",
    ),
}


@pytest.mark.parametrize("words", portion(EVERY, 10), ids=" ".join)
def test_what_is_translated_is_read_as_what_it_was(words: tuple[str, str]) -> None:
    game, code = words
    rules = GAMES[game]
    recorded = list(dict.fromkeys(recorded_orders(game)))
    told = [*HARD[game], *rules.language.examples, *recorded[:: max(1, len(recorded) // 50)]]
    assert_read_as_english(rules, code, told)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "code"), EVERY)
def test_every_recorded_order_translated_is_read_as_what_it_was(game: str, code: str) -> None:
    assert_read_as_english(GAMES[game], code, dict.fromkeys(recorded_orders(game)))


def assert_read_as_english(rules: Any, code: str, told: Iterable[str]) -> None:
    words, other = spoken(rules.meta.id, [languages(rules.meta)[LanguageCode(code)]]), rules_with_languages(rules, [code])
    english, foreign = reader(rules), reader(other)
    wrong = []
    for text in told:
        said = english.read(text)
        if isinstance(said, LineProblem):
            assert text.split()[0] in ("SEAT", "UNDO", "AMEND", "REVEAL"), text
            continue
        line = translate(rules, words, text)
        if foreign.read(clean(line)) != said or foreign.read(text) != said:
            wrong.append((text, line))
        capitals = foreign.read(clean(line.upper())), english.read(text.upper())
        if repr(capitals[0]).casefold() != repr(capitals[1]).casefold():  # a name in a condition stays as it is written
            wrong.append((text, line.upper()))
    assert wrong == []


@pytest.mark.parametrize("words", portion(EVERY, 10, 4), ids=" ".join)
def test_no_word_of_a_language_is_read_as_something_else(words: tuple[str, str]) -> None:
    game, code = words
    assert conflicts(rules_with_languages(GAMES[game], [code])) == ()


def test_the_languages_of_all_games_are_the_same() -> None:
    codes = set(languages(RALLY.meta))
    assert codes == {"de", "es", "fr", "it", "nl", "pl"}
    assert [game for game, rules in GAMES.items() if set(languages(rules.meta)) != codes] == []


PAIRS = [(game, *pair) for game, rules in GAMES.items() for pair in combinations(languages(rules.meta), 2)]
QUICK = [words for words in PAIRS if words[0] == "checkered-flag"]
"""To build a parser for every pair takes a minute for the games with many words: of those the long run does it."""
CONFLICTS = {(game, "es", "nl") for game in ("checkpoint-rally", "great-race", "rally-round")} | {("great-race", "fr", "it")}
"""Spanish `en` is “at”, Dutch `en` is “and”; French `carte` is a card, Italian `carte` are cards."""


@pytest.mark.parametrize("words", [*portion(QUICK, 5), *portion(sorted({*PAIRS} - {*QUICK}), 0)], ids=" ".join)
def test_every_pair_of_languages_is_without_conflict_or_known_to_have_one(words: tuple[str, str, str]) -> None:
    game, *pair = words
    assert bool(conflicts(rules_with_languages(GAMES[game], pair))) == (words in CONFLICTS)


def test_a_pair_has_a_conflict() -> None:
    assert conflicts(rules_with_languages(RALLY, ("es", "nl")))


def test_conflicts_are_found_in_one_grammar_whatever_is_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grammar that is compiled twice may have other numbers of states."""
    rules, used = rules_with_languages(RALLY, ("es", "nl")), []
    found = conflicts(rules)
    monkeypatch.setattr("adjudicator.orders.conflicts.load_grammar", lambda rules: used.append(rules) or load_grammar(rules))
    assert found
    assert conflicts(rules) == found
    assert len(used) == 1


@pytest.mark.parametrize(
    ("code", "line", "meant"),
    [("es", "VELOCIDAD 20 por O10", "SPEED 20 via O10"), ("it", "VELOCITÀ 20 per e4", "SPEED 20 via E4")],
)
def test_a_word_of_one_letter_is_no_part_of_a_name(code: str, line: str, meant: str) -> None:
    """In Spanish and Italian `o` is “or” and `e` “and”; O10 and E4 are squares in every language."""
    assert reader(rules_with_languages(ROUND, [code])).read(line) == reader(ROUND).read(meant)


def test_a_word_that_is_a_name_of_the_game_is_told() -> None:
    found = conflicts(rules_with_languages(RALLY, ["de"]), {"lege", "h3", "minutes"})
    assert found == ("“lege” means “place”, but something in this game has that name",)


def test_words_that_collide_with_english_ones_are_told(own: Callable[..., Any]) -> None:
    assert "“draw” cannot be read" in " ".join(conflicts(own({"move": ["draw"]})))
    assert "“foo” means both “two” and “tiles”" not in " ".join(conflicts(own({"two": ["foo"], "tiles": ["foo"]})))
    said = " ".join(conflicts(own({}, {"fact": {"row": ["x"], "hand": ["X"]}})))
    assert "“X” means both “row” and “hand”" in said


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return the rules of Checkpoint Rally that understand a language of these words."""

    def understanding(words: dict[str, list[str]], names: dict[str, Any] | None = None) -> Any:
        game = {"words": words, "names": names or {}}
        text = json.dumps({"code": "xx", "name": "Test", "games": {RALLY.meta.id: game}})
        monkeypatch.setattr("adjudicator.orders.languages.language_files", lambda _meta: [("xx.json", text)])
        monkeypatch.setattr("adjudicator.orders.languages._speaking", {})
        return rules_with_languages(RALLY, ["xx"])

    return understanding


@pytest.mark.parametrize(
    "line",
    [
        "poloz H3 na C2 obrot 90",
        "POŁÓŻ H3 NA C2 OBRÓT 90",
        "polo\u0301z\u0307 H3 na C2 obro\u0301t 90".replace("z\u0307", "ż"),
        "połóż H3 at C2 rot 90",
        "  połóż   H3, na C2 obrót=90 stopni.",
    ],
)
def test_accents_capitals_and_english_words_make_no_difference(line: str) -> None:
    assert reader(rules_with_languages(RALLY, ["pl"])).read(clean(line)) == reader(RALLY).read("PLACE H3 at C2 rot 90")


@pytest.mark.parametrize(
    ("code", "line", "meant"),
    [
        ("de", "lege Dünen auf K4", "LAY dunes at K4"),
        ("de", "lege Duenen auf Le-Havre", "LAY dunes at Le-Havre"),
        ("fr", "POSE GUÉ sur K4", "LAY ford at K4"),
        pytest.param("pl", "połóż bród na K4", "LAY ford at K4", marks=pytest.mark.soak),
    ],
)
def test_names_that_only_one_game_asks_for_have_accents_too(code: str, line: str, meant: str) -> None:
    """In The Great Race a name may have hyphens, so that it is no `NAME` of the shared grammar."""
    assert reader(rules_with_languages(RACE, [code])).read(clean(line)) == reader(RACE).read(meant)


@pytest.mark.parametrize("line", ["ZIEHE zwei Plättchen", "ziehe zwei Plaettchen", "ziehe zwei plattchen"])
def test_umlauts_may_be_spelled_out(line: str) -> None:
    assert reader(rules_with_languages(RALLY, ["de"])).read(line) == reader(RALLY).read("DRAW")


@pytest.mark.parametrize("line", ["ziehen2", "ziehend", "ziehé", "zieheé C3", "behalteH3"])
def test_a_word_ends_where_it_ends(line: str) -> None:
    assert isinstance(reader(rules_with_languages(RALLY, ["de"])).read(line), LineProblem)


def test_apostrophes_are_read_as_mail_programs_leave_them() -> None:
    rules = rules_with_languages(RALLY, ["fr"])
    for sign in "'’´":
        line = clean(f"si tuile en C3 n{sign}est pas H3 alors pioche")
        assert reader(rules).read(line.replace(" en ", " à ")) == reader(RALLY).read("IF tile at C3 is not H3 THEN DRAW")


def test_messages_name_the_english_words_and_suggestions_all() -> None:
    found = reader(rules_with_languages(CHARLIE, ["fr"])).read("attends 2 dans")
    assert isinstance(found, LineProblem)
    assert "`round`" in found.problem.message
    found = reader(rules_with_languages(RALLY, ["fr"])).read("si main < 3 alor pioche")
    assert isinstance(found, LineProblem)
    assert "`THEN`" in found.problem.message
    assert found.problem.suggestions == ("si main < 3 ALORS pioche",)


def test_english_rules_know_nothing_of_languages() -> None:
    assert rules_with_languages(RALLY, []) is RALLY
    assert rules_with_languages(RALLY, ["de"]) is rules_with_languages(RALLY, ["de"])
    rules_with_languages(RALLY, ["de"])
    assert isinstance(reader(RALLY).read("ziehe"), LineProblem)
    assert reader(RALLY) is not reader(rules_with_languages(RALLY, ["de"]))
    assert line_parser(RALLY) is not line_parser(rules_with_languages(RALLY, ["de"]))


def test_what_nests_too_deeply_is_refused_in_every_language() -> None:
    rules = rules_with_languages(RALLY, ["de", "pl"])
    for word in ("nicht", "NIE", "not"):
        found = reader(rules).read(f"if {f'{word} ' * 30}hand < 3 then draw")
        assert isinstance(found, LineProblem)
        assert found.problem.code == "orders/too-deep"


def test_headers_ends_and_greetings_of_a_sheet(read: Callable[..., TurnFile]) -> None:
    text = "Spiel rally-042, Zug 7\nred:\n  ziehe\n  erneuere die Auslage\nEnde.\nbis bald\nblue:\nfahre C3\n"
    found = read_turn_files(rules_with_languages(RALLY, ["de"]), Addressee("rally-042", 7, SEATS), [("t", text.encode())])
    assert [(sheet.seat, len(sheet.instructions)) for sheet in found.sheets] == [("red", 2), ("blue", 1)]
    assert found.diagnostics == ()
    wrong = "Zug 6\nred: ziehe\nblue: DRAW\nZug sieben\nred: DRAW\n"
    found = read_turn_files(rules_with_languages(RALLY, ["de"]), Addressee("rally-042", 7, SEATS), [("t", wrong.encode())])
    assert [(one.problem.code, one.line, one.column) for one in found.diagnostics] == [
        ("orders/wrong-turn", 1, 5),
        ("orders/unexpected", 4, 5),
    ]
    assert found.sheets == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "xx.json: Expecting"),
        ("[]", "an object with"),
        ('{"code": "de"}', "an object with"),
        ('{"code": "de", "name": "G", "more": 1}', "an object with"),
        ('{"code": "en", "name": "English"}', "other than English"),
        ('{"code": "DE", "name": "G"}', "such as de"),
        ('{"code": "de", "name": ""}', "English name"),
        ('{"code": "de", "name": "G", "words": []}', "words is not an object"),
        ('{"code": "de", "name": "G", "words": {"if": "wenn"}}', "words.if is not a list of words"),
        ('{"code": "de", "name": "G", "words": {"if": ["we(nn)"]}}', "words.if is not a list of words"),
        ('{"code": "de", "name": "G", "words": {"if": ["a  b"]}}', "words.if is not a list of words"),
        ('{"code": "de", "name": "G", "games": {"g": {"wrods": {}}}}', "games.g may have only"),
        ('{"code": "de", "name": "G", "games": {"g": {"names": {"fact": 1}}}}', "games.g.names.fact is not an object"),
        ("[" * 100_000, "xx.json"),
    ],
)
def test_a_bad_file_of_words_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(LanguageError, match=r"xx\.json") as caught:
        read_words("xx.json", text)
    assert words in str(caught.value)


def test_every_file_is_as_its_schema_says() -> None:
    validator = Draft202012Validator(json.loads(schemas.text(schemas.LANGUAGE)))
    for path in (Path(__file__).parents[2] / "grammar" / "languages").glob("*.json"):
        assert list(validator.iter_errors(json.loads(path.read_text("utf-8")))) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_language_has_words_for_every_verb_and_every_word_of_a_language_is_used(game: str) -> None:
    rules = GAMES[game]
    steps = stepper(rules)
    for code, language in languages(rules.meta).items():
        words = spoken(game, [language])
        used = {
            english
            for name, regexp in terminals_of(steps)
            for english in extend(name, regexp, words.words if name in shared_terminals() else words.own, words)[1]
        }
        later = {"end", "withdraw", "word"}
        assert language.games[game].words.keys() | language.words.keys() <= used | later, code
        begun = {example.split()[0].casefold() for example in rules.language.examples}
        verbs = {word for word in begun if word.isalpha()}  # `TC3:` is a name, the same in every language
        assert verbs <= words.own.keys(), code
        facts = words.names["fact"].keys() - set(rules.fact_names)
        assert facts == set(), code


def test_another_package_brings_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "foreign_game"
    (package / "data" / "languages").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    own = {"code": "de", "name": "German", "games": {"foreign": {"words": {"jump": ["springe"]}}}}
    (package / "data" / "languages" / "de.json").write_text(json.dumps(own))
    monkeypatch.syspath_prepend(str(tmp_path))
    meta = replace(RALLY.meta, id="foreign", ruleset="foreign_game:RULESET")
    (code, found), *others = languages(meta).items()
    assert (code, others) == ("de", [])
    assert found.games["foreign"].words == {"jump": ("springe",)}
    assert found.words["if"][0] == "wenn"  # shared words come with the program
