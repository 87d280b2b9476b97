// Passkeys in the browser: it hands the service's options to the person's device, and the device's answer back.
import { api, ask, Problem } from "./api.svelte";
import { me } from "./me.svelte";

/** named reports whether the console is reached by a name: browsers bind passkeys to one, and never to an IP address. */
export const named = !/^[\d.]+$|^\[/.test(location.hostname);

/** possible reports whether this browser can make and use passkeys here. */
export const possible =
  named && typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;

type Json = Record<string, unknown>;

/** make has the device make a passkey and returns it. */
export async function make(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);

  return answered(navigator.credentials.create({ publicKey }));
}

/** prove has the device answer for the second factor, which then counts as just proven in this session. */
export async function prove(): Promise<void> {
  await ask(api.POST("/auth/2fa/step-up", { body: { passkey: await answer() } }));
  me.provedAt = new Date().toISOString();
}

/** answer has the device answer by one of the person's passkeys, in this session. */
export async function answer(): Promise<Json> {
  const { publicKey } = await ask(api.POST("/auth/passkeys/challenge"));

  return answered(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey as never) }));
}

async function answered(credential: Promise<Credential | null>): Promise<Json> {
  try {
    return (await (credential as Promise<PublicKeyCredential>)).toJSON() as Json;
  } catch (cause) {
    const name = (cause as Error).name;
    if (name === "InvalidStateError") throw new Problem(400, "PASSKEY_THERE", "This device has a passkey of yours already.");
    throw new Problem(400, "PASSKEY_STOPPED", "The device gave no answer. Nothing has changed: try again when you are ready.");
  }
}
