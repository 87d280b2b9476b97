package transaction

import "slipway/internal/core/state"

// actors says who makes a move, cause by cause.
var actors = map[string]state.Actor{
	"create": state.Member,
	"edit":   state.Member,
	"submit": state.Member,
	"accept": state.Member,

	"review":                       state.Platform,
	"review before any effect":     state.Platform,
	"set off against what is owed": state.Platform,
	"what was owed is given up":    state.Platform,
	"deposit assigned":             state.Platform,
	"deposit goes back":            state.Platform,
	"let go":                       state.Platform,
	"looked at again":              state.Platform,
	"refund tried again":           state.Platform,

	"could not be delivered":              state.Service,
	"could not be paid":                   state.Service,
	"evidence disagrees":                  state.Service,
	"evidence found":                      state.Service,
	"held":                                state.Service,
	"no payment can be made":              state.Service,
	"others are at the bank":              state.Service,
	"others are paid":                     state.Service,
	"others are paid and a refund failed": state.Service,
	"proof that nothing was sent":         state.Service,
	"quoted anew":                         state.Service,
	"resent with repaired details":        state.Service,
	"settlement step":                     state.Service,
	"tokens go back":                      state.Service,

	"conversion filled":       state.Provider,
	"conversion refused":      state.Provider,
	"every conversion filled": state.Provider,

	"every payment failed": state.Chain,
	"final":                state.Chain,
	"final on the chain":   state.Chain,
	"further refund final": state.Chain,
	"refund final":         state.Chain,
	"refund failed":        state.Chain,
	"reorganised":          state.Chain,
	"seen on the chain":    state.Chain,

	"what was owed is paid":     state.Bank,
	"booked debits":             state.Bank,
	"deposit matched":           state.Bank,
	"deposit missing":           state.Service,
	"deposit reversed":          state.Bank,
	"every payment rejected":    state.Bank,
	"further inexact deposit":   state.Bank,
	"further return":            state.Bank,
	"handed over to the bank":   state.Service,
	"inexact deposit":           state.Bank,
	"inexact deposit sent back": state.Platform,
	"late return":               state.Bank,
	"refund booked":             state.Bank,
	"refund rejected":           state.Bank,
	"resent payment booked":     state.Bank,
	"return":                    state.Bank,
}

type (
	note           = state.Note[Status]
	settlementNote = state.Note[SettlementStatus]
)

// notes says what a status means, and whom it waits for.
var notes = []note{
	{State: StatusDraft, Meaning: "It may still be changed.", Waits: state.Member},
	{State: StatusWaiting, Meaning: "Its details are locked and its amount is reserved.", Waits: state.Member},
	{State: StatusProcess, Meaning: "It was decided.", Waits: state.Service},
	{State: StatusReleased, Meaning: "It is on the chain and not final, or with the bank.", Waits: state.Chain},
	{State: StatusCompleted, Meaning: "At least one payment arrived, and all are final.", Waits: state.Nobody},
	{State: StatusFailed, Meaning: "Nothing arrived, and nothing will.", Waits: state.Nobody},
	{State: StatusRejected, Meaning: "It was refused in review, before any effect.", Waits: state.Nobody},
}

// settlementNotes says the same of the settlement status. Where it waits for nobody in particular, the status says who
// acts.
var settlementNotes = []settlementNote{
	{State: SettlementIdle, Meaning: "No value is under way."},
	{State: SettlementQuoted, Meaning: "The rate is locked for a while."},
	{State: SettlementAwaiting, Meaning: "Its reference is known.", Waits: state.Sender},
	{
		State:   SettlementMismatch,
		Meaning: "A deposit came that is not what it waits for.",
		Waits:   state.Platform,
	},
	{State: SettlementPulling, Meaning: "It was accepted, and the batch is being prepared.", Waits: state.Service},
	{State: SettlementReceived, Meaning: "Tokens or money are here, to be converted.", Waits: state.Provider},
	{State: SettlementConverted, Meaning: "The liquidity provider has filled every order.", Waits: state.Service},
	{State: SettlementSent, Meaning: "The batch is on the chain.", Waits: state.Chain},
	{State: SettlementAtBank, Meaning: "Every payment that is to be paid was handed over.", Waits: state.Bank},
	{State: SettlementSettled, Meaning: "All is done.", Waits: state.Nobody},
	{State: SettlementUncertain, Meaning: "Evidence disagrees.", Waits: state.Platform},
	{State: SettlementHeld, Meaning: "Something is kept back.", Waits: state.Platform},
	{State: SettlementReturned, Meaning: "A bank has sent money back.", Waits: state.Service},
	{State: SettlementRefunding, Meaning: "What could not be paid goes back.", Waits: state.Chain},
	{State: SettlementRefunded, Meaning: "What could not be paid is back.", Waits: state.Nobody},
	{
		State:   SettlementNoRefund,
		Meaning: "What was to go back was refused there, and is kept.",
		Waits:   state.Platform,
	},
}

// fiatNotes and onrampNotes are what those types mean otherwise.
var (
	fiatNotes   = []note{{State: StatusReleased, Meaning: "It is with the bank.", Waits: state.Bank}}
	onrampNotes = []settlementNote{
		{State: SettlementReceived, Meaning: "The deposit is here, to be converted.", Waits: state.Provider},
		{State: SettlementReturned, Meaning: "The deposit was taken back by its bank.", Waits: state.Sender},
		{State: SettlementRefunding, Meaning: "The deposit goes back.", Waits: state.Bank},
		{State: SettlementRefunded, Meaning: "The deposit is back.", Waits: state.Nobody},
	}
)

// fits says which settlement statuses a status is found with, whatever the type. The tables alone would say more,
// because UNCERTAIN and ON_HOLD do not remember where they came from.
var fits = map[Status][]SettlementStatus{
	StatusDraft: {SettlementIdle},
	StatusWaiting: {
		SettlementIdle,
		SettlementQuoted,
		SettlementAwaiting,
		SettlementMismatch,
		SettlementRefunding,
		SettlementNoRefund,
		SettlementHeld,
		SettlementUncertain,
	},
	StatusProcess: {
		SettlementPulling,
		SettlementReceived,
		SettlementConverted,
		SettlementReturned,
		SettlementRefunding,
		SettlementNoRefund,
		SettlementHeld,
		SettlementUncertain,
	},
	StatusReleased: {
		SettlementSent,
		SettlementAtBank,
		SettlementReturned,
		SettlementRefunding,
		SettlementNoRefund,
		SettlementHeld,
		SettlementUncertain,
	},
	StatusCompleted: {
		SettlementSettled,
		SettlementAtBank,
		SettlementReturned,
		SettlementRefunding,
		SettlementRefunded,
		SettlementNoRefund,
		SettlementHeld,
		SettlementUncertain,
	},
	StatusFailed: {
		SettlementIdle,
		SettlementSettled,
		SettlementReturned,
		SettlementRefunding,
		SettlementRefunded,
		SettlementNoRefund,
		SettlementHeld,
		SettlementUncertain,
	},
	StatusRejected: {SettlementIdle, SettlementQuoted, SettlementAwaiting},
}
