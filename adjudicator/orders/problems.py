"""Word the problems with lines of a turn file, and find the part of a line that a problem is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from adjudicator.core.order import Instruction
from adjudicator.core.phrases import quoted
from adjudicator.core.problem import FAULT, Diagnostic, Place, Problem
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value, Whole, replace
from adjudicator.orders.grammar import Grammar, OrderLine, WithdrawalLine, grammar_of
from adjudicator.orders.submission import EMPTY, TOKEN, clean

if TYPE_CHECKING:
    from lark import Token, Tree

_HEAD: Final = re.compile(r"[ ,]*(?P<seat>[A-Za-z][A-Za-z0-9_]*)(?P<colon>[ ,]*:)?")
_GAP: Final = " ,.=>-"
_MOST_WORDS: Final = 12
"""The most words of an order to suggest from the middle of a line."""
_COMMENTED: Final = ": a `#` begins a comment; remove the # before each order that you want"


class LineProblem(Value):
    """A problem with a line, and its place (``column`` from 1, ``width`` in characters).

    ``fault`` is the exception that reading the line raised, if that is the problem.
    """

    problem: Problem
    column: int = 1
    width: int = 1
    fault: Exception | None = None

    def diagnostic(self, line: int, text: str, source: str, seat: str = "", place: Place | None = None) -> Diagnostic:
        """Return the diagnostic for line number ``line`` (from 1) with this ``text`` in the turn file ``source``."""
        return Diagnostic(self.problem, seat, line, None, self.column, self.width, text, source, self.fault, place)


UNEXPLAINED: Final = LineProblem(Problem("orders/unreadable", "this cannot be read"))
"""The problem with an unreadable line, without the reason, which takes time to find."""


class Head(Value):
    """The first word of a line, which may be a seat, in lower case: its place, and whether a colon follows."""

    seat: str
    start: Whole
    end: Whole
    has_colon: bool


def head_of(line: str) -> Head | None:
    """Return the head of the cleaned ``line``, or ``None`` if it does not begin with a word."""
    match = _HEAD.match(line)
    return None if match is None else Head(match["seat"].lower(), *match.span("seat"), match["colon"] is not None)


def empty(ignored: int, *, is_mail: bool = False, is_commented: bool = False) -> Problem:
    """Return the problem with a file or mail without orders: all its lines are ``ignored``, or have a ``#``."""
    lines = "1 line was" if ignored == 1 else f"{ignored:,} lines were"
    why = _COMMENTED if is_commented else f"; {lines} ignored (quotes, signatures, remarks)" if ignored else ""
    return Problem(EMPTY, f"there are no orders in this {'mail' if is_mail else 'file'}{why}")


def wrong_game(grammar: Grammar, line: str, game: str, due: str) -> LineProblem:
    """Return the problem with a header for the wrong ``game``; ``due`` is the right one."""
    message = f"this is for the game “{game}”, not for “{due}”: its orders do not count here"
    return _at_word(grammar, line, 0, Problem("orders/wrong-game", message, near=(f"game {due}",)))


def wrong_turn(grammar: Grammar, line: str, turn: int, due: int, latest: int) -> LineProblem:
    """Return the problem with a header for a ``turn`` that does not count; ``due`` does, ``latest`` is the last number."""
    stale = "is over" if turn < due else "was undone" if turn <= latest else "has not begun yet"
    message = f"turn {turn} {stale}, and the game is at turn {due}: orders for turn {turn} do not count now"
    return _at_word(grammar, line, -1, Problem("orders/wrong-turn", message, near=(f"turn {due}",)))


def turn_over(line: str, seat: str, turn: int, due: int) -> LineProblem:
    """Return the problem with a sheet below a header whose ``turn`` is over for its ``seat``."""
    message = f"turn {turn} is over for {seat}: its decision is made or no longer due; write `turn {due}`"
    return _at_head(line, Problem("orders/wrong-turn", message, near=(f"turn {due}",)))


def late_answer(line: str, due: int) -> LineProblem:
    """Return the problem with orders without a turn that arrived before the turn that is ``due`` began."""
    message = (
        f"this arrived before turn {due} began, and may be for an earlier turn; if it is for turn {due}, write `turn {due}`"
    )
    return _at_head(line, Problem("orders/late-answer", message, near=(f"turn {due}",)))


def unknown_seat(line: str, seat: str, seats: Iterable[str]) -> LineProblem:
    """Return the problem with a sheet for a ``seat`` that is none of ``seats``."""
    known = tuple(seats)
    return _at_head(
        line,
        Problem(
            "orders/unknown-seat",
            f"this game has no seat “{quoted(seat)}”; its seats are {', '.join(known)}",
            near=known,
            written=seat,
        ),
    )


