// What a schedule pays when, in one sentence that follows from its record alone.
import type { Schemas } from "./api.svelte";
import { grouped } from "./money";
import { date } from "./time";

/** Schedule is a schedule as the service shows it. */
export type Schedule = Schemas["ScheduleView"];

/** Plan is what the sentence is made of: a schedule, or one that is being typed. */
export type Plan = Pick<Schedule, "repeats" | "firstDay" | "maxDebit" | "token" | "payees"> &
  Partial<Pick<Schedule, "until" | "times" | "state" | "nextDay">>;

const often = { ONCE: "", WEEKLY: " and then every week", MONTHLY: " and then every month" };

/** sentence says what happens when. */
export function sentence(s: Plan): string {
  if (s.state === "STOPPED") return "Stopped: nothing is paid any more.";
  if (s.state === "ENDED") return "Ended: no further day comes.";

  const until = s.until ? ` until ${date(s.until)}` : "";
  const times = s.times ? `, ${s.times} times at most` : "";
  const most = s.maxDebit ? `; at most ${grouped(s.maxDebit)} ${s.token} leave the wallet each time` : "";
  const first = s.state === "WAITING" || !s.state ? "Once somebody has accepted it, it" : "It";

  return `${first} pays ${s.payees} on ${date(s.nextDay || s.firstDay)}${often[s.repeats]}${until}${times}${most}.`;
}
