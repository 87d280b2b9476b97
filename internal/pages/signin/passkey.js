'use strict';
// The script of the pages for signing in. It adds the button that signs in by a passkey, where the browser has any. What its device answers goes with the page's own
// form, so that the answer is a page as after a password.
const form = document.getElementById('passkey');
const said = document.getElementById('said');
const named = !/^[\d.]+$|^\[/.test(location.hostname); // passkeys are bound to a name
const able = named && window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON;

form.hidden = !able;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  said.textContent = '';
  button.disabled = true;
  try {
    const answer = await fetch(form.dataset.options, { method: 'POST' });
    if (!answer.ok) throw new Error('refused');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
    const credential = await navigator.credentials.get({ publicKey });
    form.elements.answer.value = JSON.stringify(credential);
    form.submit();
  } catch (e) {
    button.disabled = false;
    said.textContent = e.name === 'NotAllowedError' ? form.dataset.refused : form.dataset.failed;
  }
});

// Where very many sign in, the service asks for a proof of work (limit/work.go). It is computed while a person types, and
// goes with the form. SHA-256 (FIPS 180-4) stands here because crypto.subtle answers with a promise for each hash.
const primes = [2];
for (let n = 3; primes.length < 64; n += 2) if (primes.every((p) => n % p)) primes.push(n);
const K = Int32Array.from(primes, (p) => (Math.cbrt(p) % 1) * 2 ** 32);
const H = Int32Array.from(primes.slice(0, 8), (p) => (Math.sqrt(p) % 1) * 2 ** 32);
const w = new Int32Array(64);
const turn = (x, by) => (x >>> by) | (x << (32 - by));

// compress takes the block in the first 16 words of w into a state.
function compress(state) {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const t = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + s) | 0, c, b, a, (s + t) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((x, i) => { state[i] += x; });
  return state;
}

// words writes text into w from a word on, with the bit behind it that ends a message.
function words(text, from) {
  for (let i = 0; i <= text.length; i++) w[from + (i >> 2)] |= (i < text.length ? text.charCodeAt(i) : 0x80) << (24 - 8 * (i & 3));
}

// hash returns SHA-256 of a text of ASCII.
function hash(text) {
  const state = H.slice();
  for (let at = 0; at <= text.length + 8; at += 64) {
    const rest = text.slice(at, at + 64);
    w.fill(0, 0, 16);
    if (at <= text.length) words(rest, 0);
    if (at + 64 > text.length + 8) w[15] = text.length * 8;
    compress(state);
  }
  return state;
}

const asked = document.querySelector('form[data-challenge]');
if (asked) {
  const challenge = asked.dataset.challenge;
  const bits = Number(challenge.split('.')[1]);
  const seed = hash(challenge);
  let waiting = false;
  let n = 0;

  const search = () => {
    for (const end = n + (1 << 13); n < end; n++) {
      const digits = String(n);
      w.fill(0, 0, 16);
      w.set(seed);
      words(digits, 8);
      w[15] = (32 + digits.length) * 8;
      if (Math.clz32(compress(H.slice())[0]) < bits) continue;
      asked.elements.proof.value = `${challenge}.${digits}`;
      if (waiting) asked.submit();
      return;
    }
    setTimeout(search);
  };
  asked.addEventListener('submit', (event) => {
    if (asked.elements.proof.value) return;
    event.preventDefault();
    waiting = true;
    asked.querySelector('button').disabled = true;
  });
  search();
}
