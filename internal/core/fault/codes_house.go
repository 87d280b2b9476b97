package fault

// The house's own balances.
const (
	MovementUnproven Code = "MOVEMENT_UNPROVEN"
	MovementRecorded Code = "MOVEMENT_RECORDED"
	NothingToRelease Code = "NOTHING_TO_RELEASE"
)

var houseCodes = map[Code]string{
	MovementUnproven: "No final transaction of the network shows that tokens were moved into its treasury, or out " +
		"of it. Wait until it is final, and ask again.",
	MovementRecorded: "The transaction is in the books already: it was recorded before, or it is one of the " +
		"service's own.",
	NothingToRelease: "The house's balance does not differ, or by no more than two operators have accepted.",
}
