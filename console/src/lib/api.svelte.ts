// The client of the public API. The browser holds no token: the session's cookie goes along, and the header Slipway-Console
// says that the console asks.
import { ask as unwrap, create, lost, Problem, problemOf } from "../../../clients/typescript/src/index";
import { route } from "./router.svelte";
import { tell } from "./told.svelte";

export { Problem, type FieldProblem, type operations, type Schemas } from "../../../clients/typescript/src/index";

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

/** send sends a request with the session's cookie. */
async function send(request: Request): Promise<Response> {
  identify(request.headers);
  const response = await fetch(request, { credentials: "same-origin", cache: "no-store" });
  observe(response);

  return response;
}

/** api calls operations by their paths. Every call goes through ask. People repeat what has failed, so each call is sent once. */
export const api = create({ address: location.origin, fetch: send, tries: 1 });

/** ask returns the answer of a call, or throws a Problem. */
export async function ask<T>(call: Parameters<typeof unwrap<T>>[0]): Promise<T> {
  try {
    return await unwrap(call);
  } catch (problem) {
    noteSignedOut(problem);
    throw problem;
  }
}

function noteSignedOut(problem: unknown): void {
  if (!(problem instanceof Problem) || problem.status !== 401) return;
  if (problem.code !== "CREDENTIALS_INVALID") service.signedOut = true;
}

/** file asks for something that is not JSON, such as a PDF. `seen` is called with the answer's headers. */
export async function file(path: string, init: RequestInit = {}, seen?: (headers: Headers) => void): Promise<Blob> {
  let response: Response;
  try {
    response = await send(new Request(path, { ...init, headers: new Headers(init.headers) }));
  } catch (cause) {
    throw lost(cause);
  }

  if (!response.ok) {
    const problem = problemOf(response, await response.json().catch(() => undefined));
    noteSignedOut(problem);
    throw problem;
  }

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
  tell(`Saved ${name}.`);
}
