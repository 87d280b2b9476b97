//go:build !nosandbox

package apptest

// rule is an invariant that a query can check: it finds the records that break it. Oracle explains the numbers.
type rule struct{ breach, query string }

// sendRules are about sends on the chain.
func sendRules() []rule {
	return []rule{
		{
			breach: "I3: a final send without its receipt",
			query: `SELECT s.key FROM chain_sends s
				WHERE s.state = 'FINAL' AND NOT EXISTS (SELECT 1 FROM chain_receipts r
				WHERE r.send_id = s.id AND r.tx_hash = s.tx_hash)`,
		},
		{
			breach: "I3: a receipt without a final send",
			query: `SELECT r.tx_hash FROM chain_receipts r WHERE NOT EXISTS (SELECT 1
				FROM chain_sends s WHERE s.id = r.send_id AND s.state = 'FINAL')`,
		},
		{
			breach: "gas of a final send that is not posted once",
			query: `SELECT s.key FROM chain_sends s
				WHERE s.state = 'FINAL' AND (SELECT count(*) FROM journals j WHERE j.kind = 'gas'
				AND (j.key = s.key || '/gas' OR s.key = 'transaction/' || s.object || '/batch'
				AND j.key = 'transaction/' || s.object || '/gas')) <> 1`,
		},
		{
			breach: "I4: FAILED with a send that may still act",
			query: `SELECT t.id FROM transactions t JOIN chain_sends s ON s.object = t.id
				WHERE t.status = 'FAILED' AND t.type <> 'ONRAMP' AND s.state NOT IN ('REFUSED', 'FINAL')`,
		},
		{
			breach: "REFUNDED without a final refund",
			query: `SELECT y.transaction_id FROM payments y
				WHERE y.outcome = 'REFUNDED' AND NOT EXISTS (SELECT 1 FROM effects s
				WHERE s.word <> 'convert' AND s.transaction_id = y.transaction_id AND s.state = 'FINAL' AND s.position IN (-1, y.position))`,
		},
		{
			breach: "I4: rejected with a send",
			query: `SELECT t.id FROM transactions t JOIN chain_sends s ON s.object = t.id
				WHERE t.status IN ('REJECTED_BY_PLATFORM', 'DRAFT', 'WAITING_ACCEPTANCE')`,
		},
	}
}

// bankRules are about payouts at the bank, and what came back of them.
func bankRules() []rule {
	return []rule{
		{
			breach: "I4: an ended payment with a payout that may still act",
			query: `SELECT p.key FROM bank_payouts p
				JOIN payments y ON p.key = 'transaction/' || y.transaction_id || '/payout/' || y.position
				WHERE y.outcome IN ('FAILED', 'REFUNDED') AND p.state NOT IN ('REJECTED', 'RETURNED')`,
		},
		{
			breach: "M-05: paid without a booked debit",
			query: `SELECT p.key FROM bank_payouts p
				JOIN payments y ON p.key = 'transaction/' || y.transaction_id || '/payout/' || y.position
				WHERE y.outcome = 'COMPLETED' AND p.state NOT IN ('BOOKED', 'RETURNED')`,
		},
		{
			breach: "M-05: a booked debit without a journal",
			query: `SELECT p.key FROM bank_payouts p
				WHERE p.state IN ('BOOKED', 'RETURNED') AND NOT EXISTS (SELECT 1
				FROM journals j WHERE j.key = p.key || '/booked')`,
		},
		{
			breach: "D-09: a return without a journal",
			query: `SELECT r.movement FROM bank_returns r
				JOIN bank_payouts p ON p.id = r.payout_id
				WHERE r.settled AND p.key LIKE 'transaction/%' AND NOT EXISTS (SELECT 1
				FROM journals j WHERE j.key = p.key || '/returned/' || r.movement)`,
		},
		{
			breach: "F-10: more came back than was paid",
			query: `SELECT p.key FROM bank_payouts p
				WHERE CAST(p.units AS BIGINT) < (SELECT COALESCE(SUM(CAST(r.units AS BIGINT)), 0)
				FROM bank_returns r WHERE r.payout_id = p.id)`,
		},
		{
			breach: "F-10: a return that is given back twice, or not at all",
			query: `SELECT r.id FROM payout_returns r WHERE (SELECT count(*) FROM journals j
				WHERE j.key = r.payout || '/recredit/' || r.id) <> CASE WHEN r.state = 'GIVEN_BACK' THEN 1 ELSE 0 END`,
		},
	}
}

