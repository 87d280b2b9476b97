package fault

// The house's own balances.
const (
	MovementUnproven Code = "MOVEMENT_UNPROVEN"
	MovementRecorded Code = "MOVEMENT_RECORDED"
	NothingToRelease Code = "NOTHING_TO_RELEASE"

	LiquidityShort      Code = "LIQUIDITY_SHORT"
	StockChangeRecorded Code = "STOCK_CHANGE_RECORDED"
	StockNotCovered     Code = "STOCK_NOT_COVERED"
)

var houseCodes = map[Code]string{
	MovementUnproven: "No final transaction of the network shows that tokens were moved into its treasury, or out " +
		"of it. Wait until it is final, and ask again.",
	MovementRecorded: "The transaction is in the books already: it was recorded before, or it is one of the " +
		"service's own.",
	NothingToRelease: "The house's balance does not differ, or by no more than two operators have accepted.",
	LiquidityShort: "The house exchanges out of its own stock, and stock and limits do not cover the amount at " +
		"present. Nothing was reserved.",
	StockChangeRecorded: "A change of the stock with this reference is recorded already.",
	StockNotCovered: "The change takes more out of the stock than is not promised to customers, or brings in " +
		"tokens that the treasury does not have.",
}
