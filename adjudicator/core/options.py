"""Fill in the options of a game and check them against those of its ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.problem import MOST_PROBLEMS, Problem, SetupError, in_any_case
from adjudicator.core.ruleset import GameMeta, Option
from adjudicator.core.values import Seat


def fill_options(
    meta: GameMeta, seats: Iterable[Seat], values: Mapping[str, str], version: int | None = None
) -> dict[str, str]:
    """Return every option of ``version`` of the rules (``None``: the present one) with its value or its default.

    Options of a seat are named ``option.seat``. Raises ``SetupError`` with every wrong name and value.
    """
    available = {name: option for name, option in _available(meta, seats) if option.since <= (version or meta.version)}
    unknown = [name for name in values if name not in available]
    problems = [_unknown_option(name, available) for name in unknown[:MOST_PROBLEMS]]
    if len(unknown) > MOST_PROBLEMS:
        more = f"{len(unknown) - MOST_PROBLEMS:,} more options do not exist either"
        problems.append(Problem("core/too-many-problems", more))
    problems += [
        _bad_choice(name, value, available[name])
        for name, value in values.items()
        if name in available and available[name].choices and value not in available[name].choices
    ]
    if problems:
        raise SetupError(tuple(problems))
    return {name: values.get(name, option.default) for name, option in available.items()}


def options_in_any_case(meta: GameMeta, seats: Iterable[Seat], values: Mapping[str, str]) -> dict[str, str]:
    """Return options in the ruleset's spelling: names and choices that differ from it only in case are corrected.

    Unknown names and choices stay as they are. Raises ``SetupError`` if this gives an option twice.
    """
    available = dict(_available(meta, seats))
    spelled: dict[str, str] = {}
    for written, value in values.items():
        name = in_any_case(written, available) or written
        if name in spelled:
            raise SetupError((Problem("core/option-twice", f"option {name} is given twice"),))
        choices = available[name].choices if name in available else ()
        spelled[name] = in_any_case(value, choices) or value
    return spelled


def options_in_play(meta: GameMeta, seats: Iterable[Seat], options: Mapping[str, str], version: int) -> dict[str, str]:
    """Return the ``options`` of a game begun by an older ``version`` of the rules, with the old values of later options."""
    later = {name: option.before for name, option in _available(meta, seats) if option.since > version}
    return {**later, **options}


def _available(meta: GameMeta, seats: Iterable[Seat]) -> Iterable[tuple[str, Option]]:
    seats = tuple(seats)
    for option in meta.options:
        if option.per_seat:
            yield from ((f"{option.name}.{seat}", option) for seat in seats)
        else:
            yield option.name, option


def _unknown_option(name: str, available: Mapping[str, Option]) -> Problem:
    message = f"there is no option “{name}”; this game has: {', '.join(available)}"
    return Problem("core/unknown-option", message, part=f"option:{name}", near=tuple(available), written=name)


def _bad_choice(name: str, value: str, option: Option) -> Problem:
    message = f"option {name} cannot be “{value}”; it may be: {', '.join(option.choices)}"
    return Problem("core/bad-choice", message, part=f"option:{name}", near=option.choices, written=value)
