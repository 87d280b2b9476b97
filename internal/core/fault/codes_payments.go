package fault

// Transactions and their settlement.
const (
	AmountForm          Code = "AMOUNT_INVALID"
	AmountPrecision     Code = "AMOUNT_PRECISION"
	AmountZero          Code = "AMOUNT_ZERO"
	AmountTooLarge      Code = "AMOUNT_TOO_LARGE"
	TokenUnknown        Code = "TOKEN_UNKNOWN"
	TokenNotOnNetwork   Code = "TOKEN_NOT_ON_NETWORK"
	TokenSwapMissing    Code = "TOKEN_SWAP_UNAVAILABLE"
	TypeUnsupported     Code = "TRANSACTION_TYPE_UNSUPPORTED"
	PaymentTypeMismatch Code = "PAYMENT_TYPE_MISMATCH"
	PayeeConflict       Code = "PAYEE_CONFLICT"
	PayeeNetwork        Code = "PAYEE_NETWORK_MISMATCH"
	PayerWallet         Code = "PAYER_WALLET_UNUSABLE"
	PartnerUnknown      Code = "PARTNER_UNKNOWN"
	TxNotDraft          Code = "TX_NOT_DRAFT"
	TxNotWaiting        Code = "TX_NOT_WAITING_ACCEPTANCE"
	TxNotDeletable      Code = "TX_NOT_DELETABLE"
	TxNothingFailed     Code = "TX_NOTHING_FAILED"
	PossibleDuplicate   Code = "POSSIBLE_DUPLICATE"
	TxMadeAgain         Code = "TX_MADE_AGAIN"
	TxNotReviewable     Code = "TX_NOT_REVIEWABLE"
	TxNotHeld           Code = "TX_NOT_HELD"
	TxNotDead           Code = "TX_NOT_DEAD"
	TxChanged           Code = "TX_CHANGED"
	AllowanceShort      Code = "ALLOWANCE_INSUFFICIENT"
	BalanceShort        Code = "BALANCE_INSUFFICIENT"
	ReservationShort    Code = "FUNDS_RESERVED_ELSEWHERE"
	PermitConflict      Code = "PERMIT_CONFLICT"
	DeadlineOff         Code = "SIGNATURE_DEADLINE_INVALID"
	IntentRequired      Code = "INTENT_REQUIRED"
	DailyCapMissing     Code = "DAILY_CAP_MISSING"
)

var paymentCodes = map[Code]string{
	AmountForm: "An amount is a text of digits with at most one point: no sign, exponent, spaces or " +
		"leading zeros.",
	AmountPrecision:   "The amount has more decimals than its asset.",
	AmountZero:        "The amount must be more than zero.",
	AmountTooLarge:    "The amount is larger than can be paid in one payment.",
	TokenUnknown:      "The token is not one that is offered.",
	TokenNotOnNetwork: "The token does not exist on this network.",
	TokenSwapMissing: "The payment's token must be the transaction's token: no swap provider is configured for " +
		"the pair.",
	TypeUnsupported:     "This deployment does not carry out transactions of this type.",
	PaymentTypeMismatch: "A payment's type must be its transaction's type.",
	PayeeConflict:       "Give either `wallet`, or `walletAddress` with `walletType` and `network`.",
	PayeeNetwork:        "The payment goes to another network than the transaction pays from.",
	PayerWallet:         "`walletAddress` must be a stored wallet of your organisation's own receiver.",
	PartnerUnknown:      "The partner is not one of your credential.",
	TxNotDraft:          "The transaction is no longer DRAFT.",
	TxNotWaiting:        "The transaction is not WAITING_ACCEPTANCE.",
	PossibleDuplicate: "The same receiver and amount, creditor reference or document stands in another transaction " +
		"or payable. It is a remark and stops nothing.",
	TxNothingFailed: "The payment that is to be made again is not one of your organisation that has failed for good.",
	TxMadeAgain:     "Another transaction makes the failed payment again. It can be made again once.",
	TxNotDeletable:  "Only DRAFT and WAITING_ACCEPTANCE transactions can be deleted.",
	TxNotReviewable: "The transaction may already have had an effect outside; it can no longer be rejected.",
	TxNotHeld:       "Nothing of the transaction is on hold.",
	TxNotDead: "What is held of the transaction may still take effect. detail says what has to be final on the chain " +
		"first.",
	TxChanged:      "Someone else changed the transaction at the same moment. Read it again.",
	AllowanceShort: "The wallet has not approved enough token spending.",
	BalanceShort:   "The wallet does not hold enough of the token.",
	PermitConflict: "A permit replaces the wallet's approval, and another submitted transaction of the wallet rests " +
		"on that, or brings a permit itself.",
	DeadlineOff: "The deadline of a signature is too near or too far.",
	IntentRequired: "The wallet has set on the router that every batch needs its signature, or its organisation's " +
		"policy wants that.",
	DailyCapMissing: "The wallet's daily cap on the router is higher than its organisation's policy allows, or there " +
		"is none.",
	ReservationShort: "Other submitted transactions have reserved what the wallet holds or has approved.",
}
