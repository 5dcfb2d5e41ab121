"""Rallies at a table, as the tests tell them: kits, crews on their way, whose turn it is."""

KITS = {"red": ("D1", "N1", "E1", "S1", "A1", "B1"), "blue": ("D2", "N2", "E2", "S2", "A2", "B2")}
KITS["green"] = tuple(card.replace("2", "3") for card in KITS["blue"])


def due(drive):
    decisions = drive.session.rules.awaiting(drive.session.config, drive.session.game.state)
    return decisions[0].seat if decisions else None


def on(squares, speed, speeds=None, **more):
    return {"trail": tuple(squares.split()), "speed": speed, "speeds": speeds or ((speed,) if speed else (10,)), **more}


def laid(drive, *lines):
    for line in lines:
        assert drive.give(line, due(drive)) == [], (line, drive.diagnostics)
    return drive
