package main

// What the benchmark reads and changes in the service's database beside the yardsticks.
const (
	newestGas         = "SELECT gas_used FROM chain_receipts ORDER BY block DESC LIMIT 1"
	countCompleted    = "SELECT count(*) FROM transactions WHERE status = 'COMPLETED'"
	countReceipts     = "SELECT count(*) FROM chain_receipts WHERE ok = TRUE"
	countMatched      = "SELECT count(*) FROM deposits WHERE state = 'MATCHED'"
	countSuspense     = "SELECT count(*) FROM deposits WHERE state = 'SUSPENSE'"
	releaseEverything = "UPDATE reservations SET released_at = 1 WHERE released_at = 0"
)

// The newest transactions by when they were completed, and the newest receipts by block.
const (
	completedAt = `SELECT updated_at, count(*) FROM (SELECT updated_at FROM transactions
		WHERE status = 'COMPLETED' ORDER BY updated_at DESC LIMIT ?) x
		GROUP BY updated_at ORDER BY updated_at`
	receiptsIn = `SELECT block, count(*) FROM (SELECT block FROM chain_receipts
		ORDER BY block DESC LIMIT ?) x GROUP BY block ORDER BY block`
)
