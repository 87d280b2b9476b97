// Live changes: the stream of the organisation's events. Where it is not to be had, the screen is read again now and then.
import { changed } from "./resource.svelte";
import { tellArrived } from "./told.svelte";

const pollMilliseconds = 15_000;

/** restMilliseconds pass between two readings of the screen, however many events come: a batch makes hundreds. */
const restMilliseconds = 1000;

let due: ReturnType<typeof setTimeout> | undefined;
let lastAt = 0;

// changedSoon reads the screen again: at once after a rest, or when the rest is over.
function changedSoon(): void {
  due ??= setTimeout(
    () => {
      due = undefined;
      lastAt = performance.now();
      changed();
    },
    Math.max(0, lastAt + restMilliseconds - performance.now()),
  );
}

/** poll reads the screen again now and then until the returned function is called. */
export function poll(): () => void {
  const timer = setInterval(() => !document.hidden && changed(), pollMilliseconds);

  return () => clearInterval(timer);
}

/** follow reads the events of an organisation until the returned function is called. One connection serves every page. */
export function follow(organisation: string): () => void {
  let abort = new AbortController();
  const rest = poll();
  const begin = () => {
    abort = new AbortController();
    void listen(organisation, abort.signal);
  };

  // A browser keeps pages that were left for Back, with their connections. Six of them are all that it opens to one host.
  const hide = () => abort.abort();
  const show = (event: PageTransitionEvent) => event.persisted && begin();
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  begin();

  return () => {
    abort.abort();
    rest();
    removeEventListener("pagehide", hide);
    removeEventListener("pageshow", show);
  };
}

// listen stays connected. EventSource cannot send the header that the session asks for, so the stream is read by fetch.
async function listen(organisation: string, signal: AbortSignal): Promise<void> {
  let last = "";
  let connected = false;
  let pause = 1000;

  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { "Slipway-Console": "1", "Slipway-Organisation": organisation };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch("/events/stream", { headers, signal, credentials: "same-origin" });

      if (answer.status === 404 || answer.status === 401 || answer.status === 403) return;
      if (answer.status === 410) last = ""; // the feed no longer has these events: everything is read anew
      if (answer.ok && answer.body) {
        pause = 1000;
        if (connected) changed(); // something may have happened between the two connections
        connected = true;
        last = await drain(answer.body, last);
      }
    } catch {
      // the connection broke: the next one goes on after the last event
    }

    await new Promise((wake) => setTimeout(wake, pause));
    pause = Math.min(pause * 2, 30_000);
  }
}

async function drain(body: ReadableStream<BufferSource>, from: string): Promise<string> {
  let last = from;
  let rest = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();

  for (;;) {
    const part = await reader.read();
    if (part.done) return last;

    const events = (rest + part.value).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";

    for (const event of events) {
      last = /^id: ?(.*)$/m.exec(event)?.[1] ?? last;
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      tellArrived((JSON.parse(data) as { type?: string }).type ?? "");
      changedSoon();
    }
  }
}

