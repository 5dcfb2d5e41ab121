"""Makes known a toy game with secrets, which keeps all laws, and games that break one each. They are not installed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "pack"))
