package fault

// Second persons.
const (
	SecondPersonRequired Code = "SECOND_PERSON_REQUIRED"
	SecondPersonMissing  Code = "SECOND_PERSON_MISSING"
	ApprovalDecided      Code = "APPROVAL_DECIDED"
	ApprovalForMembers   Code = "APPROVAL_FOR_MEMBERS"
	ApprovalTooEarly     Code = "APPROVAL_TOO_EARLY"
	ApprovalExpired      Code = "APPROVAL_EXPIRED"
	ApprovalOvertaken    Code = "APPROVAL_OVERTAKEN"
	PayeeNotApproved     Code = "PAYEE_NOT_APPROVED"
	PayeeTooNew          Code = "PAYEE_TOO_NEW"
)

var approvalCodes = map[Code]string{
	SecondPersonRequired: "The organisation's policy wants another person for this: one who has not had a part in " +
		"what is decided.",
	SecondPersonMissing: "The organisation has too few active admins for the policy: a second person could never " +
		"decide.",
	ApprovalDecided:  "The approval was decided already, or a newer request took its place.",
	ApprovalTooEarly: "The change waits for a while in which it can only be rejected, so that others notice it.",
	ApprovalForMembers: "The approval is about whom the organisation pays: its own members decide it, and not " +
		"the platform.",
	ApprovalExpired: "What operators ask for can be approved for a week. Ask again.",
	ApprovalOvertaken: "What the approval is about is no longer as it was when it was asked for. Look again, " +
		"and ask again.",
	PayeeNotApproved: "The organisation's policy wants a second person to approve new and changed payees, and " +
		"this one was not approved.",
	PayeeTooNew: "The organisation's policy lets nothing be paid to a new payee before some time has passed.",
}
