// One table for what a state looks like, for the whole console: shape, word and colour.

/** Kind is what a state means for the reader. */
export type Kind = "waits" | "moving" | "good" | "partly" | "wrong" | "person" | "done";

interface Look {
  kind: Kind;
  word: string;
}

const looks: Record<string, Look> = {
  DRAFT: { kind: "waits", word: "Draft" },
  WAITING_ACCEPTANCE: { kind: "waits", word: "Awaiting acceptance" },
  PROCESSING: { kind: "moving", word: "Processing" },
  RELEASED: { kind: "moving", word: "Released" },
  COMPLETED: { kind: "good", word: "Completed" },
  NETWORK_STOPPED: { kind: "waits", word: "Network stopped" },
  PARTLY_PAID: { kind: "partly", word: "Paid in part" },
  FAILED: { kind: "wrong", word: "Failed" },
  REJECTED_BY_PLATFORM: { kind: "wrong", word: "Rejected in review" },
  // settlement
  IDLE: { kind: "waits", word: "Not started" },
  QUOTED: { kind: "waits", word: "Rate locked" },
  FUNDS_PULLING: { kind: "moving", word: "Collecting tokens" },
  FUNDS_RECEIVED: { kind: "moving", word: "Funds received" },
  CONVERTED: { kind: "moving", word: "Converted" },
  SENT_TO_BANK: { kind: "moving", word: "Sent to the bank" },
  AWAITING_DEPOSIT: { kind: "waits", word: "Awaiting deposit" },
  DEPOSIT_MISMATCH: { kind: "person", word: "Deposit does not match" },
  TOKENS_SENT: { kind: "moving", word: "Tokens sent" },
  SETTLED: { kind: "good", word: "Settled" },
  ON_HOLD: { kind: "person", word: "On hold" },
  UNCERTAIN: { kind: "person", word: "Under investigation" },
  RETURNED: { kind: "person", word: "Returned" },
  REFUND_IN_FLIGHT: { kind: "moving", word: "Refunding" },
  REFUNDED: { kind: "done", word: "Refunded" },
  REFUND_FAILED: { kind: "person", word: "Refund failed" },
  // payments and effects
  LOCKED: { kind: "waits", word: "Submitted" },
  SENT: { kind: "moving", word: "Sent" },
  CANCELLED: { kind: "done", word: "Cancelled" },
  UNKNOWN: { kind: "person", word: "Outcome unknown" },
  PLANNED: { kind: "waits", word: "Planned" },
  FILED: { kind: "moving", word: "In a payment file" },
  HANDED_OVER: { kind: "moving", word: "Passed to the bank" },
  ACCEPTED: { kind: "moving", word: "Accepted by the bank" },
  BOOKED: { kind: "good", word: "Booked" },
  MATCHED: { kind: "good", word: "Matched" },
  SUSPENSE: { kind: "person", word: "In suspense" },
  SIGNED: { kind: "moving", word: "Signed" },
  SEEN: { kind: "moving", word: "Confirming" },
  FINAL: { kind: "good", word: "Final" },
  HOLD: { kind: "person", word: "On hold" },
  HELD: { kind: "person", word: "On hold" },
  REFUSED: { kind: "wrong", word: "Refused" },
  // payables, approvals, onboarding, wallets
  APPROVED: { kind: "good", word: "Approved" },
  REJECTED: { kind: "wrong", word: "Rejected" },
  PAID: { kind: "good", word: "Paid" },
  // payments on a day
  ACTIVE: { kind: "moving", word: "Active" },
  STOPPED: { kind: "done", word: "Stopped" },
  ENDED: { kind: "done", word: "Ended" },
  MADE: { kind: "moving", word: "Being submitted" },
  ASKED: { kind: "person", word: "Needs attention" },
  DROPPED: { kind: "done", word: "Deleted" },
  PENDING: { kind: "waits", word: "Pending" },
  SUBMITTED: { kind: "moving", word: "Submitted" },
  SUPERSEDED: { kind: "done", word: "Replaced" },
  EXPIRED: { kind: "done", word: "Expired" },
  WAITING: { kind: "waits", word: "Waiting" },
  CARRIED_OUT: { kind: "good", word: "Executed" },
  VERIFIED: { kind: "good", word: "Verified" },
  REVOKED: { kind: "done", word: "Revoked" },
  IN_PROGRESS: { kind: "moving", word: "In progress" },
  REVIEW: { kind: "person", word: "In review" },
  ERROR: { kind: "wrong", word: "Check failed" },
  OPEN: { kind: "waits", word: "Open" },
  DELIVERED: { kind: "good", word: "Delivered" },
  USED: { kind: "good", word: "Used" },
  PROPOSED: { kind: "person", word: "Proposed" },
  CLEARED: { kind: "good", word: "Cleared" },
  CONFIRMED: { kind: "wrong", word: "Match confirmed" },
  AGREES: { kind: "good", word: "Balanced" },
  SHORT: { kind: "person", word: "Shortfall" },
  EXCESS: { kind: "person", word: "Surplus" },
  // deposits in suspense
  NEW: { kind: "person", word: "Not matched yet" },
  ASSIGNED: { kind: "moving", word: "Assigned" },
  RETURN: { kind: "person", word: "Returned" },
  REFUNDING: { kind: "moving", word: "Refunding" },
  REVERSED: { kind: "done", word: "Reversed by the bank" },
  WITHDRAWN: { kind: "done", word: "Withdrawn" },
  // identity provider, links, confirmations of a Safe
  INIT: { kind: "waits", word: "Not started" },
  PRECHECKED: { kind: "moving", word: "Partly checked" },
  QUEUED: { kind: "moving", word: "Queued for review" },
  ONHOLD: { kind: "person", word: "On hold" },
  KEPT: { kind: "good", word: "Kept" },
  AWAITING_CONFIRMATIONS: { kind: "waits", word: "Awaiting confirmations" },
  AWAITING_EARLIER: { kind: "waits", word: "Queued behind another" },
  AWAITING_EXECUTION: { kind: "waits", word: "Ready to execute" },
  CLOSED: { kind: "done", word: "Closed" },
  RUNNING: { kind: "moving", word: "Verifying" },
  SOUND: { kind: "good", word: "Intact" },
  UNSOUND: { kind: "person", word: "Not intact" },
  // whether an account is in the payee's name
  PARTIAL_MATCH: { kind: "person", word: "Close match" },
  NOT_MATCHED: { kind: "person", word: "No match" },
  UNSUPPORTED: { kind: "done", word: "Check not possible" },
};

