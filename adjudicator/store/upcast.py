"""Game files of older formats, brought up to the present one before anything else looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from adjudicator.core.canonical import canonical_bytes, digest
from adjudicator.core.frozen import frozen
from adjudicator.core.journal import first_break
from adjudicator.core.ruleset import AnyRuleset, Upgrade
from adjudicator.store.errors import Violation

Document = dict[str, Any]


@frozen
class Upcaster:
    """The step from one format to the next.

    ``verify`` lists what is wrong with a document of the older format by that format's own rules, hash chain included: once
    it is changed nobody could tell. ``upgrade`` returns the document in the next format, its parts changed as the ruleset
    says; its hashes are made anew by the loader.
    """

    verify: Callable[[Document], tuple[Violation, ...]]
    upgrade: Callable[[Document, AnyRuleset], Document]


def upcast(
    document: Document, target: int, steps: Mapping[int, Upcaster], rules: AnyRuleset
) -> tuple[Document, tuple[Violation, ...]]:
    """Return ``document`` in format ``target`` and what is wrong with it as it was: then it is returned unchanged.

    ``document["format"]`` must be a number; one without a step is a violation.
    """
    number = document["format"]
    missing = next((old for old in range(number, target) if old not in steps), None)
    if missing is not None:
        return document, (Violation("$.format", f"there is no format {missing}"),)
    if number == target:
        return document, ()
    wrong = steps[number].verify(document)
    if wrong:
        return document, wrong
    for old in range(number, target):
        document = {**steps[old].upgrade(document, rules), "format": old + 1}
    return document, ()


def _verify_chained(document: Document) -> tuple[Violation, ...]:
    """Return where the hash chain or the seal of a file does not fit, looking at nothing but its text."""
    try:
        return tuple(_unchained(document))
    except (KeyError, TypeError, AttributeError):
        return (Violation("$", "this is not a whole game file: parts of it are missing or of the wrong kind"),)


def _unchained(document: Document) -> Iterator[Violation]:
    chance, setup, journal = document["chance"], document["setup"], document["journal"]
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
    beginning = digest(b"adjudicator game\n", canonical_bytes(heading))
    broken = first_break(beginning, ((canonical_bytes(item["entry"]), item["hash"]) for item in journal))
    if broken is not None:
        what = "entry 0 or the heading of the file" if broken == 0 else f"entry {broken}"
        yield Violation(f"$.journal[{broken}]", f"does not fit its hash: {what} was changed afterwards")
        return
    head = journal[-1]["hash"] if journal else beginning
    if document["seal"] != digest(
        head.encode(), canonical_bytes((chance["secret"], document["pending"], document["state"]))
    ):
        yield Violation("$.seal", "does not fit: the state, the pending orders or the secret were changed afterwards")


def _upgrade_parts(document: Document, rules: AnyRuleset) -> Document:
    """Return ``document`` with the ruleset's own parts as they are in the next format."""
    upgrade = rules.upgrades.get(document["format"], Upgrade())
    setup, ref = document["setup"], document["components"]
    components = setup["components"] and upgrade.components(setup["components"])
    hash_ = upgrade.hashes.get(ref["hash"], ref["hash"]) if components is None else digest(canonical_bytes(components))
    return {
        **document,
        "components": {**ref, "hash": hash_},
        "setup": {**setup, "components": components, "position": setup["position"] and upgrade.position(setup["position"])},
        "journal": [_upgraded_link(link, upgrade) for link in document["journal"]],
        "state": upgrade.state(document["state"]),
    }


def _upgraded_link(link: Document, upgrade: Upgrade) -> Document:
    entry = link["entry"]
    return {**link, "entry": {**entry, "events": [_upgraded_event(event, upgrade) for event in entry["events"]]}}


def _upgraded_event(event: Document, upgrade: Upgrade) -> Document:
    if event["kind"] == "amended":
        return {**event, "before": upgrade.state(event["before"]), "after": upgrade.state(event["after"])}
    return upgrade.event(event)


UPCASTERS: Final[Mapping[int, Upcaster]] = {1: Upcaster(verify=_verify_chained, upgrade=_upgrade_parts)}
"""The step from each older format, by its number."""
