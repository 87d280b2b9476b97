// Calls the API of a Slipway service. create returns a client whose GET, POST, PUT, PATCH and DELETE know the paths, bodies and answers of
// every operation; ask unwraps an answer, or throws a Problem; all reads a list to its end; events follows the feed; verify checks a webhook,
// and challengeOf reads what its address has to answer first.
//
// A call that changes something gets an Idempotency-Key when it is made, and each repetition sends the same one. A token that has expired is
// replaced once for all calls that wait for it. Amounts are texts of digits and never numbers.
import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import { keyed } from "./keyed.js";
import type { components, paths } from "./schema.js";
import { prove } from "./work.js";

export { challengeOf, ForgedWebhook, verify, type WebhookOptions } from "./webhook.js";
export type { components, operations, paths } from "./schema.js";
export type Schemas = components["schemas"];
export type Event = Schemas["FeedView"];
export type Client = FetchClient<paths>;

/** Auth says who calls: a program, a person with an authenticator or without, or a token that somebody else takes care of. */
export type Auth =
  | { clientId: string; secret: string }
  | { email: string; password: string; code?: () => string | Promise<string> }
  | { token: string };

export interface Options {
  /** address of the service, such as https://pay.example.org */
  address: string;
  auth?: Auth;
  /** to act for, of a person who belongs to several organisations; the header Slipway-Organisation says it for one call */
  organisation?: string;
  /** tries of a call that may be repeated; 5 when left out, 1: nothing is repeated */
  tries?: number;
  /** milliseconds that one try may take; 60 seconds when left out */
  timeout?: number;
  /** how requests are sent; the global fetch when left out */
  fetch?: (request: Request) => Promise<Response>;
}

/** FieldProblem is one value that the service refused. */
export interface FieldProblem {
  pointer?: string | null;
  in?: string;
  name?: string;
  code: string;
  message: string;
}

/** Problem is why a call did not answer as wanted. Go by its code. The code NETWORK means: no answer, so the outcome is unknown. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId = "",
    readonly fields: FieldProblem[] = [],
    readonly body: Record<string, unknown> = {},
    readonly retryAfter = 0,
  ) {
    super(message);
    this.name = "Problem";
  }

  /** unknown reports whether the call may have had its effect all the same. Repeat it with the same key, and never with another one. */
  get unknown(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === "OUTCOME_UNKNOWN";
  }

  /** at returns the sentences about one field. */
  at(pointer: string): string[] {
    return this.fields.filter((f) => f.pointer === pointer || f.name === pointer.slice(1)).map((f) => f.message);
  }

  /** elsewhere returns the sentences about fields that a form does not show. */
  elsewhere(shown: string[]): FieldProblem[] {
    return this.fields.filter((f) => !shown.includes(f.pointer ?? `/${f.name}`));
  }
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** ask returns the answer of a call, or throws a Problem. What its caller has aborted stays an AbortError. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;

  try {
    answer = await call;
  } catch (cause) {
    throw lost(cause);
  }

  if (answer.response.ok) return answer.data as T;
  throw problemOf(answer.response, answer.error);
}

/** lost returns the Problem of a call that has no answer. */
export function lost(cause: unknown): unknown {
  if (cause instanceof Problem || (cause as Error).name === "AbortError") return cause;

  return new Problem(0, "NETWORK", "The service did not answer. Your connection may be down.", "", [], { cause: String(cause) });
}

/** problemOf returns the Problem of a refusal. An answer of somebody else, such as a proxy, has its status as code. */
export function problemOf(response: Response, error: unknown): Problem {
  const body = (typeof error === "object" && error ? error : {}) as Record<string, unknown>;
  const text = (name: string, otherwise: string) => (typeof body[name] === "string" ? body[name] : otherwise);
  const fields = [body.errors, body.issues].find(Array.isArray) as FieldProblem[] | undefined;
  const code = text("code", `HTTP_${response.status}`);
  const detail = text("detail", `The service answered ${response.status}.`);
  const id = text("requestId", response.headers.get("X-Request-Id") ?? "");

  return new Problem(response.status, code, detail, id, fields ?? [], body, Number(response.headers.get("Retry-After") ?? 0));
}

/** create returns a client. It calls nothing yet. */
export function create(options: Options): Client {
  const base = options.address.replace(/\/$/, "");
  const send = steady(options, options.auth && session(base, options));
  const client = createFetchClient<paths>({
    baseUrl: base,
    fetch: send,
    // status[]=A&status[]=B is what the lists read.
    querySerializer: { array: { style: "form", explode: true } },
  });

  client.use({
    onRequest({ request, schemaPath }) {
      if (options.organisation && !request.headers.has("Slipway-Organisation")) {
        request.headers.set("Slipway-Organisation", options.organisation);
      }
      if (keyed.has(`${request.method} ${schemaPath}`) && !request.headers.has("Idempotency-Key")) {
        request.headers.set("Idempotency-Key", crypto.randomUUID());
      }

      return request;
    },
  });

  return client;
}

const firstPause = 200;
const longestPause = 5_000;
const longestWaited = 60; // seconds: longer than this nobody waits because of Retry-After

type Send = (request: Request) => Promise<Response>;
type Session = (used?: string) => Promise<string>;

