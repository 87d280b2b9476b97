"""What every call needs, tried on a service that a test makes up."""

from __future__ import annotations

import hashlib
import inspect
import json
import threading
import typing
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from slipway_client import (
    APIClient,
    Bearer,
    Client,
    File,
    LostError,
    Person,
    Problem,
    Request,
    Response,
    SecondFactorNeeded,
    SlipwayError,
    types,
)
from slipway_client.operations import Operations
from slipway_client.transport import ANSWER_LIMIT

Answer = Callable[[Request], Any]


def respond(status: int, body: Any = None, **headers: str) -> Response:
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    return Response(status, {k.lower().replace("_", "-"): v for k, v in headers.items()}, content)


class Service:
    """A service whose answers a test chooses, one after the other; the last one is given again."""

    def __init__(self, *answers: Response | Exception | Answer) -> None:
        self.answers = list(answers)
        self.seen: list[Request] = []
        self.slept: list[float] = []
        self._turn = threading.Lock()

    def __call__(self, request: Request) -> Response:
        with self._turn:
            self.seen.append(request)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

        if isinstance(answer, Exception):
            raise answer

        return answer if isinstance(answer, Response) else answer(request)

    def client(self, auth: Any = None, **how: Any) -> Client:
        return Client("https://pay.example.org/", auth, transport=self, sleep=self.slept.append, **how)


def path_of(r: Request) -> str:
    return r.url.removeprefix("https://pay.example.org")


class Calls(unittest.TestCase):
    def test_a_call_sends_what_the_operation_takes(self) -> None:
        s = Service(respond(200, {"_id": "trx_1"}))
        c = s.client(organisation="org_1")
        at = datetime(2026, 11, 30, 8, tzinfo=timezone.utc)
        c.change_receiver("rcv/1", {"legalName": "Keller AG", "amount": Decimal("1E+3"), "at": at, "note": None}, if_version=7)

        r = s.seen[0]
        self.assertEqual("PATCH", r.method)
        self.assertEqual("/receivers/rcv%2F1", path_of(r), "an identifier stays one part of the path")
        self.assertEqual("7", r.headers["If-Match"])
        self.assertEqual("org_1", r.headers["Slipway-Organisation"])
        self.assertEqual(
            {"legalName": "Keller AG", "amount": "1000", "at": "2026-11-30T08:00:00+00:00", "note": None},
            json.loads(r.content or b""),
        )

    def test_parameters_of_a_list_are_sent(self) -> None:
        s = Service(respond(200, {"results": [], "nextCursor": None}))
        s.client().list_transactions(status=["DRAFT", "FAILED"], is_hidden=False, limit=5, organisation="org_2")

        path, _, query = path_of(s.seen[0]).partition("?")
        self.assertEqual("/transactions", path)
        self.assertEqual(
            ["isHidden=false", "limit=5", "status%5B%5D=DRAFT", "status%5B%5D=FAILED"],
            sorted(query.split("&")),
        )
        self.assertEqual("org_2", s.seen[0].headers["Slipway-Organisation"])

    def test_what_no_json_has_is_refused(self) -> None:
        c = Service(respond(200)).client()

        for bad in (Decimal("NaN"), float("inf"), datetime(2026, 11, 30), object()):
            with self.subTest(bad=bad), self.assertRaises((TypeError, ValueError)):
                c.call("POST", "/x", {"amount": bad})

    def test_a_number_that_comes_keeps_its_digits(self) -> None:
        s = Service(respond(200, b'{"value": 0.10000000000000000001}'))
        self.assertEqual(Decimal("0.10000000000000000001"), s.client().call("GET", "/x")["value"])

    def test_a_refusal_is_a_problem(self) -> None:
        document = {
            "code": "VALIDATION_FAILED",
            "detail": "Two values are wrong.",
            "requestId": "req_1",
            "errors": [
                {"pointer": "/iban", "code": "IBAN_INVALID", "message": "is no IBAN"},
                {"in": "query", "name": "limit", "code": "TOO_LARGE", "message": "is too large"},
                "nonsense",
            ],
        }
        s = Service(respond(422, document, Retry_After="3"))

        with self.assertRaises(Problem) as raised:
            s.client().create_receiver({}, key="order-1")  # type: ignore[typeddict-item]

        p = raised.exception
        self.assertEqual((422, "VALIDATION_FAILED", "req_1", 3, "order-1"), (p.status, p.code, p.request_id, p.retry_after, p.key))
        self.assertFalse(p.unknown)
        self.assertEqual(
            "422 VALIDATION_FAILED: Two values are wrong. [/iban IBAN_INVALID] [?limit TOO_LARGE]",
            str(p),
        )

    def test_an_answer_of_somebody_else_has_its_status(self) -> None:
        with self.assertRaises(Problem) as raised:
            Service(respond(404, b"<html>")).client().list_receivers()

        self.assertEqual("HTTP_404", raised.exception.code)

    def test_an_answer_that_is_no_json_is_a_lost_one(self) -> None:
        with self.assertRaises(LostError):
            Service(respond(200, b"<html>")).client().list_receivers()

    def test_an_address_must_be_one(self) -> None:
        for bad in ("pay.example.org", "ftp://pay.example.org", "https://", ""):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                Client(bad)

    def test_a_file_is_sent_as_a_form(self) -> None:
        s = Service(respond(201, {}))
        s.client().import_bank_file(File('da"y\r\n.xml', b"<Document/>"))

        r = s.seen[0]
        self.assertRegex(r.headers["Content-Type"], "^multipart/form-data; boundary=")
        self.assertIn(b'name="file"; filename="da%22y%0D%0A.xml"', r.content or b"")
        self.assertIn(b"\r\n\r\n<Document/>\r\n--", r.content or b"")

    def test_a_file_that_is_answered_is_bytes(self) -> None:
        s = Service(respond(200, b"%PDF-1.7"))
        self.assertEqual(b"%PDF-1.7", s.client().make_statement_file("trx_1"))
        self.assertEqual("application/pdf", s.seen[0].headers["Accept"])

    def test_secrets_are_not_printed(self) -> None:
        for auth in (APIClient("ak_1", "sk_secret"), Person("a@b.example", "sk_secret"), Bearer("sk_secret")):
            self.assertNotIn("sk_secret", repr(auth))


