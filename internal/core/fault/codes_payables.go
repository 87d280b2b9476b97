package fault

// Payables and the transactions that are made of them.
const (
	PayableNotDraft    Code = "PAYABLE_NOT_DRAFT"
	PayableNotApproved Code = "PAYABLE_NOT_APPROVED"
	PayableUnknown     Code = "PAYABLE_UNKNOWN"
	PayableTwice       Code = "PAYABLE_TWICE"
	PayableReserved    Code = "PAYABLE_RESERVED"
	PayableChanged     Code = "PAYABLE_CHANGED"
	PayableTypeMixed   Code = "PAYABLE_TYPE_MIXED"
	CreditorReference  Code = "CREDITOR_REFERENCE_INVALID"
	DefaultWallet      Code = "DEFAULT_WALLET_MISSING"
	TxOfPayables       Code = "TX_OF_PAYABLES"
	TxPayableGone      Code = "TX_PAYABLE_GONE"
	DocumentUnknown    Code = "DOCUMENT_UNKNOWN"
)

var payableCodes = map[Code]string{
	PayableNotDraft:    "Only a payable that is DRAFT can be changed, rejected or approved.",
	PayableNotApproved: "Only payables that are APPROVED can be paid.",
	PayableUnknown:     "There is no such payable, or it is not yours: the two answers are the same.",
	PayableTwice:       "Each payable is paid once: name it once.",
	PayableReserved: "The payable belongs to another transaction. It is free again when that is deleted or has " +
		"failed.",
	PayableChanged:   "The payable was changed at the same moment, or is no longer what was approved. Read it again.",
	PayableTypeMixed: "One transaction pays payables of one type: FIAT, or CRYPTO.",
	CreditorReference: "A creditor reference is a QR reference (27 digits) or an ISO 11649 reference (RF…), with " +
		"right check digits.",
	DefaultWallet: "Payables are paid from a wallet of the organisation's own receiver. None that is proven is on " +
		"a network where the token can pay these.",
	TxOfPayables: "The transaction is made of payables: change those, and delete the transaction while it is " +
		"a draft.",
	DocumentUnknown: "There is no such document, or it is not yours: the two answers are the same.",
	TxPayableGone: "A payable was removed from the draft, because its payee was changed. Delete the draft " +
		"and create another one.",
}
