// The client of the public API. The browser holds no token: the session's cookie goes along, and the header Slipway-Console
// says that the console asks.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "../api/schema";
import { prefix } from "./base";
import { route } from "./router.svelte";

export type Schemas = components["schemas"];

/** FieldProblem is one field that the service refused. */
export interface FieldProblem {
  pointer?: string | null;
  name?: string;
  code: string;
  message: string;
}

/** Problem is why a call did not answer as wanted. The code NETWORK means: no answer, so the outcome is unknown. */
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
  }

  /** unknown reports whether the call may have had its effect all the same. */
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

/** service is what the answers say about the service itself, and about the session. */
export const service = $state({ mode: "", build: "", newBuild: false, signedOut: false });

function observe(response: Response): void {
  service.mode = response.headers.get("Slipway-Mode") ?? service.mode;

  const build = response.headers.get("Slipway-Build") ?? "";
  if (build && service.build && build !== service.build) service.newBuild = true;
  if (build) service.build = build;
}

// A session ends when nobody uses it. What the page asks for by itself, a while after the last touch, is no use of it.
const attentionMilliseconds = 60_000;
let touched = Date.now();
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(kind, () => (touched = Date.now()), { passive: true, capture: true });
}

// identify adds what every call of the console carries.
function identify(headers: Headers): void {
  headers.set("Slipway-Console", "1");
  if (Date.now() - touched > attentionMilliseconds) headers.set("Slipway-Unattended", "1");

  const organisation = /^\/o\/([^/]+)/.exec(route.path)?.[1];
  if (organisation) headers.set("Slipway-Organisation", organisation);
}

const session: Middleware = {
  onRequest({ request }) {
    identify(request.headers);

    return request;
  },
  onResponse({ response }) {
    observe(response);
  },
};

/** api calls operations by their paths. Every call goes through ask. */
export const api = createClient<paths>({
  baseUrl: prefix,
  credentials: "same-origin",
  cache: "no-store",
  // status[]=A&status[]=B is what the lists read.
  querySerializer: { array: { style: "form", explode: true } },
});
api.use(session);

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** ask returns the answer of a call, or throws a Problem. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;

  try {
    answer = await call;
  } catch (cause) {
    if ((cause as Error).name === "AbortError") throw cause;
    throw new Problem(0, "NETWORK", "The service did not answer. Your connection may be down.");
  }

  if (answer.response.ok) return answer.data as T;
  throw problemOf(answer.response, answer.error);
}

function problemOf(response: Response, error: unknown): Problem {
  const body = (typeof error === "object" && error ? error : {}) as Record<string, unknown>;
  const text = (name: string, otherwise: string) => (typeof body[name] === "string" ? body[name] : otherwise);

  const fields = [body.errors, body.issues].find(Array.isArray) as FieldProblem[] | undefined;
  const wait = Number(response.headers.get("Retry-After") ?? 0);
  const code = text("code", `HTTP_${response.status}`);
  if (response.status === 401 && code !== "CREDENTIALS_INVALID") service.signedOut = true;

  const detail = text("detail", `The service answered ${response.status}.`);
  const id = text("requestId", response.headers.get("X-Request-Id") ?? "");

  return new Problem(response.status, code, detail, id, fields ?? [], body, wait);
}

/** file asks for something that is not JSON, such as a PDF. `seen` is called with the answer's headers. */
export async function file(path: string, init: RequestInit = {}, seen?: (headers: Headers) => void): Promise<Blob> {
  const headers = new Headers(init.headers);
  identify(headers);

  let response: Response;
  try {
    response = await fetch(prefix + path, { ...init, headers, credentials: "same-origin", cache: "no-store" });
  } catch (cause) {
    if ((cause as Error).name === "AbortError") throw cause;
    throw new Problem(0, "NETWORK", "The service did not answer. Your connection may be down.");
  }

  observe(response);
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
  seen?.(response.headers);

  return response.blob();
}

/** save gives a file to the user. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
