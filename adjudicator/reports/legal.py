"""Every legal order with what it would cost."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.ruleset import Unit
from adjudicator.outputs.orders import LegalRow
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import column_widths, row_text, signed
from adjudicator.reports.why import why_text


def legal_text(rows: Iterable[LegalRow], unit: Unit) -> str:
    """Return ``rows`` as a table, the cost under the short name of ``unit`` (a ruleset's, short and long)."""
    listed = [(printable(row.order), _cost(row), why_text(row.why, row.order)) for row in rows]
    if not listed:
        return "no legal order"
    everything = [("order", printable(unit[0]), "why"), *listed]
    widths = column_widths(everything)
    return "\n".join(row_text(cells, widths, right=(1,)) for cells in everything)


def _cost(row: LegalRow) -> str:
    return "–" if row.min is None else signed(row.min)
