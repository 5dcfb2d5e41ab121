"""Mail servers, as they are reached."""

from __future__ import annotations

from enum import StrEnum

from adjudicator.core.frozen import frozen


class Security(StrEnum):
    """How a connection is protected."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


@frozen(kw_only=True)
class Server:
    """A mail server: its name, the port, how the connection is protected, and as whom to log in (empty: not at all)."""

    host: str
    port: int
    security: Security = Security.TLS
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Return what may stand in a message: all but the password."""
        return f"Server({self.user}{'@' if self.user else ''}{self.host}:{self.port}, {self.security.value})"
