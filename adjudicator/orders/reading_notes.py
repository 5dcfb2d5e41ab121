"""Note orders that were read in other words than written: optional parts, another case, odd signs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from adjudicator.core.order import Instruction, Sheet, instruction_text, leaves
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value, defaults_of
from adjudicator.orders.clean import clean
from adjudicator.orders.line_parser import Part, part_parser
from adjudicator.results import ReadRemark

LEFT_OUT: Final = "note/left-out"
"""The order omits a part that its canonical words have: `PLACE H3 at C2` is laid as printed."""
CASE: Final = "note/name-case"
"""A name has another case than its own, on a line that is not all in small letters: `TAKE u7`."""
SIGNS: Final = "note/odd-signs"
"""Signs in an order were read as other signs or as blanks: quotation marks, wide letters."""


def reading_notes(rules: AnyRules, sheet: Sheet) -> Iterator[ReadRemark]:
    """Yield the notes on orders of ``sheet`` that were read in other words than written, one of each kind."""
    left = dict(_KINDS)
    for instruction in sheet.instructions:
        suspected = [code for code, (suspect, _) in left.items() if suspect(rules, instruction)]
        if not suspected or _is_canonical(rules, instruction):
            continue
        place = _Place.find(rules, instruction)
        for code in suspected:
            why = "" if place is None else left[code][1](place)
            if place is not None and why:
                del left[code]
                at = f"line {instruction.line} of {instruction.source}"
                yield ReadRemark(
                    code=code,
                    seat=sheet.seat,
                    source=instruction.source,
                    line=instruction.line,
                    written=place.written,
                    read=place.read,
                    reason=why,
                    note=f"{at}: `{place.written}` was read as `{place.read}` ({why})",
                )
        if not left:
            return


def _is_canonical(rules: AnyRules, instruction: Instruction) -> bool:
    """Return whether the line has the canonical words of its order."""
    return instruction.written.strip() == instruction_text(instruction, rules.language.text)


class _Place(Value):
    """An instruction on its line: the written and the canonical words, and for each order the parts of both."""

    written: str
    cleaned: str
    read: str
    orders: tuple[tuple[Any, Part, Part], ...]

    @classmethod
    def find(cls, rules: AnyRules, instruction: Instruction) -> _Place | None:
        """Return the place of ``instruction``; ``None`` if its line cannot be read alone."""
        line, read = clean(instruction.written), instruction_text(instruction, rules.language.text)
        parts = part_parser(rules)(line)
        whole = next(iter(parts.named("instruction")), None) if parts is not None else None
        if whole is None:
            return None
        start, end = whole.span
        written = whole.named("order", but_not_in="condition")
        meant = [(leaf, part_parser(rules)(rules.language.text(leaf))) for leaf in leaves(instruction.expression)]
        pairs = zip(meant, written, strict=False) if len(meant) == len(written) else ()
        orders = tuple((leaf, own, canonical) for (leaf, canonical), own in pairs if canonical is not None)
        return cls(instruction.written[start:end], line[start:end], read, orders)


def _words(part: Part) -> list[str]:
    return [word.text for word in part.words()]


def _left_out(place: _Place) -> str:
    """Return the parts that were left out and their values, as far as the canonical words have them."""
    found = []
    for leaf, written, canonical in place.orders:
        canonical_words = _words(canonical)
        if len(canonical_words) > len(own := _words(written)):
            missing = Counter(canonical_words) - Counter(own)
            found += [f"{name} was left out: {value}" for name, value in _as_usual(leaf).items() if value in missing]
    return "; ".join(dict.fromkeys(found))


def _as_usual(order: Any) -> dict[str, str]:
    """Return the fields of ``order`` with their default values, except those that are obvious."""
    if not isinstance(order, Value):
        return {}
    obvious = getattr(order, "obvious", ())
    usual = defaults_of(type(order)).items()
    return {
        name: str(value)
        for name, value in usual
        if name not in obvious and value is not None and not isinstance(value, bool) and getattr(order, name) == value
    }


def _in_another_case(place: _Place) -> str:
    """Return the names that were written in another case than their own."""
    found = []
    for _, written, canonical in place.orders:
        own = {token.casefold(): token for token in _words(canonical)}
        found += [own[token.casefold()] for token in _words(written) if own.get(token.casefold(), token) != token]
    return f"the name is {' '.join(dict.fromkeys(found))}" if len(set(found)) == 1 else _names(found)


def _names(found: list[str]) -> str:
    return f"the names are {' '.join(dict.fromkeys(found))}" if found else ""


def _odd_signs(place: _Place) -> str:
    """Return the signs that were read as others; blanks and dashes of every kind do not count."""
    odd = [was for was, now in zip(place.written, place.cleaned, strict=False) if was != now and not _is_usual(was, now)]
    signs = f"the sign {odd[0]} was" if len(set(odd)) == 1 else f"the signs {' '.join(dict.fromkeys(odd))} were"
    return f"{signs} not taken as written" if odd else ""


def _is_usual(was: str, now: str) -> bool:
    return was.isspace() or not was.isprintable() or now == "-" or was == "*"


_WORD: Final = re.compile(r"\w+")


def _may_lack_a_part(rules: AnyRules, instruction: Instruction) -> bool:
    return any(
        value in _WORD.findall(rules.language.text(leaf))
        for leaf in leaves(instruction.expression)
        for value in _as_usual(leaf).values()
    )


def _may_have_another_case(rules: AnyRules, instruction: Instruction) -> bool:
    """Return whether a word of the canonical orders is on the line in another case only."""
    if instruction.written == instruction.written.lower():
        return False  # a line in small letters needs no note
    written = set(_WORD.findall(instruction.written))
    folded = {word.casefold() for word in written}
    return any(
        word not in written and word.casefold() in folded
        for leaf in leaves(instruction.expression)
        for word in _WORD.findall(rules.language.text(leaf))
    )


def _may_have_odd_signs(_rules: AnyRules, instruction: Instruction) -> bool:
    text = instruction.written
    return not text.isascii() or any(sign in text for sign in "\"'`")


_KINDS: Final[dict[str, tuple[Callable[[AnyRules, Instruction], bool], Callable[[_Place], str]]]] = {
    LEFT_OUT: (_may_lack_a_part, _left_out),
    CASE: (_may_have_another_case, _in_another_case),
    SIGNS: (_may_have_odd_signs, _odd_signs),
}
"""For each kind a quick test whether a line may be of it, and a function that explains why it is."""
