// What a chat is told, in words.
import type { Schemas } from "./api.svelte";

export type News = Schemas["ChatchannelView"]["news"][number];

/** news are the kinds of news, in the order in which they are shown. */
export const news: { value: News; label: string; hint: string }[] = [
  { value: "DECISIONS", label: "Waits for a decision", hint: "payments, payables, scheduled payments and changes that a person approves" },
  { value: "PAYMENTS", label: "Payments", hint: "accepted, paid, a deposit has arrived, paid tomorrow" },
  { value: "PROBLEMS", label: "Problems", hint: "failed, on hold, returned, refunded, paid in part" },
  { value: "INVOICES", label: "Invoices by link", hint: "handed in, or the link did not arrive" },
  { value: "PAYEES", label: "Payees", hint: "a payee, bank account or wallet is new or was changed" },
  { value: "TECHNICAL", label: "Technical", hint: "a webhook, an API client or another chat does not work any more" },
];

/** products are the chats that can be told. */
export const products: { value: Schemas["ChatchannelView"]["kind"]; label: string; where: string }[] = [
  { value: "SLACK", label: "Slack", where: "Incoming Webhooks of an app; it begins with hooks.slack.com/services" },
  { value: "TEAMS", label: "Microsoft Teams", where: "the whole address of a workflow that begins with a webhook request" },
  { value: "MATRIX", label: "Matrix", where: "a webhook of the hookshot bridge, reached over https" },
];

/** languages are those of messages. */
export const languages = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
  { value: "fr", label: "Français" },
];
