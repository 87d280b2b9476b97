package fault

// Statements and invoices.
const (
	InvoiceTooEarly  Code = "INVOICE_TOO_EARLY"
	InvoiceNothing   Code = "INVOICE_NOTHING_CHARGED"
	InvoiceNoIssuer  Code = "INVOICE_ISSUER_UNKNOWN"
	DownloadInvalid  Code = "DOWNLOAD_LINK_INVALID"
	DownloadOutdated Code = "DOWNLOAD_LINK_EXPIRED"
)

var statementCodes = map[Code]string{
	InvoiceTooEarly: "The transaction has not come to its end, so it is not settled yet what it costs. Ask again " +
		"when it is COMPLETED or FAILED.",
	InvoiceNothing: "Nothing was charged for the transaction, so there is nothing to be invoiced.",
	InvoiceNoIssuer: "This deployment cannot write invoices: its operator has not said in whose name (setting " +
		"operator.name).",
	DownloadInvalid:  "The link is not one of this service, or was changed. Ask for a new one.",
	DownloadOutdated: "The link was good for ten minutes. Ask for a new one.",
}
