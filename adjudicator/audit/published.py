"""Compare what was published during a game with its file, or decide the game again from it and the secret of chance.

With the secret, somebody can write a whole new game that an audit verifies. But the players keep the published texts: the
heads fix the journal, and the rows of a log say what its reader knew of each entry.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import Any, Final

from adjudicator.audit.decide import canonical_word, fault, reader
from adjudicator.audit.published_texts import PublishedText, Row
from adjudicator.core.chance import WORD, WordSent, proof_maker
from adjudicator.core.entries import redecide
from adjudicator.core.journal import Entry
from adjudicator.core.problem import AdjudicatorError, SetupError
from adjudicator.core.step import RefusedError, Taken, committed_chance, go_on
from adjudicator.core.values import MODERATOR, Seat, Viewer, added_later, defaults_of, json_value, replace
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.library.begin import GameChoices, empty_game
from adjudicator.library.game import Game
from adjudicator.library.reader import Reader, beginning_of, is_hidden, redact_entry
from adjudicator.reports.data.log import log_rows
from adjudicator.reports.text.table import count_of
from adjudicator.resources import MissingResource
from adjudicator.results import Begun, LogRow
from adjudicator.rulesets import ruleset
from adjudicator.store.components import reference, shipped_version
from adjudicator.store.game_file import load_game
from adjudicator.store.other_files import load_components, load_position
from adjudicator.verdict import (
    NOT_DECIDED,
    AuditResult,
    ComparedText,
    ComparedTexts,
    Divergence,
    Kind,
    Skipped,
    Verdict,
    revised,
    verdict,
)

Place = tuple[int, int]
"""The number of an entry for a reader, and which of the orders skipped after it (0: the entry itself)."""
Logs = Callable[[Viewer], Mapping[Place, Sequence[Row]]]
"""The log of a game for each viewer, as rows of JSON by their place."""
_ELSEWHERE: Final = ("n", "skipped", "undone_by", "commitment", "begun")
"""The fields of a row that are its place, or that are compared in another way."""
_FIELDS: Final[Mapping[str, Any]] = {
    name: json_value(defaults_of(LogRow)[name]) if name in added_later(LogRow) else ...
    for name in LogRow.__struct_fields__
    if name not in _ELSEWHERE
}
"""The compared fields of a row, with the values that rows leave out."""
_DECIDED: Final[Mapping[str, Any]] = dict.fromkeys(("seat", "order", "min", "before", "after", "why", "told"), ...)
"""The fields of a row that can be decided again without the game file."""
_UNDECIDED: Final = ("turn", "written", "notes", "undone_by")
_CORRECTIONS: Final = ("SEAT", "NMR", "HOLIDAY")
"""The corrections that name a seat and leave the position as it is."""
_SECRET: Final = re.compile("the secret of chance is ([0-9a-f]{64})(?![0-9a-f])")
_UNDO: Final = re.compile("UNDO to ([0-9]{1,9})", re.ASCII)
_OF_FILE: Final = "the game file has"
_OF_SECRET: Final = "the secret and the rules give"
_SHORT: Final = 16
_LONGEST: Final = 400
"""The number of characters of a value that a message quotes."""
_MOST_GAPS: Final = 20
"""The number of missing entries that a verdict lists."""


# With the game file ---------------------------------------------------------------------------------------------------


def compare_texts(result: AuditResult, path: str, texts: Sequence[PublishedText]) -> AuditResult:
    """Return the ``result`` for the game in the file ``path`` with its first contradiction of ``texts``."""
    if isinstance(result, Skipped) or (result.divergence is not None and result.divergence.kind in NOT_DECIDED):
        return result
    game = Game.of(load_game(path))
    journal, numbers = game.record.journal, game.timeline.entry_numbers
    viewers: list[Viewer] = [None, *game.seats, MODERATOR]

    @cache
    def logs(viewer: Viewer) -> Mapping[Place, Sequence[Row]]:
        return _by_place(json_value(row) for row in Reader(game, viewer).rows(journal))

    @cache
    def entries(viewer: Viewer) -> Mapping[Place, int]:
        """Return the numbers of the journal's entries by their place in the log for ``viewer``."""
        shown = (link.entry.n for link in journal if not is_hidden(link.entry, viewer))
        return {(numbers.number(n, viewer), numbers.skipped(n) or 0): n for n in shown}

    found, missing = list[Divergence](), {text.name: dict[str, None]() for text in texts}

    def contradict(text: PublishedText, n: int | None, words: str) -> None:
        found.append(_contradiction(text.name, n, words, journal[n].entry if n is not None and n < len(journal) else None))

    for text in texts:
        lacking = missing[text.name]
        for words in _about_beginning(game, text, lacking):
            contradict(text, None, words)
        for run in text.rows:
            published, fields = _by_place(run), dict(_FIELDS)
            first, last = min(published), max(published)
            every = {place for viewer in viewers for place in logs(viewer) if first < place < last}
            if not any("proof" in row for row in run):
                lacking["proofs of its entries"] = None
                del fields["proof"]
            wrong = _first_difference(published, logs, viewers, sorted(published.keys() | every), fields, lacking)
            if wrong is not None:
                known = entries(wrong[1])
                n, end = known.get(wrong[0]), max(known)[0]
                if n is not None or wrong[0][0] <= end:
                    contradict(text, wrong[0][0] if n is None else n, wrong[2])
                else:
                    contradict(text, len(journal), _beyond(wrong[0][0], end))
        if (head := _wrong_head(game, text)) is not None:
            contradict(text, *head)
    compared = revised(result, against=comparison_of(texts, missing))
    divergence = _first(found)
    if divergence is None:
        return compared
    if compared.divergence is None:
        return revised(compared, divergence=divergence)
    return revised(compared, further=(*compared.further, divergence))


