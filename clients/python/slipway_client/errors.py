"""What a call raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any


class SlipwayError(Exception):
    """The base of everything that a call raises."""

    #: Whether the call may have had its effect all the same. Repeat it with the same key, and never with another one.
    unknown = False


@dataclass(frozen=True)
class FieldProblem:
    """What a Problem says about one value: at pointer in the body, or the parameter name in "query", "path" or "header"."""

    code: str
    message: str
    pointer: str = ""
    place: str = ""
    name: str = ""

    @property
    def where(self) -> str:
        """The place of the value: the pointer, "?limit" or "header If-Match"."""
        if not self.place:
            return self.pointer

        return f"?{self.name}" if self.place == "query" else f"{self.place} {self.name}"


@dataclass
class Problem(SlipwayError):
    """A refusal, as RFC 9457 describes them. Go by code, which is stable, and never by a text."""

    status: int
    code: str
    detail: str
    request_id: str = ""  # finds the request in the service's log
    errors: list[FieldProblem] = field(default_factory=list)
    retry_after: int = 0  # seconds that the service asks for before the next try; 0: nothing
    key: str = ""  # the Idempotency-Key that was sent
    body: bytes = b""  # the document as it came, with what only this code has

    def __post_init__(self) -> None:
        super().__init__(self.status, self.code, self.detail)

    @property
    def unknown(self) -> bool:  # type: ignore[override]
        """Whether the call may have had its effect all the same."""
        return self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.code == "OUTCOME_UNKNOWN"

    def __str__(self) -> str:
        fields = "".join(f" [{e.where} {e.code}]" for e in self.errors)
        return f"{self.status} {self.code}: {self.detail}{fields}"


@dataclass
class LostError(SlipwayError):
    """No answer came, or none that could be read: nobody knows whether the call had its effect.

    Send it again with its key to learn that.
    """

    method: str
    path: str
    key: str  # the Idempotency-Key that was sent; "": none
    reason: str

    unknown = True

    def __post_init__(self) -> None:
        super().__init__(self.method, self.path, self.reason)

    def __str__(self) -> str:
        return f"{self.method} {self.path}: {self.reason}"


def problem_of(status: int, headers: Mapping[str, str], body: bytes, key: str) -> Problem:
    """Returns the Problem of a refusal. An answer of somebody else, such as a proxy, has its status as code."""
    try:
        document = json.loads(body)
    except ValueError:
        document = None

    if not isinstance(document, dict) or not isinstance(document.get("code"), str):
        return Problem(status, f"HTTP_{status}", _phrase(status), key=key, body=body, retry_after=retry_after(headers))

    def text(name: str) -> str:
        value = document.get(name)
        return value if isinstance(value, str) else ""

    listed = document.get("errors")

    return Problem(
        status=status,
        code=document["code"],
        detail=text("detail"),
        request_id=text("requestId") or headers.get("x-request-id", ""),
        errors=[_field(e) for e in listed if isinstance(e, dict)] if isinstance(listed, list) else [],
        retry_after=retry_after(headers),
        key=key,
        body=body,
    )


def retry_after(headers: Mapping[str, str]) -> int:
    """Returns the seconds of Retry-After, the form in which the service sends it; 0 without one."""
    value = headers.get("retry-after", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0


def _field(e: Mapping[str, Any]) -> FieldProblem:
    return FieldProblem(
        code=str(e.get("code") or ""),
        message=str(e.get("message") or ""),
        pointer=str(e.get("pointer") or ""),
        place=str(e.get("in") or ""),
        name=str(e.get("name") or ""),
    )


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"The service answered {status}."
