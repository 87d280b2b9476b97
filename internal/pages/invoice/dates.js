'use strict';
// Marks the date fields that are empty: WebKit writes today's date there, and look.css hides it. Without scripts none is marked, since a
// mark that stays would hide what is chosen.
for (const field of document.querySelectorAll('input[type=date]')) {
  const mark = () => field.toggleAttribute('data-empty', !field.value);
  field.addEventListener('input', mark);
  addEventListener('pageshow', mark); // a browser that goes back fills the form again
  mark();
}
