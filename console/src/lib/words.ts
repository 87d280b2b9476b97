// How records are named and numbers are cut for people.
import type { Schemas } from "./api.svelte";

type Named = { legalName?: string | null; firstName?: string | null; lastName?: string | null; email?: string | null };

/** nameOf returns the name of a receiver or a person. */
export function nameOf(who: Named | null | undefined): string {
  if (!who) return "";

  return who.legalName || [who.firstName, who.lastName].filter(Boolean).join(" ") || who.email || "";
}

/** cut returns the beginning and the end of an identifier, for lists. Where somebody decides, the whole one is shown. */
export function cut(id: string, keep = 6): string {
  return id.length <= 2 * keep + 1 ? id : `${id.slice(0, keep)}…${id.slice(-keep)}`;
}

/** groups returns a number in groups of four, as an IBAN is printed. */
export function groups(text: string): string {
  return text.replace(/\s/g, "").replace(/(.{4})(?=.)/g, "$1 ");
}

/** addressGroups returns a blockchain address in groups of four after its 0x. */
export function addressGroups(address: string): string {
  return address.startsWith("0x") ? `0x ${groups(address.slice(2))}` : groups(address);
}

type Account = {
  iban?: string | null;
  accountNumber?: string | null;
  sortCode?: string | null;
  routingNumber?: string | null;
  ifscCode?: string | null;
  bicSwift?: string | null;
};

/** accountText returns the whole number of an account: the IBAN in fours, or the bank's code and the number. */
export function accountText(a: Account | null | undefined): string {
  if (!a) return "";
  if (a.iban) return groups(a.iban);

  return [a.sortCode ?? a.routingNumber ?? a.ifscCode ?? a.bicSwift, groups(a.accountNumber ?? "")].filter(Boolean).join(" · ");
}

/** accountShort returns an account for lists: its beginning and its last four digits. */
export function accountShort(a: Account | null | undefined): string {
  if (!a) return "";
  const start = a.iban?.slice(0, 4) ?? a.sortCode ?? a.routingNumber ?? a.ifscCode ?? a.bicSwift ?? "";

  return `${start} … ${(a.iban ?? a.accountNumber ?? "").slice(-4)}`;
}

/** titleOf returns what a transaction is called in lists: its reason, or its reference. */
export function titleOf(t: Schemas["TransactionView"]): string {
  const reasons = [...new Set(t.payments.map((p) => p.reason).filter(Boolean))];
  if (reasons.length === 1) return reasons[0] as string;
  if (t.type === "ONRAMP") return `On-ramp${t.reference ? ` ${t.reference}` : ""}`;

  return t.isBatch ? `Batch of ${t.payments.length} payables` : `${t.payments.length} payments`;
}

/** receiversOf returns whom a transaction pays, in one line. */
export function receiversOf(t: Schemas["TransactionView"]): string {
  if (t.type === "ONRAMP") return `into ${cut(t.walletAddress)}`;
  const names = [...new Set(t.payments.map((p) => nameOf(p.receiver)))];

  return names.length <= 2 ? names.join(", ") : `${names.length} payees`;
}

/** amountOf returns what a transaction moves: the tokens that leave, or the money that is deposited. */
export function amountOf(t: Schemas["TransactionView"]): { amount: string; code: string } {
  const first = t.payments[0];
  const quoted = t.type === "ONRAMP" ? "" : (t.totals?.tokenDebit ?? "");
  if (/[1-9]/.test(quoted)) return { amount: quoted, code: t.token };
  if (t.type === "ONRAMP") return { amount: first?.amount ?? "", code: first?.currencyIsoCode ?? "" };
  if (t.payments.length === 1 && first) {
    return { amount: first.amount, code: first.currencyIsoCode ?? first.tokenIsoCode ?? t.token };
  }

  return { amount: "", code: "" };
}

/** sentence returns a word of the API in small letters with a capital: TWO_WORDS is Two words. */
export function sentence(word: string): string {
  const text = word.toLowerCase().replaceAll("_", " ").replaceAll("-", " ");

  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** listed returns the words of a field in which several are typed, between spaces or commas. */
export function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** decides reports whether the reader may accept a payment, or agree to it where several people accept it together. */
export const decides = (of: { allowedActions: string[] }): boolean =>
  of.allowedActions.includes("accept") || of.allowedActions.includes("agree");
