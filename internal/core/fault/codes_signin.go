package fault

// Second factors, API clients, links in mails, limits.
const (
	TooManyAttempts    Code = "TOO_MANY_ATTEMPTS"
	WorkRequired       Code = "PROOF_OF_WORK_REQUIRED"
	RateLimited        Code = "RATE_LIMITED"
	CodeInvalid        Code = "TWO_FACTOR_CODE_INVALID"
	TwoFactorSetup     Code = "TWO_FACTOR_SETUP_REQUIRED"
	TwoFactorOff       Code = "TWO_FACTOR_NOT_ENABLED"
	TwoFactorNotBegun  Code = "TWO_FACTOR_NOT_GENERATED"
	TwoFactorNeeded    Code = "TWO_FACTOR_REQUIRED"
	StepUpRequired     Code = "STEP_UP_REQUIRED"
	SessionForeign     Code = "SESSION_FOREIGN"
	PeopleOnly         Code = "PEOPLE_ONLY"
	ScopeRequired      Code = "SCOPE_REQUIRED"
	ScopeUnknown       Code = "SCOPE_UNKNOWN"
	SourceNotAllowed   Code = "SOURCE_NOT_ALLOWED"
	APIClientLimit     Code = "API_CLIENT_LIMIT"
	APIClientExpired   Code = "API_CLIENT_EXPIRED"
	LinkInvalid        Code = "LINK_INVALID"
	EmailUnconfirmed   Code = "EMAIL_UNCONFIRMED"
	EmailTaken         Code = "EMAIL_TAKEN"
	ChangeStatusSelf   Code = "CHANGE_STATUS_SELF"
	AccountSetUp       Code = "ACCOUNT_SET_UP"
	PasswordTooShortBy Code = "PASSWORD_TOO_SHORT_ALONE"

	SignOnRequired  Code = "SIGN_ON_REQUIRED"
	SignOnNone      Code = "SIGN_ON_NONE"
	SignOnState     Code = "SIGN_ON_STATE"
	SignOnRefused   Code = "SIGN_ON_REFUSED"
	SignOnNoAccess  Code = "SIGN_ON_NO_ACCESS"
	SignOnIssuer    Code = "SIGN_ON_ISSUER_INVALID"
	SignOnEmergency Code = "SIGN_ON_EMERGENCY_MISSING"
	DomainTaken     Code = "DOMAIN_TAKEN"
	DomainUnproven  Code = "DOMAIN_NOT_PROVEN"
	DomainLimit     Code = "DOMAIN_LIMIT"

	PasskeyInvalid      Code = "PASSKEY_INVALID"
	PasskeyCopied       Code = "PASSKEY_COPIED"
	PasskeyNone         Code = "PASSKEY_NONE"
	PasskeyLimit        Code = "PASSKEY_LIMIT"
	PasskeysUnavailable Code = "PASSKEYS_UNAVAILABLE"
	LastSecondFactor    Code = "LAST_SECOND_FACTOR"
)

var signinCodes = map[Code]string{
	TooManyAttempts: "There were too many attempts. Retry-After says when the next one is possible.",
	WorkRequired: "Very many sign in or register at the moment, or many from your network. Prove a moment's work: " +
		"append a dot and a number to the member challenge such that SHA-256(SHA-256(challenge) + number) begins " +
		"with so many zero bits as its second part says, and send the request again with that text in the header " +
		"Proof-Of-Work.",
	RateLimited: "The credential or address has sent more requests than it may. RateLimit-* and Retry-After " +
		"say when the next one is possible.",
	CodeInvalid: "The code is wrong, or was used before. Every code works once.",
	TwoFactorSetup: "The account must set up a second factor first: POST /auth/2fa/generate, then " +
		"/auth/2fa/verify.",
	TwoFactorOff:      "Two-factor sign-in is not on.",
	TwoFactorNotBegun: "There is no secret to verify, or it is too old: generate one first.",
	TwoFactorNeeded:   "The platform requires a second factor of this account; it cannot be switched off.",
	StepUpRequired: "The operation needs a second factor that is at most 10 minutes old: send a code in the " +
		"header X-2FA-Code, or to POST /auth/2fa/step-up before.",
	SessionForeign: "The cookie of a session is taken only from the console's own pages, which the browser says this " +
		"call does not come from. Open the console at the address in http.base_url.",
	PeopleOnly:       "The operation is for people who have signed in, not for API clients.",
	ScopeRequired:    "The API client does not have the scope that this operation needs.",
	ScopeUnknown:     "The scope is not one of this service.",
	SourceNotAllowed: "The API client may not be used from this address.",
	APIClientLimit:   "The user has as many API clients as one may have.",
	APIClientExpired: "The time for which the API client was created is over.",
	LinkInvalid:      "The link is unknown, used, replaced by a newer one, or expired.",
	EmailUnconfirmed: "The e-mail address must be confirmed first, by the link in the mail that was sent to it.",
	EmailTaken:       "The e-mail address belongs to another account.",
	ChangeStatusSelf: "Nobody can deactivate his own account.",
	AccountSetUp:     "The account has been set up already.",
	PasswordTooShortBy: "The password is too short to stand alone: change it to a longer one before the second " +
		"factor is switched off.",
	SignOnRequired: "People with an address of this organisation sign in by its provider. The password does not sign in.",
	SignOnNone:     "No organisation signs people with this address in by a provider.",
	SignOnState:    "The answer of the provider belongs to no sign-in of this browser, or came too late. Begin again.",
	SignOnRefused:  "The provider has not signed the person in, or what it has sent is not sound. The text says which.",
	SignOnNoAccess: "The provider has signed the person in, and the organisation does not let him in. The text says why.",
	SignOnIssuer:   "The issuer cannot be that of a provider.",
	SignOnEmergency: "Before the provider is required, an admin with a password and a second factor must be named, so that " +
		"somebody can sign in when the provider cannot.",
	DomainTaken:    "Another organisation has proven that the domain is its own.",
	DomainUnproven: "The domain is not proven: its DNS does not have the record yet.",
	DomainLimit:    "The organisation has as many domains as it may have.",
	PasskeyInvalid: "The passkey was not accepted: it is unknown, was made for another address, did not verify the " +
		"person, or answers a challenge that is used or too old.",
	PasskeyCopied:       "The passkey was not accepted: its counter went back, so somebody may hold a copy of it.",
	PasskeyNone:         "The account has no passkey.",
	PasskeyLimit:        "The user has as many passkeys as one may have.",
	PasskeysUnavailable: "Passkeys need a host name, and this service is reached under an IP address.",
	LastSecondFactor:    "It is the only second factor that is left, and can only be switched off as a whole.",
}
