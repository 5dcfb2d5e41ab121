"""Defines the errors for broken laws."""

from __future__ import annotations


class Broken(Exception):
    """Report, inside a law, what differs; the caller adds the place."""


class LawBrokenError(AssertionError):
    """Report that games break a ``law``; the message says which, ``where``, and what differs."""

    def __init__(self, law: str, sentence: str, where: str, words: str) -> None:
        """Name the ``law`` with its ``sentence``."""
        place = f"\n  where: {where}" if where else ""
        super().__init__(f"{law}: {sentence}{place}\n  found: {words}")
        self.law, self.where, self.words = law, where, words
