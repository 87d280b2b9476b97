// What a page reads. Old data stays while new data is asked for, also when asking fails; `at` says how old it is.
import { Problem } from "./api.svelte";

/** changes is raised when the organisation's data have changed: by our own writes, by an event, or by the clock. */
export const changes = $state({ count: 0 });

/** changed asks every resource on the screen again. */
export function changed(): void {
  changes.count++;
}

/** read is when the newest answer on the screen arrived. */
export const read = $state<{ at?: Date }>({});

export interface Resource<T> {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly busy: boolean;
  /** at is when the data arrived. */
  readonly at: Date | undefined;
  refresh(): void;
}

/**
 * resource asks when the component starts, when what `get` reads changes, and after changed(). `key` returns what the data
 * belong to: if it changes, the old data are dropped at once.
 */
export function resource<T>(get: (signal: AbortSignal) => Promise<T>, key: () => unknown = () => ""): Resource<T> {
  let data = $state.raw<T>();
  let problem = $state.raw<Problem>();
  let busy = $state(false);
  let at = $state.raw<Date>();
  let again = $state(0);
  let owner: unknown;

  $effect(() => {
    void again;
    void changes.count;
    const abort = new AbortController();
    const now = key();

    if (now !== owner) {
      owner = now;
      data = undefined;
      at = undefined;
      problem = undefined;
    }

    busy = true;
    get(abort.signal)
      .then((answer) => {
        if (abort.signal.aborted) return;
        data = answer;
        problem = undefined;
        read.at = at = new Date();
      })
      .catch((cause: unknown) => {
        if (abort.signal.aborted) return;
        problem = cause instanceof Problem ? cause : new Problem(0, "CONSOLE", String(cause));
      })
      .finally(() => {
        if (!abort.signal.aborted) busy = false;
      });

    return () => abort.abort();
  });

  return {
    get data() {
      return data;
    },
    get problem() {
      return problem;
    },
    get busy() {
      return busy;
    },
    get at() {
      return at;
    },
    refresh: () => void again++,
  };
}
