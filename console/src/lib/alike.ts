// Numbers that look like one another. People compare the beginning and the end; who wishes them ill makes those the same.
import { api, ask } from "./api.svelte";
import { ofAccount, ofWallet, wallets, type Target } from "./payees";

/** bare returns an account number or an address without what is only for the eye. */
export function bare(number: string): string {
  return number.replace(/\s/g, "").toLowerCase().replace(/^0x/, "");
}

const ends = 4;
const fewest = 3;
const shortest = 8;

/** differences counts the digits in which two numbers of one length differ. */
function differences(x: string, y: string): number {
  return [...x].filter((c, i) => c !== y[i]).length;
}

/** alike reports whether two numbers are not the same and easily taken for each other: same ends, or few other digits. */
export function alike(a: string, b: string): boolean {
  const x = bare(a);
  const y = bare(b);
  if (x === y || x.length !== y.length || x.length < shortest) return false;
  if (x.slice(0, ends) === y.slice(0, ends) && x.slice(-ends) === y.slice(-ends)) return true;

  return differences(x, y) <= fewest;
}

/** Mark is a piece of a number, and whether it differs from the other one. */
export interface Mark {
  text: string;
  differs: boolean;
}

/** marked returns a number in groups of four, cut where it begins or ceases to differ from another one of its length. */
export function marked(number: string, other: string): Mark[] {
  const [, start = "", digits = ""] = /^(0x)?(.*)$/i.exec(number.replace(/\s/g, "")) ?? [];
  const y = bare(other);
  const out: Mark[] = [{ text: start && `${start} `, differs: false }];

  [...digits].forEach((c, i) => {
    const differs = c.toLowerCase() !== y[i];
    const text = (i && i % ends === 0 ? " " : "") + c;
    const last = out.at(-1);
    if (last && last.differs === differs) last.text += text;
    else out.push({ text, differs });
  });

  return out;
}

// An address is searched for by its two ends, whatever the number of wallets; the newest ones are compared digit by digit.
const parts = 4;
const keptMilliseconds = 30_000;
let kept: { key: string; at: number; all: Promise<Target[]> } | undefined;

async function known(organisation: string): Promise<Target[]> {
  if (kept?.key === organisation && Date.now() - kept.at < keptMilliseconds) return kept.all;

  const all = wallets(parts).then((coins) => coins.theirs.all);
  kept = { key: organisation, at: Date.now(), all };

  return all;
}

/** Similar is the known number that is most like one, and how many others are like it, too. */
export interface Similar {
  name: string;
  number: string;
  others: number;
}

/** accountsLike returns the accounts that the service finds to be like one, among all. */
async function accountsLike(account: string): Promise<Target[]> {
  const page = await ask(api.GET("/bank-accounts/me", { params: { query: { alike: account, limit: 50 } } }));

  return page.results.map((a) => ofAccount(a, a.receiver));
}

/** similar looks for known numbers that are like one, and are not that one. account is the bank account whose number it is. */
export async function similar(number: string, organisation: string, account: string): Promise<Similar | undefined> {
  const found = account ? await accountsLike(account) : [...(await known(organisation))];

  if (!account && /^0x[0-9a-f]{40}$/i.test(number)) {
    const searchTerm = `${number.slice(0, 2 + ends)} ${number.slice(-ends)}`;
    const page = await ask(api.GET("/wallets/me", { params: { query: { searchTerm, limit: 50 } } }));
    const there = new Set(found.map((t) => t.id));
    found.push(...page.results.filter((w) => !w.softDeleted && !there.has(w._id)).map((w) => ofWallet(w, w.receiver)));
  }

  const likes = found
    .flatMap((t) => t.numbers.filter((n) => alike(n, number)).map((n) => ({ name: t.name, number: n })))
    .toSorted((a, b) => differences(bare(a.number), bare(number)) - differences(bare(b.number), bare(number)));

  return likes[0] && { ...likes[0], others: likes.length - 1 };
}
