/** signIn is the page that signs in and works without script. It leads back to the console. */
export const signIn = "/console/session";

/** signInBeside is the same in a tab of its own, which says at its end that it can be closed. */
export const signInBeside = `${signIn}?next=${encodeURIComponent("/console/session/back")}`;