def _contradiction(name: str, n: int | None, words: str, entry: Entry | None) -> Divergence:
    seat, order = ("", "") if entry is None else (entry.seat or "", entry.order)
    return Divergence(Kind.PUBLISHED, n, seat, order, name, recomputed=words, sentence=True)


def _first(found: Iterable[Divergence]) -> Divergence | None:
    return min(found, key=lambda one: -1 if one.n is None else one.n, default=None)


def _about_beginning(game: Game, text: PublishedText, missing: dict[str, None], right_is: str = _OF_FILE) -> Iterator[str]:
    """Yield the contradictions of what ``text`` says of the beginning, and add to ``missing`` what it does not say."""
    record = game.record
    for what, right, published in (
        ("commitment", record.chance.commitment, text.commitments),
        ("promise", record.promise, text.promises),
        ("game", record.id, text.games),
        ("beginning", record.beginning, text.beginnings),
    ):
        for other in published:
            if other != right:
                yield f"the published {what} is {other}, but {right_is} {right or 'none'}"
    right_begun = json_value(beginning_of(game))
    for begun in text.begun:
        missing.update({f"begun.{name}": None for name in sorted(begun.keys() ^ right_begun.keys())})
        for name in sorted(begun.keys() & right_begun.keys()):
            if _words(begun[name]) != _words(right_begun[name]):
                yield f"the beginning of the game: {_otherwise(name, begun[name], right_begun[name], right_is)}"


def _wrong_head(game: Game, text: PublishedText) -> tuple[int, str] | None:
    """Return the number of the first entry whose head in ``text`` is not that of the game, and what is wrong with it."""
    entries = [link for link in game.record.journal if not link.entry.is_skipped]
    prove = proof_maker(game.record.chance.secret)
    for head in sorted(text.heads, key=lambda head: head.n):
        if head.n >= len(entries):
            return len(game.record.journal), _beyond(head.n, len(entries) - 1)
        right = prove(entries[head.n])
        if right is None or not right.startswith(head.proof):
            known = f"{right[:_SHORT]}…" if right else "none"
            words = f"the published head {head.n} is {head.proof[:_SHORT]}…, but the game file has {known}"
            return entries[head.n].entry.n, f"{words}: somebody has changed this entry or an earlier one"
    return None


def _beyond(n: int, last: int) -> str:
    return f"entry {n} was published, but the game file ends with entry {last}"


# Rows of logs ---------------------------------------------------------------------------------------------------------


def _by_place(rows: Iterable[Row]) -> dict[Place, list[Row]]:
    found: dict[Place, list[Row]] = {}
    for row in rows:
        skipped = row.get("skipped")
        found.setdefault((row["n"], skipped if type(skipped) is int else 0), []).append(row)
    return found


