// Wallets beside the page (EIP-6963, EIP-1193). WALLETS is the list of their names; those whose name begins with "late"
// announce themselves only when the test calls announceLate(). What they are asked is answered by the test.
const providers = WALLETS.map((name) => ({
  info: Object.freeze({ uuid: name, name, rdns: 'test.' + name, icon: 'data:image/svg+xml,<svg/>' }),
  provider: Object.freeze({
    request: async (call) => {
      const { result, error } = JSON.parse(await ask(JSON.stringify({ wallet: name, ...call })));
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
  }),
}));
const announce = (late) => providers.filter((p) => late === p.info.name.startsWith('late')).forEach((p) =>
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(p) })));
addEventListener('eip6963:requestProvider', () => announce(false));
window.announceLate = () => announce(true);
announce(false);
