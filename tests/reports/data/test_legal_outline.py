"""Legal orders in sections: by kind and piece, with a summary, the costs and a matrix."""

from __future__ import annotations

from adjudicator.core.event import Part
from adjudicator.outputs.orders import LegalRow
from adjudicator.reports.data.legal_outline import has_summaries, legal_section, legal_sections, summary_cells

UNIT = ("min", "minutes")
PLACES = ("B2", "A10", "A9", "C1", "D4", "E5", "F6")
TURNS = ("270", "0", "90", "180")


def place(tile: str, at: str, turn: str, cost: int) -> LegalRow:
    parts = (Part(4, "place a tile", "CR-P1"), Part(cost - 4, "bonus", "CR-P3"))
    return LegalRow(f"PLACE {tile} at {at} rot {turn}", cost, parts)


def tiles() -> tuple[LegalRow, ...]:
    """Return all ways to place two tiles, but one."""
    rows = [
        place(tile, at, turn, 1 + (at_number + turn_number) % 4)
        for tile in ("H3", "G1")
        for at_number, at in enumerate(PLACES)
        for turn_number, turn in enumerate(TURNS)
    ]
    return tuple(rows[:-1])


def test_each_piece_is_a_section_with_places_in_order_and_the_range_of_its_costs() -> None:
    sections = legal_sections((*tiles(), LegalRow("DRAW", 2)), UNIT)
    assert [(one.order, one.cost, one.count) for one in sections] == [
        ("PLACE H3 at A9 | A10 | … | F6 (7) rot 0 | 90 | 180 | 270", "1 to 4", "28 orders"),
        ("PLACE G1 at A9 | A10 | … | F6 (7) rot 0 | 90 | 180 | 270", "1 to 4", "27 orders"),
        ("DRAW", "2", "1 order"),
    ]


def test_a_matrix_has_the_cost_of_every_order_and_a_gap_for_an_illegal_one() -> None:
    _, section = legal_sections(tiles(), UNIT)
    matrix = section.matrix
    assert matrix is not None
    assert matrix.headings == ("at", "rot 0", "rot 90", "rot 180", "rot 270")
    assert matrix.rows[0] == ("A9", "4", "1", "2", "3")
    assert matrix.rows[-1] == ("F6", "4", "1", "", "3")
    cells = [cell for row in matrix.rows for cell in row[1:] if cell]
    assert len(cells) == len(section.rows) == 27
    assert section.cheapest[:2] == ("PLACE G1 at B2 rot 270", "1")


def test_few_orders_keep_their_lines_and_need_no_further_list() -> None:
    rows = (LegalRow("MOVE C2", 1), LegalRow("MOVE C3", 2), LegalRow("DRAW", None))
    sections = legal_sections(rows, UNIT)
    assert summary_cells(sections) == (("MOVE C2", "1", ""), ("MOVE C3", "2", ""), ("DRAW", "–", ""))
    assert not has_summaries(sections)
    assert sections[0].matrix is None


def test_many_orders_are_one_line_with_the_cheapest_of_them() -> None:
    sections = legal_sections(tiles(), UNIT)
    assert has_summaries(sections)
    order = "PLACE H3 at A9 | A10 | … | F6 (7) rot 0 | 90 | 180 | 270"
    assert summary_cells(sections)[0] == (order, "1 to 4", "28 orders; the cheapest: PLACE H3 at B2 rot 270")
    equal = [LegalRow(f"PAY {name}{n}", 1, (Part(1, f"toll {name}", "R"),)) for n in range(2) for name in "ABCDEFGHI"]
    assert [cells[1:] for cells in summary_cells(legal_sections(equal, UNIT))] == [("1", "18 orders")]


def test_orders_of_different_lengths_or_forms_have_no_matrix() -> None:
    assert legal_section((LegalRow("MOVE C2", 1), LegalRow("MOVE C2 C3", 2)), UNIT).order == "MOVE …"
    rows = [
        LegalRow(f"GEAR {gear} {way} {number}", number) for gear in (1, 2) for way in ("brake", "to") for number in range(9)
    ]
    mixed = [LegalRow(row.order, None if row.min == 8 else row.min) for row in rows if row.min is None or row.min % 2 == 0]
    assert [(one.order, one.cost) for one in legal_sections(mixed, UNIT)] == [
        ("GEAR 1 brake 0 | 2 | 4 | 6 | 8", "0 to 6 or unknown"),
        ("GEAR 1 to 0 | 2 | 4 | 6 | 8", "0 to 6 or unknown"),
        ("GEAR 2 brake 0 | 2 | 4 | 6 | 8", "0 to 6 or unknown"),
        ("GEAR 2 to 0 | 2 | 4 | 6 | 8", "0 to 6 or unknown"),
    ]


def test_many_pieces_are_one_section_for_each_form() -> None:
    rows = [LegalRow(f"DRIVE P{place} with {card}", place) for place in range(20) for card in ("Ace", "Bee")]
    (section,) = legal_sections(rows, UNIT)
    assert section.order == "DRIVE P0 | P1 | … | P19 (20) with Ace | Bee"
    assert section.matrix is not None


def test_a_cost_of_nothing_is_not_explained_by_its_own_limit() -> None:
    why = (Part(4, "place a tile", "CR-P1"), Part(-5, "city N", "CR-P3"), Part(1, "never under 0", "CR-P1"))
    (section,) = legal_sections([LegalRow("PLACE H3 at C2", 0, why)], UNIT)
    assert section.lines == (("PLACE H3 at C2", "0", "4 − 5 city N (CR-P1, CR-P3)"),)


def test_a_line_tells_everything_if_all_combinations_are_legal_at_one_cost() -> None:
    rows = [LegalRow(f"GEAR {gear} brake {number}", None) for gear in (1, 2) for number in range(3)]
    assert legal_section(tuple(rows), UNIT).is_complete
    assert not legal_section(tuple(rows[:-1]), UNIT).is_complete, "one combination is illegal"
    assert not legal_section((*rows[:-1], LegalRow("GEAR 2 brake 2", 1)), UNIT).is_complete, "one has another cost"
    many = tuple(LegalRow(f"PAY {number}", 1) for number in range(7))
    assert not legal_section(many, UNIT).is_complete, "the line leaves words out"
    assert not legal_section((LegalRow("MOVE C2", 1), LegalRow("MOVE C2 C3", 1)), UNIT).is_complete