def _first_difference(
    published: Mapping[Place, Sequence[Row]],
    logs: Logs,
    viewers: Sequence[Viewer],
    places: Iterable[Place],
    fields: Mapping[str, Any],
    missing: dict[str, None],
    right_is: str = _OF_FILE,
) -> tuple[Place, Viewer, str] | None:
    """Return the first of ``places`` where the ``published`` log is that of no viewer, and the difference in words.

    The reader is one of ``viewers``, whose log agrees with all earlier places: the first who is left comes second. Add to
    ``missing`` what the published rows do not say.
    """
    left = viewers
    for place in places:
        there, right = published.get(place, []), {viewer: logs(viewer).get(place, []) for viewer in left}
        differing = {viewer: _difference(there, here, fields, missing, right_is) for viewer, here in right.items()}
        still = [viewer for viewer, words in differing.items() if words is None]
        if not still:
            return place, left[0], differing[left[0]] or ""
        left = still
    return None


def _difference(
    there: Sequence[Row], here: Sequence[Row], fields: Mapping[str, Any], missing: dict[str, None], right_is: str
) -> str | None:
    """Return the first difference between the published rows of an entry and those of the game, as text."""
    if len(there) != len(here):
        return f"{count_of(len(there), 'line')} about it published, but {right_is} {len(here)}"
    for one, right in zip(there, here, strict=True):
        if _words(one) == _words(right):
            continue
        for field, default in fields.items():
            told, known = one.get(field, default), right.get(field, default)
            if _words(told) != _words(known):
                return _otherwise(field, told, known, right_is)
        # An entry may be undone later, but it then stays undone.
        if "undone_by" in one and _words(one["undone_by"]) != _words(right.get("undone_by")):
            return _otherwise("undone_by", one["undone_by"], right.get("undone_by"), right_is)
        if "undone_by" in right.keys() - one.keys():
            missing[f"undone_by of entry {right['n']}"] = None
    return None


def _otherwise(name: str, published: Any, right: Any, right_is: str) -> str:
    shown = (f"{text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}" for text in (_words(published), _words(right)))
    return f"{name}: {f' was published, but {right_is} '.join(shown)}"


