"""Calls the API of a Slipway service.

Operations and types are generated from the service's OpenAPI document, so each method is named as its operation:
Client(…), then client.create_receiver, client.create_transaction, client.accept_transaction. Bodies and answers are
plain dictionaries, whose types stand in slipway_client.types. What every call needs is written by hand:

- Tokens. auth says who calls. A token that has expired is replaced once, for all threads that wait for it.
- Errors. A refusal raises a Problem. error.unknown says whether a call may have had its effect all the same.
- Once. A call that changes something gets an Idempotency-Key when it is made, and each repetition sends the same one.
- Pages. all_transactions and its like read a list to its end, as an iterator.
- Money. Amounts are texts of digits; give a text or a decimal.Decimal. A number that comes is a Decimal, never a float.
- Webhooks. verify checks a message before it is read.
- Work. Where very many sign in, the service asks for a proof of work; it is computed and sent.

It needs Python 3.11 and nothing else. A client may be used by many threads.

Read in this order: client.py, errors.py, transport.py, auth.py, work.py, webhook.py.
"""

from .auth import APIClient, Bearer, Person, SecondFactorNeeded
from .client import Client
from .errors import FieldProblem, LostError, Problem, SlipwayError
from .transport import File, Request, Response
from .webhook import ForgedWebhook, challenge_of, verify

__all__ = [
    "APIClient",
    "Bearer",
    "Client",
    "FieldProblem",
    "File",
    "ForgedWebhook",
    "LostError",
    "Person",
    "Problem",
    "Request",
    "Response",
    "SecondFactorNeeded",
    "SlipwayError",
    "challenge_of",
    "verify",
]
