"""The grammar of a ruleset in its languages: read a line to its order, or find where reading fails and what fits there."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from functools import cached_property, lru_cache, partial
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, Either, FactOf, Not, Number, Word
from adjudicator.core.order import Expression, FirstOf, When
from adjudicator.core.problem import EngineFaultError
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value, replace
from adjudicator.orders.fast import END, FastReader, Inlined, Maker, Tables, stored, tables_of
from adjudicator.orders.languages import ANY_NAME, in_english, meanings, only_english, pattern, translate, with_words
from adjudicator.orders.submission import MOST_COLUMNS, MOST_DEPTH, TOKEN, clean, depth, plain
from adjudicator.resources import files, folder

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.lexer import TerminalDef

COMMON: Final = "common.lark"
_OPTIONS: Final[dict[str, Any]] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": "line",
    "maybe_placeholders": True,
    # The one place that ignores case: A is a, and letters beyond ASCII match no keyword. Otherwise Python would take `ı`
    # for an i, `ſ` for an s and the Kelvin sign for a k, which the builders of orders do not know.
    "g_regex_flags": int(re.ASCII),
}
_LATER: Final = frozenset({"WITHDRAW", "FROM_ORDER"})
"""Terminals of the common grammar that older grammars, which import it by name, do not name."""
_SURELY_SHORT: Final = 3 * MOST_DEPTH
"""The length up to which a line without brackets cannot be too long or too deep: ``NOT`` has three letters."""
_REMEMBERED: Final = 8_192
"""The most lines in the cache."""
_HEADERS: Final = frozenset({"game", "turn"})
_NOT_ORDERS: Final = ("game", "turn", "end", "word")
"""Words that begin lines which are not orders."""
_TERMS: Final[Mapping[str, str]] = {
    "seat_name": "a seat",
    "fact": "a fact",
    "value": "a number or a name",
    "argument": "a name",
    "relation": "a comparison such as `=`, `<` or `has`",
    "draw": "an outcome",
    "order": "an order",
    "INT": "a number",
    "ID": "the name of a game",
}
"""Names for rules and terminals of the common grammar."""
_QUIET: Final = frozenset({"_OR", "_IF", "LSQB", "LPAR", "_NOT", "_FULL_STOP", END})
"""Symbols that fit nearly everywhere: to name them would not help a player."""
_CAPITAL: Final = frozenset({"_AND", "_OR", "_NOT", "_IF", "_THEN", "_ELSE"})
WORD_OR_SIGN: Final = re.compile(r"[\w-]+|\S")
_LINKED: Final = re.compile(r"[ ,]*(?:(?:and|then|also)(?!\w)[ ,]*|[&+/][ ,]*)*(?P<word>\w+)", re.IGNORECASE)


# The values of the common grammar


class GameHeader(Value):
    """``game NAME``, perhaps with ``turn N``: the following sheets are for that game and that adjudication."""

    game: str
    turn: int | None = None


class TurnHeader(Value):
    """``turn N``: the following sheets are for that adjudication."""

    turn: int


class OrderLine(Value):
    """An order line, or the head of a sheet: ``seat`` as written or ``None``, ``expression`` or ``None`` (a bare head)."""

    seat: str | None
    expression: Any
    draws: tuple[str, ...]


class WithdrawalLine(Value):
    """``WITHDRAW``, perhaps after a ``seat``: it takes back the pending orders from the ``first`` on, counted from 1."""

    seat: str | None
    first: int = 1


ParsedLine = GameHeader | TurnHeader | OrderLine | WithdrawalLine


def _withdrawal(children: list[Any]) -> WithdrawalLine:
    seat, first = children
    return WithdrawalLine(seat, 1 if first is None else int(first))


def _several(kind: Callable[[tuple[Any, ...]], Any]) -> Callable[[list[Any]], Any]:
    return lambda children: children[0] if len(children) == 1 else kind(tuple(children))


_RELATIONS: Final[Mapping[str, Comparison]] = {
    **{how.value: how for how in Comparison},
    **dict.fromkeys(("is", "=="), Comparison.EQUAL),
    **dict.fromkeys(("not", "≠", "<>"), Comparison.UNEQUAL),
    **dict.fromkeys(("less than", "fewer than"), Comparison.LESS),
    **dict.fromkeys(("at most", "≤", "=<"), Comparison.AT_MOST),
    **dict.fromkeys(("more than",), Comparison.MORE),
    **dict.fromkeys(("at least", "≥", "=>"), Comparison.AT_LEAST),
    **dict.fromkeys(("contains", "includes"), Comparison.HAS),
}

COMMON_BUILDERS: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "game_header": lambda children: GameHeader(str(children[0]), None if children[1] is None else int(children[1])),
    "turn_header": lambda children: TurnHeader(int(children[0])),
    "sheet_line": lambda children: OrderLine(children[0], *(children[1] or (None, ()))),
    "order_line": lambda children: OrderLine(None, *children[0]),
    "withdrawal": _withdrawal,
    "common__withdrawal": _withdrawal,  # its name in a grammar that imports the other rules by name
    "seat_name": lambda children: children[0].lower(),
    "instruction": lambda children: (children[0], children[1] or ()),
    "choice": _several(FirstOf),
    "when": lambda children: When(children[0], children[1], children[2]),
    "when_after": lambda children: When(children[1], children[0], children[2]),
    "bracketed": lambda children: children[0],
    "order": lambda children: children[0],
    "draws": tuple,
    "draw": lambda children: str(children[0]),
    "condition": _several(Both),
    "either": _several(Either),
    "not_condition": lambda children: Not(children[0]),
    "compare": lambda children: Compare(children[0], children[1], children[2]),
    "is_in": lambda children: Compare(children[0], Comparison.IN, children[1]),
    "is_not_in": lambda children: Not(Compare(children[0], Comparison.IN, children[1])),
    "fact": lambda children: FactOf(children[0].lower(), children[2] or "", (children[1] or "").lower()),
    "cost_of": lambda children: CostOf(children[1]),
    "number": lambda children: Number(int(children[0])),
    "word": lambda children: Word(str(children[0])),
    "name": lambda children: Word(str(children[0])),
    "argument": lambda children: str(children[0]),
    "relation": lambda children: _RELATIONS[" ".join(children[0].lower().split()).removeprefix("is ")],  # “is at least”
}
"""Builders for the rules of ``common.lark``."""
_PASSING: Final = tuple(COMMON_BUILDERS[name] for name in ("order", "choice", "condition", "either"))
"""Those that return an only child as it is."""


# Lines


class UnreadableError(ValueError):
    """The text is not an order."""


class Failure(Value):
    """The place where reading ``line`` fails: at ``word`` with the index ``start``, and what fits there.

    The word is empty at the end of the line. ``words`` name for players what fits, ``keywords`` could be inserted there,
    ``spellings`` are all ways to write keywords that fit. ``is_order`` says that an order fits, ``may_end`` that the line
    may end. ``rule`` is the rule of the game behind all parts of an order that fit (empty: they have several or none).
    """

    line: str
    start: int
    word: str
    words: tuple[str, ...]
    keywords: tuple[str, ...]
    spellings: tuple[str, ...]
    is_order: bool
    may_end: bool
    rule: str = ""

    @property
    def is_at_end(self) -> bool:
        """Whether the line ends there."""
        return not self.line[self.start :].strip(" ,")

    @property
    def is_unknown_order(self) -> bool:
        """Whether it is the first word of an order."""
        return self.is_order and self.word[:1].isalnum()

    @property
    def before(self) -> str:
        """The text before it, without trailing blanks."""
        return self.line[: self.start].rstrip(" ,")


class Grammar:
    """Reads lines, which must be clean, in the language of ``rules``. Lark is loaded only for lines that cannot be read."""

    def __init__(self, rules: AnyRules) -> None:
        """Load the grammar from the disk, or compile it. Raises ``EngineFaultError`` with its mistakes."""
        self.rules = rules
        self.parse = lru_cache(_REMEMBERED)(self._parse)
        self.failure = lru_cache(_REMEMBERED // 4)(self._failure)
        self.tree = lru_cache(_REMEMBERED // 4)(self._tree)
        language, spoken = rules.language, rules.language.spoken
        shared, own, names = ({}, {}, {}) if spoken is None else (spoken.words, spoken.own, spoken.names)
        texts = _text(COMMON), _text(language.grammar, language.spellings)
        key = (*texts, *map(repr, (_OPTIONS, sorted(language.builders), shared, own, names)), pattern("ä"))
        data = stored("-".join((rules.meta.id, *language.codes)), key, lambda: _compiled(rules, *texts))
        self.spellings: Mapping[str, tuple[str, ...]] = data["spellings"]
        """For each terminal the spellings of a keyword, the usual one first; none for names and numbers."""
        self.keywords: frozenset[str] = frozenset(data["keywords"])
        """All words of the grammar, in lower case."""
        self._saved: bytes = data["lark"]
        self._examples = {example.split()[0].casefold(): example for example in language.examples}
        self.example_words = frozenset(TOKEN.findall(" ".join(language.examples).casefold()))
        """The words of the examples, in lower case."""
        self._kinds: dict[str, str] = data["openings"]
        self.openings = frozenset(self._kinds) | {word for word in self._examples if word.isalpha()} - _HEADERS
        """The words, in lower case, that begin orders, IF and WITHDRAW included."""
        self._words = {kind: partial(in_english, meant) for kind, meant in data["words"].items()}
        self._names = {rule: meanings(table) for rule, table in names.items()}
        self._fast: FastReader | None = None
        if data["tables"] is not None:
            self._fast = FastReader(Tables(*data["tables"]), self._maker, self._words, _PASSING)
        self._fitting: dict[tuple[Any, ...], Failure] = {}
        self._meant = meanings({word: shared.get(word, ()) for word in _NOT_ORDERS})
        nested = {word: shared[word] for word in ("if", "not", "and", "or", "then", "else") if word in shared}
        self._nested = meanings(nested)
        self._nesting = re.compile(rf"\b{pattern(word for words in nested.values() for word in words)}", re.IGNORECASE)

    # Reading

    def _parse(self, line: str, limits: int = 1) -> ParsedLine | None:
        """Return what the ``line`` says; ``None`` if it cannot be read, or is beyond so many times the limits; cached."""
        if (len(line) > _SURELY_SHORT or "(" in line) and (
            len(line) > limits * MOST_COLUMNS or self.depth(line) > limits * MOST_DEPTH
        ):
            return None
        parsed: ParsedLine | None = self._builder(line) if self._fast is None else self._fast.read(line)
        completed = self.rules.language.completed
        if limits == 1 and completed is not None and isinstance(parsed, OrderLine) and parsed.expression is not None:
            parsed = replace(parsed, expression=completed(parsed.expression))
        return parsed

    def expression(self, text: str) -> tuple[Expression, tuple[str, ...]]:
        """Return the expression in canonical ``text`` and the outcomes recorded beside it.

        It is for text that this program wrote, which is longer and has more brackets than a player may write. Raises
        ``UnreadableError`` if it is not an order.
        """
        parsed = self._parse(clean(text), limits=5)
        if not isinstance(parsed, OrderLine) or parsed.seat is not None or parsed.expression is None:
            raise UnreadableError(f"not an order: {text[:80]}")
        return parsed.expression, parsed.draws

    def _maker(self, name: str) -> Maker:
        """Return the function of the ruleset or of the common grammar that builds the value of the rule ``name``."""
        build: Maker = self.rules.language.builders.get(name) or COMMON_BUILDERS.get(name) or Inlined
        meant = self._names.get(name)
        if meant is None:
            return build
        return lambda children: build([meant.get(plain(one), one) if isinstance(one, str) else one for one in children])

    def depth(self, line: str) -> int:
        """Return how deep brackets, conditions and negations are nested in ``line``."""
        if self._nested:
            line = self._nesting.sub(lambda match: self._nested.get(plain(match[0]), match[0]), line)
        return depth(line)

    def english(self, word: str) -> str:
        """Return the English of a word that is alone on a line or heads one; return other words unchanged."""
        return self._meant.get(plain(word), word) if self._meant else word

    def words(self, line: str) -> list[tuple[str, str]]:
        """Return the words and signs of a readable ``line``, each with the kind of its terminal, in reading order.

        Keywords are in English.
        """
        if self._fast is not None:
            return self._fast.words(line)
        return [(token.type, str(token)) for token in self.tokens(line)]

    def free_names(self, line: str) -> list[str]:
        """Return the words of a readable ``line`` that are names and numbers, not keywords, in reading order."""
        return [text for kind, text in self.words(line) if not kind.startswith("_") and not self.spellings[kind]]

    @cached_property
    def verbs(self) -> Mapping[str, str]:
        """An example for each word, in lower case, that begins orders of one kind, so not for IF.

        Words of other languages come with an example in their language.
        """
        kinds = {words[0][0]: example for example in self._examples.values() if (words := self.words(example))}
        found = {word: kinds[kind] for word, kind in self._kinds.items() if kind in kinds}
        spoken: Any = self.rules.language.spoken
        if spoken is not None:
            alone = grammar_of(only_english(self.rules))
            for verb, example in self._examples.items():
                for word in filter(str.isalpha, spoken.own.get(verb, ())):
                    usual = replace(spoken, own={**spoken.own, verb: (word,)})
                    found[word.casefold()] = translate(alone, usual, example)
        return {**found, **self._examples}

    # Explaining, by Lark

    def _load(self, **options: Any) -> Lark:
        from lark import Lark

        def translated(token: Token) -> Token:
            return token.update(value=self._words[token.type](str(token)))

        saved = marshal.loads(self._saved)
        saved["data"]["options"].update(options, lexer_callbacks=dict.fromkeys(self._words, translated))
        return Lark.load(saved)

    @cached_property
    def _lark(self) -> Lark:
        return self._load(propagate_positions=True)

    @cached_property
    def _builder(self) -> Callable[[str], Any]:
        """Lark's own reader, which builds orders as ``FastReader`` does."""
        from lark.exceptions import UnexpectedInput

        def of_strings(make: Maker) -> Maker:
            return lambda children: make([str(one) if isinstance(one, str) else one for one in children])

        def read(line: str) -> Any:
            with suppress(UnexpectedInput):
                return parser.parse(line)

        names = {*COMMON_BUILDERS, *self.rules.language.builders}
        parser = self._load(transformer=SimpleNamespace(**{name: of_strings(self._maker(name)) for name in names}))
        return read

    def _tree(self, line: str) -> Tree[Token] | None:
        """Return the tree of a readable ``line`` with the places of its parts, or ``None``; cached."""
        from lark.exceptions import UnexpectedInput

        try:
            return self._lark.parse(line)
        except UnexpectedInput:
            return None

    def tokens(self, line: str) -> list[Token]:
        """Return the words and signs of a readable ``line`` with their places, also those that are not in its tree."""
        return [] if self.tree(line) is None else self._lark.parse_interactive(line).exhaust_lexer()

    def _failure(self, line: str) -> Failure:
        """Return where the ``line`` cannot be read (its end, if it can) and what fits there; cached."""
        from lark.exceptions import UnexpectedInput

        cursor: Any = self._lark.parse_interactive(line)
        parser, start = cursor.parser_state, len(line)
        parser.parse_conf = copy(parser.parse_conf)
        parser.parse_conf.callbacks = {}  # no tree is built
        states = [*parser.state_stack]
        try:
            for token in cursor.lexer_thread.lex(parser):
                parser.feed_token(token)
                states = [*parser.state_stack]
        except UnexpectedInput as error:
            start = cast("int", error.pos_in_stream)
            parser.state_stack[:] = states  # some rules may have ended before the token turned out not to fit
        word = WORD_OR_SIGN.search(line, start)
        place = (*states,)
        if place not in self._fitting:
            if len(self._fitting) >= _REMEMBERED:
                self._fitting.clear()
            self._fitting[place] = self._fits(cursor)
        return replace(self._fitting[place], line=line, start=start, word=word[0] if word else "")

    def has_words(self, kind: str) -> bool:
        """Return whether the terminal ``kind`` has words of its own, and is not only for names, numbers or signs."""
        return bool(_words(self._lark.get_terminal(kind)))

    def second_order(self, line: str) -> int | None:
        """Return the index of the verb of a second order, if one begins where the ``line`` could end; else ``None``."""
        failure = self.failure(line)
        match = _LINKED.match(line, failure.start) if failure.may_end else None
        return match.start("word") if match is not None and match["word"].casefold() in self.verbs else None

    def _fits(self, cursor: Any) -> Failure:
        """Return what fits at the ``cursor``, an interactive parser of Lark."""
        from lark import Token

        language, facts = self.rules.language, self.rules.facts
        names = {**_TERMS, **({"fact": f"a fact such as `{min(facts)}`"} if facts else {}), **language.terms}
        accepted = cursor.accepts()
        parts, keywords = dict[str, None](), list[str]()
        symbols = sorted(accepted, key=lambda symbol: (symbol != "NAME", symbol))
        for symbol in symbols:
            if symbol in _QUIET:
                continue
            after = cursor.copy(deepcopy_values=False)
            after.feed_token(Token(symbol, ""))
            fitting = after.accepts()
            after.parser_state.state_stack.pop()
            begun = [rule for rule in after.choices() if rule in names and symbol in self._firsts.get(rule, ())]
            # The order itself says more than its parts; a rule says more than the terminal it begins with.
            named = ["order"] if "order" in begun else begun or [symbol]
            named = [part for part in named if part in names]
            parts.update(dict.fromkeys(named))
            if not named and not fitting <= accepted:  # a keyword that makes a difference
                keywords += self.spellings[symbol][:1]
        terms = dict.fromkeys(names[part] for part in parts)
        is_order = _TERMS["order"] in terms
        words = [_TERMS["order"]] if is_order else [*terms, *(f"`{word}`" for word in keywords)]
        if END in accepted and not is_order:
            words.append("the end of the line")
        rules = {language.rules.get(part, "") for part in parts}
        return Failure(
            line="",
            start=0,
            word="",
            words=tuple(words),
            keywords=tuple(keywords),
            spellings=tuple(word for symbol in symbols for word in self.spellings.get(symbol, ())),
            is_order=is_order,
            may_end=END in accepted,
            rule=rules.pop() if len(rules) == 1 and not is_order else "",
        )

    @cached_property
    def _firsts(self) -> dict[str, set[str]]:
        """For each rule the terminals with which it may begin."""
        from lark.parsers.grammar_analysis import calculate_sets

        firsts, _, _ = cast("Any", calculate_sets)(self._lark.rules)
        return {rule.name: {one.name for one in found} for rule, found in firsts.items() if not rule.is_term}


