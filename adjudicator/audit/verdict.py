"""The verdicts of an audit, by the name of the audit: the values themselves are the reports', which put them into words."""

from __future__ import annotations

from adjudicator.reports.verdict import NOT_DECIDED, Divergence, Finding, Kind, Skipped, Verdict

__all__ = ["NOT_DECIDED", "Divergence", "Finding", "Kind", "Skipped", "Verdict"]
