// Whom a payment can go to: accounts and wallets of receivers, how they are searched, and how a line of a sheet finds one.
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

/** Known is what was read of a list: its newest part, and whether there is more of it. */
export interface Known {
  all: Target[];
  more: boolean;
}

// A list is read in parts of this size; so many parts are all that is read of it.
const part = 250;
const mostParts = 40;

type Receiver = Pick<Schemas["ReceiverView"], "_id" | "legalName" | "firstName" | "lastName" | "email">;

type Wallet = Pick<Schemas["RecordWallet"], "_id" | "address" | "ownership"> & { network: { name: string } };

/** ofAccount returns a bank account of a receiver as a target. */
export function ofAccount(a: Schemas["ReceiverBankAccountView"], receiver: Receiver): Target {
  return {
    id: a._id,
    receiver: receiver._id,
    name: nameOf(receiver),
    label: `${nameOf(receiver)} · ${accountShort(a)} · ${a.currency.isoCode}`,
    code: a.currency.isoCode,
    numbers: [a.iban, a.accountNumber].filter((n): n is string => !!n),
    note: a.approval ? "awaiting approval" : "",
  };
}

/** ofWallet returns a wallet of a receiver as a target. */
export function ofWallet(w: Wallet, receiver: Receiver): Target {
  return {
    id: w._id,
    receiver: receiver._id,
    name: nameOf(receiver),
    label: `${nameOf(receiver)} · ${cut(w.address)} · ${w.network.name}`,
    code: "",
    numbers: [w.address],
    note: w.ownership.status === "VERIFIED" ? "" : "cannot be paid before it is verified",
  };
}

const sorted = (all: Target[]) => all.toSorted((a, b) => a.label.localeCompare(b.label));

