// Package screening asks whether a blockchain address may be dealt with.
//
// It promises an answer or an error, never a guess: what cannot be decided is not approved. There are two providers: ListProvider
// compares with sanctions lists that the operator supplies as files, and Simulator gives answers by the address's last digits and is
// part of a sandbox only.
package screening

import "context"

// Status is what a provider says of an address. The words are those of walletAnalysisStatus.
type Status string

// The answers.
const (
	Approved Status = "APPROVED"
	Review   Status = "REVIEW"   // a person has to look
	Rejected Status = "REJECTED" // must not be dealt with
	Error    Status = "ERROR"    // the provider could not say; counts as not approved
)

// Result is one answer.
type Result struct {
	Status    Status
	Reference string // the provider's own name of this analysis or list, for the file
	Message   string // why it is not approved, for people
}

// Provider screens addresses. network is the network's identifier. An error means that nothing was found out; asking again is harmless.
// It may be slow and is never asked inside a database transaction.
type Provider interface {
	Screen(ctx context.Context, network, address string) (Result, error)
}
