"""Heads: what is published of a journal while the game lasts, so that it cannot be written anew afterwards.

The hash of an entry may not be published as it is. It is made of all that the entry holds, and who knows the hash before it
could try out what a sealed answer or a tile drawn was until the hash fits. Its proof is made with the secret of chance: it
fixes as much, and tells nothing to those who do not have the secret. Specified in ``docs/audit.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from adjudicator.core.bounds import Ge
from adjudicator.core.chance import Keyed
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Digest
from adjudicator.core.journal import Link

_PROOF: Final = b"adjudicator proof 1\n"


@frozen
class Head:
    """Entry ``n`` of a journal, and its ``proof``: it fixes that entry and everything before it."""

    n: Annotated[int, Ge(0)]
    proof: Digest


def proof_maker(secret: Digest | None) -> Callable[[Link], Digest | None]:
    """Return what gives the proof of an entry: HMAC-SHA-256 under the ``secret`` of chance over the entry's hash.

    Without a secret, where chance is recorded, there is nothing to make one with, and it gives ``None``.
    """
    if secret is None:
        return lambda _link: None
    keyed = Keyed(bytes.fromhex(secret), _PROOF)
    return lambda link: keyed.digest(link.hash.encode()).hex()
