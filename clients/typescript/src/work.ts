// Where very many sign in or register, the service asks for a proof of work before it looks at a call: a number for which a hash begins with
// so many zero bits. A browser finds it within a second or so. crypto.subtle would be asked a quarter of a million times, each time for a
// promise, and is not there on plain http; so SHA-256 (FIPS 180-4) stands here.

/** mostBits is what is proven at most: more than half a minute of work is somebody's mistake. */
const mostBits = 26;
const pieces = 1 << 14;

const primes = [2];
for (let n = 3; primes.length < 64; n += 2) if (primes.every((p) => n % p)) primes.push(n);

/** fraction returns the first 32 bits behind the point. */
const fraction = (n: number) => (n % 1) * 2 ** 32;
const K = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const H = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));

const w = new Int32Array(64);
const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** compress takes the block in the first 16 words of w into a state. */
function compress(state: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }

  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }

  [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = ((state[i] as number) + x) | 0));
}

/** hash returns SHA-256 of a text of ASCII, as eight words. */
function hash(text: string): Int32Array {
  const state = H.slice();
  const padded = new Uint8Array((((text.length + 8) >> 6) + 1) << 6);
  padded.set(new TextEncoder().encode(text));
  padded[text.length] = 0x80;

  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, text.length * 8);

  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    compress(state);
  }

  return state;
}

/** first returns the first word of SHA-256 over 32 bytes and the digits of a number. */
function first(seed: Int32Array, digits: string): number {
  w.fill(0, 0, 16);
  w.set(seed);
  for (let i = 0; i <= digits.length; i++) {
    const byte = i < digits.length ? digits.charCodeAt(i) : 0x80;
    w[8 + (i >> 2)] = (w[8 + (i >> 2)] as number) | (byte << (24 - 8 * (i & 3)));
  }

  w[15] = (32 + digits.length) * 8;
  const state = H.slice();
  compress(state);

  return state[0] as number;
}

/** prove returns the text that answers a challenge, or undefined for one that asks for too much. */
export async function prove(challenge: string, signal?: AbortSignal): Promise<string | undefined> {
  const asked = Number(challenge.split(".")[1]);
  if (!(asked <= mostBits)) return undefined;

  const seed = hash(challenge);
  for (let n = 0; ; n++) {
    if (n % pieces === 0) {
      await new Promise((done) => setTimeout(done));
      signal?.throwIfAborted();
    }

    if (Math.clz32(first(seed, String(n))) >= asked) return `${challenge}.${n}`;
  }
}
