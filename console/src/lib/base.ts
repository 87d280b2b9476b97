// Where the service is: the part of the address before /console, which is empty unless http.base_url has a path. The script's
// own address has it, because the policy forbids a base element.
const found = /^(.*)\/console\//.exec(new URL(import.meta.url).pathname);

/** prefix is put before every path of the API and of the console. */
export const prefix = found?.[1] ?? "";

/** signIn is the page that signs in and works without script. It leads back to the console. */
export const signIn = `${prefix}/console/session`;

/** signInBeside is the same in a tab of its own, which says at its end that it can be closed. */
export const signInBeside = `${signIn}?next=${encodeURIComponent(`${prefix}/console/session/back`)}`;