_kept: dict[tuple[str, int], Grammar] = {}


def grammar_of(rules: AnyRules) -> Grammar:
    """Return the grammar of ``rules`` in its languages; cached, one for each language beside the others."""
    key = rules.meta.id, id(rules.language)
    if key not in _kept:
        _kept[key] = Grammar(rules)  # which keeps the language, and so its id
    return _kept[key]


# Compiling


def _text(name: str, spellings: Mapping[str, Iterable[str]] = MappingProxyType({})) -> str:
    """Return the text of the grammar ``name``; the ``spellings`` of a game's names replace ``<NAME>`` in it."""
    package, colon, path = name.rpartition(":")
    text = (files(package) / path if colon else folder("grammar") / path).read_text("utf-8")
    for called, ways in spellings.items():
        text = text.replace(f"<{called}>", "|".join(ways))
    return text


def _compiled(rules: AnyRules, common: str, own: str) -> dict[str, Any]:
    """Compile the texts of the ``common`` grammar and of the ``own`` one of ``rules``, with the words of their languages.

    Raises ``EngineFaultError`` with the mistakes of the author.

    They are read one after the other, not as one text, so that errors name the lines of the game's file.
    """
    from lark import Lark
    from lark.exceptions import GrammarError, LarkError
    from lark.grammar import Rule
    from lark.lexer import TerminalDef
    from lark.load_grammar import GrammarBuilder

    def imported(base: Any, path: str) -> tuple[Any, str]:
        """Find a grammar that another imports with a dot: only the common one counts."""
        if base is None:
            raise OSError(f"{path} is one of Lark's own grammars")
        if path != COMMON:
            raise GrammarError(f"no grammar is called {path}")
        return str(folder("grammar") / path), common

    meant, spoken = dict[str, dict[str, str]](), rules.language.spoken
    # A grammar that does not import the common one gets it put before its own text.
    needs_common = re.search(r"(?m)^[ \t]*%import\s+\.common\b", own) is None
    try:
        if spoken is not None:
            common, meant = with_words(common, spoken.words, spoken.names)
            own, more = with_words(own, spoken.own, spoken.names)
            meant |= more
        builder = GrammarBuilder(import_paths=[imported])
        if needs_common:
            builder.load_grammar(common, COMMON)
        builder.load_grammar(own, rules.language.grammar)
        parser = Lark(builder.build(), **_OPTIONS)
        regexps = (f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in parser.terminals)
        re.compile("|".join(regexps), _OPTIONS["g_regex_flags"])  # which is possible one by one may not be together
        flaw, cause = _misnamed(rules, parser), None
    except (LarkError, re.error) as error:
        flaw, cause = str(error).removesuffix("."), error
        twice = re.search(r"'(\w+)'(?: from \S+)?(?: defined more than once|: Symbol already defined)", flaw)
        if twice is not None and twice[1] == "order":
            flaw += "; list the orders with `%override order: …`"
        elif twice is not None and needs_common and re.search(rf"(?m)^\??{twice[1]}\b", common):
            flaw += f"; {COMMON} defines it: use that definition, rename yours, or write `%override {twice[1]}`"
    if flaw:
        words = f"the grammar of {rules.meta.id} ({rules.language.grammar}) cannot be used: {flaw}"
        raise EngineFaultError(words, rules.meta.id) from cause
    tables, start = tables_of(parser), cast("Any", parser.parse_interactive(""))
    saved, memo = cast("Any", parser).memo_serialize([TerminalDef, Rule])  # as `save` does, without functions
    spellings = {str(terminal.name): _spellings(terminal) for terminal in parser.terminals}
    opening = {kind: {one.casefold() for one in spellings.get(kind, ())} for kind in sorted(map(str, start.accepts()))}
    orders = {kind: words for kind, words in opening.items() if not words & _HEADERS}
    return {
        "lark": marshal.dumps(_plain({"data": saved, "memo": memo})),
        "tables": None if tables is None else tuple(tables),
        "words": {kind: english for kind, english in meant.items() if not kind.startswith("_")},
        "spellings": spellings,
        "keywords": sorted({word for terminal in parser.terminals if spellings[terminal.name] for word in _words(terminal)}),
        "openings": {word: kind for kind, words in orders.items() for word in sorted(words) if word.isalpha()},
    }


