package notice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/trail"
)

// members are the active members of an organisation, by what they may do.
type members struct {
	authorized, admins []string
	people             map[string]user.Brief
}

// item is one thing to be told.
type item struct {
	telling
	event       string // its type
	transaction string
	at          time.Time
	said        said
}

// said is what an event says of its transaction.
type said struct {
	Status           transaction.Status           `json:"status"`
	SettlementStatus transaction.SettlementStatus `json:"settlementStatus"`
	StatusInfo       string                       `json:"statusInfo"`
	Type             transaction.Type             `json:"type"`
	Token            string                       `json:"token"`
	Amount           string                       `json:"amount"`
	AmountCurrency   string                       `json:"amountCurrency"`
}

func (s said) amount() string {
	if s.AmountCurrency != "" {
		return s.Amount + " " + s.AmountCurrency
	}

	return s.Amount + " " + s.Token
}

// ofTransactions leaves out the events of other nouns.
func ofTransactions(events []trail.Entry) []trail.Entry {
	return slices.DeleteFunc(slices.Clone(events), func(e trail.Entry) bool {
		return !strings.HasPrefix(e.Type, "transaction.")
	})
}

// itemsOf makes of events what is worth telling: of each transaction the last, oldest first. What is stale is left out.
func itemsOf(events []trail.Entry, now time.Time) ([]item, error) {
	last := map[string]item{}
	for _, e := range events {
		x := item{event: e.Type, transaction: e.Object, at: e.At}
		if err := json.Unmarshal([]byte(e.Data), &x.said); err != nil {
			return nil, fmt.Errorf("event %s: %w", e.ID, err)
		}

		if now.Sub(e.At) <= Stale && x.worth() {
			last[e.Object] = x
		}
	}

	out := make([]item, 0, len(last))
	for _, x := range last {
		out = append(out, x)
	}

	slices.SortFunc(out, func(a, b item) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}

		return strings.Compare(a.transaction, b.transaction)
	})

	return out, nil
}

// worth finds how the event is told; false: it is not.
func (x *item) worth() bool {
	if x.event == refundedStep {
		if x.said.SettlementStatus != transaction.SettlementRefunded {
			return false
		}

		x.event = "transaction.refunded"
	}

	if x.event == "transaction.submitted" && x.said.Type == transaction.TypeOnramp {
		return false // it waits for a deposit, not for a person
	}

	if x.event == "transaction.funds_received" && x.said.Type != transaction.TypeOnramp {
		return false // a step on the way
	}

	x.telling = tellings[x.event]
	if x.said.Type == transaction.TypeOnramp && x.deposit != "" {
		x.lead = x.deposit
	}

	return true
}

// addressed gives everybody's items. An approval that was given meanwhile is asked of nobody; who is no active member
// any more is told nothing.
func addressed(items []item, parts map[string]transaction.Parties, m members) map[string][]item {
	out := map[string][]item{}
	for _, x := range items {
		p, known := parts[x.transaction]
		if !known || x.weight == waits && p.Status != transaction.StatusWaiting {
			continue
		}

		to := x.to(p, m)
		slices.Sort(to)

		for _, userID := range slices.Compact(to) {
			if m.people[userID].IsActive {
				out[userID] = append(out[userID], x)
			}
		}
	}

	return out
}
