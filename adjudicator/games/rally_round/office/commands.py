"""The commands of Rally Round: `adjudicator rally-round route` and `adjudicator rally-round sheet`."""

from __future__ import annotations

from typing import Final

import typer

from adjudicator.cli.ui import command
from adjudicator.games.rally_round.office.route_command import route
from adjudicator.games.rally_round.office.sheet_command import sheet

COMMANDS: Final = typer.Typer()
COMMANDS.command()(command(route))
COMMANDS.command()(command(sheet))
