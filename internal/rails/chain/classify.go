package chain

import (
	"errors"
	"strings"
)

// Outcome is the meaning of a node's answer to a transaction or an estimate. No outcome proves anything: only a receipt
// or a finalized nonce does. Outcomes decide what to try next and what to show to a person.
type Outcome string

// The outcomes.
const (
	Accepted     Outcome = "accepted"      // the node accepted it; it may still lose it
	KnownAlready Outcome = "known already" // the same bytes are in its pool or in a block
	NonceTaken   Outcome = "nonce taken"   // a transaction with this nonce is in a block: ours or another one
	Underpriced  Outcome = "underpriced"   // another transaction with this nonce is in the pool and pays as much
	NonceGap     Outcome = "nonce gap"     // an earlier nonce is missing at this node
	Unfunded     Outcome = "unfunded"      // the signer cannot pay for the gas
	PoolFull     Outcome = "pool full"     // the node accepts no more at the moment
	FeeTooLow    Outcome = "fee too low"   // below the base fee or the node's own minimum
	Reverts      Outcome = "reverts"       // of an estimate: the call fails in the present state
	Malformed    Outcome = "malformed"     // the node calls the transaction invalid for good; still no proof
	Unsupported  Outcome = "unsupported"   // the node does not know the method
	Unknown      Outcome = "unknown"       // anything else: time-outs, 5xx, broken answers, unknown texts
)

// phrases are parts of the texts of geth, Erigon, Nethermind and Besu, in lower case. The first match decides, so more
// specific phrases come first: "replacement transaction underpriced" before "transaction underpriced".
var phrases = [...]struct {
	text string
	is   Outcome
}{
	{"already known", KnownAlready},                          // geth, Erigon
	{"alreadyknown", KnownAlready},                           // Nethermind
	{"known transaction", KnownAlready},                      // Besu, old geth
	{"existing tx with same hash", KnownAlready},             // Erigon
	{"already imported", KnownAlready},                       // OpenEthereum and its proxies
	{"replacement transaction underpriced", Underpriced},     // geth, Besu
	{"could not replace existing tx", Underpriced},           // Erigon
	{"replacementnotallowed", Underpriced},                   // Nethermind
	{"nonce too low", NonceTaken},                            // geth, Erigon, Besu
	{"oldnonce", NonceTaken},                                 // Nethermind
	{"ownnoncealreadyused", NonceTaken},                      // Nethermind
	{"below sender account nonce", NonceTaken},               // Besu's validator
	{"nonce too high", NonceGap},                             // geth
	{"nonce gap", NonceGap},                                  // Erigon
	{"noncegap", NonceGap},                                   // Nethermind
	{"noncetoofarinfuture", NonceGap},                        // Nethermind
	{"nonce is too distant", NonceGap},                       // Besu
	{"invalid transaction with a lower nonce", NonceGap},     // Besu
	{"insufficient funds", Unfunded},                         // geth, Erigon
	{"insufficientfunds", Unfunded},                          // Nethermind
	{"upfront cost exceeds account balance", Unfunded},       // Besu
	{"exceeds transaction sender account balance", Unfunded}, // Besu's validator
	{"txpool is full", PoolFull},                             // geth
	{"sub-pool is full", PoolFull},                           // Erigon
	{"txpoolfull", PoolFull},                                 // Nethermind
	{"pool is full", PoolFull},                               // Besu
	{"in-flight transaction limit reached", PoolFull},        // geth, delegated accounts
	{"account limit exceeded", PoolFull},                     // geth's blob pool
	{"max fee per gas less than block base fee", FeeTooLow},  // geth
	{"feetoolow", FeeTooLow},                                 // Nethermind, FeeTooLowToCompete too
	{"fee too low", FeeTooLow},                               // Erigon
	{"gas price below", FeeTooLow},                           // Besu
	{"transaction underpriced", FeeTooLow},                   // geth: the pool's minimum
	{"underpriced", FeeTooLow},                               // Erigon
	{"execution reverted", Reverts},                          // all
	{"gas required exceeds allowance", Reverts},              // geth: no limit is enough
	{"vm execution error", Reverts},                          // Nethermind, OpenEthereum
	{"always failing transaction", Reverts},                  // old geth
	{"invalid opcode", Reverts},                              // geth, of a simulated call
	{"invalid jump destination", Reverts},                    // geth
	{"stack underflow", Reverts},                             // geth
	{"out of gas", Reverts},                                  // estimates only
	{"intrinsic gas", Malformed},                             // geth, Erigon, Besu
	{"exceeds block gas limit", Malformed},                   // geth, Besu
	{"gaslimitexceeded", Malformed},                          // Nethermind
	{"transaction gas limit too high", Malformed},            // geth: EIP-7825
	{"oversized data", Malformed},                            // geth
	{"maxtxsizeexceeded", Malformed},                         // Nethermind
	{"rlp too long", Malformed},                              // Erigon
	{"invalid sender", Malformed},                            // geth
	{"invalid chain id", Malformed},                          // geth
	{"exceeds the configured cap", Malformed},                // geth: its own limit of fees
	{"method not found", Unsupported},                        // JSON-RPC
	{"does not exist/is not available", Unsupported},         // geth
}

// Classify returns the meaning of a node's error; nil is Accepted. Anything it does not recognise is Unknown, and
// Unknown never means failed.
func Classify(err error) Outcome {
	if err == nil {
		return Accepted
	}

	var n *NodeError
	if !errors.As(err, &n) {
		return Unknown
	}

	var t *TransportError
	if errors.As(err, &t) {
		return Unknown // a refused batch says nothing about its calls
	}

	text := strings.ToLower(n.Message)
	for _, p := range phrases {
		if strings.Contains(text, p.text) {
			return p.is
		}
	}

	switch n.Code {
	case 3:
		return Reverts
	case -32601:
		return Unsupported
	}

	return Unknown
}

// isAboutBatches reports whether the answer to one call refuses the batch that the call was in. A contract may use the
// word, too.
func (e *NodeError) isAboutBatches() bool {
	return strings.Contains(strings.ToLower(e.Message), "batch") && Classify(e) != Reverts
}

// isAnswerTooLarge reports whether a node left a call out because the answers to the others are long (geth).
func (e *NodeError) isAnswerTooLarge() bool {
	return e.Code == -32003 && strings.Contains(strings.ToLower(e.Message), "response too large")
}
