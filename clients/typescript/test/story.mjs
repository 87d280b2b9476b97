// A customer's program: a payee, an invoice, its approval, a batch that pays it, and the list. A test of the service runs it against one that
// listens, and verifies the webhooks.
import { all, ask, create } from "../dist/index.js";

const { ADDRESS, EMAIL, PASSWORD, HOOK } = process.env;
const client = create({ address: ADDRESS, auth: { email: EMAIL, password: PASSWORD } });

const endpoint = await ask(client.POST("/webhook-endpoints", { body: { url: HOOK, types: ["payable.*"] } }));
const payee = await ask(
  client.POST("/receivers", {
    body: {
      type: "COMPANY",
      legalName: "Keller AG",
      email: "billing@keller.example",
      countryIsoCode: "CH",
      address: { addressLine1: "Seestrasse 1", postCode: "8002", city: "Zürich" },
    },
  }),
);
const account = await ask(
  client.POST("/bank-accounts", {
    body: { receiver: payee._id, currency: "EUR", bankCountry: "DE", iban: "DE89370400440532013000", bicSwift: "COBADEFFXXX" },
  }),
);
const invoice = await ask(
  client.POST("/payables", {
    body: {
      name: "Rent",
      type: "FIAT",
      receiver: payee._id,
      bankAccount: account._id,
      amount: "1250.50",
      currencyIsoCode: "EUR",
      reason: "Invoice 2026-117",
    },
    headers: { "Idempotency-Key": "invoice-2026-117" },
  }),
);
await ask(client.POST("/payables/approve", { body: { ids: [invoice._id] } }));

const batch = await ask(client.POST("/transactions/payables", { body: { payableIds: [invoice._id], token: "USDC" } }));
const path = { params: { path: { id: batch._id } } };
await ask(client.POST("/transactions/{id}/submit", { ...path, body: {} }));
await ask(client.POST("/transactions/{id}/accept", path));

for (let status = ""; status !== "PAID"; ) {
  for await (const p of all((cursor) => client.GET("/payables/me", { params: { query: { cursor, "status[]": ["PAID"] } } }))) {
    if (p._id === invoice._id) ({ status } = p);
  }
}

console.log(JSON.stringify({ secret: endpoint.secret, status: "PAID" }));
