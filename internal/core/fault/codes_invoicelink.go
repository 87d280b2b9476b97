package fault

// Invoice links.
const (
	InvoiceLinkClosed        Code = "INVOICE_LINK_CLOSED"
	InvoiceLinkFixed         Code = "INVOICE_LINK_FIXED"
	InvoiceLinkReceiverKnown Code = "INVOICE_LINK_RECEIVER_KNOWN"
	InvoiceLinkEmail         Code = "INVOICE_LINK_EMAIL"
	InvoiceLinkIncomplete    Code = "INVOICE_LINK_INCOMPLETE"
	InvoiceLinkLimit         Code = "INVOICE_LINK_LIMIT"
	ReceiverAmbiguous        Code = "RECEIVER_AMBIGUOUS"
	ProposalChanged          Code = "PROPOSAL_CHANGED"
	ProposalDecided          Code = "PROPOSAL_DECIDED"
	ProposalOpen             Code = "PROPOSAL_OPEN"
)

var invoiceLinkCodes = map[Code]string{
	InvoiceLinkClosed: "The invoice link is no longer open: its payable was made, it was revoked, or it has " +
		"expired.",
	InvoiceLinkFixed: "The submitted invoice is being checked and can no longer be changed. Ask for " +
		"another link.",
	InvoiceLinkReceiverKnown: "The link is for a receiver that is known already, so it must not send its details.",
	InvoiceLinkEmail:         "The e-mail address must be the one that the link was sent to.",
	InvoiceLinkIncomplete:    "The submission by the link is incomplete.",
	InvoiceLinkLimit:         "There were too many operations with invoice links.",
	ReceiverAmbiguous:        "There is not exactly one receiver with this e-mail address: name the receiver.",
	ProposalChanged:          "The link's proposal is not the one that was named. Read it again.",
	ProposalDecided:          "The proposal was decided already.",
	ProposalOpen: "The link proposes another account or wallet for a known receiver. Confirm or refuse " +
		"that first, or name one that the receiver has.",
}
