"""Who calls, and the tokens of a session."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from .errors import Problem, SlipwayError

if TYPE_CHECKING:
    from .client import Client


class SecondFactorNeeded(SlipwayError):
    """The account has a second factor, so Person needs code."""


@dataclass(frozen=True)
class Tokens:
    access: str = field(default="", repr=False)
    refresh: str = field(default="", repr=False)


@dataclass(frozen=True)
class APIClient:
    """The credentials of a program, as POST /auth/api-key made them."""

    id: str
    secret: str = field(repr=False)

    def open(self, client: Client) -> Tokens:
        t = client.unsigned("POST", "/auth/token", {"clientId": self.id, "secret": self.secret})
        return Tokens(t["access_token"], t.get("refresh_token") or "")


@dataclass(frozen=True)
class Person:
    """Signs in with a password, and with a code of the second factor if there is one.

    code returns a present code of the authenticator. None: there is no second factor.
    """

    email: str
    password: str = field(repr=False)
    code: Callable[[], str] | None = None

    def open(self, client: Client) -> Tokens:
        t = client.unsigned("POST", "/auth/login", {"email": self.email, "password": self.password})

        if t.get("requires_2fa"):
            if self.code is None:
                raise SecondFactorNeeded("The account has a second factor, so Person needs code.")

            t = client.unsigned("POST", "/auth/2fa/login", {"tempToken": t["tempToken"], "code": self.code()})

        return Tokens(t["access_token"], t["refresh_token"])


@dataclass(frozen=True)
class Bearer:
    """An access token that somebody else takes care of. It is never replaced."""

    token: str = field(repr=False)

    def open(self, client: Client) -> Tokens:
        return Tokens(self.token)


Auth = APIClient | Person | Bearer


class Session:
    """Holds the tokens of a client."""

    def __init__(self, auth: Auth) -> None:
        self._auth = auth
        self._turn = threading.Lock()
        self._now = Tokens()

    def token(self, client: Client, used: str = "") -> str:
        """Returns a token that is not the used one.

        Of all threads whose token has expired one replaces it, and the others wait for that: a refresh token is good
        once.
        """
        with self._turn:
            if not self._now.access or self._now.access == used:
                self._now = self._renewed(client)

            return self._now.access

    def _renewed(self, client: Client) -> Tokens:
        refresh = self._now.refresh
        self._now = Tokens()  # it is used up, whatever comes of it

        if refresh:
            try:
                t = client.unsigned("POST", "/auth/refresh", None, {"Authorization": f"Bearer {refresh}"})
                return Tokens(t["access_token"], t["refresh_token"])
            except Problem as p:
                if p.status != HTTPStatus.UNAUTHORIZED:
                    raise

        return self._auth.open(client)
