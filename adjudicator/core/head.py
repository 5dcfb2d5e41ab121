"""Heads: proofs of a journal that reports publish during the game, so that a later rewriting is found.

The hash of an entry must stay secret: it covers secrets of the entry, and a player who knows the hash before it could guess
a sealed answer or a drawn tile until the hash fits. The proof is made with the secret of chance. It fixes the entry just as
well, but reveals nothing to those without that secret. Specified in ``docs/audit.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.core.chance import Keyed
from adjudicator.core.journal import Link
from adjudicator.core.values import Count, Digest, Value

_PROOF: Final = b"adjudicator proof 1\n"


class Head(Value):
    """Entry ``n`` of a journal, with a ``proof`` that fixes that entry and all entries before it."""

    n: Count
    proof: Digest


def proof_maker(secret: Digest | None) -> Callable[[Link], Digest | None]:
    """Return a function that gives the proof of an entry: HMAC-SHA-256 under the ``secret`` of chance over its hash.

    Without a secret (recorded chance) there is no proof, and the function returns ``None``.
    """
    if secret is None:
        return lambda _link: None
    keyed = Keyed(bytes.fromhex(secret), _PROOF)
    return lambda link: keyed.digest(link.hash.encode()).hex()
