"""The pages of a club for members who play for somebody on holiday."""

from __future__ import annotations

from pathlib import Path

from tests.drivers.club import begin
from tests.drivers.serve import serve_club

BASE = "/g/race/red"


def test_a_sitter_has_the_seat_on_the_pages_only_while_the_holiday_lasts(tmp_path: Path) -> None:
    club = begin("club with ben", tmp_path)
    with serve_club(club) as served:
        red, ben = served.login("red"), served.login("ben")
        club.mail("red", "HOLIDAY 2026-03-02 to 2026-03-20 sitter Ben", "race")
        club.round()
        assert "race (red)" not in ben.get("/me").text
        assert ben.get(f"{BASE}/orders").status == 404
        club.mail("ben", "Yes", "club")
        club.round()
        assert "race (red)</a> for Red" in ben.get("/me").text
        assert "for Red" not in red.get("/me").text
        token = ben.token()
        answer = ben.send(f"{BASE}/orders", token, text="GEAR 1", key="a" * 32)
        assert answer.status == 200
        assert "GEAR 1" in answer.json["receipt"]
        club.round()
        assert club.journal("race")[-1] == "red GEAR 1"
        assert red.fill(f"{BASE}/orders", f"{BASE}/orders", text="HOLIDAY end").status == 200
        club.round()
        assert ben.send(f"{BASE}/orders", token, text="GEAR 1", key="b" * 32).status == 404
        assert ben.get(f"{BASE}/orders").status == 404
        assert "race (red)" not in ben.get("/me").text
