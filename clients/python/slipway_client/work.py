"""What a client proves by itself where very many sign in or register."""

from __future__ import annotations

import hashlib
import json
from http import HTTPStatus

from .errors import SlipwayError
from .transport import Response

HEADER = "Proof-Of-Work"
TRIES = 3  # challenges of one call

_CODE = "PROOF_OF_WORK_REQUIRED"
_MOST_BITS = 26  # a minute or two of work; more is somebody's mistake


def challenge_in(answer: Response) -> str:
    """Returns what the service asks to be proven before it looks at a call; "" if it asks for nothing."""
    if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
        return ""

    try:
        asked = json.loads(answer.content)
    except ValueError:
        return ""

    if not isinstance(asked, dict) or asked.get("code") != _CODE:
        return ""

    return str(asked.get("challenge") or "")


def prove(challenge: str) -> str:
    """Returns the text that answers a challenge: the challenge, a point and a number.

    It blocks until it has found one, a second or so.
    """
    _, _, rest = challenge.partition(".")
    bits = rest.partition(".")[0]

    if not bits.isdigit() or int(bits) > _MOST_BITS:
        raise SlipwayError(f"The challenge asks for {bits or 'no'} bits, and at most {_MOST_BITS} are proven.")

    seed = hashlib.sha256(hashlib.sha256(challenge.encode()).digest())
    most = 1 << (256 - int(bits))
    n = 0

    while True:
        tried = seed.copy()
        tried.update(b"%d" % n)

        if int.from_bytes(tried.digest()) < most:
            return f"{challenge}.{n}"

        n += 1
