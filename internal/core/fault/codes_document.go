package fault

// Documents.
const (
	DocumentTypeUnknown  Code = "DOCUMENT_TYPE_UNSUPPORTED"
	DocumentTypeMismatch Code = "DOCUMENT_TYPE_MISMATCH"
	DocumentDamaged      Code = "DOCUMENT_DAMAGED"
	DocumentAmbiguous    Code = "DOCUMENT_AMBIGUOUS"
	DocumentActive       Code = "DOCUMENT_ACTIVE"
	DocumentProtected    Code = "DOCUMENT_PROTECTED"
	DocumentTooLarge     Code = "DOCUMENT_TOO_LARGE"
	DocumentInfected     Code = "DOCUMENT_INFECTED"
	DocumentQuota        Code = "DOCUMENT_QUOTA_EXCEEDED"
	DocumentInUse        Code = "DOCUMENT_IN_USE"
)

var documentCodes = map[Code]string{
	DocumentTypeUnknown: "Documents are PDF, PNG or JPEG files, told by their content. What the file is called or " +
		"said to be does not count.",
	DocumentTypeMismatch: "The file is something else than its name or its content type says.",
	DocumentDamaged:      "The file begins like a PDF, PNG or JPEG and is not one from its first to its last byte.",
	DocumentAmbiguous: "The file is a document and something else besides, such as a web page or an archive. " +
		"Programs would disagree on what it is.",
	DocumentActive: "The PDF holds a script, starts a program or a player, sends a form, or opens another " +
		"file. Print it to a new PDF and send that.",
	DocumentProtected: "The PDF is encrypted, so that it cannot be checked. Send it without a password and " +
		"without restrictions.",
	DocumentTooLarge: "The document is small as a file and very large when it is opened: too many pixels, or " +
		"too much that is packed.",
	DocumentInfected: "The virus scanner has found something in the file.",
	DocumentQuota:    "The organisation's documents take all the room that it has. Delete some, or ask for more.",
	DocumentInUse:    "The document belongs to a payable or a payment and stays.",
}
