"""Play a script: set up its game, adjudicate its turns in the sequence of their lines, audit what people wrote down."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.corrections import MissedPolicy
from adjudicator.core.engine import adjudicate, outcome_problem
from adjudicator.core.event import Part, Spent
from adjudicator.core.journal import Entry
from adjudicator.core.order import Sheet
from adjudicator.core.problem import FAULT, MOST_PROBLEMS, CorrectionError, Diagnostic, Problem, SetupError
from adjudicator.core.rules import AnyRules
from adjudicator.core.ruleset import Player
from adjudicator.core.step import committed_chance, validate_expression
from adjudicator.core.values import Seat, Value, replace
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.library.begin import GameChoices, begin_game
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.orders.problems import locate
from adjudicator.orders.submission import clean
from adjudicator.reports.receipt import order_problem
from adjudicator.reports.texts import why_text
from adjudicator.results import Decision, OrderProblem
from adjudicator.rulesets import bug_words
from adjudicator.script.read import (
    BAD_QUOTE,
    BadLinesError,
    Block,
    Item,
    Line,
    Script,
    bad_turn,
    is_script,
    read_script,
    unquote,
)
from adjudicator.store.game_file import shipped
from adjudicator.store.other_files import load_components, load_position
from adjudicator.verdict import NOT_DECIDED, Divergence, Kind, Verdict, verdict

Taken = tuple[Line, Entry]
"""An order of a script with its entry."""
_ABSENCES: Final = ("nmr", "holiday")
_FORMS: Final = {
    "undo": ("(?:to +)?([0-9]{1,9})", "write the number of the entry to go back to, as in `undo to 12`"),
    "seat": ("([^=]*?) *= *(.*)", "write the new holder of a seat like `seat {}=Zoe`"),
    "nmr": (
        r"(\S{1,40}) +(default|bot|drop) +([1-9][0-9]{0,3}) +by +(.{1,80})",
        "write a missed deadline like `nmr {} bot 1 by 2026-03-02 20:00 UTC`",
    ),
    "holiday": (r"(\S{1,40}) +(\S.{0,79}) to (\S.{0,79})", "write a holiday like `holiday {} 2026-12-20 to 2027-01-03`"),
}
"""The patterns of corrections, and the right forms with a seat."""
_MOST: Final = 1_000
"""Lines of one correction."""
_CHANCE: Final = ("core/impossible-outcome", "core/chance-not-recorded")
_BY_CODE: Final = {
    "script/bad-path": Kind.UNREAD,
    "script/bad-file": Kind.UNREAD,
    "script/bad-correction": Kind.CORRECTION,
    "script/unknown-ruleset": Kind.VERSION,
    FAULT.code: Kind.FAULT,
    "orders/not-text": Kind.DAMAGED,
    "orders/too-large": Kind.DAMAGED,
    "orders/too-many-lines": Kind.DAMAGED,
    "orders/too-many-problems": Kind.UNREADABLE,
}
"""Problems whose kind does not depend on their line; most of them prevent a decision about the script."""
_SHOWN: Final = 5
"""The violations of a file that a problem names."""
_CAUSES: Final = {
    "core/player-count": ("seat",),
    "core/bad-seat": ("seat",),
    "core/bad-id": ("id",),
    "core/bad-seed": ("seed",),
    "core/no-such-version": ("rules",),
    "core/unknown-option": ("option",),
    "core/bad-choice": ("option",),
    "core/unknown-seat": ("entropy",),
    "core/bad-entropy": ("entropy",),
}
"""The headings that cause a problem of the set-up; other problems concern the position or the whole game."""


class ScriptResult(Value):
    """The result of a script: the game up to the turn of the first problem, its lines with their entries, all problems.

    ``game`` is ``None`` if the set-up fails. The game ends before the turn of the first of the ``diagnostics``.
    """

    script: Script
    game: Game | None
    accepted: tuple[Taken, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The mistakes in the script, each with its ``code``, ``message``, ``line`` and ``column``."""
        return tuple(map(order_problem, self.diagnostics))

    @property
    def divergences(self) -> tuple[Divergence, ...]:
        """The written minutes and results that the rules contradict."""
        if self.game is None:
            return ()
        found, standings = list[Divergence](), self.game.rules.standings(self.game.record.state)
        for line, entry in self.accepted:
            minutes, why = _spent(entry)
            if line.minutes in (None, minutes):
                continue
            rules = ", ".join(dict.fromkeys(part.rule for part in why if part.rule))
            words = why_text(why, entry.order)
            words = words.removesuffix(f" ({rules})") if rules else words  # the correct sum with its parts
            found.append(
                Divergence(
                    kind=Kind.MINUTES,
                    n=entry.n,
                    seat=line.seat,
                    order=entry.order,
                    field=f"line {line.instruction.line}: minutes",
                    recorded=str(line.minutes),
                    recomputed=f"{minutes} = {words}" if words not in ("", str(minutes)) else str(minutes),
                    rule=rules,
                )
            )
        for claim in () if self.diagnostics else self.script.claims:
            where = f"line {claim.item.line}: {claim.item.word}"
            if claim.minutes is None:
                winners = {row.seat for row in standings if row.is_final and row.place == 1}
                right = " ".join(seat for seat in self.game.seats if seat in winners) or "none: the game is not over"
                if winners != set(claim.seats):
                    found.append(Divergence(Kind.RESULT, field=where, recorded=" ".join(claim.seats), recomputed=right))
                continue
            scores, written = {row.seat: row.score for row in standings}, str(claim.minutes)
            for seat in claim.seats:
                if scores.get(seat) != claim.minutes:
                    right = str(scores.get(seat, "none"))
                    found.append(Divergence(Kind.RESULT, seat=seat, field=where, recorded=written, recomputed=right))
        return tuple(found)


