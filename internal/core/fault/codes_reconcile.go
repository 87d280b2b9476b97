package fault

// Deposits in suspense and claims against organisations.
const (
	TwoPersonsNeeded     Code = "TWO_PERSONS_NEEDED"
	DepositSettled       Code = "DEPOSIT_SETTLED"
	DepositNotAssignable Code = "DEPOSIT_NOT_ASSIGNABLE"
	DepositNotReturnable Code = "DEPOSIT_NOT_RETURNABLE"
	DepositNotReturn     Code = "DEPOSIT_NOT_A_RETURN"
	ReturnNotOpen        Code = "RETURN_NOT_OPEN"
	ReceivableSettled    Code = "RECEIVABLE_SETTLED"
)

var reconcileCodes = map[Code]string{
	TwoPersonsNeeded: "Two different people decide about this; the one who proposed it cannot confirm it too.",
	DepositSettled:   "The item was decided already.",
	DepositNotAssignable: "The deposit cannot pay this transaction: it does not wait, or waits for another " +
		"currency or a smaller amount.",
	DepositNotReturnable: "The bank's payment files cannot carry the deposit back: its sender or the sender's " +
		"account is not known well enough.",
	DepositNotReturn: "The deposit cannot be the return of this payment: that one was not executed from the " +
		"deposit's account, or less of it is still out.",
	ReturnNotOpen:     "None of the payment is held as fiat, or it cannot be paid in this way.",
	ReceivableSettled: "Nothing of what the organisation owed is owed any more.",
}
