// Whom a payment can go to: accounts and wallets of receivers, and how a line of a sheet finds one of them.
import { api, ask, type Schemas } from "./api.svelte";
import { plain } from "./money";
import { accountShort, cut, nameOf } from "./words";

/** Target is one account or wallet of a receiver. */
export interface Target {
  id: string;
  receiver: string;
  name: string;
  label: string;
  code: string;
  numbers: string[];
  note: string;
  /** at is where tokens go that no stored wallet receives. */
  at?: { walletAddress: string; walletType: "EOA" | "MULTISIG" | null; network: string | null };
}

/** elsewhere returns the targets of a draft's payments that go to addresses which are no stored wallets. */
export function elsewhere(t: Schemas["TransactionView"]): Target[] {
  return t.payments.flatMap((p) => {
    if (p.bankAccount || p.wallet || !p.walletAddress) return [];
    const name = nameOf(p.receiver);

    return {
      id: p.walletAddress,
      receiver: p.receiver._id,
      name,
      label: `${name} · ${cut(p.walletAddress)}`,
      code: "",
      numbers: [p.walletAddress],
      note: "no stored wallet",
      at: { walletAddress: p.walletAddress, walletType: p.walletType ?? null, network: p.network ?? null },
    };
  });
}

/** accounts returns the bank accounts that payments can go to. */
export async function accounts(): Promise<Target[]> {
  const page = await ask(api.GET("/bank-accounts/me", { params: { query: { limit: 250 } } }));

  return page.results
    .filter((a) => !a.softDeleted)
    .map((a) => ({
      id: a._id,
      receiver: a.receiver._id,
      name: nameOf(a.receiver),
      label: `${nameOf(a.receiver)} · ${accountShort(a)} · ${a.currency.isoCode}`,
      code: a.currency.isoCode,
      numbers: [a.iban, a.accountNumber].filter((n): n is string => !!n),
      note: a.approval ? "waits for a second person" : "",
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

/** wallets returns the wallets of others that payments can go to, and the organisation's own ones that can pay. */
export async function wallets(): Promise<{ theirs: Target[]; ours: Schemas["WalletView"][] }> {
  const page = await ask(api.GET("/wallets/me", { params: { query: { limit: 250 } } }));
  const kept = page.results.filter((w) => !w.softDeleted);

  return {
    ours: kept.filter((w) => w.receiver.isSelf),
    theirs: kept
      .filter((w) => !w.receiver.isSelf)
      .map((w) => ({
        id: w._id,
        receiver: w.receiver._id,
        name: nameOf(w.receiver),
        label: `${nameOf(w.receiver)} · ${cut(w.address)} · ${w.network.name}`,
        code: "",
        numbers: [w.address],
        note: w.ownership.status === "VERIFIED" ? "" : "not proven yet",
      }))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
  };
}

/** Line is one payment of a form: text as it was typed. */
export interface Line {
  target: string;
  amount: string;
  reason: string;
  fault: string;
}

const most = 30;

/**
 * pasted reads lines of a sheet: a payee (IBAN, account number, address or name), an amount and a reason, between tabs or
 * semicolons, in any order of the first two. A line whose payee is not found, or not the only one, says so.
 */
export function pasted(text: string, targets: Target[]): Line[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.split(/\t|;/).map((cell) => cell.trim()))
    .filter((cells) => cells.some(Boolean))
    .slice(0, most)
    .map((cells) => lineOf(cells, targets));
}

function lineOf(cells: string[], targets: Target[]): Line {
  const bare = (s: string) => s.replace(/\s/g, "").toLowerCase();
  const isAmount = (s: string) => /^\d+(\.\d+)?$/.test(plain(s)) && plain(s).length < 20;
  const numbered = (t: Target) => cells.some((c) => t.numbers.some((n) => bare(n) === bare(c)));
  const named = (t: Target) => cells.some((c) => bare(c) === bare(t.name));
  const currency = (t: Target) => !t.code || !cells.some((c) => /^[A-Z]{3}$/.test(c)) || cells.includes(t.code);

  const byNumber = targets.filter(numbered);
  const found = (byNumber.length ? byNumber : targets.filter(named)).filter(currency);
  const used = (c: string) => found.some((t) => t.numbers.some((n) => bare(n) === bare(c)) || bare(t.name) === bare(c));
  const rest = cells.filter((c) => c && !used(c) && !/^[A-Z]{3}$/.test(c));
  const amount = rest.find(isAmount) ?? "";
  const reason = rest.filter((c) => c !== amount).join(" ");
  const who = cells.find((c) => c && c !== amount) ?? "";

  let fault = "";
  if (found.length === 0) fault = `“${who}” is no known payee`;
  if (found.length > 1) fault = `“${who}” has several accounts: choose one`;
  if (!amount) fault = fault || "there is no amount";

  return { target: found.length === 1 ? (found[0]?.id ?? "") : "", amount: plain(amount), reason, fault };
}
