"""Webhooks are signed as Standard Webhooks describe."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import SlipwayError

#: How many seconds a message's time may be from now (Standard Webhooks, "Verifying webhook authenticity").
TOLERANCE = 300


class ForgedWebhook(SlipwayError):
    """A message that is not of the service, or not of now. Answer it with 400 and do nothing else."""


def verify(
    keys: Iterable[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: float | None = None,
) -> dict[str, Any]:
    """Returns the event of a message of the service, and raises ForgedWebhook for any other message.

    One good signature by one of the keys is enough, so that keys can be replaced without losing a message: secrets
    (whsec_…, of v1 signatures) and public keys (whpk_…, of v1a, which need the package cryptography). A key that is
    none is a ValueError.

    body must be the bytes as they came: a body that was decoded and encoded again is another one. A message may come
    more than once: compare its webhook-id. now is in seconds since 1970; None: the present time.
    """
    secrets, public = _read(keys)
    message = _single(headers, "webhook-id")
    at = _single(headers, "webhook-timestamp")
    signatures = _single(headers, "webhook-signature")

    if not message or not signatures or not (at.isascii() and at.isdigit() and len(at) <= 12):
        raise ForgedWebhook("webhook-id, webhook-timestamp and webhook-signature must each be there once.")

    if abs((time.time() if now is None else now) - int(at)) > TOLERANCE:
        raise ForgedWebhook("The message is not of now.")

    signed = f"{message}.{at}.".encode() + body

    if not any(_good(s, secrets, public, signed) for s in signatures.split(" ")):
        raise ForgedWebhook("The signature is by none of the keys.")

    try:
        event = json.loads(body)
    except ValueError as e:
        raise ForgedWebhook("The message is no JSON.") from e

    return event


def challenge_of(event: Mapping[str, Any]) -> str | None:
    """Returns what to answer to a message of the type webhook_endpoint.verification, as the text of an answer of 200.

    It says that the address wants events. None: the message is another one.
    """
    if event.get("type") != "webhook_endpoint.verification":
        return None

    data = event.get("data") or {}

    return (data.get("object") or {}).get("challenge")


def _read(keys: Iterable[str]) -> tuple[list[bytes], list[Any]]:
    secrets: list[bytes] = []
    public: list[Any] = []

    for i, key in enumerate(keys):
        kind, named, text = key.partition("_")
        if not named:
            kind, text = "whsec", key

        try:
            raw = base64.b64decode(text, validate=True)
        except binascii.Error:
            raw = b""

        if not raw:
            raise ValueError(f"Webhook key {i} must be base64 after its prefix.")
        if kind == "whsec":
            secrets.append(raw)
        elif kind == "whpk":
            public.append(_public(raw))
        else:
            raise ValueError(f"Webhook key {i} must begin with whsec_ or whpk_.")

    if not secrets and not public:
        raise ValueError("A webhook is verified with a key.")

    return secrets, public


def _public(raw: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as e:
        raise ValueError("Public keys (whpk_…) need the package cryptography; secrets (whsec_…) need nothing.") from e

    return Ed25519PublicKey.from_public_bytes(raw)


def _good(signature: str, secrets: list[bytes], public: list[Any], signed: bytes) -> bool:
    """Reports whether a signature is by a key of its version. Other versions are ignored."""
    version, _, text = signature.partition(",")

    try:
        given = base64.b64decode(text, validate=True)
    except binascii.Error:
        return False

    if version == "v1":
        return any(hmac.compare_digest(hmac.new(s, signed, hashlib.sha256).digest(), given) for s in secrets)

    return version == "v1a" and any(_signed_by(key, given, signed) for key in public)


def _signed_by(key: Any, given: bytes, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(given, signed)
    except InvalidSignature:
        return False

    return True


def _single(headers: Mapping[str, str], name: str) -> str:
    """Returns the value of a header that came once, whatever the case of its name, or ""."""
    values = [v for k, v in headers.items() if k.lower() == name]
    return values[0] if len(values) == 1 and ", " not in values[0] else ""
