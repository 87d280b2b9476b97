// Money is text from end to end: an amount is never a Number, because a Number has no decimals of its own.

/**
 * grouped returns an amount with its thousands separated and at least so many decimals; no digit is ever cut. Text that is
 * no amount is returned as it is.
 */
export function grouped(amount: string | null | undefined, decimals = 0): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount ?? "");
  if (!parts) return amount ?? "";

  const [, sign = "", whole = "", fraction = ""] = parts;
  const padded = fraction.padEnd(decimals, "0");

  return sign.replace("-", "−") + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (padded && `.${padded}`);
}

/** plain turns what people type or paste into an amount: spaces and apostrophes go, and separators of thousands. */
export function plain(typed: string): string {
  const text = typed.trim().replace(/[\s'’_]/g, "");
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) return text.replaceAll(",", "");
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(text)) return text.replaceAll(".", "").replace(",", ".");

  return /^\d+,\d{1,2}$/.test(text) ? text.replace(",", ".") : text;
}

/** share returns how many thousandths one amount is of another: for the height of a bar, never for money. */
export function share(part: string, of: string): number {
  const [a, b] = scaled(part, of);

  return b > 0n ? Number((a * 1000n) / b) : 0;
}

/** compare orders two amounts of the same currency: negative if the first is smaller. */
export function compare(a: string, b: string): number {
  const [x, y] = scaled(a, b);

  return x < y ? -1 : x > y ? 1 : 0;
}

/** sum adds amounts of one currency, with all their decimals. */
export function sum(amounts: string[]): string {
  const places = Math.max(0, ...amounts.map((a) => a.split(".")[1]?.length ?? 0));
  const total = amounts.reduce((all, a) => all + units(a, places), 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(places + 1, "0");
  const text = places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;

  return (total < 0n ? "-" : "") + text;
}

function scaled(a: string, b: string): [bigint, bigint] {
  const places = Math.max(...[a, b].map((x) => x.split(".")[1]?.length ?? 0));

  return [units(a, places), units(b, places)];
}

function units(amount: string, places: number): bigint {
  const parts = /^(-?\d+)(?:\.(\d+))?$/.exec(amount);
  if (!parts) return 0n;

  return BigInt((parts[1] ?? "0") + (parts[2] ?? "").padEnd(places, "0"));
}
