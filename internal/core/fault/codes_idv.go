package fault

// Identity verification.
const (
	VerificationFinal Code = "VERIFICATION_FINAL"
	ApplicantFixed    Code = "APPLICANT_FIXED"
	ProviderRefused   Code = "IDENTITY_PROVIDER_REFUSED"
	WebhookSignature  Code = "WEBHOOK_SIGNATURE_INVALID"
	ReviewNotOpen     Code = "REVIEW_NOT_OPEN"
	ReviewChanged     Code = "REVIEW_CHANGED"
	ReviewIncomplete  Code = "REVIEW_INCOMPLETE"
)

var idvCodes = map[Code]string{
	VerificationFinal: "The verification was rejected for good: no further documents are taken. Ask the platform's " +
		"support.",
	ApplicantFixed: "The data of a person or an organisation cannot be changed during its verification, or " +
		"after the answer.",
	ProviderRefused: "The identity provider refused the data. Sending the same data again does not help.",
	ReviewNotOpen:   "The verification by hand is not waiting for a decision.",
	ReviewChanged:   "The verification has changed since it was looked at. Nothing was decided.",
	ReviewIncomplete: "A verification is approved when every point of its checklist is ticked and screening is " +
		"clear.",
	WebhookSignature: "The event was not signed by the identity provider, or does not come from one of its addresses.",
}
