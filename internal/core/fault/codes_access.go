package fault

// Sign-in and access.
const (
	TokenMissing       Code = "TOKEN_MISSING"
	TokenInvalid       Code = "TOKEN_INVALID"
	CredentialsInvalid Code = "CREDENTIALS_INVALID"
	RefreshReused      Code = "REFRESH_TOKEN_REUSED"
	NoOrganisation     Code = "NO_ORGANISATION"
	RoleRequired       Code = "ROLE_REQUIRED"
	AccountInactive    Code = "ACCOUNT_INACTIVE"
	PasswordWeak       Code = "PASSWORD_WEAK"
	InvitationInvalid  Code = "INVITATION_INVALID"
	InvitationWaits    Code = "INVITATION_WAITS"
	OnboardingMove     Code = "ONBOARDING_TRANSITION_REFUSED"
	OrgNotApproved     Code = "ORG_NOT_APPROVED"
	MemberNotAuthor    Code = "MEMBER_NOT_AUTHORIZED"
	MemberExists       Code = "MEMBER_EXISTS"
	MemberLimit        Code = "MEMBER_LIMIT"
	InvitationLimit    Code = "INVITATION_LIMIT"
	LastAdmin          Code = "LAST_ADMIN"

	OrganisationLimit     Code = "ORGANISATION_LIMIT"
	OrganisationNameFixed Code = "ORGANISATION_NAME_FIXED"
	ColourContrast        Code = "COLOUR_CONTRAST"
	LogoInvalid           Code = "LOGO_INVALID"
)

var accessCodes = map[Code]string{
	TokenMissing:       "The operation needs an access token.",
	TokenInvalid:       "The token is unknown, expired or revoked, or of another kind. Refresh it or log in again.",
	CredentialsInvalid: "The e-mail address or the password is wrong.",
	RefreshReused: "The refresh token was used before. All sessions that came from it have been ended; log in " +
		"again.",
	NoOrganisation:    "The user belongs to no organisation yet.",
	RoleRequired:      "The caller does not have the role this operation needs.",
	AccountInactive:   "The account or the organisation is deactivated.",
	PasswordWeak:      "The password is too short, too long, or too common.",
	InvitationWaits:   "The invitation waits for another admin. It is sent when it is approved.",
	InvitationInvalid: "The invitation is unknown, used, expired, or for another e-mail address.",
	OnboardingMove:    "The onboarding status cannot change in this way.",
	OrgNotApproved:    "The organisation's onboardingStatus must be APPROVED first.",
	MemberNotAuthor:   "The member must be AUTHORIZED for this.",
	MemberExists:      "The person is a member of the organisation already.",
	MemberLimit:       "The organisation has as many members or open invitations as it may have.",
	InvitationLimit: "The organisation has sent as many invitations today as it may, or the address has " +
		"received as many.",
	LastAdmin: "An organisation keeps at least one active admin.",

	OrganisationLimit: "The user is in as many organisations as one may be in.",
	ColourContrast:    "The colour is too light: white text on it cannot be read.",
	LogoInvalid:       "The logo is no PNG or JPEG picture, is too large, or is damaged.",
	OrganisationNameFixed: "The name was verified, is being verified, or is known to the identity provider. " +
		"Then POST /idv/update-applicant-info corrects it in both places.",
}