def _misnamed(rules: AnyRules, parser: Lark) -> str:
    """Return why the rules of the grammar and their builders do not match, or an empty text."""
    ruled = {rule.origin.name for rule in parser.rules}
    defined = ruled | {terminal.name for terminal in parser.terminals}
    # Lark renames rules that are imported indirectly, and would never call their builders.
    strange = {re.sub("(?i)^_?common__", "", name) for name in defined if re.match("(?i)_?common__", name)}
    own, aliases = rules.language.builders, {rule.alias for rule in parser.rules}
    transparent = {rule for rule in parser.rules if rule.origin.name.startswith("_") or rule.options.expand1}
    built = {rule.alias or rule.origin.name for rule in parser.rules if rule.alias or rule not in transparent}
    flaws = {
        f"it must import from {COMMON} by name": strange - _LATER,
        "no order uses these (does `%override order` name every order?)": own.keys() - ruled - aliases,
        "these need an order or a term of the same name": built - own.keys() - COMMON_BUILDERS.keys(),
    }
    return next((f"{words}: {', '.join(sorted(names))}" for words, names in flaws.items() if names), "")


def _plain(value: Any) -> Any:
    """Return ``value`` with plain strings instead of tokens."""
    if isinstance(value, dict):
        return {_plain(name): _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value))
    return "".join(value) if isinstance(value, str) else value