class Repetition(unittest.TestCase):
    def test_a_call_is_repeated_under_its_key(self) -> None:
        s = Service(OSError("reset"), respond(503), respond(429, Retry_After="2"), respond(201, {"_id": "rcv_1"}))
        self.assertEqual("rcv_1", s.client().create_receiver({})["_id"])  # type: ignore[typeddict-item]

        keys = {r.headers["Idempotency-Key"] for r in s.seen}
        self.assertEqual((4, 1), (len(s.seen), len(keys)))
        self.assertGreaterEqual(s.slept[2], 2, "the service asked for it")

        s.client().create_receiver({})  # type: ignore[typeddict-item]
        self.assertNotIn(s.seen[-1].headers["Idempotency-Key"], keys, "another call has another key")

    def test_a_call_without_a_key_is_not_repeated(self) -> None:
        s = Service(OSError("reset"))

        with self.assertRaises(LostError) as raised:
            s.client().call("POST", "/auth/logout")

        self.assertEqual(1, len(s.seen))
        self.assertTrue(raised.exception.unknown)
        self.assertEqual("", raised.exception.key)

    def test_a_lost_call_says_its_key(self) -> None:
        s = Service(OSError("reset"))

        with self.assertRaises(LostError) as raised:
            s.client().accept_transaction("trx_1", key="order-4711")

        self.assertEqual(("order-4711", 5), (raised.exception.key, len(s.seen)))
        self.assertEqual("POST /transactions/trx_1/accept: reset", str(raised.exception))

    def test_what_is_refused_is_not_repeated(self) -> None:
        for answer in (respond(409, {"code": "X"}), respond(501), respond(429), respond(429, Retry_After="61")):
            s = Service(answer)

            with self.subTest(answer=answer), self.assertRaises(Problem):
                s.client().create_receiver({})  # type: ignore[typeddict-item]

            self.assertEqual((1, []), (len(s.seen), s.slept))

    def test_an_outcome_that_nobody_knows_says_so(self) -> None:
        for answer in (respond(500), respond(409, {"code": "OUTCOME_UNKNOWN", "detail": ""})):
            with self.subTest(answer=answer), self.assertRaises(SlipwayError) as raised:
                Service(answer).client(tries=1).create_receiver({})  # type: ignore[typeddict-item]

            self.assertTrue(raised.exception.unknown)

    def test_pauses_are_bounded(self) -> None:
        s = Service(respond(503))

        with self.assertRaises(Problem):
            s.client(tries=9).list_receivers()

        self.assertEqual(8, len(s.slept))
        for n, pause in enumerate(s.slept):
            least = min(0.2 * 2**n, 5)
            self.assertTrue(least <= pause <= least * 1.5, s.slept)