/** steady sends a request until it has an answer that counts. What may have had its effect is repeated only under its key, or if it reads. */
function steady(options: Options, token?: Session): Send {
  const once = limited(options);
  const authorised = async (request: Request): Promise<Response> => {
    if (!token || request.headers.has("Authorization")) return once(request.clone());

    const used = await token();
    const response = await once(withToken(request, used));
    if (response.status !== 401) return response;

    const fresh = await token(used);
    return fresh === used ? response : once(withToken(request, fresh));
  };

  return async (request) => {
    const safe = ["GET", "HEAD"].includes(request.method) || request.headers.has("Idempotency-Key");

    for (let n = 1; ; n++) {
      let response: Response | undefined;

      try {
        response = await authorised(request);
      } catch (cause) {
        if (n >= (options.tries ?? 5) || !safe || cause instanceof Problem || request.signal.aborted) throw cause;
      }

      const asked = Number(response?.headers.get("Retry-After") ?? 0);
      const putOff = response?.status === 429 && asked > 0; // it was refused before it was looked at
      const again = !response || putOff || (safe && response.status >= 500 && response.status !== 501);
      if (response && (!again || n >= (options.tries ?? 5) || asked > longestWaited)) return response;

      const pause = Math.min(firstPause * 2 ** (n - 1), longestPause);
      await wait(Math.max(asked * 1_000, pause * (1 + Math.random() / 2)), request.signal);
    }
  };
}

function limited(options: Options): Send {
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const once: Send = (request) =>
    send(new Request(request, { signal: either(request.signal, AbortSignal.timeout(options.timeout ?? 60_000)) }));

  // What is answered by a challenge was not looked at: it is sent again with the proof of work.
  return async (request) => {
    const again = request.clone();
    const response = await once(request);
    const proof = await proofFor(response, request.signal);
    if (!proof) return response;

    again.headers.set("Proof-Of-Work", proof);
    return once(again);
  };
}

/** either returns a signal that ends with the first of two. Browsers have AbortSignal.any since 2024 only. */
function either(...signals: AbortSignal[]): AbortSignal {
  if ("any" in AbortSignal) return AbortSignal.any(signals);

  const both = new AbortController();
  for (const one of signals) {
    if (one.aborted) both.abort(one.reason);
    one.addEventListener("abort", () => both.abort(one.reason), { once: true });
  }

  return both.signal;
}

async function proofFor(response: Response, signal: AbortSignal): Promise<string | undefined> {
  if (response.status !== 429) return undefined;

  const asked = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: string; challenge?: string } | undefined;

  return asked?.code === "PROOF_OF_WORK_REQUIRED" && asked.challenge ? prove(asked.challenge, signal) : undefined;
}

function withToken(request: Request, token: string): Request {
  const copy = request.clone();
  copy.headers.set("Authorization", `Bearer ${token}`);

  return copy;
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), failed(signal.reason)), { once: true });
  });
}

type Tokens = { access_token?: string | null; refresh_token?: string | null; requires_2fa?: boolean; tempToken?: string | null };

/** session returns what gives out tokens: one that is not `used`. Of all calls whose token has expired one replaces it. */
function session(base: string, options: Options): Session {
  const auth = options.auth as Auth;
  const send = steady({ ...options, auth: undefined });
  let now: Tokens = {};
  let renewing: Promise<string> | undefined;

  const post = async (path: string, body?: object, bearer?: string): Promise<Tokens> => {
    const headers = new Headers(body && { "Content-Type": "application/json" });
    if (bearer) headers.set("Authorization", `Bearer ${bearer}`);

    const response = await send(new Request(base + path, { method: "POST", headers, body: body && JSON.stringify(body) }));
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw problemOf(response, answer);

    return answer as Tokens;
  };

  const open = async (): Promise<Tokens> => {
    if ("token" in auth) return { access_token: auth.token };
    if ("clientId" in auth) return post("/auth/token", { clientId: auth.clientId, secret: auth.secret });

    const first = await post("/auth/login", { email: auth.email, password: auth.password });
    if (!first.requires_2fa) return first;
    if (!auth.code) throw new Error("The account has a second factor, so auth needs code.");

    return post("/auth/2fa/login", { tempToken: first.tempToken, code: await auth.code() });
  };

  const renew = async (): Promise<string> => {
    const refresh = now.refresh_token;
    now = {}; // the refresh token is good once, whatever comes of it
    now = refresh
      ? await post("/auth/refresh", undefined, refresh).catch((cause: unknown) => {
          if (cause instanceof Problem && cause.status === 401) return open();
          throw cause;
        })
      : await open();

    return now.access_token ?? "";
  };

  return async (used) => {
    if (now.access_token && now.access_token !== used) return now.access_token;
    renewing ??= renew().finally(() => (renewing = undefined));

    return renewing;
  };
}

type Page<T> = { results: T[]; nextCursor?: string | null };

/** all returns the results of a list, page after page: all((cursor) => client.GET("/receivers/me", { params: { query: { cursor } } })). */
export async function* all<T>(read: (cursor?: string) => Promise<Answer<Page<T>>>): AsyncGenerator<T> {
  for (let cursor: string | undefined; ; ) {
    const page = await ask(read(cursor));
    yield* page.results;

    if (!page.nextCursor || page.nextCursor === cursor) return;
    cursor = page.nextCursor;
  }
}

/** events returns the organisation's events after a number, oldest first, and waits for further ones until the signal aborts. */
export async function* events(client: Client, after?: string, types?: string[], signal?: AbortSignal): AsyncGenerator<Event> {
  for (let next = after; ; ) {
    const query = { after: next, "types[]": types, wait: 30 };
    const page = await ask(client.GET("/events", { params: { query }, signal }));
    yield* page.results;

    next = page.next;
  }
}