/** lookOf returns how a state is shown. A state that the table does not have is shown as it is written. */
export function lookOf(status: string): Look {
  return looks[status.toUpperCase()] ?? { kind: "waits", word: status.toLowerCase().replaceAll("_", " ") };
}

/** glossary returns the address of the page that says what a word of the console means. */
export function glossary(word = ""): string {
  return `/docs/glossary${word && `#${word.toLowerCase().replaceAll(" ", "-")}`}`;
}

/** standing returns the state of a transaction that says most: what a person must see, or where its money is. */
export function standing(t: {
  status: string;
  settlementStatus: string;
  outcome?: { failed: { count: number } };
  stopped?: unknown;
}): string {
  const person = ["ON_HOLD", "UNCERTAIN", "DEPOSIT_MISMATCH", "RETURNED", "REFUND_FAILED"];
  if (person.includes(t.settlementStatus)) return t.settlementStatus;
  if (t.stopped) return "NETWORK_STOPPED";

  if (t.status === "COMPLETED" && t.outcome?.failed.count) return "PARTLY_PAID";

  const moving = t.status === "PROCESSING" || t.status === "RELEASED";
  const awaits = t.settlementStatus === "AWAITING_DEPOSIT";

  return (moving && t.settlementStatus !== "SETTLED") || awaits ? t.settlementStatus : t.status;
}

// What a hold is called.
const holds: Record<string, string> = {
  PAYOUT_HELD: "Payment whose outcome is unknown",
  PAYOUT_UNANSWERED: "Payment that the bank does not answer",
  PAYOUT_CONTRADICTED: "Payment that the bank contradicts",
  PAYOUT_PAYEE_DIFFERS: "Account that is not in the payee's name",
  PAYEE_OUT_OF_DATE: "Account that the bank says is out of date",
  FILE_STUCK: "Payment file without progress",
  STATEMENT_WAITING: "Statement that awaits an earlier one",
  STATEMENT_UNBALANCED: "Statement that does not add up",
  FILE_QUARANTINED: "File that cannot be read",
  ENTRY_DOUBTFUL: "Entry that may be a duplicate",
  DETAILS_LATE: "Details that arrived late",
  PAYMENT_UNKNOWN: "Payment from before the restore",
  RETURN_UNBOOKED: "Return that is not booked",
  SEND_HELD: "Transfer on the chain whose outcome is unknown",
  TOKENS_KEPT: "Tokens that the wallet refused",
};

/** holdOf returns what a kind of hold is called. */
export function holdOf(kind: string): string {
  return holds[kind] ?? kind.toLowerCase().replaceAll("_", " ");
}
