// Moments are shown in the reader's zone. A plain date is never made a Date: it has no zone and must not move by a day.

// A formatter of Intl takes longer to make than all that it writes on a page, so there is one alone, made when a zone is named.
let zone: Intl.DateTimeFormat | undefined;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const two = (n: number) => String(n).padStart(2, "0");
const clock = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;
const seconds = (at: Date) => `${clock(at)}:${two(at.getSeconds())}`;
const day = (at: Date) => `${at.getDate()} ${months[at.getMonth()]}`;

/** zoneOf returns the reader's zone as it was at a moment: CET in winter, CEST in summer. */
export function zoneOf(moment: Date): string {
  zone ??= new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" });

  return zone.formatToParts(moment).find((p) => p.type === "timeZoneName")?.value ?? "";
}

/** short returns a moment for a list: the time today, the day before that, the year if it is another one. */
export function short(at: string, now = new Date()): string {
  const moment = new Date(at);
  const days = midnight(now) - midnight(moment);

  if (days === 0) return clock(moment);
  if (days === 1) return `yesterday ${clock(moment)}`;
  if (days > 1 && days < 6) return `${weekdays[moment.getDay()]} ${clock(moment)}`;
  if (moment.getFullYear() === now.getFullYear()) return `${day(moment)} ${clock(moment)}`;

  return `${day(moment)} ${moment.getFullYear()}`;
}

/** full returns a moment with day, seconds and zone. */
export function full(at: string): string {
  const moment = new Date(at);

  return `${day(moment)} ${moment.getFullYear()}, ${seconds(moment)} ${zoneOf(moment)}`;
}

/** atSecond returns the time of a moment with seconds. */
export function atSecond(at: string | Date): string {
  return seconds(new Date(at));
}

/** age returns how long ago something was, in its largest unit. */
export function age(at: string, now = Date.now()): string {
  const minutes = Math.floor(Math.max(0, now - Date.parse(at)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;

  return `${Math.floor(minutes / 60 / 24)} days ago`;
}

/** left returns the time until a moment as 3:12, or "" when it is over. */
export function left(until: string, now: number): string {
  const rest = Math.floor((Date.parse(until) - now) / 1000);
  if (rest <= 0) return "";

  return rest >= 3600 ? `${Math.floor(rest / 3600)} h` : `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
}

/** span returns a length of time in its largest unit; null is what is longer than all others. */
export function span(seconds: number | null | undefined): string {
  if (!seconds) return "more";
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;

  return seconds < 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** date returns a plain date, such as 2026-11-28, as 28 Nov 2026. */
export function date(text: string | null | undefined): string {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? "");

  return parts ? `${Number(parts[3])} ${months[Number(parts[2]) - 1]} ${parts[1]}` : (text ?? "");
}

/** coming returns so many days as 2026-11-28, the first of them today in UTC: the service counts days there. */
export function coming(count: number): string[] {
  return Array.from({ length: count }, (_, i) => new Date(Date.now() + i * 86_400_000).toISOString().slice(0, 10));
}

/** today returns the reader's date as 2026-11-28. */
export function today(): string {
  const now = new Date();

  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(two).join("-");
}

function midnight(moment: Date): number {
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / 86_400_000;
}
