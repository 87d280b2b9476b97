'use strict';
// One page for every link in a mail. What stands behind the # opens an account: it is read, taken out of the address bar, and sent to
// the service alone.
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 15 characters: three or four words do well.' };
const first = { name: 'firstName', label: 'First name', autocomplete: 'given-name' };
const last = { name: 'lastName', label: 'Last name', autocomplete: 'family-name' };
const email = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' };
const pages = {
  confirm: { title: 'Confirm your address', lead: 'One click, and the address is confirmed.', fields: [], button: 'Confirm', method: 'POST', path: '/auth/confirm-account',
    body: () => ({ token }), done: 'Thank you, it is confirmed.', again: 'Ask for a new mail where you have opened the account.' },
  reset: { title: 'Set a new password', lead: 'Every session ends; sign in again afterwards.', fields: [{ ...password, name: 'newPassword', label: 'New password' }], button: 'Set password', method: 'POST',
    path: '/auth/reset-password', body: (v) => ({ ...v, newPasswordToken: token }), done: 'The password is set. You can sign in with it.', link: ['/account/forgot', 'Send me a new link'] },
  forgot: { title: 'Set a new password', lead: 'We send a link to your address.', fields: [email], button: 'Send the link', method: 'POST', path: '/auth/forgot-password', body: (v) => v,
    done: 'If the address has an account, a mail is on its way.', bare: true },
  complete: { title: 'Complete your account', lead: '', fields: [first, last, password], button: 'Complete', method: 'PATCH', path: '/users/complete', body: (v) => ({ ...v, token }), bearer: true,
    prepare: async (put) => {
      const info = await call('GET', '/users/complete/info?token=' + encodeURIComponent(token), null, true);
      put('firstName', info.firstName); put('lastName', info.lastName);
      document.getElementById('lead').textContent = 'For ' + info.email + (info.organisationName ? ', at ' + info.organisationName : '') + '.';
    }, done: 'Your account is complete. You can sign in.', again: 'Ask whoever has prepared the account for a new one.' },
  join: { title: 'Join an organisation', lead: 'This opens an account for you. If you have one already, join with it from the program that you work with.', fields: [first, last, email, password], button: 'Join',
    method: 'POST', path: '/auth/register-with-organisation', body: (v) => ({ ...v, invitationToken: token }), done: 'Welcome. You can sign in.', again: 'Ask whoever has invited you for a new one.' },
};
// The refusals that mean the link itself; what they say to programs is of no help to people.
const dead = ['LINK_INVALID', 'TOKEN_INVALID', 'TOKEN_MISSING', 'INVITATION_INVALID'];

async function call(method, path, body, bearer) {
  const headers = {};
  if (body) headers['Content-Type'] = 'application/json';
  if (bearer) headers.Authorization = 'Bearer ' + token;
  const answer = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : undefined, credentials: 'omit', referrerPolicy: 'no-referrer' });
  const text = await answer.text();
  const value = text ? JSON.parse(text) : {};
  if (!answer.ok) throw value;
  return value;
}

function make(name, attributes, text) {
  const node = Object.assign(document.createElement(name), attributes);
  if (text) node.textContent = text;
  return node;
}

// field is a label with its input, the hint, and the place for what is wrong with it.
function field(f) {
  const input = make('input', { id: f.name, name: f.name, type: f.type || 'text', autocomplete: f.autocomplete, required: true });
  const nodes = [make('label', { htmlFor: f.name }, f.label), input];
  input.setAttribute('aria-describedby', 'hint-' + f.name + ' wrong-' + f.name);
  if (f.hint) nodes.push(make('div', { id: 'hint-' + f.name, className: 'hint' }, f.hint));
  if (f.type === 'password') {
    const box = make('input', { type: 'checkbox' }), look = make('label', { className: 'look' });
    box.addEventListener('change', () => { input.type = box.checked ? 'text' : 'password'; });
    look.append(box, 'Show it');
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
  for (const f of page.fields) form.append(...field(f));
  form.append(button);

  const wrong = (name, text) => { // "must have at least 15 characters." is said of the field
    const at = document.getElementById('wrong-' + name);
    if (!at) return false;
    at.textContent = /^[a-z]/.test(text) ? page.fields.find((f) => f.name === name).label + ' ' + text : text;
    document.getElementById(name).setAttribute('aria-invalid', 'true');
    return true;
  };
  const useless = () => {
    form.remove();
    document.getElementById('lead').textContent = '';
    said.className = 'wrong';
    said.textContent = 'This link does not work. It was used, is too old, or is not complete. ' + (page.again || '');
    if (page.link) said.after(make('a', { href: page.link[0] }, page.link[1]));
  };
  const refused = (problem) => {
    if ([problem.code, ...(problem.errors || []).map((e) => e.code)].some((c) => dead.includes(c))) return useless();
    let told = false;
    for (const e of problem.errors || []) told = wrong(e.pointer.slice(1), e.message) || told;
    said.className = 'wrong';
    said.textContent = told ? '' : problem.detail || 'The service did not answer. Try again.';
    const at = form.querySelector('[aria-invalid]');
    if (at) at.focus();
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    said.textContent = '';
    for (const w of form.querySelectorAll('.wrong')) w.textContent = '';
    for (const i of form.querySelectorAll('input')) i.removeAttribute('aria-invalid');
    const missing = page.fields.filter((f) => !document.getElementById(f.name).value);
    if (missing.length) return refused({ errors: missing.map((f) => ({ pointer: '/' + f.name, message: 'Please fill this in.' })) });
    button.disabled = true;
    try {
      await call(page.method, page.path, page.body(Object.fromEntries(new FormData(form))), page.bearer);
      form.remove();
      document.getElementById('lead').textContent = '';
      said.className = 'good'; said.textContent = page.done;
      said.focus();
    } catch (problem) {
      button.disabled = false;
      refused(problem);
    }
  });
  if (!token && !page.bare) return useless();
  if (page.prepare) page.prepare((name, value) => { document.getElementById(name).value = value; }).catch(refused);
}

show(pages[location.pathname.split('/').pop()]);