class Sessions(unittest.TestCase):
    def test_a_token_is_replaced_once_for_all(self) -> None:
        good = "one"
        opened = []
        gate = threading.Barrier(8)
        another = threading.Event()

        def answer(r: Request) -> Response:
            nonlocal good

            if path_of(r) == "/auth/token":
                opened.append("token")
                return respond(200, {"access_token": "one", "refresh_token": "r1"})
            if path_of(r) == "/auth/refresh":
                self.assertEqual("Bearer r1", r.headers["Authorization"])
                if "refresh" in opened:
                    another.set()

                opened.append("refresh")
                another.wait(0.2)  # whoever does not wait for this one comes now
                return respond(200, {"access_token": "two", "refresh_token": "r2"})
            if r.headers["Authorization"] == "Bearer one" and good == "two":
                gate.wait(10)
                return respond(401, {"code": "TOKEN_EXPIRED"})

            return respond(200, {"results": [], "nextCursor": None})

        c = Service(answer).client(APIClient("ak_1", "sk_1"))
        c.list_receivers()
        good = "two"

        with ThreadPoolExecutor(8) as threads:
            for done in [threads.submit(c.list_receivers) for _ in range(8)]:
                done.result()

        self.assertEqual(["token", "refresh"], opened)

    def test_a_session_that_has_ended_is_opened_anew(self) -> None:
        tokens = iter(["one", "two"])

        def answer(r: Request) -> Response:
            if path_of(r) == "/auth/login":
                return respond(200, {"access_token": next(tokens), "refresh_token": "r", "requires_2fa": False})
            if path_of(r) == "/auth/refresh" or r.headers["Authorization"] == "Bearer one":
                return respond(401, {"code": "TOKEN_EXPIRED"})

            return respond(200, {"results": [], "nextCursor": None})

        s = Service(answer)
        s.client(Person("a@b.example", "nine violet kettles")).list_receivers()
        self.assertEqual(
            ["/auth/login", "/receivers/me", "/auth/refresh", "/auth/login", "/receivers/me"],
            [path_of(r) for r in s.seen],
        )

    def test_a_person_signs_in_with_a_second_factor(self) -> None:
        def answer(r: Request) -> Response:
            body = json.loads(r.content or b"{}")
            if path_of(r) == "/auth/login":
                return respond(200, {"requires_2fa": True, "tempToken": "tt_1", "access_token": "", "refresh_token": ""})
            if path_of(r) == "/auth/2fa/login":
                self.assertEqual({"tempToken": "tt_1", "code": "123456"}, body)
                return respond(200, {"access_token": "one", "refresh_token": "r1"})

            self.assertEqual("Bearer one", r.headers["Authorization"])
            return respond(200, {"results": [], "nextCursor": None})

        Service(answer).client(Person("a@b.example", "p", code=lambda: "123456")).list_receivers()

        with self.assertRaises(SecondFactorNeeded):
            Service(answer).client(Person("a@b.example", "p")).list_receivers()

    def test_a_bearer_is_never_replaced(self) -> None:
        s = Service(respond(401, {"code": "TOKEN_INVALID"}))

        with self.assertRaises(Problem):
            s.client(Bearer("t")).list_receivers()

        self.assertEqual(1, len(s.seen))


class Lists(unittest.TestCase):
    def test_all_pages_are_read_as_they_are_needed(self) -> None:
        s = Service(
            respond(200, {"results": [{"_id": "a"}, {"_id": "b"}], "nextCursor": "b"}),
            respond(200, {"results": [{"_id": "c"}], "nextCursor": None}),
        )
        found = s.client().all_receivers(limit=2)

        self.assertEqual("a", next(found)["_id"])
        self.assertEqual(1, len(s.seen))
        self.assertEqual(["b", "c"], [r["_id"] for r in found])
        self.assertEqual("/receivers/me?limit=2&cursor=b", path_of(s.seen[1]))

    def test_a_list_that_goes_round_ends(self) -> None:
        s = Service(respond(200, {"results": [{"_id": "a"}], "nextCursor": "a"}))
        self.assertEqual(2, len(list(s.client().all_receivers())))

    def test_events_go_on_where_the_last_page_ended(self) -> None:
        s = Service(
            respond(200, {"results": [{"number": "7"}], "next": "7"}),
            respond(200, {"results": [], "next": "7"}),
            respond(200, {"results": [{"number": "8"}], "next": "8"}),
        )
        events = s.client().events("6", ["transaction.*"])

        self.assertEqual(["7", "8"], [next(events)["number"], next(events)["number"]])
        self.assertIn("after=6", s.seen[0].url)
        self.assertIn("types%5B%5D=transaction.%2A", s.seen[0].url)
        self.assertIn("after=7", s.seen[2].url)