def play_script(
    text: str | bytes,
    *,
    name: str = "script",
    folder: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> ScriptResult:
    """Play the whole game in ``text``, a script, and return the result: mistakes in it are values, not errors.

    Messages call the script ``name``. It can name files in ``folder`` (``None``: no files). Each adjudication calls
    ``notify``. Raises ``RequestError`` if ``text`` is no script.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not is_script(data):
        raise RequestError(f"name a script: the first line of {name} does not begin with `script`")
    script = read_script(data)
    game: Game | None = None
    taken, found = list[Taken](), list(script.diagnostics)
    first = script.blocks[0].line if script.blocks else None
    try:
        if script.rules is not None and not any(first is None or 0 < one.line < first for one in found):
            game = _set_up(script, folder)
            impossible = (
                Diagnostic(problem, line.seat, said.line, order, text=said.text, place=said.place)
                for block in script.blocks
                for line in block.lines
                for said in (line.instruction,)
                for order, problem in validate_expression(game.rules, said.expression)
            )
            illegal = locate(game.rules, islice(impossible, MOST_PROBLEMS + 1))
            if len(illegal) > MOST_PROBLEMS:
                words = f"more than {MOST_PROBLEMS} orders are illegal in every position"
                message = f"{words}: correct these {MOST_PROBLEMS} first"
                illegal[MOST_PROBLEMS:] = [Diagnostic(Problem("orders/too-many-problems", message))]
            found += illegal
            for block in () if found else script.blocks:
                notify()
                game, new = _play(game, block, taken)
                taken += new
    except BadLinesError as error:
        found += error.diagnostics
    # Those of the whole script, such as the number left out, come last.
    placed = sorted(found, key=lambda one: (not one.line, one.line, one.column))
    return ScriptResult(script, game, tuple(taken), tuple(replace(one, source=name) for one in placed))


def audit_script(source: str, data: bytes, folder: str | None = None) -> Verdict:
    """Audit the script with the bytes ``data``, which has every divergence; its content raises no error.

    ``source`` is its name for the verdict, ``folder`` the place of the files that it names (``None``: a script that
    names any is not decided).
    """
    played = play_script(data, name=source, folder=folder)
    divergences = (_divergence(played, diagnostic) for diagnostic in played.diagnostics)
    # Without the rules, or a file, no other divergence counts: this one comes first.
    found = tuple(sorted(divergences, key=lambda divergence: divergence.kind not in NOT_DECIDED))
    if played.game is None:
        script, name = played.script, played.script.one("id")
        by = script.rules.meta.id if script.rules else ""
        return verdict(source, found[0], game=name.value[:80] if name else "", ruleset=by, further=found[1:])
    found = (*played.divergences, *found)
    about, over, divergence = played.game.record, played.game.is_over, found[0] if found else None
    entries = [link.entry for link in about.journal]
    rules = about.ruleset.id
    return verdict(source, divergence, game=about.id, ruleset=rules, entries=entries, over=over, further=found[1:])


def _divergence(played: ScriptResult, diagnostic: Diagnostic) -> Divergence:
    """Return the divergence for a problem of a script."""
    problem, code = diagnostic.problem, diagnostic.problem.code
    if code in _BY_CODE:
        kind = _BY_CODE[code]
    elif played.game is None or not diagnostic.line:
        kind = Kind.SETUP
    elif code in _CHANCE:
        kind = Kind.CHANCE
    else:
        is_unreadable = code.startswith(("orders/", "script/bad", "script/mis", "script/tw"))
        kind = Kind.UNREADABLE if is_unreadable else Kind.REFUSED
    field = f"line {diagnostic.line}" if diagnostic.line else "script"
    if kind in NOT_DECIDED:
        words = problem.message if diagnostic.fault is None else bug_words(diagnostic.fault)
        return Divergence(kind, field=field, recomputed=words, sentence=True)
    is_refused = kind in (Kind.REFUSED, Kind.CHANCE)
    return Divergence(
        kind=kind,
        n=len(played.game.record.journal) if is_refused and played.game and played.accepted else None,
        seat=diagnostic.seat,
        order=clean(diagnostic.written).strip() if diagnostic.seat else "",
        field=field,
        recorded=diagnostic.text.strip(),
        recomputed=f"{'refused: ' if is_refused else ''}{problem.message}",
        rule=problem.rule,
        sentence=True,
    )


# The set-up


def _set_up(script: Script, folder: str | None) -> Game:
    """Set up the game of the headings of ``script``, each of which must be valid.

    Files are in ``folder`` (``None``: the script can name none). Raises ``BadLinesError``.
    """
    rules, name, seed, version = script.rules, script.one("id"), script.one("seed"), script.one("rules")
    assert rules is not None and name is not None  # noqa: PT018 - the headings are sound
    chosen, loaded, wrong = "", dict[str, Any](), list[Diagnostic]()
    for word, load in (("components", load_components), ("position", load_position)):
        item = script.one(word)
        if word == "components" and item and item.value in (*rules.meta.component_sets, *rules.meta.older_sets):
            chosen = item.value
        elif item is not None:
            try:
                loaded[word] = _content_of(item, folder, load, rules)
            except BadLinesError as error:
                wrong += error.diagnostics
    if wrong:
        raise BadLinesError(*wrong)
    recorded = [(item, word) for item in script.all("recorded") for word in re.finditer(r"[^\s,]+", item.value)]
    choices = GameChoices(
        ruleset=rules.meta.id,
        id=name.value,
        players=tuple(Player(Seat(item.name.lower()), unquote(item.named) or "") for item in script.all("seat")),
        components=loaded.get("components") or shipped(rules, chosen)[0],
        options={item.name: unquote(item.named) or "" for item in script.all("option")},
        position=loaded.get("position"),
        secret=None if seed is None else seed.value.lower(),
        entropy={item.name.lower(): unquote(item.named) or "" for item in script.all("entropy")},
        is_promised=script.one("promise") is not None,
        version=int(version.value) if version else 0,
        recorded=tuple(word[0] for _, word in recorded),
    )
    try:
        game = begin_game(choices)
    except SetupError as error:
        for problem in error.problems:  # each at the heading that is its most likely cause
            items = [item for word in _CAUSES.get(problem.code, ("position", "script")) for item in script.all(word)]
            message = f" {problem.message} "
            named = [item for item in items if f"“{item.name}”" in message or f" {item.name} " in message]
            wrong.append([*named, *items, *script.headings][0].at(problem))
        raise BadLinesError(*wrong) from error
    except ImpossibleOutcomeError as impossible:
        problem = replace(outcome_problem(impossible), part="")
        if impossible.outcome is None or not recorded:
            raise BadLinesError(script.all("recorded")[-1].at(problem)) from impossible
        line, outcome = recorded[_impossible_outcome(choices)]
        found = Diagnostic(problem, line=line.line).at(line.column + outcome.start(), len(outcome[0]), line.text)
        raise BadLinesError(found) from impossible
    promise = script.one("promise")
    if promise is not None and promise.value.lower() != game.record.promise:
        message = f"the set-up of this script has another promise: {game.record.promise}"
        raise BadLinesError(promise.wrong("bad-promise", message))
    return game


def _impossible_outcome(choices: GameChoices) -> int:
    """Return the index of the first recorded outcome that is impossible."""
    for number in range(1, len(choices.recorded)):
        try:
            begin_game(replace(choices, recorded=choices.recorded[:number]))
        except ImpossibleOutcomeError as error:
            if error.outcome is not None:
                return number - 1
    return len(choices.recorded) - 1


def _content_of(item: Item, folder: str | None, load: Callable[[str, AnyRules], Any], rules: AnyRules) -> Any:
    """Return the content of the file that ``item`` names, which must be in ``folder`` or below it."""
    path, home = item.value, os.path.realpath(folder or ".")
    target = "" if "\0" in path else os.path.realpath(os.path.join(home, path))
    why = ""
    if folder is None:
        why = "a script in an archive or on standard input cannot name a file: put both into a folder"
    elif "\\" in path or "\0" in path:
        why = "write `/` between the folders of a path"
    elif path.startswith("/") or re.match("[A-Za-z]:", path):
        why = "paths are relative to the script's folder: this one is absolute"
    elif ".." in path.split("/"):
        why = "paths are relative to the script's folder: this one leads out of it"
    elif os.path.commonpath((home, target)) != home:
        why = "a link leads out of the script's folder: the program does not open this file"
    elif os.path.exists(target) and not os.path.isfile(target):
        why = "this is not a file"
    if why:
        raise BadLinesError(item.wrong("bad-path", why))
    try:
        return load(os.path.join(folder or ".", path), rules)
    except Untrusted as error:
        shown, more = "; ".join(map(str, error.violations[:_SHOWN])), len(error.violations) - _SHOWN
        why = shown + (f"; and {more} more" if more > 0 else "")
    except FileProblem as error:
        why = error.words
    raise BadLinesError(item.wrong("bad-file", f"{path}: {why}"))


# The turns


def _play(game: Game, block: Block, before: Sequence[Taken]) -> tuple[Game, list[Taken]]:
    """Return ``game`` after ``block``, and its lines with their entries; ``before`` are those of the turns before it.

    Raises ``BadLinesError`` unless the whole block is carried out in the sequence of its lines.
    """
    # Only skipped orders and absences may repeat the number of the last turn.
    is_repeated, due = block.turn != game.record.turn, bad_turn(game.record.turn)
    is_absence = bool(block.correction) and block.correction[0].word in _ABSENCES
    if is_repeated and (block.turn != game.record.turn - 1 or (block.correction and not is_absence)):
        raise BadLinesError(block.at(due))
    if block.correction:
        return _correct(game, block.correction, takes_number=not is_repeated), []
    sheets = (Sheet(line.seat, (line.instruction,)) for line in block.lines)
    chance = committed_chance(game.record, game.record.journal[-1].entry.drawn, words=())
    said = block.comment
    outcome = adjudicate(game.rules, game.record, sheets, turn=block.turn, chance=chance, in_sequence=True, comment=said)
    after = game.with_record(outcome.record)
    new = list(zip(block.lines, (link.entry for link in outcome.accepted), strict=False))
    if outcome.diagnostics:
        raise BadLinesError(*locate(game.rules, outcome.diagnostics))
    if len(new) < len(block.lines):
        raise BadLinesError(_not_due(after, block.lines[len(new)], [*before, *new]))
    if is_repeated and not all(entry.is_skipped for _, entry in new):
        raise BadLinesError(block.at(due))
    return after, new


def _not_due(game: Game, line: Line, before: Sequence[Taken]) -> Diagnostic:
    """Return the problem of ``line``, whose seat is not due in ``game``; the lines ``before`` it may explain why.

    They do if the clock of its seat and that of a seat due come in another order by the written minutes.
    """
    awaited = Decision.due_in(game.rules, game.record.state)
    asked = "; ".join(f"{one.seat}: {one.ask}" for one in awaited) or "nothing"
    message, seat, due = f"{line.seat} is not due here. What is due: {asked}", line.seat, [one.seat for one in awaited]
    rules = {row.seat: row.score for row in game.rules.standings(game.record.state)}
    archive = dict(rules)
    for other, entry in before:
        if other.minutes is not None:
            archive[other.seat] = archive.get(other.seat, 0) + other.minutes - _spent(entry)[0]

    def order(clocks: Mapping[Seat, int], other: Seat) -> int:
        return (clocks[other] > clocks[seat]) - (clocks[other] < clocks[seat])

    swapped = [one for one in due if {one, seat} <= rules.keys() and order(archive, one) != order(rules, one)]
    sums = [
        f"the archive has {one} at {archive[one]}, the rules {rules[one]}"
        for one in dict.fromkeys((seat, *swapped))
        if swapped and archive[one] != rules[one]
    ]
    if sums:
        message += f". T{'; '.join(sums)[1:]}: so {' or '.join(due)} plays next, not {seat}"
    said, words = line.instruction, clean(line.instruction.text)
    start = len(words) - len(words.lstrip())
    where = Diagnostic(Problem("script/not-due", message), seat, said.line, place=said.place)
    return where.at(start + 1, len(words) - start, said.text)


def _correct(game: Game, items: Sequence[Item], *, takes_number: bool) -> Game:
    """Return ``game`` after the correction in ``items``, the lines of one turn. Raises ``BadLinesError``.

    Unless it ``takes_number``, an absence joins the adjudication before it.
    """
    reasons = [item for item in items if item.word == "because"]
    said = [item for item in items if item.word != "because"]
    first, seat = (said or items)[0], Seat("")
    groups: tuple[str, ...] = ()

    def bad(message: str, item: Item = first) -> BadLinesError:
        return BadLinesError(item.wrong("bad-correction", message))

    if not said:
        raise bad("write the correction before its reason: a line such as `undo to 12`, then `because`")
    for other in (*said[1:], *reasons[1:]):
        if other.word != "amend" or first.word != "amend" or len(said) > _MOST:
            raise bad("one turn holds one correction with one reason: write the next one in a separate turn", other)
    reason = unquote(reasons[0].value) if reasons else ""
    if reason is None:
        raise bad(BAD_QUOTE, reasons[0])
    if first.word in _FORMS:
        pattern, form = _FORMS[first.word]
        match = re.fullmatch(pattern, first.value, re.IGNORECASE)
        groups, form = match.groups() if match else ("",), form.format(game.seats[0])
        seat = Seat(groups[0].lower())
        if first.word == "undo" and match is None:
            raise bad(form)
        if first.word != "undo" and seat not in game.seats:
            raise bad(f"{form}: {', '.join(game.seats)}")
    try:
        match first.word:
            case "amend":
                return game.amend([item.value for item in said], reason)
            case "undo":
                return game.undo(int(groups[0]), reason)
            case "seat":
                holder = unquote(groups[1])
                if holder is None:
                    raise bad(BAD_QUOTE)
                return game.hand_over(seat, holder, reason)
            case "nmr":
                _, policy, missed, due = groups
                how = MissedPolicy(policy.lower())
                return game.miss_deadline(seat, due.strip(), how, int(missed), reason, takes_number=takes_number)
            case "holiday":
                _, begin, end = groups
                return game.take_holiday(seat, begin.strip(), end.strip(), reason, takes_number=takes_number)
        if not reason and not game.is_over:
            raise bad("to publish the secret before the end, give a reason, which the journal records (`because`)")
        return game.reveal(reason, force=True)
    except CorrectionError as error:
        raise bad(str(error)) from error
    except SetupError as error:
        raise bad("; ".join(problem.message for problem in error.problems)) from error


def _spent(entry: Entry) -> tuple[int, tuple[Part, ...]]:
    """Return the minutes that the seat of ``entry`` spent, and their parts."""
    spent = [event for event in entry.events if isinstance(event, Spent) and event.seat == entry.seat]
    return sum(event.after - event.before for event in spent), tuple(part for event in spent for part in event.why)
