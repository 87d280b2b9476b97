package fault

// Second persons.
const (
	SecondPersonRequired Code = "SECOND_PERSON_REQUIRED"
	SecondPersonMissing  Code = "SECOND_PERSON_MISSING"
	MorePeopleRequired   Code = "MORE_PEOPLE_REQUIRED"
	AgreementNotNeeded   Code = "AGREEMENT_NOT_NEEDED"
	ApprovalDecided      Code = "APPROVAL_DECIDED"
	ApprovalForMembers   Code = "APPROVAL_FOR_MEMBERS"
	ApprovalTooEarly     Code = "APPROVAL_TOO_EARLY"
	ApprovalExpired      Code = "APPROVAL_EXPIRED"
	ApprovalOvertaken    Code = "APPROVAL_OVERTAKEN"
	OperatorTooNew       Code = "OPERATOR_TOO_NEW"
	PayeeNotApproved     Code = "PAYEE_NOT_APPROVED"
	PayeeTooNew          Code = "PAYEE_TOO_NEW"
)

var approvalCodes = map[Code]string{
	SecondPersonRequired: "The organisation's policy requires another person for this: one who has had no part " +
		"in what is decided.",
	MorePeopleRequired: "The organisation's policy wants several people to accept the transaction together, and not enough " +
		"others have agreed yet.",
	AgreementNotNeeded: "One person is enough to accept the transaction, so nobody has to agree first. Accept it.",
	SecondPersonMissing: "The organisation has too few active admins for the policy: a second person could never " +
		"decide.",
	ApprovalDecided:  "The approval was decided already, or a newer request has replaced it.",
	ApprovalTooEarly: "The change can only be rejected for now: others get time to notice it.",
	ApprovalForMembers: "The approval is about whom the organisation pays: its own members decide it, and not " +
		"the platform.",
	ApprovalExpired:   "The operators' request was not approved within a week. Ask again.",
	ApprovalOvertaken: "The record has changed since the approval was requested. Read it again, and ask again.",
	OperatorTooNew: "Whoever has become an operator, or another one of the platform's people, in the last 24 hours " +
		"cannot be the second person: the operators get time to notice it.",
	PayeeNotApproved: "The organisation's policy requires a second person to approve new and changed " +
		"payees. This one was not approved.",
	PayeeTooNew: "The organisation's policy delays payments to new payees, and this payee is too new.",
}