class Work(unittest.TestCase):
    def test_a_client_proves_its_work(self) -> None:
        asked = "abc.8.xyz"

        def answer(r: Request) -> Response:
            proof = r.headers.get("Proof-Of-Work", "")
            if not proof:
                return respond(429, {"code": "PROOF_OF_WORK_REQUIRED", "challenge": asked})

            challenge, _, number = proof.rpartition(".")
            self.assertEqual(asked, challenge)
            hashed = hashlib.sha256(hashlib.sha256(asked.encode()).digest() + number.encode()).digest()
            self.assertEqual(0, hashed[0])

            return respond(200, {"access_token": "one", "refresh_token": "r"})

        s = Service(answer)
        s.client().unsigned("POST", "/auth/token", {})
        self.assertEqual(2, len(s.seen))

    def test_a_client_does_not_work_without_end(self) -> None:
        with self.assertRaises(SlipwayError):
            Service(respond(429, {"code": "PROOF_OF_WORK_REQUIRED", "challenge": "abc.40.x"})).client().list_receivers()

        s = Service(respond(429, {"code": "PROOF_OF_WORK_REQUIRED", "challenge": "abc.1.x"}))
        with self.assertRaises(Problem):
            s.client().list_receivers()

        self.assertEqual(4, len(s.seen))


class Types(unittest.TestCase):
    def test_every_type_that_is_named_is_there(self) -> None:
        for name, value in vars(types).items():
            if hasattr(value, "__required_keys__"):
                with self.subTest(name=name):
                    typing.get_type_hints(value, vars(types))

        for name, value in vars(Operations).items():
            if inspect.isfunction(value):
                with self.subTest(name=name):
                    typing.get_type_hints(value)


class Handler(BaseHTTPRequestHandler):
    """A server that behaves as a path says."""

    def do_GET(self) -> None:
        if self.path == "/receivers/me":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/short":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"{}")
        elif self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            piece = b" " * (1 << 20)
            try:
                for _ in range((ANSWER_LIMIT >> 20) + 2):
                    self.wfile.write(piece)
            except OSError:
                pass  # the client has read enough
        elif self.path == "/nothing":
            self.close_connection = True
        else:
            self.send_response(410)
            self.send_header("Content-Type", "application/problem+json")
            self.end_headers()
            self.wfile.write(b'{"code": "EVENTS_GONE", "detail": "Gone."}')

    def log_message(self, *_: Any) -> None:
        pass


class OverHTTP(unittest.TestCase):
    """The transport of the standard library, on a server of its own."""

    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.client = Client(f"http://127.0.0.1:{self.server.server_port}", Bearer("t"), tries=1)

    def tearDown(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def test_a_refusal_is_a_problem(self) -> None:
        with self.assertRaises(Problem) as raised:
            self.client.list_events()

        self.assertEqual("EVENTS_GONE", raised.exception.code)

    def test_a_redirect_is_not_followed(self) -> None:
        with self.assertRaises(Problem) as raised:
            self.client.list_receivers()

        self.assertEqual(302, raised.exception.status)

    def test_an_answer_that_breaks_off_is_lost(self) -> None:
        for path in ("/short", "/nothing"):
            with self.subTest(path=path), self.assertRaises(LostError):
                self.client.call("GET", path)

    def test_an_answer_is_bounded(self) -> None:
        with self.assertRaises(LostError) as raised:
            self.client.call("GET", "/endless")

        self.assertIn("longer than", str(raised.exception))

    def test_nobody_listens(self) -> None:
        closed = Client("http://127.0.0.1:1", tries=1)

        with self.assertRaises(LostError):
            closed.list_receivers()


if __name__ == "__main__":
    unittest.main()
