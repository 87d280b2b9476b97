"""The client: what every call needs. The operations themselves stand in operations.py."""

from __future__ import annotations

import json
import random
import secrets
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from . import types, work
from .auth import Auth, Session
from .errors import LostError, problem_of, retry_after
from .operations import Operations
from .transport import File, Request, Response, Transport, standard

FIRST_PAUSE = 0.2  # seconds
LONGEST_PAUSE = 5.0
LONGEST_WAITED = 60  # seconds: longer than this nobody waits because of Retry-After
LONG_POLL = 30  # seconds that the service waits for an event before it answers that there is none


class Client(Operations):
    """Calls the API at one address. It calls nothing until an operation is called, and may be used by many threads."""

    def __init__(
        self,
        address: str,
        auth: Auth | None = None,
        *,
        organisation: str | None = None,
        tries: int = 5,
        timeout: float = 60.0,
        transport: Transport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """address is such as https://pay.example.org.

        organisation is what a person who belongs to several acts for; the argument of a call says it for that call.
        tries are those of a call that may be repeated; 1: nothing is repeated. timeout is in seconds, of one try.
        transport sends requests in another way than the standard library, such as through a pool of connections.
        """
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("https", "http") or not parts.hostname:
            raise ValueError("address must be the address of a service, such as https://pay.example.org")

        self._base = address.rstrip("/")
        self._organisation = organisation
        self._tries = tries
        self._send = transport or standard(timeout)
        self._sleep = sleep
        self._session = Session(auth) if auth else None

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
        raw: bool = False,
    ) -> Any:
        """Sends a request and returns its answer, decoded: also to a path that no method is named after.

        body is None, a File, or anything that JSON can encode; Decimals and times are written as the service reads
        them. keyed means that the operation takes an Idempotency-Key: it gets one, and may be repeated. raw returns the
        bytes of the answer. A refusal raises a Problem, and a LostError says that no answer came.
        """
        sent = {k: v for k, v in (headers or {}).items() if v is not None}
        if self._organisation:
            sent.setdefault("Slipway-Organisation", self._organisation)

        content = _encode(body, sent)
        reads = method in ("GET", "HEAD")
        if keyed and not reads:
            sent.setdefault("Idempotency-Key", secrets.token_urlsafe(20))

        key = sent.get("Idempotency-Key", "")
        request = Request(method, self._base + path + _query(query), sent, content)
        answer = self._repeat(request, path, repeatable=reads or bool(key))

        if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise problem_of(answer.status, answer.headers, answer.content, key)

        return answer.content if raw else _decode(answer, method, path, key)

    def unsigned(self, method: str, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        """Sends a request without the session's token: one that opens a session cannot wait for one."""
        sent = dict(headers or {})
        content = _encode(body, sent)
        request = Request(method, self._base + path, sent, content)
        answer = self._try(request, path)

        if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise problem_of(answer.status, answer.headers, answer.content, "")

        return _decode(answer, method, path, "")

    def events(self, after: str = "", kinds: Sequence[str] = ()) -> Iterator[types.FeedView]:
        """Follows the organisation's events after a number, oldest first, and waits for further ones without end.

        after is the number of the last event that was worked off, stored with what was done because of it; "": from
        the oldest one that is kept. kinds such as "transaction.*" leave others out. The Problem 410 EVENTS_GONE says
        that events after that number are no longer kept.
        """
        while True:
            page = self.list_events(after=after or None, types_=kinds or None, wait=LONG_POLL)
            yield from page["results"]
            after = page["next"]

    def _repeat(self, request: Request, path: str, *, repeatable: bool) -> Response:
        """Tries a request until it has an answer that counts.

        A request that may have had its effect is repeated only under its key, or if it reads.
        """
        for n in range(1, self._tries + 1):
            last = n == self._tries

            try:
                answer = self._authorised(request, path)
            except LostError:
                if last or not repeatable:
                    raise

                self._sleep(_pause_after(n))
                continue

            asked = retry_after(answer.headers)
            if last or asked > LONGEST_WAITED or not _worth_repeating(answer, repeatable):
                break

            self._sleep(max(asked, _pause_after(n)))

        return answer

    def _authorised(self, request: Request, path: str) -> Response:
        """Sends a request with a token. If it is not good any more, sends it again with a new one: what is answered
        401 has had no effect."""
        if self._session is None or "Authorization" in request.headers:
            return self._try(request, path)

        token = self._session.token(self)
        answer = self._try(_signed(request, token), path)

        if answer.status != HTTPStatus.UNAUTHORIZED:
            return answer

        fresh = self._session.token(self, used=token)

        return answer if fresh == token else self._try(_signed(request, fresh), path)

    def _try(self, request: Request, path: str) -> Response:
        """Sends a request once. What is answered by a challenge was not looked at: it is sent again with the proof."""
        answer = self._once(request, path)

        for _ in range(work.TRIES):
            challenge = work.challenge_in(answer)
            if not challenge:
                break

            answer = self._once(_with(request, work.HEADER, work.prove(challenge)), path)

        return answer

    def _once(self, request: Request, path: str) -> Response:
        try:
            return self._send(request)
        except OSError as e:
            raise LostError(request.method, path, request.headers.get("Idempotency-Key", ""), str(e)) from e


def _worth_repeating(answer: Response, repeatable: bool) -> bool:
    """Reports whether a further try is harmless and may come to something."""
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        return "retry-after" in answer.headers  # it was refused before it was looked at

    return repeatable and answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and answer.status != HTTPStatus.NOT_IMPLEMENTED


def _pause_after(n: int) -> float:
    """Returns the pause after a number of tries: twice as long each time, and up to a half longer, so that what has
    failed together is not repeated together."""
    pause = min(FIRST_PAUSE * 2 ** (n - 1), LONGEST_PAUSE)
    return pause * (1 + random.random() / 2)


def _with(request: Request, name: str, value: str) -> Request:
    return Request(request.method, request.url, {**request.headers, name: value}, request.content)


def _signed(request: Request, token: str) -> Request:
    return _with(request, "Authorization", f"Bearer {token}")


def _query(parameters: Mapping[str, Any] | None) -> str:
    pairs: list[tuple[str, str]] = []

    for name, value in (parameters or {}).items():
        listed = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        pairs += [(name, _text(v)) for v in listed if v is not None]

    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"

    return value if isinstance(value, str) else _plain(value) if isinstance(value, (Decimal, date)) else str(value)


def _plain(value: Any) -> str:
    """Writes what JSON has no form for, as the service reads it: all digits of a Decimal, and times with their zone."""
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")

    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")

        return value.isoformat()

    if isinstance(value, date):
        return value.isoformat()

    raise TypeError(f"{value!r} cannot be sent")


def _encode(body: Any, headers: dict[str, str]) -> bytes | None:
    if body is None:
        return None

    if isinstance(body, File):
        return _form(body, headers)

    headers["Content-Type"] = "application/json"

    return json.dumps(body, default=_plain, ensure_ascii=False, allow_nan=False).encode()


def _form(file: File, headers: dict[str, str]) -> bytes:
    """Encodes a file as a browser's form does."""
    boundary = secrets.token_hex(16)
    name = file.name.translate({ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A"})
    headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )

    return head.encode() + file.content + f"\r\n--{boundary}--\r\n".encode()


def _decode(answer: Response, method: str, path: str, key: str) -> Any:
    if not answer.content:
        return None

    try:
        return json.loads(answer.content, parse_float=Decimal)
    except ValueError as e:
        raise LostError(method, path, key, f"the answer is no JSON: {e}") from e
