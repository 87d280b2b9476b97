package fault

// Identity verification.
const (
	VerificationFinal Code = "VERIFICATION_FINAL"
	ApplicantFixed    Code = "APPLICANT_FIXED"
	ProviderRefused   Code = "IDENTITY_PROVIDER_REFUSED"
	WebhookSignature  Code = "WEBHOOK_SIGNATURE_INVALID"
)

var idvCodes = map[Code]string{
	VerificationFinal: "The verification was rejected for good: no further documents are taken. Ask the platform's " +
		"support.",
	ApplicantFixed: "The data of a person or an organisation cannot be changed during its verification, or " +
		"after the answer.",
	ProviderRefused:  "The identity provider refused the data. Sending the same data again does not help.",
	WebhookSignature: "The event was not signed by the identity provider, or does not come from one of its addresses.",
}
