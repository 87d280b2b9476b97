// One table for what a state looks like, for the whole console: shape, word and colour.

/** Kind is what a state means for the reader. */
export type Kind = "waits" | "moving" | "good" | "partly" | "wrong" | "person" | "done";

interface Look {
  kind: Kind;
  word: string;
}

const looks: Record<string, Look> = {
  DRAFT: { kind: "waits", word: "Draft" },
  WAITING_ACCEPTANCE: { kind: "waits", word: "Waits for acceptance" },
  PROCESSING: { kind: "moving", word: "Processing" },
  RELEASED: { kind: "moving", word: "Released" },
  COMPLETED: { kind: "good", word: "Completed" },
  NETWORK_STOPPED: { kind: "waits", word: "Network stopped" },
  PARTLY_PAID: { kind: "partly", word: "Paid in part" },
  FAILED: { kind: "wrong", word: "Failed" },
  REJECTED_BY_PLATFORM: { kind: "wrong", word: "Rejected in review" },
  // settlement
  IDLE: { kind: "waits", word: "Not begun" },
  QUOTED: { kind: "waits", word: "Rate is locked" },
  FUNDS_PULLING: { kind: "moving", word: "Taking the tokens" },
  FUNDS_RECEIVED: { kind: "moving", word: "Funds received" },
  CONVERTED: { kind: "moving", word: "Converted" },
  SENT_TO_BANK: { kind: "moving", word: "Sent to the bank" },
  AWAITING_DEPOSIT: { kind: "waits", word: "Waits for the deposit" },
  DEPOSIT_MISMATCH: { kind: "person", word: "Deposit differs" },
  TOKENS_SENT: { kind: "moving", word: "Tokens sent" },
  SETTLED: { kind: "good", word: "Settled" },
  ON_HOLD: { kind: "person", word: "On hold" },
  UNCERTAIN: { kind: "person", word: "Outcome uncertain" },
  RETURNED: { kind: "person", word: "Came back" },
  REFUND_IN_FLIGHT: { kind: "moving", word: "Giving back" },
  REFUNDED: { kind: "done", word: "Given back" },
  REFUND_FAILED: { kind: "person", word: "Giving back failed" },
  // payments and effects
  LOCKED: { kind: "waits", word: "Locked" },
  SENT: { kind: "moving", word: "Sent" },
  CANCELLED: { kind: "done", word: "Cancelled" },
  UNKNOWN: { kind: "person", word: "Outcome unknown" },
  PLANNED: { kind: "waits", word: "Planned" },
  FILED: { kind: "moving", word: "In the file" },
  HANDED_OVER: { kind: "moving", word: "Handed over" },
  ACCEPTED: { kind: "moving", word: "Accepted by the bank" },
  BOOKED: { kind: "good", word: "Booked" },
  MATCHED: { kind: "good", word: "Matched" },
  SUSPENSE: { kind: "person", word: "In suspense" },
  SIGNED: { kind: "moving", word: "Signed" },
  SEEN: { kind: "moving", word: "In a block" },
  FINAL: { kind: "good", word: "Final" },
  HOLD: { kind: "person", word: "Held" },
  HELD: { kind: "person", word: "Held" },
  REFUSED: { kind: "wrong", word: "Refused" },
  // payables, approvals, onboarding, wallets
  APPROVED: { kind: "good", word: "Approved" },
  REJECTED: { kind: "wrong", word: "Rejected" },
  PAID: { kind: "good", word: "Paid" },
  PENDING: { kind: "waits", word: "Waiting" },
  SUBMITTED: { kind: "moving", word: "Submitted" },
  SUPERSEDED: { kind: "done", word: "Overtaken" },
  EXPIRED: { kind: "done", word: "Expired" },
  WAITING: { kind: "waits", word: "Waiting" },
  CARRIED_OUT: { kind: "good", word: "Carried out" },
  VERIFIED: { kind: "good", word: "Verified" },
  REVOKED: { kind: "done", word: "Revoked" },
  IN_PROGRESS: { kind: "moving", word: "In progress" },
  REVIEW: { kind: "person", word: "Looked at" },
  ERROR: { kind: "wrong", word: "Could not be checked" },
  OPEN: { kind: "waits", word: "Open" },
  DELIVERED: { kind: "good", word: "Delivered" },
  USED: { kind: "good", word: "Used" },
  PROPOSED: { kind: "person", word: "Proposed" },
  CLEARED: { kind: "good", word: "Cleared" },
  CONFIRMED: { kind: "wrong", word: "Confirmed" },
  AGREES: { kind: "good", word: "Equal" },
  SHORT: { kind: "person", word: "Short" },
  EXCESS: { kind: "person", word: "Too much" },
  // deposits in suspense
  NEW: { kind: "person", word: "Looked for by nobody yet" },
  ASSIGNED: { kind: "moving", word: "Assigned" },
  RETURN: { kind: "person", word: "Came back" },
  REFUNDING: { kind: "moving", word: "Giving back" },
  REVERSED: { kind: "done", word: "Taken back by the bank" },
  WITHDRAWN: { kind: "done", word: "Withdrawn" },
  // identity provider, links, confirmations of a Safe
  INIT: { kind: "waits", word: "Not begun" },
  PRECHECKED: { kind: "moving", word: "Checked in part" },
  QUEUED: { kind: "moving", word: "Waits for the review" },
  ONHOLD: { kind: "person", word: "On hold" },
  KEPT: { kind: "good", word: "Kept" },
  AWAITING_CONFIRMATIONS: { kind: "waits", word: "Waits for owners" },
  AWAITING_EARLIER: { kind: "waits", word: "Waits for an earlier one" },
  AWAITING_EXECUTION: { kind: "waits", word: "Can be carried out" },
  CLOSED: { kind: "done", word: "Closed" },
  RUNNING: { kind: "moving", word: "Reading" },
  SOUND: { kind: "good", word: "Sound" },
  UNSOUND: { kind: "person", word: "Not sound" },
  // whether an account is in the payee's name
  PARTIAL_MATCH: { kind: "person", word: "Similar name" },
  NOT_MATCHED: { kind: "person", word: "Another name" },
  UNSUPPORTED: { kind: "done", word: "The bank does not tell" },
};

/** lookOf returns how a state is shown. A state that the table does not have is shown as it is written. */
export function lookOf(status: string): Look {
  return looks[status.toUpperCase()] ?? { kind: "waits", word: status.toLowerCase().replaceAll("_", " ") };
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
  PAYOUT_HELD: "Payment with an uncertain outcome",
  PAYOUT_UNANSWERED: "Payment that the bank does not answer",
  PAYOUT_CONTRADICTED: "Payment that the bank contradicts",
  PAYOUT_PAYEE_DIFFERS: "Account that is not in the payee's name",
  FILE_STUCK: "File that does not move",
  STATEMENT_WAITING: "Statement that waits for another",
  STATEMENT_UNBALANCED: "Statement that does not add up",
  FILE_QUARANTINED: "File that cannot be read",
  ENTRY_DOUBTFUL: "Entry that may be a duplicate",
  DETAILS_LATE: "Details that came late",
  PAYMENT_UNKNOWN: "Payment of before the restore",
  RETURN_UNBOOKED: "Return that is not booked",
  SEND_HELD: "Send on the chain with an uncertain outcome",
  TOKENS_KEPT: "Tokens that the wallet refused",
};

/** holdOf returns what a kind of hold is called. */
export function holdOf(kind: string): string {
  return holds[kind] ?? kind.toLowerCase().replaceAll("_", " ");
}
