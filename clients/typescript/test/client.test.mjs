import assert from "node:assert/strict";
import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { all, ask, create, events, Problem, ForgedWebhook, verify } from "../dist/index.js";

/** served returns a client of a function that answers requests, and what was asked of it. */
function served(answer, options = {}) {
  const asked = [];
  const client = create({
    address: "http://slipway.example",
    fetch: async (request) => {
      asked.push({ line: `${request.method} ${new URL(request.url).pathname}`, url: request.url, headers: request.headers, body: await request.text() });
      return answer(asked.at(-1), asked.length);
    },
    ...options,
  });

  return { client, asked };
}

const json = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });

test("a call is repeated under its key, with the same bytes", async () => {
  const { client, asked } = served((_, n) => {
    if (n === 1) throw new TypeError("connection reset");
    return n === 2 ? json(503, { code: "OUTCOME_UNKNOWN" }) : json(201, { _id: "txn_1" });
  });
  const made = await ask(client.POST("/transactions", { body: { type: "CRYPTO", payments: [] } }));
  assert.equal(made._id, "txn_1");
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map((a) => a.headers.get("Idempotency-Key"))).size, 1);
  assert.ok(asked[0].headers.get("Idempotency-Key").length >= 20);
  assert.equal(new Set(asked.map((a) => a.body)).size, 1);
});

test("a challenge is answered by its proof", async () => {
  const challenge = "1.14.1795855800.abcdefghijklmnopqrstuv.k1.QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo";
  const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts.map(Buffer.from))).digest();
  const { client, asked } = served((request) => {
    const [, number] = (request.headers.get("Proof-Of-Work") ?? "").split(`${challenge}.`);
    const proven = number && sha(sha(challenge), number).readUInt32BE() >>> 18 === 0;
    return proven ? json(200, { message: "done" }) : json(429, { code: "PROOF_OF_WORK_REQUIRED", challenge }, { "Retry-After": "1" });
  });
  const body = { firstName: "Ada", lastName: "Keller", email: "ada@example.org", password: "nine violet kettles" };
  assert.equal((await ask(client.POST("/auth/register", { body }))).message, "done");
  assert.equal(asked.length, 2);
  assert.equal(asked[0].body, asked[1].body);
});

test("a challenge that asks for too much is a refusal", async () => {
  const { client, asked } = served(() => json(429, { code: "PROOF_OF_WORK_REQUIRED", challenge: "1.60.x.y.z.m" }), { tries: 1 });
  await assert.rejects(ask(client.POST("/auth/login", { body: { email: "a", password: "b" } })), { code: "PROOF_OF_WORK_REQUIRED" });
  assert.equal(asked.length, 1);
});

test("the caller's own key is kept, and a call without one is not repeated", async () => {
  const { client, asked } = served(() => {
    throw new TypeError("connection reset");
  }, { tries: 2 });

  const headers = { "Idempotency-Key": "order 7" };
  await assert.rejects(ask(client.POST("/transactions/{id}/accept", { params: { path: { id: "txn_1" } }, headers })), (p) => p.unknown && p.code === "NETWORK");
  assert.deepEqual(asked.map((a) => a.headers.get("Idempotency-Key")), ["order 7", "order 7"]);

  await assert.rejects(ask(client.POST("/auth/login", { body: { email: "a@b.c", password: "x" } })), Problem);
  assert.equal(asked.length, 3);
});

test("a refusal is a Problem with its code and fields", async () => {
  const errors = [{ pointer: "/email", code: "REQUIRED", message: "is required." }];
  const { client, asked } = served(() => json(422, { code: "VALIDATION", detail: "One field.", requestId: "req_1", errors }));
  const refused = await ask(client.POST("/receivers", { body: {} })).catch((p) => p);
  assert.ok(refused instanceof Problem);
  assert.deepEqual([refused.status, refused.code, refused.requestId, refused.unknown], [422, "VALIDATION", "req_1", false]);
  assert.deepEqual(refused.at("/email"), ["is required."]);
  assert.equal(asked.length, 1);
});

test("a pause of an hour is the caller's to decide about", async () => {
  const { client, asked } = served(() => json(429, { code: "RATE_LIMITED" }, { "Retry-After": "3600" }));
  const refused = await ask(client.GET("/users/me")).catch((p) => p);
  assert.deepEqual([refused.retryAfter, asked.length], [3600, 1]);
});

