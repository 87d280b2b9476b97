'use strict';
// The token stands behind the #: no browser sends that by itself. It is taken out of the address bar and sent, once, by
// the page's own form. Without scripts a person pastes it there.
const code = location.hash.slice(1);
if (code) {
  history.replaceState(null, '', location.pathname);
  const form = document.getElementById('form');
  form.elements.code.value = code;
  form.submit();
}
