"""Checks plain JSON against the schemas: jsonschema finds and names every violation, jsonschema-rs only says yes or no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.ruleset import AnyRuleset, Meta, Types
from adjudicator.store.errors import Violation
from adjudicator.store.kinds import FileKind
from adjudicator.store.messages import schema_messages
from adjudicator.store.schema import schema
from adjudicator.store.shape import BY_KIND, TAG, Schema, with_direct_choice, with_plain_unions

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

MOST: Final = 1000
"""Violations after which the search ends: more help nobody."""


def violations(rules: AnyRuleset, kind: FileKind, document: Any) -> tuple[Violation, ...]:
    """Return what is wrong in ``document``, each once; up to ``MOST``."""
    found: dict[Violation, None] = {}
    try:
        for error in islice(_validator(rules.meta, rules.types, kind).iter_errors(document), MOST):
            found.update(dict.fromkeys(schema_messages(error)))
    except RecursionError:  # jsonschema prints what it complains about, however deep
        return (Violation("$", "lists and objects are nested too deeply"),)
    return tuple(found)


@cache
def quick_check(meta: Meta, types: Types, kind: FileKind) -> Callable[[Any], bool]:
    """Return a quick yes-or-no check of files of ``kind``. Raises ``ImportError`` without the extra ``fast``."""
    from jsonschema_rs import Draft202012Validator

    check: Callable[[Any], bool] = Draft202012Validator(with_plain_unions(schema(meta, types, kind))).is_valid
    return check


@cache
def _validator(meta: Meta, types: Types, kind: FileKind) -> Draft202012Validator:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # Going straight to the branch that is meant makes jsonschema three times as quick, with the same result.
    checker: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {BY_KIND: _by_kind}
    )
    return checker(with_direct_choice(schema(meta, types, kind)))


def _by_kind(validator: Any, kinds: Schema, instance: Any, _schema: Schema) -> Iterator[Any]:
    kind = instance.get(TAG) if isinstance(instance, dict) else None
    if isinstance(kind, str) and kind in kinds:
        yield from validator.descend(instance, kinds[kind], schema_path=kind)
