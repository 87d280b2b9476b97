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
	DocumentTypeUnknown: "Documents are PDF, PNG or JPEG files. The content decides, not the file's name or " +
		"content type.",
	DocumentTypeMismatch: "The file's name or content type contradicts its content.",
	DocumentDamaged:      "The file begins like a PDF, PNG or JPEG file but is damaged.",
	DocumentAmbiguous: "The file is a document and something else besides, such as a web page or an archive. " +
		"Programs would disagree on what it is.",
	DocumentActive: "The PDF holds a script, starts a program or a player, sends a form, or opens another " +
		"file. Print it to a new PDF and send that.",
	DocumentProtected: "The PDF is encrypted, so that it cannot be checked. Send it without a password and " +
		"without restrictions.",
	DocumentTooLarge: "The document is small as a file but very large when it is opened: too many pixels, or " +
		"too much compressed data.",
	DocumentInfected: "The virus scanner has found something in the file.",
	DocumentQuota:    "The organisation has no space left for documents. Delete some, or ask for more.",
	DocumentInUse:    "The document belongs to a payable or a payment, so it cannot be deleted.",
}