def not_yours(line: str, own: str, word: str) -> LineProblem:
    """Return the problem with a sheet for ``word`` in a text of ``own``; it does not say whether ``word`` is a seat."""
    message = f"this text is from {own}: it cannot have orders for “{quoted(word)}”"
    return _at_head(line, Problem("orders/not-yours", message, near=(own,), written=word))


def no_seat(line: str, seats: Sequence[str], *, is_mail: bool = False) -> LineProblem:
    """Return the problem with orders that are not below the name of a seat."""
    heads = " or ".join(f"`{seat}:`" for seat in seats)
    message = f"whose orders are these? A sheet begins with its seat: {heads}"
    if is_mail:
        message += f"; or name the mail with its seat: `{seats[0]}=mail.eml`"
    return at_whole(line, Problem("orders/no-seat", message))


def missing_colon(grammar: Grammar, line: str) -> LineProblem:
    """Return the problem with a line that begins with a seat but has no colon after it: ``red MOVE C3``."""
    head = head_of(line)
    if head is None:
        return UNEXPLAINED
    rest = line[head.end :].strip(_GAP)
    parsed = grammar.parse(rest)
    is_order = isinstance(parsed, (OrderLine, WithdrawalLine)) and parsed.seat is None
    message = f"“{line[head.start : head.end]}” is a seat: write a colon after it"
    suggestion = f"{head.seat}: {rest}" if is_order else f"{head.seat}:"
    return _at_head(line, Problem("orders/missing-colon", message, near=(suggestion,)))


def late_withdrawal(line: str) -> LineProblem:
    """Return the problem with a ``WITHDRAW`` that is not the first line of its sheet."""
    message = "WITHDRAW takes back pending orders, not the orders above it: write it once, before all orders of a sheet"
    return at_whole(line, Problem("orders/late-withdrawal", message))


def two_places(order: Instruction) -> LineProblem:
    """Return the problem with ``order`` in a form, if its text has others of the same seat outside the form."""
    message = "there are orders in the order form and outside it, so none count; send all again, in one of the two places"
    return at_whole(clean(order.written), Problem("orders/two-places", message))


def wrapped(grammar: Grammar, line: str, before: str, number: int) -> LineProblem | None:
    """Return the problem with an unreadable ``line`` that is the end of the order ``before``, broken by a mail program.

    The order is on the line ``number``.

    Return ``None`` if the two are not one order, or if the line begins with a word without a digit, because that may be a
    name: ``MOVE C3`` and ``Bob`` below it would be a move to C3 and Bob.
    """
    whole = f"{before} {line.strip()}"
    if not isinstance(grammar.parse(whole), OrderLine):
        return None
    begins = next((at for at in range(len(before) + 1, len(whole)) if whole[at].isalnum()), 0)
    words = [whole[slice(*span)] for span in words_at(grammar, whole) if span[0] == begins]
    if words and not any(map(str.isdigit, words[0])):
        return None
    message = f"this looks like the end of the order on line {number}: write each order on one line"
    return at_whole(line, Problem("orders/wrapped-line", message, near=(whole.strip(),)))


def among_words(grammar: Grammar, line: str, start: int, end: int) -> LineProblem:
    """Return the problem with a line that has an order word in capitals, from ``start`` to ``end``, among other words."""
    ends = [word.end() for word in islice(TOKEN.finditer(line, end), _MOST_WORDS)]
    orders = (line[start:at] for at in (*reversed(ends), end))
    found = next((order for order in orders if isinstance(grammar.parse(order), (OrderLine, WithdrawalLine))), None)
    message = f"“{line[start:end]}” begins an order, but the line has other words: write the order alone on its line"
    problem = Problem("orders/among-words", message, near=(found,) if found else ())
    return LineProblem(problem, start + 1, end - start)


def command(line: str, start: int, end: int, meant: str) -> LineProblem:
    """Return the problem with a line whose word from ``start`` to ``end`` is, or may be, the command ``meant``."""
    is_alone = line.strip() == meant  # then no club reads this text
    advice = "remove it" if is_alone else f"write {meant} alone on its line, or remove it"
    message = f"“{line[start:end]}” is a command to a club, not an order: {advice}; these orders do not count until then"
    return LineProblem(Problem("orders/command", message, near=() if is_alone else (meant,)), start + 1, end - start)


def fault(line: str, raised: Exception) -> LineProblem:
    """Return the problem with a text, none of which counts, because the program fails on its ``line``."""
    message = "internal error on this line, which is not your fault: nothing of this text counts; please word it differently"
    return replace(at_whole(line, Problem(FAULT.code, message)), fault=raised)