def _spellings(terminal: TerminalDef) -> tuple[str, ...]:
    """Return the spellings of a ``terminal`` that is a keyword, the usual one first; none for names and numbers."""
    kind, regexp = terminal.name, terminal.pattern.value
    if kind in _TERMS or kind == "NAME":
        return ()
    if terminal.pattern.type == "str":
        return (str(regexp),)
    readable = re.compile(terminal.pattern.to_regexp())
    if readable.fullmatch(ANY_NAME):
        return ()
    bare = re.sub(r"\(\?[!=<][^)]*\)", "", regexp)
    words = bare.replace(" +", " ").replace(" ?", " ").replace("(?:", "(")
    found = re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", words) + re.findall(r"[^\w\s()\[\]|\\]+", words)
    for groups in (lambda group: "" if group[2] else group[1], r"\1"):  # the first words, without optional ones and with
        match, before = bare, ""
        while before != match:
            before, match = match, re.sub(r"\(\?:([^()|]*)(?:\|[^()]*)?\)(\??)", groups, match)
        found.append(re.sub(r"\[[^]]*\]\*", "", match).replace(" +", " ").replace(" *", ""))
    fitting = dict.fromkeys(word for word in found if readable.fullmatch(word))
    return tuple(word.upper() if kind in _CAPITAL else word for word in fitting)


def _words(terminal: TerminalDef) -> list[str]:
    """Return all words of a ``terminal``, in lower case."""
    pattern = re.sub(r"\(\?[!=<][^)]*\)|\[[^]]*\]", "", terminal.pattern.value)
    return [word.casefold() for word in re.findall(r"[^\W\d_]+", pattern)]
