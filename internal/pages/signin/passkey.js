'use strict';
// Adds the button that signs in by a passkey, where the browser has any. What its device answers goes with the page's own
// form, so that the answer is a page as after a password.
const form = document.getElementById('passkey');
const said = document.getElementById('said');
const able = window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON;

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
