"""The address and login of a mail server."""

from __future__ import annotations

from enum import StrEnum

from adjudicator.core.values import Value, Whole


class Security(StrEnum):
    """How a connection is protected."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class Server(Value, kw_only=True):
    """A mail server: its name, port, protection, and the user to log in as (empty: no login)."""

    host: str
    port: Whole
    security: Security = Security.TLS
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Return a text for messages, without the password."""
        return f"Server({self.user}{'@' if self.user else ''}{self.host}:{self.port}, {self.security.value})"
