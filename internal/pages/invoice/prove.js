'use strict';
// A wallet in the browser signs the text (EIP-1193, personal_sign). Wallets announce themselves by EIP-6963; older ones stand in
// window.ethereum. Without one, and without scripts, a person pastes the signature. The page holds the texts.
const place = document.getElementById('browser'), said = document.getElementById('said'), form = document.getElementById('form');
const offered = new Set();

function say(text, wrong) {
  said.textContent = text;
  said.className = wrong ? 'wrong' : 'hint';
}

async function sign(wallet, button) {
  button.disabled = true;
  say(place.dataset.asks);
  try {
    const accounts = await wallet.request({ method: 'eth_requestAccounts' });
    const mine = accounts.find((a) => a.toLowerCase() === place.dataset.address.toLowerCase());
    if (!mine) {
      say(place.dataset.other.replace('{address}', place.dataset.address), true);
      return;
    }
    form.elements.signedMessage.value = await wallet.request({ method: 'personal_sign', params: [place.dataset.text, mine] });
    say('');
    form.submit();
  } catch (e) { // 4001: the person said no
    say(e && e.code === 4001 ? place.dataset.refused : place.dataset.failed, true);
  } finally {
    button.disabled = false;
  }
}

function offer(name, wallet) {
  if (offered.has(wallet)) return;
  offered.add(wallet);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = place.dataset.with.replace('{wallet}', name);
  button.addEventListener('click', () => sign(wallet, button));
  place.append(button);
  place.hidden = false;
}

if (place) {
  addEventListener('eip6963:announceProvider', (e) => offer(String(e.detail.info.name).slice(0, 40), e.detail.provider));
  dispatchEvent(new Event('eip6963:requestProvider'));
  if (window.ethereum && !offered.size) offer(place.dataset.here, window.ethereum);
}
