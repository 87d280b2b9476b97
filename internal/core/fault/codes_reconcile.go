package fault

// Deposits in suspense and claims against organisations.
const (
	TwoPersonsNeeded     Code = "TWO_PERSONS_NEEDED"
	DepositSettled       Code = "DEPOSIT_SETTLED"
	DepositNotAssignable Code = "DEPOSIT_NOT_ASSIGNABLE"
)

var reconcileCodes = map[Code]string{
	TwoPersonsNeeded:     "Two different people decide about this; the one who proposed it cannot confirm it too.",
	DepositSettled:       "What is asked is not possible any more: the item has been decided about.",
	DepositNotAssignable: "The deposit cannot pay this transaction: it does not wait, or waits for another currency or a smaller amount.",
}
