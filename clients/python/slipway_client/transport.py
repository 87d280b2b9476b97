"""Requests and answers, and how they are sent: by the standard library, through the proxy that the environment names."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

ANSWER_LIMIT = 32 << 20  # bytes of an answer


@dataclass(frozen=True)
class File:
    """A file to be sent."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Request:
    """One request as it is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None


@dataclass(frozen=True)
class Response:
    """One answer as it came. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


#: Sends a request and returns its answer, whatever its status. It raises OSError when none came; it follows no redirect.
Transport = Callable[[Request], Response]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Takes a redirect as the answer: a token is sent to nobody else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def standard(timeout: float) -> Transport:
    """Returns a transport of the standard library. timeout is in seconds, for each wait of a request."""
    opener = urllib.request.build_opener(_NoRedirects)

    def send(request: Request) -> Response:
        wanted = urllib.request.Request(
            request.url,
            data=request.content,
            headers=dict(request.headers),
            method=request.method,
        )
        try:
            answer = opener.open(wanted, timeout=timeout)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        except http.client.HTTPException as e:
            raise OSError(f"the answer is not one of HTTP: {e!r}") from e

        with answer:
            try:
                content = answer.read(ANSWER_LIMIT + 1)
            except http.client.HTTPException as e:
                raise OSError(f"the answer broke off: {e!r}") from e

            expected = answer.headers.get("Content-Length")

        if len(content) > ANSWER_LIMIT:
            raise OSError(f"the answer is longer than {ANSWER_LIMIT} bytes")

        if request.method != "HEAD" and expected and len(content) < int(expected):
            raise OSError(f"the answer broke off after {len(content)} of {expected} bytes")

        return Response(answer.status, {k.lower(): v for k, v in answer.headers.items()}, content)

    return send
