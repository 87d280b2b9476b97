"""Webhooks, by the published vector of Standard Webhooks, made by its reference library."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import unittest
from email.message import Message
from pathlib import Path

from slipway_client import ForgedWebhook, challenge_of, verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
NOW = 1614265330
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": "1614265330",
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


class Verification(unittest.TestCase):
    def test_a_message_is_verified(self) -> None:
        self.assertEqual({"test": 2432232314}, verify([SECRET], HEADERS, BODY, now=NOW))
        verify([SECRET.removeprefix("whsec_")], HEADERS, BODY, now=NOW + 300)
        verify(["whsec_AAAA", SECRET], HEADERS, BODY, now=NOW - 300)
        two = {**HEADERS, "Webhook-Signature": "v1,AAAA v9,x " + HEADERS["Webhook-Signature"]}
        verify([SECRET], two, BODY, now=NOW)

    def test_another_message_is_forged(self) -> None:
        for name, key, headers, body, now in (
            ("one bit of the body", SECRET, HEADERS, BODY.replace(b"4}", b"5}"), NOW),
            ("encoded again", SECRET, HEADERS, BODY.replace(b" ", b""), NOW),
            ("another key", "whsec_AAAA", HEADERS, BODY, NOW),
            ("another message", SECRET, {**HEADERS, "Webhook-Id": "msg_2"}, BODY, NOW),
            ("another time", SECRET, {**HEADERS, "Webhook-Timestamp": "1614265331"}, BODY, NOW),
            ("too old", SECRET, HEADERS, BODY, NOW + 301),
            ("too new", SECRET, HEADERS, BODY, NOW - 301),
            ("no time", SECRET, {**HEADERS, "Webhook-Timestamp": "now"}, BODY, NOW),
            ("a sign before the time", SECRET, {**HEADERS, "Webhook-Timestamp": "+1614265330"}, BODY, NOW),
            ("no signature", SECRET, {**HEADERS, "Webhook-Signature": ""}, BODY, NOW),
            ("another version", SECRET, {**HEADERS, "Webhook-Signature": "v2,g0hM9SsE+OTPJTGt"}, BODY, NOW),
            ("a signature that is no base64", SECRET, {**HEADERS, "Webhook-Signature": "v1,*"}, BODY, NOW),
            ("headers that are missing", SECRET, {}, BODY, NOW),
        ):
            with self.subTest(name), self.assertRaises(ForgedWebhook):
                verify([key], headers, body, now=now)

    def test_a_header_that_came_twice_is_forged(self) -> None:
        headers = Message()
        for name, value in [*HEADERS.items(), ("Webhook-Id", "msg_2")]:
            headers[name] = value

        with self.assertRaises(ForgedWebhook):
            verify([SECRET], headers, BODY, now=NOW)  # type: ignore[arg-type]

    def test_a_key_must_be_sound(self) -> None:
        for keys in ([], ["whsec_"], ["whsec_*"], ["whxx_AAAA"], ["whpk_AAAA"]):
            with self.subTest(keys=keys), self.assertRaises(ValueError):
                verify(keys, HEADERS, BODY, now=NOW)

    @unittest.skipUnless(importlib.util.find_spec("cryptography"), "the package cryptography is not installed")
    def test_a_public_key_verifies_too(self) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        signed = private.sign(f"{HEADERS['Webhook-Id']}.{NOW}.".encode() + BODY)
        headers = {**HEADERS, "Webhook-Signature": "v1a," + base64.b64encode(signed).decode()}
        key = "whpk_" + base64.b64encode(public).decode()

        verify([key], headers, BODY, now=NOW)

        with self.assertRaises(ForgedWebhook):
            verify([key], headers, BODY + b" ", now=NOW)

    def test_a_verification_is_answered_by_its_challenge(self) -> None:
        for kind, thing, want in (
            ("webhook_endpoint.verification", {"_id": "whv_1", "challenge": "whc_x"}, "whc_x"),
            ("webhook_endpoint.verification", {"_id": "whv_1"}, None),
            ("transaction.created", {"_id": "txn_1", "challenge": "whc_x"}, None),
        ):
            self.assertEqual(want, challenge_of({"type": kind, "data": {"object": thing}}))

    @unittest.skipUnless(os.environ.get("SLIPWAY_FIXTURES"), "SLIPWAY_FIXTURES is not set")
    def test_the_fixtures_of_standard_webhooks(self) -> None:
        path = Path(os.environ["SLIPWAY_FIXTURES"], "webhooks_http", "standard_webhooks_vectors.json")
        vectors = json.loads(path.read_text(encoding="utf-8"))
        self.assertGreater(len(vectors), 5)

        for v in vectors:
            with self.subTest(v["name"]):
                try:
                    verify([v["secret"]], v["headers"], v["body"].encode(), now=v["now"])
                    valid = True
                except ForgedWebhook:
                    valid = False

                self.assertEqual(v["valid"], valid)


if __name__ == "__main__":
    unittest.main()
