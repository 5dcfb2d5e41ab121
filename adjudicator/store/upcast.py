"""Convert files of older formats to the present one before the other checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any, Final

from adjudicator.core.game import FORMAT
from adjudicator.core.journal import first_break
from adjudicator.core.problem import EngineFaultError
from adjudicator.core.rules import AnyRules
from adjudicator.core.ruleset import GameMeta, Upgrade
from adjudicator.core.values import Value, canonical_bytes, digest
from adjudicator.files.errors import Violation
from adjudicator.store import checking, integrity
from adjudicator.store.components import shipped
from adjudicator.store.kinds import FileKind

Document = dict[str, Any]
Change = Callable[[Document], Document]
Check = Callable[[GameMeta, int, Any], tuple[Violation, ...]]


class Upcaster(Value):
    """The step from one format to the next.

    ``verify`` yields the violations of a document that obeys the schema of the older format: after the conversion its hash
    chain can no longer be checked. ``upgrade`` returns the document in the next format, with its parts changed by the
    ruleset; the loader makes new hashes.
    """

    verify: Callable[[Document], Iterator[Violation]]
    upgrade: Callable[[Document, AnyRules], Document]


def upcast(
    document: Document,
    target: int,
    steps: Mapping[int, Upcaster],
    rules: AnyRules,
    check: Check = checking.older_violations,
) -> tuple[Document, tuple[Violation, ...]]:
    """Return ``document`` in format ``target`` and its violations; with violations the conversion stops early.

    ``document["format"]`` must be a number; one without a step is a violation. ``check`` compares the document with the
    schema of its own format.
    """
    number = document["format"]
    missing = next((old for old in range(number, target) if old not in steps), None)
    if missing is not None:
        return document, (Violation("$.format", f"there is no format {missing}"),)
    wrong = check(rules.meta, number, document) if number < target else ()
    if number < target and not wrong:
        wrong = tuple(steps[number].verify(document))
    for old in range(number, target):
        if not wrong:
            document = {**steps[old].upgrade(document, rules), "format": old + 1}
    return document, wrong


def upcast_part(document: Any, kind: FileKind, rules: AnyRules) -> Any:
    """Return a component set or a position (``kind``) in the present format, whatever its own format.

    Such a file names no format, so every upgrade leaves a part alone that needs none. It also leaves unreadable parts alone:
    the schema check reports their problems.
    """
    for number in range(1, FORMAT):
        upgrade = rules.upgrades.get(number, Upgrade())
        change = upgrade.components if kind is FileKind.COMPONENTS else upgrade.position
        with suppress(LookupError, TypeError, ValueError, AttributeError):  # the file may contain anything
            document = change(document)
    return document


def is_whole(document: Document) -> bool:
    """Return whether component set, chain and seal of ``document`` fit; all but the ruleset's parts obey the schema."""
    try:
        return not any(_verify_chained(document))
    except (TypeError, ValueError):  # it contains a value that no game has
        return False


def _verify_chained(document: Document) -> Iterator[Violation]:
    """Yield a violation where component set, hash chain or seal of a file do not fit, from its plain JSON alone.

    The file has format 1 or 2: the second only has more optional parts.
    """
    chance, setup, journal = document["chance"], document["setup"], document["journal"]
    components = setup["components"]
    if components is not None and digest(canonical_bytes(components)) != document["components"]["hash"]:
        yield integrity.FOREIGN_SET
    heading = (
        1,
        document["id"],
        document["ruleset"],
        document["components"],
        chance["source"],
        chance["commitment"],
        chance["entropy"],
        setup["players"],
        setup["options"],
        setup["position"],
    )
    promised = ("promised", chance.get("without", ())) if chance.get("promised") else ()
    beginning = digest(b"adjudicator game\n", canonical_bytes((*heading, *promised)))
    broken = first_break(beginning, ((canonical_bytes(item["entry"]), item["hash"]) for item in journal))
    if broken is not None:
        entry = journal[broken]["entry"]
        yield integrity.broken_link(broken, [item["entry"]["n"] for item in journal], entry["seat"], entry["order"])
    outside = (chance["secret"], document["pending"], document["state"])
    receipts = (document["receipts"],) if document.get("receipts") else ()
    later = [(name, document[name]) for name in ("set_aside", "reported", "languages") if document.get(name)]
    sealed = canonical_bytes((*outside, *receipts, *chain.from_iterable(later)))
    if document["seal"] != digest(journal[-1]["hash"].encode(), sealed):
        yield integrity.BROKEN_SEAL


def _upgrade_parts(document: Document, rules: AnyRules) -> Document:
    """Return ``document`` with the ruleset's own parts in the next format."""
    upgrade = rules.upgrades.get(document["format"], Upgrade())

    def changed(part: Any, change: Change, path: str) -> Any:
        return None if part is None else _changed(part, change, path, document["format"], rules.meta.id)

    def event(happened: Document, path: str) -> Document:
        if happened["kind"] != "amended":
            return changed(happened, upgrade.event, path)  # type: ignore[no-any-return]
        return {**happened, **{at: changed(happened[at], upgrade.state, f"{path}.{at}") for at in ("before", "after")}}

    def link(item: Document, path: str) -> Document:
        events = [event(happened, f"{path}.entry.events[{at}]") for at, happened in enumerate(item["entry"]["events"])]
        return {**item, "entry": {**item["entry"], "events": events}}

    setup, named = document["setup"], document["components"]
    components = changed(setup["components"], upgrade.components, "$.setup.components")
    position = changed(setup["position"], upgrade.position, "$.setup.position")
    hash_ = _shipped_now(rules, upgrade, named["hash"]) if components is None else digest(canonical_bytes(components))
    return {
        **document,
        "components": {**named, "hash": hash_},
        "setup": {**setup, "components": components, "position": position},
        "journal": [link(item, f"$.journal[{n}]") for n, item in enumerate(document["journal"])],
        "state": changed(document["state"], upgrade.state, "$.state"),
    }


def _shipped_now(rules: AnyRules, upgrade: Upgrade, hash_: str) -> str:
    """Return the present hash of the shipped component set whose hash was ``hash_`` in the older format."""
    name = upgrade.shipped.get(hash_)
    return hash_ if name is None else shipped(rules, name)[1].hash


def _changed(part: Any, change: Change, path: str, number: int, ruleset: str) -> Any:
    """Return ``part`` of a file of format ``number`` after ``change``.

    Raises ``EngineFaultError`` if ``change`` fails: the upgrades of a ``ruleset`` must accept whatever the schema permits.
    """
    try:
        found = change(part)
        if found is not part:
            _require_plain(found)
    except Exception as error:
        words = f"it cannot convert {path.removeprefix('$.')} from format {number}: {type(error).__name__}: {error}"
        raise EngineFaultError(words, ruleset) from error
    return found


def _require_plain(value: Any) -> None:
    """Raise ``TypeError`` if ``value`` is not made of what files hold."""
    if isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            _require_plain(item)
    elif value is not None and not isinstance(value, (str, int)):
        raise TypeError(f"{type(value).__name__} has no place in a file")


UPCASTERS: Final[Mapping[int, Upcaster]] = {1: Upcaster(verify=_verify_chained, upgrade=_upgrade_parts)}
"""The step from each older format, by its number."""
