package evidence

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/money"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain/contract"
)

// The texts are values of words.Phrase, for the statusInfo of a transaction.
var (
	// Reverted is said of a batch that moved nothing.
	Reverted = words.Phrase("The batch was reverted as a whole.")

	// UsedBefore is said where the router knows a number although none of our sends has used it. This database is then
	// older than the chain, as after restoring a backup, and the transaction may have been paid.
	UsedBefore = words.Phrase("The router has carried out a batch with this transaction's number before; whether it " +
		"paid this transaction is to be looked at.")
)

// Contradicts returns the text for a receipt that does not belong to the batch.
func Contradicts(err error) string {
	return words.Detailed("The receipt contradicts the batch.",
		fmt.Sprintf("The receipt contradicts the batch: %v", err))
}

// Refuses returns the text for a batch that no node takes. The revert data at the end of a node's reason, if there is
// any, is decoded.
func Refuses(reason string) string {
	return words.Detailed("The network refuses the batch.", "The network refuses the batch: "+explained(reason)+".")
}

func explained(reason string) string {
	at := strings.LastIndex(reason, "0x")
	if at < 0 {
		return reason
	}

	data, err := hexutil.Decode(strings.TrimRight(reason[at:], "\" "))
	if err != nil {
		return reason
	}

	return contract.ExplainReason(data)
}

// LegReason returns the reason of a leg that was not paid, as the chain states it.
func LegReason(o contract.LegOutcome) string {
	return words.Detailed("the token or its contract did not carry it out", o.Reason)
}

// Summary counts the outcomes of a batch whose legs are all final, and says why some of them failed; "" if none did.
func Summary(outcomes []contract.LegOutcome) (paid, failed, unclear int, info string) {
	var reasons []string
	for i, o := range outcomes {
		switch o.Status {
		case contract.LegPaid:
			paid++
			continue
		case contract.LegFailed:
			failed++
		default:
			unclear++
		}

		reasons = append(reasons, words.Phrase("payment %[1]s: %[2]s", strconv.Itoa(i+1), LegReason(o)))
	}

	if len(reasons) == 0 {
		return paid, failed, unclear, ""
	}

	return paid, failed, unclear, words.Phrase(
		"%[1]s of %[2]s payments failed: %[3]s.",
		strconv.Itoa(failed+unclear),
		strconv.Itoa(len(outcomes)),
		Reasons(reasons),
	)
}

// Reasons returns the first three reasons, and how many more there are.
func Reasons(reasons []string) string {
	const shown = 3

	out := words.List(words.Semicolons, reasons[:min(len(reasons), shown)]...)
	if more := len(reasons) - shown; more > 0 {
		out = words.Phrase("%[1]s; and %[2]s more", out, strconv.Itoa(more))
	}

	return out
}

// Sum returns an amount for a statusInfo.
func Sum(a money.Amount) string { return words.Sum(a.String(), a.Asset().Code) }