test("a try ends with its timeout, and a call when its caller ends it", async () => {
  const server = createServer(() => {}); // answers nobody
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${server.address().port}`;

  const slow = await ask(create({ address, tries: 1, timeout: 20 }).GET("/users/me")).catch((p) => p);
  assert.deepEqual([slow.code, slow.unknown], ["NETWORK", true]);

  const ended = await ask(create({ address }).GET("/users/me", { signal: AbortSignal.abort() })).catch((p) => p);
  assert.equal(ended.name, "AbortError");

  server.closeAllConnections();
  server.close();
});

test("a token is replaced once for all calls that wait", async () => {
  let good = "at_1";
  const { client, asked } = served((a) => {
    if (a.line === "POST /auth/token") return json(200, { access_token: "at_1", refresh_token: "rt_1" });
    if (a.line === "POST /auth/refresh") return json(200, { access_token: "at_2", refresh_token: "rt_2" });
    return a.headers.get("Authorization") === `Bearer ${good}` ? json(200, {}) : json(401, { code: "TOKEN_INVALID" });
  }, { auth: { clientId: "ak_1", secret: "sk_1" } });

  const many = () => Promise.all(Array.from({ length: 20 }, () => ask(client.GET("/users/me"))));
  await many();
  good = "at_2";
  await many();
  assert.equal(asked.filter((a) => a.line === "POST /auth/token").length, 1);
  assert.equal(asked.filter((a) => a.line === "POST /auth/refresh").length, 1);
});

test("a person signs in with a second factor", async () => {
  const { client } = served((a) => {
    if (a.line === "POST /auth/login") return json(200, { requires_2fa: true, tempToken: "half" });
    if (a.line === "POST /auth/2fa/login") return json(200, { access_token: JSON.parse(a.body).code });
    return json(200, { email: a.headers.get("Authorization") });
  }, { auth: { email: "ada@example.org", password: "x", code: () => "123456" } });
  assert.equal((await ask(client.GET("/users/me"))).email, "Bearer 123456");
});

test("pages and events are read one after the other", async () => {
  const { client } = served((a) => {
    const cursor = new URL(a.url).searchParams.get("cursor");
    if (a.line === "GET /events") return json(200, { results: [{ number: "8" }], next: "8" });
    return cursor ? json(200, { results: [{ _id: "3" }] }) : json(200, { results: [{ _id: "1" }, { _id: "2" }], nextCursor: "b" });
  });

  const got = [];
  for await (const r of all((cursor) => client.GET("/receivers/me", { params: { query: { cursor } } }))) got.push(r._id);
  assert.deepEqual(got, ["1", "2", "3"]);

  for await (const e of events(client, "7", ["transaction.*"])) {
    assert.equal(e.number, "8");
    break;
  }
});

// The published vector of Standard Webhooks, made by its reference library.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';
const at = 1614265330;
const head = (signature) =>
  new Headers({ "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": String(at), "webhook-signature": signature });
const good = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

// A bare `await verify(…)` lets no forgery through.
const refused = (verified) => assert.rejects(verified, ForgedWebhook);

test("a webhook is verified", async () => {
  const now = at * 1000;
  await verify([secret], head(good), body, { now });
  await verify([secret], head(`v1,AAAA v2,x ${good}`), new TextEncoder().encode(body), { now });
  await refused(verify([secret], head(good), body.replace(" ", ""), { now }));
  await refused(verify([secret], head(good.replace("v1", "v2")), body, { now }));
  await refused(verify([secret], head("v1,"), body, { now }));
  await refused(verify([secret], head(good), body, { now: now + 301_000 }));
  await refused(verify([secret], head(good), body, { now: now - 301_000 }));

  const twice = head(good);
  twice.append("webhook-signature", good);
  await refused(verify([secret], twice, body, { now }));
  await assert.rejects(verify(["whsec_"], head(good), body, { now }));

  const other = createHmac("sha256", "another").update("x").digest("base64");
  await refused(verify([secret], head(`v1,${other}`), body, { now }));
});

test("a webhook is verified by a public key", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = `whpk_${publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64")}`;
  const signed = sign(null, Buffer.from(`msg_p5jXN8AQM9LWM0D4loKWxJek.${at}.${body}`), privateKey).toString("base64");
  await verify([key], head(`v1,AAAA v1a,${signed}`), body, { now: at * 1000 });
  await refused(verify([key], head(good), body, { now: at * 1000 }));
});
