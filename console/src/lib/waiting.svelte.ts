// How much waits for the organisation's members: the numbers in the menu. The overview brings them along; other pages ask.
import { api, ask, type Schemas } from "./api.svelte";

/** Counts is how much waits on a page of the menu, by its title. */
export type Counts = Record<string, number>;

/** brought is what the overview on the screen has brought along, and for whom. */
export const brought = $state<{ organisation: string; counts?: Counts }>({ organisation: "" });

/** bring keeps the numbers of an overview. */
export function bring(organisation: string, w: Schemas["OverviewWaiting"]): void {
  brought.organisation = organisation;
  brought.counts = { Payables: w.payables.draft + w.invoices, Approvals: w.approvals + w.transactions + w.schedules };
}

/** count asks for the numbers. */
export async function count(signal: AbortSignal): Promise<Counts> {
  const [payables, links, approvals, waiting, schedules] = await Promise.all([
    ask(api.GET("/payables/counts", { signal })),
    ask(api.GET("/payables/invoice-links", { params: { query: { "status[]": ["SUBMITTED"], limit: 1 } }, signal })),
    ask(api.GET("/approvals", { params: { query: { "status[]": ["PENDING"], limit: 1 } }, signal })),
    ask(
      api.GET("/transactions", {
        params: { query: { "status[]": ["WAITING_ACCEPTANCE"], "type[]": ["FIAT", "CRYPTO"], limit: 1 } },
        signal,
      }),
    ),
    ask(api.GET("/schedules", { params: { query: { "state[]": ["WAITING"], limit: 1 } }, signal })),
  ]);

  return { Payables: payables.DRAFT + links.total, Approvals: approvals.total + waiting.total + schedules.total };
}
