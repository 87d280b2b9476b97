package fault

// Statements, invoices and bookkeeping.
const (
	InvoiceTooEarly  Code = "INVOICE_TOO_EARLY"
	InvoiceNoIssuer  Code = "INVOICE_ISSUER_UNKNOWN"
	InvoiceNoCountry Code = "INVOICE_COUNTRY_MISSING"
	NothingGivenBack Code = "NOTHING_GIVEN_BACK"
	NoFees           Code = "NO_FEES"
	DownloadInvalid  Code = "DOWNLOAD_LINK_INVALID"
	DownloadOutdated Code = "DOWNLOAD_LINK_EXPIRED"
	BookkeepingEmpty Code = "BOOKKEEPING_EMPTY"
	BookkeepingUnfit Code = "BOOKKEEPING_UNFIT"
	OpeningRecorded  Code = "OPENING_RECORDED"
	OpeningWithdrawn Code = "OPENING_WITHDRAWN"
	OpeningTooEarly  Code = "OPENING_TOO_EARLY"
	PeriodNotOver    Code = "PERIOD_NOT_OVER"
	PeriodOutOfOrder Code = "PERIOD_OUT_OF_ORDER"
	PeriodTooLarge   Code = "PERIOD_TOO_LARGE"
)

var statementCodes = map[Code]string{
	InvoiceTooEarly: "The transaction has not ended, so its cost is not final. Ask again when it is " +
		"COMPLETED or FAILED.",
	InvoiceNoIssuer:  "This deployment cannot issue invoices: the setting operator.name is empty.",
	InvoiceNoCountry: "The organisation's country is not set, and the VAT of its invoices depends on it.",
	NothingGivenBack: "No fee of the transaction was given back, so there is no credit note.",
	NoFees:           "The organisation's book has no fee in the month.",
	DownloadInvalid:  "The link is not one of this service, or was changed. Ask for a new one.",
	DownloadOutdated: "The link was valid for ten minutes. Ask for a new one.",
	OpeningRecorded:  "The book has an opening balance of the wallet and token, or of the currency, already.",
	OpeningWithdrawn: "The opening balance was withdrawn already.",
	OpeningTooEarly:  "The first block of the day is not final yet.",
	PeriodNotOver:    "The month is not over yet in the time zone of the organisation.",
	PeriodOutOfOrder: "Months of a book are closed one after the other, and reopened from the last one back.",
	PeriodTooLarge:   "The book has more journals in the month than can be closed at once.",
	BookkeepingEmpty: "Nothing went through a wallet of the organisation until the last day of the period.",
	BookkeepingUnfit: "The bookkeeping program does not take what the file would have: an account's number, a tax code, or " +
		"amounts of the home currency. The detail names it. Set other accounts, or ask for another format.",
}
