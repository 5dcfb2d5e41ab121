# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Decide games again and say whether rules, chance and clock really gave what their files say.

* Games: ``judge.py`` finds out what is in a file, and writes verdicts for people; ``decide.py`` decides each entry again and
  compares it with the record. ``archive/many.py`` audits many of them.
* What was published: ``published_texts.py`` reads it; ``published.py`` compares it with the game file, or decides the game
  again from it alone.
"""

from adjudicator.audit.judge import audit_bytes, forgery_in
from adjudicator.audit.published import audit_published
from adjudicator.audit.published_texts import PublishedText, read_published
from adjudicator.verdict import AuditResult, Divergence, Skipped
