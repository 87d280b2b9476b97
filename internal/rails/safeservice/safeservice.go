// Package safeservice speaks with Safe's transaction service: a notice board on which owners of Safes see what they are
// asked to sign, and leave their signatures. Nothing that it says is believed: whoever uses a signature verifies it
// against the chain, and whether something was carried out is read there too.
//
// Read safeservice.go, then client.go for the live adapter; safesim is a server with books that stands in for the
// service.
package safeservice

import "errors"

// Errors that callers compare with errors.Is.
var (
	ErrBusy    = errors.New("the Safe transaction service is asked no more for a while")
	ErrUnknown = errors.New("the Safe transaction service does not know it")
	ErrRefused = errors.New("the Safe transaction service refuses it")
)

// Proposal is a SafeTx with the signature of whoever shows it: an owner, or a delegate, whose signature confirms
// nothing. The five fields of gas and refund are zero.
type Proposal struct {
	Safe, To, Data string
	Operation      int64
	Nonce          int64
	Hash           string // safeTxHash
	Sender         string
	Signature      string
	Origin         string // what people see of who proposes
}
