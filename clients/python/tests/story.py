"""A customer's program: a payee, an invoice, its approval, a batch that pays it, and the list.

A test of the service runs it against one that listens, and verifies the webhooks.
"""

from __future__ import annotations

import json
import os

from slipway_client import Client, Person

client = Client(os.environ["ADDRESS"], Person(os.environ["EMAIL"], os.environ["PASSWORD"]))

endpoint = client.create_webhook_endpoint({"url": os.environ["HOOK"], "types": ["payable.*"]})
payee = client.create_receiver(
    {
        "type": "COMPANY",
        "legalName": "Keller AG",
        "email": "billing@keller.example",
        "countryIsoCode": "CH",
        "address": {"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
    }
)
account = client.create_bank_account(
    {
        "receiver": payee["_id"],
        "currency": "EUR",
        "bankCountry": "DE",
        "iban": "DE89370400440532013000",
        "bicSwift": "COBADEFFXXX",
    }
)
invoice = client.create_payable(
    {
        "name": "Rent",
        "type": "FIAT",
        "receiver": payee["_id"],
        "bankAccount": account["_id"],
        "amount": "1250.50",
        "currencyIsoCode": "EUR",
        "reason": "Invoice 2026-117",
    },
    key="invoice-2026-117",
)
client.approve_payables({"ids": [invoice["_id"]]})

batch = client.pay_payables({"payableIds": [invoice["_id"]], "token": "USDC"})
client.submit_transaction(batch["_id"], {})
client.accept_transaction(batch["_id"])

while not any(p["_id"] == invoice["_id"] for p in client.all_payables(status=["PAID"], limit=1)):
    pass

print(json.dumps({"secret": endpoint["secret"], "status": "PAID"}))