// depositRules are about deposits and the on-ramps that they pay.
func depositRules() []rule {
	return []rule{
		{
			breach: "a deposit that is not booked once",
			query: `SELECT d.entry FROM deposits d WHERE (SELECT count(*) FROM journals j
				JOIN postings p ON p.journal = j.id
				WHERE j.kind = 'deposit' AND p.memo = d.house || '/' || d.entry AND p.units = d.units
				AND (p.account = 'clearing/convert/' || d.currency OR p.account = 'suspense/' || d.currency
				OR p.account LIKE 'suspense/' || d.currency || '/%')) <> CASE d.state WHEN
				'NEW' THEN 0 ELSE 1 END`,
		},
		{
			breach: "a deposit that does not stand once in its owner's book, or stands in another's",
			query: `SELECT d.entry FROM deposits d WHERE (SELECT COALESCE(SUM(CAST(p.units AS BIGINT)), 0)
				FROM postings p JOIN journals j ON j.id = p.journal
				WHERE p.account = 'sender/' || d.currency AND p.memo = d.house || '/' || d.entry
				AND j.organisation = d.owner AND d.owner <> '') <>
				CASE WHEN d.owner = '' THEN 0 ELSE CAST(d.units AS BIGINT) * (-1
				+ CASE WHEN d.state IN ('REFUNDED', 'WITHDRAWN') THEN 1 ELSE 0 END
				+ (SELECT count(*) FROM payout_returns r WHERE r.id = d.entry)
				+ (SELECT count(*) FROM bank_debits b WHERE b.deposit = d.entry)) END
				OR EXISTS (SELECT 1 FROM postings p JOIN journals j ON j.id = p.journal
				WHERE p.account = 'sender/' || d.currency AND p.memo = d.house || '/' || d.entry
				AND j.organisation NOT IN ('', 'unknown', d.owner)
				GROUP BY j.organisation HAVING SUM(CAST(p.units AS BIGINT)) <> 0)`,
		},
		{
			breach: "a conversion of another provider that is not booked once at the price that was got",
			query: `SELECT e.key FROM effects e WHERE e.word = 'convert'
				AND NOT EXISTS (SELECT 1 FROM stock_reservations s WHERE s.key = e.key)
				AND (SELECT count(*) FROM journals j JOIN postings p ON p.journal = j.id
				WHERE j.key = e.key || '/traded' AND (p.account LIKE 'provider/' || e.provider || '/%'
				AND p.units IN ('-' || e.sold_units, e.bought_units))) <> CASE e.state WHEN 'FINAL' THEN 2 ELSE 0 END`,
		},
		{
			breach: "a match of what is not matched",
			query: `SELECT m.entry FROM deposit_matches m JOIN deposits d ON d.entry = m.entry
				WHERE d.state NOT IN ('MATCHED', 'REFUNDING', 'REFUNDED', 'REVERSED', 'SUSPENSE', 'HELD', 'ASSIGNED')`,
		},
		{
			breach: "an on-ramp under way without its deposit",
			query: `SELECT t.id FROM transactions t
				WHERE t.type = 'ONRAMP' AND t.status IN ('PROCESSING', 'RELEASED', 'COMPLETED') AND NOT EXISTS (SELECT 1
				FROM deposit_matches m WHERE m.transaction_id = t.id)`,
		},
	}
}

// transactionRules are about transactions, their reservations and journals.
func transactionRules() []rule {
	return []rule{
		{
			breach: "I5: under way without job, send or person",
			query: `SELECT t.id FROM transactions t
				WHERE t.status IN ('PROCESSING', 'RELEASED')
				AND t.settlement_status NOT IN ('UNCERTAIN', 'ON_HOLD') AND NOT (t.type = 'ONRAMP'
				AND t.settlement_status LIKE 'REFUND%') AND NOT EXISTS (SELECT 1
				FROM chain_sends s
				WHERE s.object = t.id AND s.state <> 'REFUSED') AND NOT EXISTS (SELECT 1
				FROM jobs j
				WHERE j.key = 'settle/' || t.id AND j.dead = FALSE)`,
		},
		{
			breach: "I6: an open reservation of what may not pull",
			query: `SELECT r.transaction_id FROM reservations r
				JOIN transactions t ON t.id = r.transaction_id
				WHERE r.released_at = 0 AND (t.deleted = TRUE
				OR t.status NOT IN ('WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED') OR t.type = 'FIAT'
				AND t.settlement_status NOT IN ('QUOTED', 'FUNDS_PULLING', 'UNCERTAIN', 'ON_HOLD'))`,
		},
		{
			breach: "I6: what may pull has no reservation",
			query: `SELECT t.id FROM transactions t
				WHERE t.deleted = FALSE AND (t.type = 'CRYPTO' AND t.status IN ('WAITING_ACCEPTANCE', 'PROCESSING')
				OR t.type = 'FIAT' AND t.settlement_status IN ('QUOTED', 'FUNDS_PULLING')) AND NOT EXISTS (SELECT 1
				FROM reservations r WHERE r.transaction_id = t.id AND r.released_at = 0)`,
		},
		{
			breach: "I15: a journal of another organisation",
			query: `SELECT j.key FROM journals j JOIN transactions t ON t.id = j.transaction_id
				WHERE j.organisation <> t.organisation`,
		},
		{
			breach: "M-05: COMPLETED without a final journal",
			query: `SELECT t.id FROM transactions t
				WHERE t.type = 'CRYPTO' AND t.status = 'COMPLETED' AND NOT EXISTS (SELECT 1
				FROM journals j WHERE j.transaction_id = t.id AND j.kind = 'final')`,
		},
		{
			breach: "M-05: a final journal of what did not end",
			query: `SELECT t.id FROM transactions t
				JOIN journals j ON j.transaction_id = t.id AND j.kind = 'final'
				WHERE t.status NOT IN ('COMPLETED', 'FAILED')`,
		},
		{
			breach: "M-05: FAILED without giving back",
			query: `SELECT t.id FROM transactions t
				WHERE t.type = 'CRYPTO' AND t.status = 'FAILED' AND (SELECT count(*)
				FROM journals j
				WHERE j.transaction_id = t.id AND j.kind IN ('release', 'return', 'final')) <> 1`,
		},
		{
			breach: "M-05: a hold of what was never accepted",
			query: `SELECT t.id FROM transactions t JOIN journals j ON j.transaction_id = t.id
				WHERE t.status IN ('DRAFT', 'WAITING_ACCEPTANCE') OR t.deleted = TRUE`,
		},
	}
}

