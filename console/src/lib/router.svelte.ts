// The router: the address is the state. Paths begin after /console; whatever shapes a list is in the query.

const root = "/console";

function read() {
  const path = decodeURI(location.pathname.slice(root.length)).replace(/\/+$/, "") || "/";

  return { path, query: new URLSearchParams(location.search) };
}

let current = $state.raw(read());

// guards ask before a form with input is left.
const guards = new Set<() => boolean>();

/** route is the place that the address names. */
export const route = {
  get path() {
    return current.path;
  },
  get query() {
    return current.query;
  },
};

/** href returns the address of a place in the console. */
export function href(path: string, query: Record<string, string | string[] | undefined> = {}): string {
  const search = new URLSearchParams();

  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one) search.append(name, one);
  }

  return root + path + (search.size ? `?${search}` : "");
}

let unheaded: MutationObserver | undefined;

// head puts the focus on the heading of a page that was gone to, once it is there: some pages have one only when their data have
// come. Who has gone on to a control meanwhile stays there.
function head(): void {
  const before = document.activeElement;
  unheaded?.disconnect();

  const focus = (): boolean => {
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading) return false;
    unheaded?.disconnect();
    if ([before, document.body].includes(document.activeElement)) heading.focus();

    return true;
  };

  queueMicrotask(() =>
    requestAnimationFrame(() => {
      if (focus()) return;
      unheaded = new MutationObserver(focus);
      unheaded.observe(document.body, { childList: true, subtree: true });
    }),
  );
}

/** rename changes the address that Back returns to, of a page that is left at once: it is not shown anew in between. */
export function rename(address: string): void {
  history.replaceState(null, "", address);
}

/** go shows another place. With replace, Back does not return to this one. */
export function go(address: string, replace = false): void {
  if (!leave()) return;

  history[replace ? "replaceState" : "pushState"](null, "", address);
  const before = current.path;
  current = read();

  if (current.path !== before) {
    scrollTo(0, 0);
    head();
  }
}

function lists(query: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
}

/** setQuery changes parts of the query and stays on the page. An empty value removes its part; a cursor never survives. */
export function setQuery(changes: Record<string, string | string[] | undefined>): void {
  const all = lists(current.query);

  for (const [name, value] of Object.entries({ cursor: undefined, ...changes })) {
    all[name] = (Array.isArray(value) ? value : [value ?? ""]).filter(Boolean);
  }

  go(href(current.path, all), true);
}

/** guard registers a question that is asked before the page is left; it returns what removes it. */
export function guard(question: () => boolean): () => void {
  guards.add(question);

  return () => guards.delete(question);
}

/** discard forgets what was typed: it is somebody else's. */
export function discard(): void {
  guards.clear();
}

function leave(): boolean {
  return [...guards].every((dirty) => !dirty()) || confirm("Leave this form? What you typed is lost.");
}

/** start listens to links and to Back. Links that lead elsewhere, or into another tab, are left to the browser. */
export function start(): void {
  addEventListener("popstate", () => {
    if (leave()) current = read();
    else history.pushState(null, "", href(current.path, lists(current.query)));
  });
  // A file that is dropped beside a field would be opened by the browser, in place of the page and its forms.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  addEventListener("beforeunload", (event) => {
    if ([...guards].some((dirty) => dirty())) event.preventDefault();
  });
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

    if (!link || !plain || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (!link.pathname.startsWith(`${root}/`) && link.pathname !== root) return;
    if (link.pathname.startsWith(signIn) || event.defaultPrevented) return;

    event.preventDefault();
    go(link.href);
  });
}

const signIn = `${root}/session`;

/** match returns the variables of a pattern such as /o/:organisation/payables, or undefined. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const parts = path.split("/");
  const found: Record<string, string> = {};
  if (wanted.length !== parts.length) return undefined;

  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(":")) found[part.slice(1)] = parts[i] ?? "";
    else if (part !== parts[i]) return undefined;
  }

  return found;
}
