// The end of a session in this browser. A browser keeps a page that was left as it was, and shows it again on Back: nobody reads
// one there whose session has ended.
import { file, Problem } from "./api.svelte";
import { me } from "./me.svelte";
import { discard } from "./router.svelte";

// others are the tabs of this browser, on this deployment.
const others = new BroadcastChannel("slipway");
others.onmessage = empty;

/** signOut ends the session. It throws a Problem if that may not have been done. */
export async function signOut(): Promise<void> {
  try {
    await file("/console/session/end", { method: "POST", body: new URLSearchParams() });
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.status !== 401) throw cause;
  }

  signedOut();
}

/** signedOut empties every tab of this browser and leads to the page that says so. Call it when the session has ended on the service. */
export function signedOut(): void {
  others.postMessage("signed out");
  empty();
}

function empty(): void {
  discard();
  me.user = undefined;
  location.replace("/console/session/ended");
}

/** watch hides this page whenever it is left. When it comes back it is shown to the same person, and loaded anew for anybody else. */
export function watch(): void {
  const root = document.documentElement;

  addEventListener("pagehide", () => (root.style.visibility = "hidden"));
  addEventListener("pageshow", async (event) => {
    if (event.persisted && !(await same())) {
      discard();
      location.reload();

      return;
    }

    root.style.visibility = "";
  });
}

// same reports whether the person of this page is still signed in.
async function same(): Promise<boolean> {
  const before = me.user?._id;

  try {
    await me.loadUser();
  } catch {
    return false;
  }

  return me.user?._id === before;
}