def _at_word(grammar: Grammar, line: str, index: int, problem: Problem) -> LineProblem:
    places = words_at(grammar, line)
    if not places:  # a header in a line with more words, or without a blank: turn1; or the first line of a form
        return at_whole(line, problem)
    start, end = places[index]
    return LineProblem(problem, start + 1, end - start)


def _at_head(line: str, problem: Problem) -> LineProblem:
    head = head_of(line)
    return at_whole(line, problem) if head is None else LineProblem(problem, head.start + 1, head.end - head.start)


def at_whole(line: str, problem: Problem) -> LineProblem:
    """Return ``problem`` with the whole ``line``, without the blanks around it, as its place."""
    start = len(line) - len(line.lstrip())
    return LineProblem(problem, start + 1, max(1, len(line) - start))


# The place of a problem

Span = tuple[int, int]
"""The index of the first character, and the index after the last."""
_BESIDE: Final = ("fact", "draw", "argument=", "name=", "word=")
"""Parts that are beside an order on its line, not in it."""


def locate(rules: AnyRules, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return ``diagnostics`` with the column and width of the wrong part of each order, where they have none."""
    grammar, lines, found = grammar_of(rules), dict[str, _Line | None](), list[Diagnostic]()
    for one in diagnostics:
        placed = one
        if one.text and not one.column:
            text = clean(one.written)
            with suppress(Exception):  # even without a place, the problem itself is known
                if text not in lines:  # many problems may be about one line
                    lines[text] = None
                    lines[text] = _line(grammar, text)
                if (line := lines[text]) is not None:  # the part in the problem, else its order, else the whole instruction
                    wanted = line.orders if one.order is not None else ()
                    order = next((parts for parts, expression in wanted if expression == one.order), line.whole)
                    name, written = one.problem.part, one.problem.written
                    part = _part(line.whole if name.startswith(_BESIDE) else order, name, text, written) if name else None
                    start, end = _span(order[0] if part is None else part)
                    placed = one.at(start + 1, max(1, end - start), one.text)
        found.append(placed)
    return found


def words_at(grammar: Grammar, line: str) -> list[Span]:
    """Return the places of names and numbers on the cleaned ``line``, in reading order; none if it cannot be read."""
    tree = grammar.tree(line)
    return [] if tree is None else [_span(word) for word in tree.scan_values(bool)]


class _Line(NamedTuple):
    """A line as it is read: the ``whole`` instruction, and its ``orders`` with their values, if it is more than one order.

    Each is the list of its parts, itself first.
    """

    whole: list[Tree[Token]]
    orders: list[tuple[list[Tree[Token]], Any]]


def _line(grammar: Grammar, text: str) -> _Line | None:
    tree = grammar.tree(text)
    if tree is None:
        return None
    whole: Any = next((one for one in tree.children if getattr(one, "data", "") == "instruction"), tree)
    parts = _parts(whole)
    # First the orders that the line may carry out, then those whose cost a condition asks for.
    asked = {id(one) for condition in _named(parts, "condition") for one in _named(_parts(condition), "order")}
    singles = sorted(_named(parts, "order"), key=lambda one: id(one) in asked)
    if [_span(single) for single in singles] == [_span(whole)]:
        return _Line(parts, [])
    built = ((single, grammar.parse(text[slice(*_span(single))])) for single in singles)
    return _Line(parts, [(_parts(single), getattr(one, "expression", None)) for single, one in built])


def _part(parts: list[Tree[Token]], name: str, line: str, written: str | None) -> Tree[Token] | None:
    """Return the part ``name``: ``cell`` is the first cell, ``cell:1`` the second, ``tile=H3`` the last tile H3.

    An order may have its parts in another order than its line: the name that was ``written`` is looked for first.
    """
    rule, is_named, value = name.partition("=")
    rule, _, index = rule.partition(":")
    spelled = [(found, line[slice(*_span(found))].casefold()) for found in _named(parts, rule)]
    wanted = value if is_named else written
    matching = [found for found, text in spelled if wanted and wanted.casefold() in (text, text.split(" ")[0])]
    at = dict(enumerate(found for found, _ in spelled)).get(int(index or 0))
    if is_named:
        return matching[-1] if matching else None
    return at if at in matching or not matching else matching[-1]


def _parts(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return ``tree`` and its parts, in reading order."""
    return list(cast("Any", tree).iter_subtrees_topdown())


def _named(parts: list[Tree[Token]], rule: str) -> list[Tree[Token]]:
    """Return those of ``parts`` that ``rule`` matches."""
    return [one for one in parts if one.data == rule]


def _span(part: Any) -> Span:
    """Return the place of a part or a word, without the brackets around it."""
    place = getattr(part, "meta", part)
    return getattr(place, "start_pos", 0), getattr(place, "end_pos", 0)