/** joined returns targets of two lists, each of them once. */
export function joined(a: Target[], b: Target[]): Target[] {
  return sorted([...new Map([...a, ...b].map((t) => [t.id, t])).values()]);
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

/** accounts returns the bank accounts that payments can go to: the newest part of them, or all. */
export async function accounts(parts = 1): Promise<Known> {
  const all: Target[] = [];
  let cursor: string | null | undefined;

  for (let i = 0; i < parts && (i === 0 || cursor); i++) {
    const query = { limit: part, ...(cursor ? { cursor } : {}) };
    const page = await ask(api.GET("/bank-accounts/me", { params: { query } }));
    all.push(...page.results.filter((a) => !a.softDeleted).map((a) => ofAccount(a, a.receiver)));
    cursor = page.nextCursor;
  }

  return { all: sorted(all), more: !!cursor };
}

/** wallets returns the wallets of others that payments can go to, and the organisation's own ones that can pay. */
export async function wallets(parts = 1): Promise<{ theirs: Known; ours: Schemas["WalletView"][] }> {
  const kept: Schemas["WalletView"][] = [];
  let cursor: string | null | undefined;

  for (let i = 0; i < parts && (i === 0 || cursor); i++) {
    const query = { limit: part, ...(cursor ? { cursor } : {}) };
    const page = await ask(api.GET("/wallets/me", { params: { query } }));
    kept.push(...page.results.filter((w) => !w.softDeleted));
    cursor = page.nextCursor;
  }

  const theirs = kept.filter((w) => !w.receiver.isSelf).map((w) => ofWallet(w, w.receiver));

  return { ours: kept.filter((w) => w.receiver.isSelf), theirs: { all: sorted(theirs), more: !!cursor } };
}

/** every returns all accounts or wallets that payments can go to, however many there are. */
export async function every(type: "FIAT" | "CRYPTO"): Promise<Target[]> {
  return type === "FIAT" ? (await accounts(mostParts)).all : (await wallets(mostParts)).theirs.all;
}

/** absent returns those of some accounts or wallets that are not in a list. One that is gone is left out. */
export async function absent(type: "FIAT" | "CRYPTO", ids: string[], known: Target[]): Promise<Target[]> {
  const there = new Set(known.map((t) => t.id));
  const asked = [...new Set(ids)].filter((id) => id && !there.has(id));

  const read = await Promise.all(
    asked.map(async (id) => {
      const params = { params: { path: { id } } };
      if (type === "FIAT") {
        const a = await ask(api.GET("/bank-accounts/{id}", params)).catch(() => undefined);

        return a && ofAccount(a, a.receiver);
      }
      const w = await ask(api.GET("/wallets/{id}", params)).catch(() => undefined);

      return w && ofWallet(w, w.receiver);
    }),
  );

  return read.filter((t) => t !== undefined);
}

/** search returns the accounts or wallets of the receivers whom a term finds: by name, e-mail address or identifier. */
export async function search(type: "FIAT" | "CRYPTO", searchTerm: string): Promise<Target[]> {
  const query = { searchTerm, paymentType: type, isSelf: false, limit: 50 };
  const page = await ask(api.GET("/receivers/me", { params: { query } }));

  return sorted(
    page.results.flatMap((r) =>
      type === "FIAT"
        ? r.bankAccounts.filter((a) => !a.softDeleted).map((a) => ofAccount(a, r))
        : r.wallets.filter((w) => !w.softDeleted).map((w) => ofWallet(w, r)),
    ),
  );
}

/** Rest is what a payment has besides its payee, amount and reason. "" is none. */
export interface Rest {
  reference: string;
  bankingFeesOption: string;
  estimatedRate: string;
  instructions: string;
  documentStorageKey: string;
  again: string;
}

/** Line is one payment of a form: text as it was typed, and what the draft has that the form does not ask for. */
export interface Line extends Rest {
  target: string;
  amount: string;
  reason: string;
  fault: string;
}

const nothing: Rest = {
  reference: "",
  bankingFeesOption: "",
  estimatedRate: "",
  instructions: "",
  documentStorageKey: "",
  again: "",
};

/** blank returns a line that says nothing yet. */
export const blank = (): Line => ({ target: "", amount: "", reason: "", fault: "", ...nothing });

type Payment = Schemas["TransactionView"]["payments"][number];

/** restOf returns the rest of a payment, so that a form that changes something else keeps it. */
export const restOf = (p: Payment): Rest => ({
  reference: p.reference ?? "",
  bankingFeesOption: p.bankingFeesOption ?? "",
  estimatedRate: p.estimatedRate ?? "",
  instructions: p.instructions ?? "",
  documentStorageKey: p.documentStorageKey ?? "",
  again: p.again ?? "",
});

/** restBody returns the rest of a line as a payment of a request has it. */
export function restBody(type: Payment["type"], line: Line) {
  const both = {
    instructions: line.instructions || null,
    documentStorageKey: line.documentStorageKey || null,
  };
  if (type === "ONRAMP") return both;
  const again = { ...both, again: line.again || null };
  if (type === "CRYPTO") return again;

  return {
    ...again,
    reference: line.reference || null,
    bankingFeesOption: (line.bankingFeesOption || null) as "OUR" | "SHA" | "BEN" | null,
    estimatedRate: plain(line.estimatedRate) || null,
  };
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

/** folded returns a name as names are compared: its letters and digits, without case, diacritics and what nobody sees. */
const folded = (name: string) =>
  name
    .normalize("NFKD")
    .toUpperCase() // which spells ß out
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

function lineOf(cells: string[], targets: Target[]): Line {
  const bare = (s: string) => s.replace(/\s/g, "").toLowerCase();
  const sameName = (a: string, b: string) => folded(a) !== "" && folded(a) === folded(b);
  const isAmount = (s: string) => /^\d+(\.\d+)?$/.test(plain(s)) && plain(s).length < 20;
  const numbered = (t: Target) => cells.some((c) => t.numbers.some((n) => bare(n) === bare(c)));
  const named = (t: Target) => cells.some((c) => sameName(c, t.name));
  const currency = (t: Target) => !t.code || !cells.some((c) => /^[A-Z]{3}$/.test(c)) || cells.includes(t.code);

  const byNumber = targets.filter(numbered);
  const found = (byNumber.length ? byNumber : targets.filter(named)).filter(currency);
  const used = (c: string) => found.some((t) => t.numbers.some((n) => bare(n) === bare(c)) || sameName(t.name, c));
  const rest = cells.filter((c) => c && !used(c) && !/^[A-Z]{3}$/.test(c));
  const amount = rest.find(isAmount) ?? "";
  const reason = rest.filter((c) => c !== amount).join(" ");
  const who = cells.find((c) => c && c !== amount) ?? "";

  let fault = "";
  if (found.length === 0) fault = `“${who}” is no known payee`;
  if (found.length > 1) fault = `“${who}” has several accounts: choose one`;
  if (!amount) fault = fault || "there is no amount";

  return { ...blank(), target: found.length === 1 ? (found[0]?.id ?? "") : "", amount: plain(amount), reason, fault };
}