// payableRules are about payables, their reservations and invoice links.
func payableRules() []rule {
	return []rule{
		{
			breach: "I7: PAID without a payment that arrived",
			query: `SELECT p.id FROM payables p WHERE p.status = 'PAID' AND NOT EXISTS (SELECT 1
				FROM payments y
				WHERE y.transaction_id = p.transaction_id AND y.position = p.position
				AND y.outcome IN ('COMPLETED', 'RETURNED', 'REFUNDED', 'SENT', 'UNKNOWN'))`,
		},
		{
			breach: "I7: a payment that arrived whose payable is not PAID",
			query: `SELECT r.payable FROM payable_reservations r
				JOIN payments y ON y.transaction_id = r.transaction_id AND y.position = r.position
				JOIN transactions t ON t.id = r.transaction_id
				JOIN payables p ON p.id = r.payable
				WHERE t.status = 'COMPLETED' AND y.outcome = 'COMPLETED' AND (p.status <> 'PAID'
				OR p.transaction_id <> r.transaction_id)`,
		},
		{
			breach: "I7: a live reservation that its payable does not know of",
			query: `SELECT r.payable FROM payable_reservations r
				WHERE r.released_at = 0 AND NOT EXISTS (SELECT 1 FROM payables p
				WHERE p.id = r.payable AND p.transaction_id = r.transaction_id AND p.position = r.position)`,
		},
		{
			breach: "I7: a payable without its reservation",
			query: `SELECT p.id FROM payables p
				WHERE p.transaction_id <> '' AND NOT EXISTS (SELECT 1
				FROM payable_reservations r
				WHERE r.payable = p.id AND r.transaction_id = p.transaction_id AND r.released_at = 0)`,
		},
		{
			breach: "I7: reserved without approval, or approved without fingerprint",
			query: `SELECT p.id FROM payables p
				WHERE p.transaction_id <> '' AND p.status NOT IN ('APPROVED', 'PAID')
				OR (p.status IN ('APPROVED', 'PAID')) <> (p.fingerprint <> '')`,
		},
		{
			breach: "I7: reserved for a dead transaction",
			query: `SELECT p.id FROM payables p JOIN transactions t ON t.id = p.transaction_id
				WHERE p.status = 'APPROVED' AND (t.deleted = TRUE OR t.status = 'REJECTED_BY_PLATFORM'
				OR t.type = 'CRYPTO' AND t.status IN ('COMPLETED', 'FAILED'))`,
		},
		{
			breach: "A-13: a payable of a link that is not used, or another's",
			query: `SELECT p.id FROM payables p WHERE p.link <> '' AND NOT EXISTS (SELECT 1
				FROM invoice_links k
				WHERE k.id = p.link AND k.organisation = p.organisation AND k.status = 'USED')`,
		},
		{
			breach: "A-13: a used link without its payable",
			query: `SELECT k.id FROM invoice_links k
				WHERE (k.status = 'USED') <> (SELECT count(*) > 0 FROM payables p
				WHERE p.id = k.payable AND p.link = k.id AND p.receiver = k.receiver)`,
		},
		{
			breach: "I7: a submitted batch without one of its payables",
			query: `SELECT y.transaction_id FROM payments y
				JOIN transactions t ON t.id = y.transaction_id
				WHERE t.of_payables = TRUE AND t.deleted = FALSE
				AND t.status IN ('WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED') AND NOT EXISTS (SELECT 1
				FROM payables p
				WHERE p.transaction_id = y.transaction_id AND p.position = y.position AND p.locked = TRUE)`,
		},
	}
}
