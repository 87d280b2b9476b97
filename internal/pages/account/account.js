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
    body: () => ({ token }), done: 'Thank you, it is confirmed.' },
  reset: { title: 'Set a new password', lead: 'Every session ends; sign in again afterwards.', fields: [{ ...password, name: 'newPassword', label: 'New password' }], button: 'Set password', method: 'POST',
    path: '/auth/reset-password', body: (v) => ({ ...v, newPasswordToken: token }), done: 'The password is set. You can sign in with it.' },
  forgot: { title: 'Set a new password', lead: 'We send a link to your address.', fields: [email], button: 'Send the link', method: 'POST', path: '/auth/forgot-password', body: (v) => v,
    done: 'If the address has an account, a mail is on its way.' },
  complete: { title: 'Complete your account', lead: '', fields: [first, last, password], button: 'Complete', method: 'PATCH', path: '/users/complete', body: (v) => ({ ...v, token }), bearer: true,
    prepare: async (put) => {
      const info = await call('GET', '/users/complete/info?token=' + encodeURIComponent(token), null, true);
      put('firstName', info.firstName); put('lastName', info.lastName);
      document.getElementById('lead').textContent = 'For ' + info.email + (info.organisationName ? ', at ' + info.organisationName : '') + '.';
    }, done: 'Your account is complete. You can sign in.' },
  join: { title: 'Join an organisation', lead: 'This opens an account. If you have one already, sign in and send the invitation with POST /organisations/join.', fields: [first, last, email, password], button: 'Join',
    method: 'POST', path: '/auth/register-with-organisation', body: (v) => ({ ...v, invitationToken: token }), done: 'Welcome. You can sign in.' },
};

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

function show(page) {
  const form = document.getElementById('form'), said = document.getElementById('said');
  document.title = page.title + ' - Slipway';
  document.getElementById('title').textContent = page.title;
  document.getElementById('lead').textContent = page.lead;
  for (const f of page.fields) {
    const label = document.createElement('label'), input = document.createElement('input'), wrong = document.createElement('div');
    label.htmlFor = input.id = input.name = f.name;
    label.textContent = f.label + (f.hint ? ' (' + f.hint + ')' : '');
    input.type = f.type || 'text'; input.autocomplete = f.autocomplete; input.required = true;
    wrong.className = 'wrong'; wrong.id = 'wrong-' + f.name;
    form.append(label, input, wrong);
  }
  const button = document.createElement('button');
  button.textContent = page.button;
  form.append(button);
  const refused = (problem) => {
    said.className = 'wrong';
    let told = false;
    for (const e of problem.errors || []) {
      const name = e.pointer.slice(1), at = document.getElementById('wrong-' + name);
      if (at) { at.textContent = e.message; document.getElementById(name).setAttribute('aria-invalid', 'true'); told = true; }
    }
    said.textContent = told ? '' : problem.detail || 'The service did not answer. Try again.';
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    for (const w of form.querySelectorAll('.wrong')) w.textContent = '';
    for (const i of form.querySelectorAll('input')) i.removeAttribute('aria-invalid');
    try {
      await call(page.method, page.path, page.body(Object.fromEntries(new FormData(form))), page.bearer);
      form.remove();
      said.className = ''; said.textContent = page.done;
    } catch (problem) {
      refused(problem);
      button.disabled = false;
    }
  });
  if (page.prepare) page.prepare((name, value) => { document.getElementById(name).value = value; }).catch((problem) => { form.remove(); refused(problem); });
}

show(pages[location.pathname.split('/').pop()]);
