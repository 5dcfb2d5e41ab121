"""Write and read the files of prepared games, which have not begun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adjudicator.core.game import PREPARED, PreparedGame
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import canonical_text, replace
from adjudicator.files.errors import CannotRead, Untrusted, Violation
from adjudicator.files.reading import Source, parse, read
from adjudicator.store.game import PreparedFile
from adjudicator.store.integrity import WrongComponents, chance_violations, resolve
from adjudicator.store.kinds import FileKind
from adjudicator.store.load import build, ruleset_of
from adjudicator.store.save import setup_to_write

_BROKEN: Final = Violation("$.seal", "does not fit: somebody has changed the file by hand")


def dump_prepared(prepared: PreparedGame) -> bytes:
    """Return the bytes of the file of ``prepared``: canonical JSON, a line for each top-level name."""
    document = {
        "prepared": PREPARED,
        "id": prepared.id,
        "ruleset": prepared.ruleset,
        "components": prepared.components,
        "chance": prepared.chance,
        "setup": setup_to_write(prepared),
        "are_published": prepared.are_published,
        "seal": prepared.seal,
    }
    lines = (f'"{name}":{canonical_text(document[name])}' for name in sorted(document))
    return ("{" + ",\n".join(lines) + "}\n").encode()


def load_prepared(source: Source) -> PreparedGame:
    """Return the prepared game in ``source``: a path, or the bytes themselves. Raises ``CannotRead``, ``Untrusted``."""
    name, data = read(source)
    data, document = parse(name, data)
    if isinstance(document, dict) and {"format", "journal"} <= document.keys():
        raise CannotRead(name, "this game has begun: its words can no longer change")
    if not isinstance(document, dict) or not {"prepared", "ruleset"} <= document.keys():
        raise Untrusted(name, [Violation("$", "this is not a prepared game: `adjudicator new … --commit-only` makes one")])
    rules = ruleset_of(name, document)
    file = build(name, rules, FileKind.PREPARED, data, document, "this file cannot be trusted")
    try:
        prepared = _assembled(file, resolve(rules, file.components, file.setup.components))
    except WrongComponents as mistaken:
        raise Untrusted(name, [mistaken.violation]) from None
    wrong = tuple(_incoherences(rules, prepared, file.seal))
    if wrong:
        raise Untrusted(name, wrong)
    return prepared


def _assembled(file: PreparedFile, components: Any) -> PreparedGame:
    return PreparedGame(
        id=file.id,
        ruleset=file.ruleset,
        components=file.components,
        chance=file.chance,
        setup=replace(file.setup, components=components),
        are_published=file.are_published,
    )


def _incoherences(rules: AnyRules, prepared: PreparedGame, seal: str) -> Iterator[Violation]:
    """Yield the contradictions in ``prepared``: somebody who could change the file could choose the deal."""
    chance, seats = prepared.chance, prepared.setup.seats
    yield from chance_violations(chance)
    if not chance.promised or chance.secret is None:
        yield Violation("$.chance", "must be promised, and contain the secret")
    if not set(chance.entropy) <= set(seats) or len(set(seats)) != len(seats):
        yield Violation("$.chance.entropy", f"must contain words only of the seats {' '.join(dict.fromkeys(seats))}")
    if chance.without != (prepared.silent if prepared.are_published else ()):
        yield Violation("$.chance.without", "must name the seats that sent no word, once the words are published")
    if not rules.meta.can_decide(prepared.ruleset.version):
        yield Violation("$.ruleset.version", "this program can no longer play this version of the rules")
    if prepared.seal != seal:
        yield _BROKEN
