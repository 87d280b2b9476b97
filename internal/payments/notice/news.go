package notice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// members are the active members of an organisation, by what they are allowed to do.
type members struct {
	authorized, admins []string
	standIns           map[string]string // those who accept for another one at present
	people             map[string]user.Brief
}

// item is one thing to mail about.
type item struct {
	announcement
	event       string // the event's type
	transaction string
	at          time.Time
	data        eventData
	why         string               // the statusInfo, to be said in the reader's language
	partly      *transaction.Outcome // only some of its payments were made; nil: not so, or not known
}

// amount returns what the item is about: the whole transaction, or what was paid of it.
func (x item) amount() string {
	if x.partly == nil {
		return x.data.amount()
	}

	sums := make([]string, len(x.partly.Paid.Sums))
	for i, sum := range x.partly.Paid.Sums {
		sums[i] = words.Sum(sum.String(), sum.Asset().Code)
	}

	return words.Phrase("%[1]s in %[2]s of %[3]s payments", words.List(words.Commas, sums...),
		strconv.Itoa(x.partly.Paid.Count), strconv.Itoa(x.partly.Payments))
}

// eventData is the content of a transaction's event.
type eventData struct {
	Status           transaction.Status           `json:"status"`
	SettlementStatus transaction.SettlementStatus `json:"settlementStatus"`
	StatusInfo       string                       `json:"statusInfo"` // in English
	Version          int64                        `json:"version"`
	Type             transaction.Type             `json:"type"`
	Token            string                       `json:"token"`
	Totals           struct {
		TokenDebit string `json:"tokenDebit"`
		FiatIn     *struct {
			Amount          string `json:"amount"`
			CurrencyIsoCode string `json:"currencyIsoCode"`
		} `json:"fiatIn"`
	} `json:"totals"`
}

func (s eventData) amount() string {
	if deposit := s.Totals.FiatIn; deposit != nil {
		return words.Sum(deposit.Amount, deposit.CurrencyIsoCode)
	}

	return words.Sum(s.Totals.TokenDebit, s.Token)
}

// ofTransactions returns the events that are about transactions.
func ofTransactions(events []trail.Entry) []trail.Entry {
	return slices.DeleteFunc(slices.Clone(events), func(e trail.Entry) bool {
		return !strings.HasPrefix(e.Type, "transaction.")
	})
}

// itemsOf returns the events that are worth a mail: the last one of each transaction, oldest first. Stale events are
// left out.
func itemsOf(events []trail.Entry, now time.Time) ([]item, error) {
	last := map[string]item{}
	for _, e := range events {
		x := item{event: e.Type, transaction: e.Object, at: e.At}
		if err := json.Unmarshal([]byte(e.Data), &x.data); err != nil {
			return nil, fmt.Errorf("event %s: %w", e.ID, err)
		}

		if now.Sub(e.At) <= Stale && x.announce() {
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

// announce looks up how the event is announced. It returns false if it is not worth a mail.
func (x *item) announce() bool {
	if x.event == refundedStep {
		if x.data.SettlementStatus != transaction.SettlementRefunded {
			return false
		}

		x.event = "transaction.refunded"
	}

	if x.event == "transaction.submitted" && x.data.Type == transaction.TypeOnramp {
		return false // it waits for a deposit, not for a person
	}

	if x.event == "transaction.funds_received" && x.data.Type != transaction.TypeOnramp {
		return false // an intermediate step
	}

	x.announcement = announcements[x.event]
	if x.data.Type == transaction.TypeOnramp && x.deposit != "" {
		x.lead = x.deposit
	}

	return true
}

// Told is how an event of a transaction is announced to a room of people: a headline, and a sentence about it. Both are
// texts of the catalogue.
type Told struct {
	Headline, Lead string
	Problem        bool // somebody should check
}

// Tell returns how an event of a transaction is announced. It returns false if it is not worth that, and for an event
// that asks for a decision.
func Tell(event string, t transaction.Transaction, partly bool) (Told, bool) {
	x := item{event: event, data: eventData{Type: t.Type, SettlementStatus: t.Settlement}}
	if !x.announce() || x.headline == "" || x.weight == weightAction {
		return Told{}, false
	}

	if partly && event == completedStep {
		x.announcement = announcements[partlyStep]
	}

	return Told{x.headline, x.lead, x.weight == weightProblem}, true
}

// addressed returns the items for each person. Nobody is asked for an approval that was given in the meantime, and
// somebody who is no longer an active member gets no mail.
func addressed(items []item, parts map[string]transaction.Parties, m members) map[string][]item {
	out := map[string][]item{}
	for _, x := range items {
		p, known := parts[x.transaction]
		if !known || x.weight == weightAction && p.Status != transaction.StatusWaiting {
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
