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
	InvoiceLinkFixed: "What was handed in is being looked at and cannot be changed any more. Ask for " +
		"another link.",
	InvoiceLinkReceiverKnown: "The link is for a receiver that is known already: it is not asked who it is.",
	InvoiceLinkEmail:         "The e-mail address must be the one that the link was sent to.",
	InvoiceLinkIncomplete:    "Something that is needed was not handed in by the link.",
	InvoiceLinkLimit:         "Something was done with invoice links more often than is allowed.",
	ReceiverAmbiguous:        "There is not exactly one receiver with this e-mail address: name the receiver.",
	ProposalChanged:          "The link proposes something else than what was named, or nothing. Look at it again.",
	ProposalDecided:          "The proposal was decided already.",
	ProposalOpen: "The link proposes another account or wallet for a known receiver. Confirm or refuse " +
		"that first, or name one that the receiver has.",
}
