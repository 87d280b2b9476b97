// One effect of a form. The idempotency key is made with the form, not at the click: pressing twice, or again after a lost
// answer, has one effect.
import { tick } from "svelte";
import { ask, api, Problem } from "./api.svelte";
import { labelsOf } from "./labels.svelte";
import { me } from "./me.svelte";
import { changed } from "./resource.svelte";
import { tell } from "./told.svelte";

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));

  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}

// keepFocus gives the focus back to the control that began a call. A browser takes it from a button that is disabled meanwhile.
async function keepFocus(control: Element | null): Promise<void> {
  await tick();
  if (document.activeElement === document.body && control instanceof HTMLElement) control.focus();
}

// wordsOf returns what the control that began a call says: a button's own words, or those of the button that sends its form.
function wordsOf(control: Element | null): string {
  const button = control?.closest("button, a") ?? control?.closest("form")?.querySelector("button:not([type='button'])");

  return button?.textContent?.trim().replace(/\s+/g, " ") || "The change";
}

/** Action runs one call at a time and remembers why the last one failed. */
export class Action {
  busy = $state(false);
  problem = $state.raw<Problem>();
  /** stepUp is true while the service wants a code of the second factor; the form asks for it and runs again. */
  stepUp = $state(false);
  code = $state("");
  /** asksPassword is true while the service wants the password that the session was begun with; the form asks for it and runs again. */
  asksPassword = $state(false);
  password = $state("");
  #key = newKey();

  /** key is the value of Idempotency-Key. It changes only when the outcome of the last call is known. */
  get key(): string {
    return this.#key;
  }

  /** headers go with the call. */
  headers(version?: number): Record<string, string> {
    const headers: Record<string, string> = { "Idempotency-Key": this.#key };
    if (version !== undefined) headers["If-Match"] = `"${version}"`;

    return headers;
  }

  /** run calls once and returns the answer, or undefined after a problem. A second run while one is busy does nothing. */
  async run<T>(call: (headers: Record<string, string>) => Promise<T>, version?: number): Promise<T | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.problem = undefined;
    const pressed = document.activeElement;

    try {
      if (this.code) await this.#prove();
      const answer = await call(this.headers(version));
      this.#key = newKey();
      this.asksPassword = false;
      this.password = "";
      tell(`${wordsOf(pressed)}: done.`);
      changed();

      return answer;
    } catch (cause) {
      this.#failed(cause);

      return undefined;
    } finally {
      this.busy = false;
      void keepFocus(pressed);
    }
  }

  async #prove(): Promise<void> {
    await ask(api.POST("/auth/2fa/step-up", { body: { code: this.code.replace(/\s/g, "") } }));
    me.provedAt = new Date().toISOString();
    this.code = "";
    this.stepUp = false;
  }

  #failed(cause: unknown): void {
    const problem = cause instanceof Problem ? cause : new Problem(0, "CONSOLE", String(cause));
    if (problem.at("/password").length) this.asksPassword = true;
    else if (problem.code === "STEP_UP_REQUIRED" || problem.code === "TWO_FACTOR_REQUIRED") this.stepUp = true;
    // A refusal is kept under its key. After an unknown outcome or a lost session the same key finds the first effect.
    if (!problem.unknown && problem.status !== 401 && problem.status !== 429) this.#key = newKey();
    labelsOf(problem); // made here: what reads it is not told of changes in a map that it has made itself
    this.problem = problem;
  }
}
