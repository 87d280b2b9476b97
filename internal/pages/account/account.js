'use strict';
// One page for every link in a mail, and for whoever opens an account. What stands behind the # opens an account: it is read, taken out of the address bar, and sent to
// the service alone.
const words = JSON.parse(document.getElementById('form').dataset.words);
const home = document.getElementById('form').dataset.home;
const t = (text, values = {}) => (words[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const password = { name: 'password', label: t('Password'), type: 'password', autocomplete: 'new-password', hint: t('At least 15 characters: three or four words do well.') };
const first = { name: 'firstName', label: t('First name'), autocomplete: 'given-name' };
const last = { name: 'lastName', label: t('Last name'), autocomplete: 'family-name' };
const email = { name: 'email', label: t('E-mail address'), type: 'email', autocomplete: 'email' };
const pages = {
  confirm: { title: t('Confirm your address'), lead: t('One click, and the address is confirmed.'), fields: [], button: t('Confirm'), method: 'POST', path: '/auth/confirm-account',
    body: () => ({ token }), done: t('Thank you, it is confirmed.'), next: t('Sign in'), again: t('Ask for a new mail where you have opened the account.') },
  reset: { title: t('Set a new password'), lead: t('Every session ends; sign in again afterwards.'), fields: [{ ...password, name: 'newPassword', label: t('New password') }], button: t('Set password'), method: 'POST',
    path: '/auth/reset-password', body: (v) => ({ ...v, newPasswordToken: token }), done: t('The password is set. You can sign in with it.'), next: t('Sign in'), link: ['/account/forgot', t('Send me a new link')] },
  forgot: { title: t('Set a new password'), lead: t('We send a link to your address.'), fields: [email], button: t('Send the link'), method: 'POST', path: '/auth/forgot-password', body: (v) => v,
    done: t('If the address has an account, a mail is on its way.'), bare: true },
  complete: { title: t('Complete your account'), lead: '', fields: [first, last, password], button: t('Complete'), method: 'PATCH', path: '/users/complete', body: (v) => ({ ...v, token }),
    prepare: async (put) => {
      const info = await call('GET', '/users/complete/info?token=' + encodeURIComponent(token));
      put('firstName', info.firstName); put('lastName', info.lastName);
      document.getElementById('lead').textContent = info.organisationName ? t('For {email}, at {organisation}.', { email: info.email, organisation: info.organisationName }) :
        t('For {email}.', { email: info.email });
    }, done: t('Your account is complete. You can sign in.'), next: t('Sign in'), again: t('Ask whoever has prepared the account for a new one.') },
  join: { title: t('Join an organisation'), lead: t('This opens an account for you.'), fields: [first, last, email, password], button: t('Join'),
    method: 'POST', path: '/auth/register-with-organisation', body: (v) => ({ ...v, invitationToken: token }), done: t('Welcome. You can sign in.'), next: t('Sign in'), prepare: invited, again: t('Ask whoever has invited you for a new one.'),
    other: [t('I have an account already'), 'joinAs'] },
  joinAs: { title: t('Join an organisation'), lead: t('Sign in once to join with the account that you have.'), fields: [email, { name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password' }],
    button: t('Join'), run: joinAs, done: t('Welcome. The organisation is among yours now.'), next: t('Sign in'), prepare: invited, again: t('Ask whoever has invited you for a new one.'), other: [t('I have no account yet'), 'join'] },
  register: { title: t('Open an account'), lead: t('You make your organisation, or join one, when you have signed in.'), fields: [first, last, email, password], button: t('Open the account'), method: 'POST', path: '/auth/register', body: (v) => v,
    done: t('A mail is on its way to you. Follow its link to confirm the address, then sign in.'), next: t('Sign in'), bare: true },
};
// invited says who invites, and fills in the address that the invitation is for.
async function invited(put, lead) {
  const info = await call('GET', '/auth/invitation/info?token=' + encodeURIComponent(token));
  put('email', info.email);
  document.getElementById('lead').textContent = [t('{inviter} invites you to join {organisation}.', { inviter: info.invitedByName, organisation: info.organisationName }),
    info.isVerified ? '' : t('Nobody has verified yet that the organisation is who it says. Join only if you know who asks you.'), lead].filter(Boolean).join(' ');
}

// The refusals that mean the link itself; what they say to programs is of no help to people.
const dead = ['LINK_INVALID', 'INVITATION_INVALID'];
const deadAsBearer = ['TOKEN_INVALID', 'TOKEN_MISSING'];

// refusal says what is wrong. The service does in English; other languages have a sentence for each code.
const refusal = (code, english) => document.documentElement.lang === 'en' ? english : words['refused: ' + code] ?? words['refused: otherwise'];

async function call(method, path, body, bearer) {
  const headers = {};
  if (body) headers['Content-Type'] = 'application/json';
  if (bearer) headers.Authorization = 'Bearer ' + bearer;
  const answer = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : undefined, credentials: 'omit', referrerPolicy: 'no-referrer' });
  const text = await answer.text();
  const value = text ? JSON.parse(text) : {};
  if (!answer.ok) throw value;
  return value;
}

// The second factor's code is six digits, or a recovery code with letters: each has its keyboard, and a way to the other.
const digits = { name: 'code', label: t('Code of your second factor'), autocomplete: 'one-time-code', inputMode: 'numeric' };
const letters = { name: 'code', label: t('Recovery code'), autocomplete: 'off' };
digits.other = [t('Use a recovery code'), letters];
letters.other = [t('Use your authenticator'), digits];

// joinAs signs in, with the second factor where there is one, joins, and signs out again. needs asks for one more field.
async function joinAs(values, needs) {
  let session = values.tempToken ? await call('POST', '/auth/2fa/login', { tempToken: values.tempToken, code: values.code }) :
    await call('POST', '/auth/login', { email: values.email, password: values.password });
  if (session.requires_2fa) {
    needs(digits, { tempToken: session.tempToken });
    return false;
  }
  try {
    await call('POST', '/organisations/join', { invitationToken: token }, session.access_token);
  } finally {
    await call('POST', '/auth/logout', null, session.access_token).catch(() => {});
  }
  return true;
}

function make(name, attributes, text) {
  const node = Object.assign(document.createElement(name), attributes);
  if (text) node.textContent = text;
  return node;
}

// field is a label with its input, the hint, and the place for what is wrong with it.
function field(f) {
  const input = make('input', { id: f.name, name: f.name, type: f.type || 'text', autocomplete: f.autocomplete, inputMode: f.inputMode || '', required: true });
  const nodes = [make('label', { htmlFor: f.name }, f.label), input];
  input.setAttribute('aria-describedby', 'hint-' + f.name + ' wrong-' + f.name);
  if (f.hint) nodes.push(make('div', { id: 'hint-' + f.name, className: 'hint' }, f.hint));
  if (f.type === 'password') {
    const box = make('input', { type: 'checkbox' }), look = make('label', { className: 'look' });
    box.addEventListener('change', () => { input.type = box.checked ? 'text' : 'password'; });
    look.append(box, t('Show it'));
    nodes.push(look);
  }
  nodes.push(make('div', { id: 'wrong-' + f.name, className: 'wrong' }));
  return nodes;
}

function show(page) {
  const form = document.getElementById('form'), said = document.getElementById('said'), button = make('button', {}, page.button);
  document.title = page.title + ' - Slipway';
  document.getElementById('title').textContent = page.title;
  document.getElementById('lead').textContent = page.lead;
  said.textContent = '';
  let fields = page.fields, extra = {}; // extra goes with what is typed
  const lay = () => form.replaceChildren(...fields.flatMap(field), button);
  lay();
  if (page.other) {
    const other = make('button', { type: 'button', className: 'plain' }, page.other[0]);
    other.addEventListener('click', () => show(pages[page.other[1]]));
    form.append(other);
  }
  const needs = (f, also) => {
    fields = [f];
    extra = also;
    said.textContent = '';
    lay();
    if (f.other) {
      const other = make('button', { type: 'button', className: 'plain' }, f.other[0]);
      other.addEventListener('click', () => needs(f.other[1], also));
      form.append(other);
    }
    document.getElementById(f.name).focus();
  };

  const wrong = (name, text) => { // "must have at least 15 characters." is said of the field
    const at = document.getElementById('wrong-' + name);
    if (!at) return false;
    at.textContent = /^[a-z]/.test(text) ? fields.find((f) => f.name === name).label + ' ' + text : text;
    document.getElementById(name).setAttribute('aria-invalid', 'true');
    return true;
  };
  const useless = () => {
    form.remove();
    document.getElementById('lead').textContent = '';
    said.className = 'wrong';
    said.textContent = t('This link does not work. It was used, is too old, or is not complete.') + ' ' + (page.again || '');
    if (page.link) said.after(make('a', { href: page.link[0] }, page.link[1]));
  };
  const refused = (problem, pressed) => {
    const codes = [problem.code, ...(problem.errors || []).map((e) => e.code)];
    if (codes.some((c) => dead.includes(c))) return useless();
    let told = false;
    for (const e of problem.errors || []) told = wrong(e.pointer.slice(1), refusal(e.code, e.message)) || told;
    said.className = 'wrong';
    if (deadAsBearer.includes(problem.code)) said.textContent = t('The sign-in has ended. Open the link of the mail once more.');
    else said.textContent = told ? '' : problem.detail ? refusal(problem.code, problem.detail) : t('The service did not answer. Try again.');
    const at = form.querySelector('[aria-invalid]');
    if (at) at.focus();
    else if (document.activeElement === document.body) pressed?.focus(); // a browser takes the focus from a button that is disabled
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const pressed = document.activeElement;
    said.textContent = '';
    for (const w of form.querySelectorAll('.wrong')) w.textContent = '';
    for (const i of form.querySelectorAll('input')) i.removeAttribute('aria-invalid');
    const missing = fields.filter((f) => !document.getElementById(f.name).value);
    if (missing.length) return refused({ errors: missing.map((f) => ({ pointer: '/' + f.name, message: t('Fill this in.') })) });
    button.disabled = true;
    try {
      const values = Object.fromEntries(new FormData(form));
      const ended = page.run ? await page.run({ ...values, ...extra }, needs) : await call(page.method, page.path, page.body(values));
      button.disabled = false;
      if (ended === false) return;
      form.remove();
      document.getElementById('lead').textContent = '';
      said.className = 'good'; said.textContent = page.done;
      if (page.next && home) said.after(make('a', { href: home, className: 'button' }, page.next));
      said.focus();
    } catch (problem) {
      button.disabled = false;
      refused(problem, pressed);
    }
  };
  if (!token && !page.bare) return useless();
  if (page.prepare) page.prepare((name, value) => {
    const at = document.getElementById(name);
    if (at && !at.value && at !== document.activeElement) at.value = value; // nothing that is typed is lost
  }, page.lead).catch(refused);
}

const page = pages[location.pathname.split('/').pop()];
if (page) show(page);
