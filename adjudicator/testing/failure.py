"""What is told where a law is broken."""

from __future__ import annotations


class Broken(Exception):
    """A law is broken; the message says what differs."""


class LawBrokenError(AssertionError):
    """Games do not keep a ``law``: ``where`` it is broken, and in ``words`` what differs."""

    def __init__(self, law: str, sentence: str, where: str, words: str) -> None:
        """Tell the law by its name and its sentence."""
        place = f"\n  where: {where}" if where else ""
        super().__init__(f"{law}: {sentence}{place}\n  found: {words}")
        self.law, self.where, self.words = law, where, words
