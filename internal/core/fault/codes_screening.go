package fault

// Screening of addresses and names.
const (
	AddressNotScreened    Code = "ADDRESS_NOT_SCREENED"
	NameRejected          Code = "NAME_SCREENING_REJECTED"
	NameInReview          Code = "NAME_IN_REVIEW"
	CaseDecided           Code = "SCREENING_CASE_DECIDED"
	ScreeningSecondPerson Code = "SCREENING_SECOND_PERSON"
)

var screeningCodes = map[Code]string{
	AddressNotScreened: "Screening could not approve the address: it waits for a person, or could not be " +
		"screened at all.",
	NameRejected: "The name stands on a sanctions list, or people have confirmed that it is a listed party's.",
	NameInReview: "The name resembles one on a sanctions list; people check whether it is the same party.",
	CaseDecided:  "The case was decided in this way already.",
	ScreeningSecondPerson: "Whoever has proposed a decision about a name or a wallet does not confirm it: another " +
		"person has to.",
}
