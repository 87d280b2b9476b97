'use strict';
// The code of the link stands behind the #: no browser sends that by itself. It is taken out of the address bar and sent, once, by the page's
// own form. Without scripts a person pastes it there.
function open() {
  const code = location.hash.slice(1), form = document.getElementById('form');
  if (!code) return;
  history.replaceState(null, '', location.pathname);
  form.elements.code.value = code;
  document.getElementById('ask').hidden = true;
  document.getElementById('wait').hidden = false;
  form.submit();
}
addEventListener('hashchange', open); // another link was pasted into the address bar
addEventListener('pageshow', (e) => { // somebody came back to a page that was waiting
  if (!e.persisted) return;
  document.getElementById('ask').hidden = false;
  document.getElementById('wait').hidden = true;
});
open();