def _words(value: Any) -> str:
    """Return ``value`` as JSON, which tells 1, 1.0 and true apart."""
    return json.dumps(None if value is ... else value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def comparison_of(
    texts: Sequence[PublishedText], missing: Mapping[str, Iterable[str]], last: int | None = None
) -> ComparedTexts:
    """Return what of ``texts`` a game was compared with, and what not, such as the ``missing`` parts of each.

    Without the game file nothing proves heads, and entries after the ``last`` one could not be decided.
    """
    found, entries = [], 0
    for text in texts:
        heads = [f"heads {_spans({head.n for head in text.heads})}"] if text.heads else []
        parts, rest = (heads, list[str]()) if last is None else ([], [f"{words} (name the game file)" for words in heads])
        rest += _UNDECIDED if last is not None and text.rows else ()
        for run in text.rows:
            places = _by_place(run).items()
            is_open = {n for (n, _), rows in places if last is not None and _players_number(rows[0]) not in range(last + 1)}
            closed = {n for (n, _), _ in places} - is_open
            parts += [f"entries {_spans(closed)}"] if closed else []
            rest += [f"entries {_spans(is_open)}"] if is_open else []
            entries += sum(n in closed for (n, _), _ in places)
        facts = (text.commitments, text.promises, text.beginnings, text.begun, text.games)
        named = zip(("commitment", "promise", "beginning", "set-up", "game"), facts, strict=True)
        parts += [name for name, there in named if there]
        found.append(ComparedText(text.name, tuple(parts), (*missing[text.name], *rest, *text.left_out)))
    heads_compared = sum(len(text.heads) for text in texts) if last is None else 0
    return ComparedTexts(sum(text.says_something for text in texts), heads_compared, entries, tuple(found))


def _spans(numbers: Iterable[int]) -> str:
    """Return ``numbers`` as text, ``0 to 3, 7``."""
    listed = sorted(numbers)
    firsts = [listed[0], *(later for earlier, later in pairwise(listed) if later != earlier + 1)]
    lasts = [*(earlier for earlier, later in pairwise(listed) if later != earlier + 1), listed[-1]]
    return ", ".join(f"{first} to {last}" if first < last else f"{first}" for first, last in zip(firsts, lasts, strict=True))


# Without the game file ------------------------------------------------------------------------------------------------


def audit_published(
    texts: Sequence[PublishedText],
    reveal: str | None = None,
    components: str | None = None,
    position: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> Verdict:
    """Return the verdict on a game from its ``texts`` and the secret of chance alone.

    ``reveal`` is the secret (``None``: a log contains it), ``components`` and ``position`` are the files of a component set
    and of a first position that the game has of its own. The game is decided again from its beginning, each entry with its
    order in the logs, and each log is compared with the one that its reader should have. The verdict is of the kind
    ``PARTIAL`` if the logs do not tell enough to decide all of it. Each entry calls ``notify``.

    Raises ``AdjudicatorError`` if something is missing, ``SetupError``, ``FileProblem``.
    """
    game = _beginning(texts, reveal, components, position)
    again, missing, partial = _Again(game), {text.name: dict[str, None]() for text in texts}, ""
    found = [
        _contradiction(text.name, None, words, None)
        for text in texts
        for words in _about_beginning(game, text, missing[text.name], _OF_SECRET)
    ]
    logs = [(text.name, _by_place(filter(None, map(_known_row, run)))) for text in texts for run in text.rows]
    told = sorted({0, *(n for _, log in logs for n, _ in log)})
    for n in told if not found else ():
        notify()
        try:
            again.decide(n, [log[n, 0] for _, log in logs if (n, 0) in log])
        except _UntoldError as untold:
            partial = f"entries {n} to {told[-1]}: {untold}" if n < told[-1] else f"entry {n}: {untold}"
            break
        except _ImpossibleError as impossible:
            name = next((name for name, log in logs if (n, 0) in log), "the beginning")
            found.append(_contradiction(name, n, str(impossible), None))
            break
        except SetupError:
            raise
        except Exception as error:  # a bug of the rules: the texts may be fine
            return _verdict(again, texts, replace(fault(error, game.rules.meta.id), n=n))
    decided = cache(again.log)
    for name, log in logs:
        places = sorted(place for place in log if place[0] in again.entries)
        wrong = _first_difference(log, decided, [None, *game.seats, MODERATOR], places, _DECIDED, {}, _OF_SECRET)
        if wrong is not None:
            found.append(_contradiction(name, wrong[0][0], wrong[2], again.entries[wrong[0][0]]))
    listed = set(told)
    gaps = tuple(islice((n for n in range(told[-1]) if n not in listed), _MOST_GAPS))
    divergence = _first(found)
    end = None if divergence is None else divergence.n
    if divergence is not None and end is not None and gaps and gaps[0] < end:
        # A missing log can have the same effect as cheating.
        partial = f"entry {end} ({divergence.field}): {divergence.recomputed}"
        partial += f"; the cause may be entry {gaps[0]}, which no log contains"
        divergence = None
    if divergence is None and partial:
        divergence = Divergence(Kind.PARTIAL, recomputed=partial, sentence=True)
    result = _verdict(again, texts, divergence, end)
    rest = [] if any(text.commitments for text in texts) else [f"commitment {game.record.chance.commitment} (in no text)"]
    hidden = 0
    for place, rows in decided(MODERATOR).items():
        whole = {words for row in rows for words in row["told"]}
        hidden += not any(
            whole <= {words for row in log.get(place, ()) for words in map(str, row["told"])} for _, log in logs
        )
    rest += [f"parts of {count_of(hidden, 'entry', 'entries')} (all others follow from them)"] if hidden else []
    rest += [f"entries {_spans(gaps)}{' …' if len(gaps) == _MOST_GAPS else ''} (in no log)"] if gaps else []
    together = ComparedText("all together", (f"{result.entries} of {count_of(len(told), 'entry', 'entries')}",), tuple(rest))
    compared = comparison_of(texts, missing, max(again.entries, default=-1))
    return revised(result, against=replace(compared, details=(*compared.details, together)))


def _verdict(
    again: _Again, texts: Iterable[PublishedText], divergence: Divergence | None, end: int | None = None
) -> Verdict:
    """Return the verdict on the entries decided ``again``, those before the ``end``."""
    record, rules = again.game.record, again.game.rules
    entries = [entry for n, entry in again.entries.items() if end is None or n < end]
    return verdict(
        " ".join(text.name for text in texts),
        divergence,
        game=record.id,
        ruleset=record.ruleset.id,
        entries=len(entries),
        orders=sum(entry.is_order for entry in entries),
        corrections=sum(entry.seat == MODERATOR for entry in entries),
        draws=entries[-1].drawn if entries else 0,
        over=bool(entries) and rules.is_over(again.states[entries[-1].n]),
    )


def _players_number(row: Row) -> int | None:
    """Return the number by which players know the entry of ``row``, which the moderator has beside his own."""
    n = (row["public"] if isinstance(row.get("public"), dict) else row).get("n")
    return n if type(n) is int and n >= 0 else None


def _known_row(row: Row) -> Row | None:
    """Return what of ``row`` can be decided again, in the numbers of the players; ``None`` for a skipped order."""
    n = _players_number(row)
    if row.get("skipped") is not None or n is None:
        return None
    told = row["told"] if isinstance(row["told"], list) else [row["told"]]
    # A correction begins with the moderator's reason, which cannot be computed.
    told = told[1:] if row["seat"] == MODERATOR and row["order"] else told
    order = row["public"].get("order") if isinstance(row.get("public"), dict) else None
    order = order if isinstance(order, str) else row["order"]
    return {**{name: row[name] for name in _DECIDED}, "n": n, "order": order, "told": told, "written": row.get("written")}


def _beginning(texts: Sequence[PublishedText], reveal: str | None, components: str | None, position: str | None) -> Game:
    """Return the game of ``texts`` with its secret and no entry yet."""
    first = next(((text.name, begun) for text in texts for begun in text.begun), None)
    if first is None:
        words = "name the game file first, or give a log as JSON with its first line: no text tells how the game was begun"
        raise AdjudicatorError(words)
    rows = (row for text in texts for run in text.rows for row in run if row["order"] == "REVEAL")
    sentences = (str(words) for row in rows if isinstance(row["told"], list) for words in row["told"])
    told = (match[1] for words in sentences if (match := _SECRET.match(words)))
    secret = reveal.lower() if reveal is not None else next(told, None)
    if secret is None:
        raise AdjudicatorError(
            "give the secret of chance with `reveal`, once the moderator has published it: no log contains it"
        )
    if not re.fullmatch("[0-9a-f]{64}", secret):
        raise AdjudicatorError(f"write the secret of chance (`reveal`) as 64 digits 0–9 and a–f, not “{reveal}”")
    try:
        begun: Begun = typed.convert(Begun, first[1])
    except typed.Misfit as error:
        raise Untrusted(first[0], [error.violation], "this log cannot be read") from None
    rules: Any = ruleset(begun.ruleset)
    if begun.position and position is None:
        raise AdjudicatorError("give the file of the first position (setup): the game began from one, which no log tells")
    if components is None:
        try:
            built = shipped_version(rules, begun.components, begun.components_version)[0]
        except MissingResource:
            words = f"give the file of the component set “{begun.components}” (components), which is the game's own"
            raise AdjudicatorError(words) from None
    else:
        built = load_components(components, rules)
    if reference(built).hash != begun.components_hash:
        raise AdjudicatorError(f"the component set “{built.id}” is not the one that the logs name")
    choices = GameChoices(
        ruleset=begun.ruleset,
        id=begun.game,
        players=begun.players,
        components=built,
        options=begun.options,
        position=load_position(position, rules) if begun.position and position else None,
        secret=secret,
        entropy=begun.words,
        version=begun.version,
        is_promised=begun.promise is not None,
    )
    return empty_game(choices)


class _UntoldError(Exception):
    """Report that no further entry can be computed; the message says why, and whose log is needed."""


class _ImpossibleError(Exception):
    """Report that no game has the published entry; the message says why."""


class _Again:
    """The ``entries`` that were decided again, by the players' numbers, each with the state after it.

    Entries that no log contains are left out, since a log may contain any number.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entries: dict[int, Entry] = {}
        self.states: dict[int, Any] = {}
        self._words: list[WordSent] = []

    def log(self, viewer: Viewer) -> dict[Place, list[Row]]:
        """Return the log of the entries for ``viewer``, as far as it can be decided again."""
        shown = (redact_entry(self.game.rules, entry, viewer) for entry in self.entries.values())
        entries = [replace(entry, written=None, notes=()) for entry in shown]
        return _by_place(json_value(row) for row in log_rows(self.game.rules, entries))

    def decide(self, n: int, rows: Sequence[Sequence[Row]]) -> None:
        """Decide entry ``n`` again with its order in ``rows``, those of each log.

        Raises ``_UntoldError``, ``_ImpossibleError``.
        """
        game, own = self.game, [of_log[0] for of_log in rows]
        seat: Any = own[0]["seat"] if n else None
        order = own[0]["order"] if n else ""
        if any((row["seat"], row["order"]) != (seat, order) for row in own if n):
            raise _ImpossibleError("the logs do not agree on who did what")
        if n and seat not in (*game.seats, MODERATOR):
            raise _ImpossibleError(f"no seat “{seat}” plays in this game")
        last = next(reversed(self.entries), 0)
        if seat == MODERATOR:
            taken = self._corrected(n, order, last)
        elif n and order.startswith(f"{WORD} ") and reader(game.rules)(order) is None:
            word = order.removeprefix(f"{WORD} ")
            if canonical_word(word) != word:
                raise _ImpossibleError(f"“{word}” is not a valid word for chance")
            event = WordSent(seat=seat, word=word, outcome=max(entry.drawn for entry in self.entries.values()))
            taken = self._taken(n, seat, order, last, (event,))
            self._words.append(event)
        else:
            text = next((row["written"] for row in own if isinstance(row["written"], str)), order)
            taken = self._ordered(n, seat, text, order, last) if n else self._taken(n, None, "", last)
        self.states[n] = taken.state
        self.entries[n] = replace(taken, written=None, notes=()).entry(n, 0, seat)

    def _taken(self, n: int, seat: Seat | None, text: str, last: int, events: tuple[Any, ...] = ()) -> Taken:
        """Return what the rules make of entry ``n`` with the order ``text``, or with an event that is no order."""
        drawn = self.entries[last].drawn if n else 0
        entry = Entry(n=n, turn=0, seat=seat, order=text, written=None, notes=(), events=events, drawn=0)
        chance = committed_chance(self.game.record, drawn, self._words)
        return redecide(self.game.rules, self.states.get(last), entry, chance, drawn, reader(self.game.rules))

    def _corrected(self, n: int, order: str, last: int) -> Taken:
        """Return a correction: its own change comes from the moderator, and its consequences are computed."""
        what, _, seat = order.partition(" ")
        if what == "UNDO":
            number = _UNDO.fullmatch(order)
            if number is None or int(number[1]) >= n - 1:
                raise _ImpossibleError(f"“{order}” is not possible here")
            known = list(self.entries)
            last = known[bisect_right(known, int(number[1])) - 1]
        elif order == "AMEND":
            raise _UntoldError(
                "the moderator has changed the position, and a log shows only the part that its reader may see"
            )
        elif order != "REVEAL":
            if what not in _CORRECTIONS:
                raise _ImpossibleError(f"“{order}” is not a correction")
            if seat not in self.game.seats:
                raise _ImpossibleError(f"no seat “{seat}” plays in this game")
        chance = committed_chance(self.game.record, self.entries[last].drawn, self._words)
        assert chance is not None  # a game with recorded chance has no secret
        return replace(go_on(self.game.rules, self.states[last], chance), order=order)

    def _ordered(self, n: int, seat: Seat, text: str, order: str, last: int) -> Taken:
        """Return the result of ``text``, the order of ``seat`` as far as the logs show it; they have it as ``order``."""
        rules, state = self.game.rules, self.states[last]
        try:
            return self._taken(n, seat, text, last)
        except RefusedError as error:
            if not error.seat_is_due:
                due = sorted(ask.seat for ask in rules.due(state))
                raise _ImpossibleError(f"{seat} was not due; due: {' '.join(due) or 'nobody'}") from None
            if not error.refusals:
                words = f"these logs do not show the order of {seat} (“{order}”): add the log of {seat} or of the moderator"
                raise _UntoldError(words) from None
            refused, problem = error.refusals[0]
            at = rules.answering(state, seat)
            if text == order and refused is not None and at is not None and rules.public_text(at, refused) is not None:
                words = f"these logs show only a part of the order of {seat} (“{order}”): add the log of {seat}"
                raise _UntoldError(words) from None
            raise _ImpossibleError(f"“{text}” was not possible: {problem.message}") from None
