// What the state of an invoice link is called. Its own words: of a link, "submitted" means that the invoice is here.
import type { Schemas } from "./api.svelte";

/** linkLooks says how each state of a link is shown. */
export const linkLooks: Record<Schemas["InvoicelinkView"]["status"], { status: string; word: string }> = {
  OPEN: { status: "WAITING", word: "Awaiting the sender" },
  SUBMITTED: { status: "PROPOSED", word: "Invoice received" },
  USED: { status: "USED", word: "Payable created" },
  REVOKED: { status: "REVOKED", word: "Revoked" },
  EXPIRED: { status: "EXPIRED", word: "Expired" },
};
