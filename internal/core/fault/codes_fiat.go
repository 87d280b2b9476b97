package fault

// FIAT and ONRAMP transactions.
const (
	CurrencyMismatch    Code = "CURRENCY_MISMATCH"
	AmountBelowMinimum  Code = "AMOUNT_BELOW_MINIMUM"
	CurrencyNotOnramp   Code = "CURRENCY_NOT_ONRAMPABLE"
	TokenNotOnramp      Code = "TOKEN_NOT_ONRAMPABLE"
	TxNotForType        Code = "TX_NOT_FOR_TYPE"
	TxNotSubmitted      Code = "TX_NOT_SUBMITTED"
	TxDepositAssigned   Code = "TX_DEPOSIT_UNDER_WAY"
	TransactionTooLarge Code = "TRANSACTION_TOO_LARGE"
)

var fiatCodes = map[Code]string{
	CurrencyMismatch:    "The currency of a payment must be the currency of the bank account it goes to.",
	AmountBelowMinimum:  "The amount is below the minimum on-ramp amount: see GET /transactions/min-onramp-amount.",
	CurrencyNotOnramp:   "No deposits are taken in this currency: see GET /transactions/onramp-currencies.",
	TokenNotOnramp:      "The token cannot be bought by a deposit.",
	TxNotForType:        "The operation does not exist for transactions of this type.",
	TxNotSubmitted:      "The transaction has not been submitted yet.",
	TxDepositAssigned:   "A deposit names this transaction; the platform's people decide about it.",
	TransactionTooLarge: "The payments cost more tokens together than one transaction can move.",
}
