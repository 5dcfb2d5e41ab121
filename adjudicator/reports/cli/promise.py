"""Write the announcements before a game begins: first the promise with its hashes, then the words of the players."""

from __future__ import annotations

from adjudicator.core.chance import spelled_word
from adjudicator.reports.sanitize import printable
from adjudicator.results import PromisedGame


def promise_text(promise: PromisedGame) -> str:
    """Return the announcement to publish before the players send their words."""
    options = " ".join(f"{name}={value}" for name, value in promise.options.items())
    lines = [
        f"game {promise.game}: {promise.name}, version {promise.version} of the rules",
        f"  seats       {', '.join(f'{one.seat} ({one.holder})' if one.holder else one.seat for one in promise.players)}",
        *([f"  options     {options}"] if options else []),
        f"  components  {promise.components}, version {promise.components_version}, {promise.components_hash}",
        *(["  position    explicit; the promise fixes it"] if promise.position else []),
        f"  commitment  {promise.commitment}",
        f"  promise     {promise.promise}",
        "Each player now sends one word of 3 to 60 letters, digits and spaces. The moderator publishes all words.",
        "Then the game begins. The promise fixes everything above it, and the commitment fixes the secret of chance:",
        "no moderator can choose the deal.",
    ]
    return "\n".join(map(printable, lines))


def words_text(promise: PromisedGame) -> str:
    """Return the announcement to publish before the game begins: each seat with its word, or without one."""
    lines = [f"game {promise.game}: the words of its players", f"  promise     {promise.promise}"]
    lines += [f"  {seat}: {spelled_word(word)}" for seat, word in promise.words.items()]
    lines += [f"  {seat}: no word" for seat in promise.silent]
    lines.append("Check your word. If it is missing or wrong, tell the moderator today, and the game does not begin yet.")
    return "\n".join(map(printable, lines))
