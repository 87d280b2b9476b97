// Webhooks are signed as Standard Webhooks describe.

/** tolerance is how many seconds a message's time may be from now. */
const tolerance = 300;

export interface WebhookOptions {
  /** present time in milliseconds; Date.now() when left out */
  now?: number;
}

/** ForgedWebhook is thrown for a message that is not of the service, or not of now. Answer it with 400 and do nothing else. */
export class ForgedWebhook extends Error {
  override name = "ForgedWebhook";
}

/**
 * verify throws a ForgedWebhook unless a message is of the service and of now. One good signature by one of the keys is enough: secrets (whsec_…, of v1
 * signatures) and public keys (whpk_…, of v1a). body must be the bytes as they came: a body that was decoded and encoded again is another
 * one. A message may come more than once: compare its webhook-id.
 */
export async function verify(keys: string[], headers: Headers, body: string | Uint8Array, options: WebhookOptions = {}): Promise<void> {
  const [id, at, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers.get(name) ?? "");
  if ([id, at, signatures].some((value) => value?.includes(", "))) throw new ForgedWebhook("A header came twice.");
  if (!id || !signatures || !/^\d{1,12}$/.test(at ?? "")) throw new ForgedWebhook("The message is not signed.");
  if (Math.abs((options.now ?? Date.now()) / 1_000 - Number(at)) > tolerance) throw new ForgedWebhook("The message is not of now.");

  const text = new TextEncoder();
  const head = text.encode(`${id}.${at}.`);
  const content = typeof body === "string" ? text.encode(body) : body;
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);

  for (const signature of signatures.split(" ")) {
    const [version, encoded] = signature.split(",");
    const given = bytes(encoded ?? "");

    for (const key of keys) {
      if (given && (await good(key, version ?? "", given, signed))) return;
    }
  }

  throw new ForgedWebhook("The signature is by none of the keys.");
}

/**
 * challengeOf returns what to answer to a message of the type webhook_endpoint.verification, as the text of an answer of 200: it says that
 * the address wants events. It returns undefined for every other message. Verify the message before.
 */
export function challengeOf(body: string): string | undefined {
  const event = JSON.parse(body) as { type?: string; data?: { object?: { challenge?: string } } };

  return event.type === "webhook_endpoint.verification" ? event.data?.object?.challenge : undefined;
}

/** good reports whether a signature is by a key. Keys and versions that do not belong together, and other versions, are ignored. */
async function good(key: string, version: string, given: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const open = key.startsWith("whpk_");
  const raw = bytes(key.replace(/^wh(sec|pk)_/, ""));
  if (!raw?.length) throw new Error("A webhook key must be base64 after its prefix.");
  if (version !== (open ? "v1a" : "v1")) return false;

  const algorithm = open ? { name: "Ed25519" } : { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);

  return crypto.subtle.verify(algorithm.name, imported, given, signed);
}

function bytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
