package notice

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

// Of payables people are told what waits for their approval, and what of theirs was paid: of all that is found
// together one mail for each.
const (
	payableWaits = "Waits for your approval"
	payablePaid  = "Paid"
)

// payableTypes are the events of payables that are read, and what they may mean.
func payableTypes() map[string]string {
	return map[string]string{
		"payable.created":  payableWaits,
		"payable.reopened": payableWaits,
		"payable.paid":     payablePaid,
	}
}

// payableNews is one payable as somebody is told of it.
type payableNews struct {
	headline string
	payable.Payable
}

// payableLetters writes what everybody is told of an organisation's payables. What was decided meanwhile waits for
// nobody.
func (s *Service) payableLetters(
	ctx context.Context,
	org string,
	events []trail.Entry,
	now time.Time,
) ([]mail.Message, error) {
	means := payableTypes()
	last := map[string]string{}

	ids := []string{}
	for _, e := range events {
		if headline, ok := means[e.Type]; ok && now.Sub(e.At) <= Stale {
			if last[e.Object] == "" {
				ids = append(ids, e.Object)
			}

			last[e.Object] = headline
		}
	}

	byPerson, err := s.payablesOfPeople(ctx, org, ids, last)
	if err != nil || len(byPerson) == 0 {
		return nil, err
	}

	o, err := organisation.ByID(ctx, s.config.DB, org)
	if err != nil {
		return nil, err
	}

	people, err := user.BriefsOf(ctx, s.config.DB, slices.Collect(maps.Keys(byPerson)))
	if err != nil {
		return nil, err
	}

	var out []mail.Message
	for _, userID := range slices.Sorted(maps.Keys(byPerson)) {
		if to := people[userID]; to.IsActive {
			out = append(out, payableSummary(to, cmp.Or(o.Name, o.FirstName+" "+o.LastName), byPerson[userID]))
		}
	}

	return out, nil
}

// payablesOfPeople says who is told of which payables: those who may approve them and have not written them, and
// those who have.
func (s *Service) payablesOfPeople(
	ctx context.Context,
	org string,
	ids []string,
	headlines map[string]string,
) (map[string][]payableNews, error) {
	out := map[string][]payableNews{}

	var deciders []string
	for part := range slices.Chunk(ids, 1_000) {
		found, err := payable.ByIDs(ctx, s.config.DB, org, part)
		if err != nil {
			return nil, err
		}

		if deciders == nil && len(found) > 0 {
			if deciders, err = organisation.HoldersOf(ctx, s.config.DB, org, organisation.Deciders()); err != nil {
				return nil, err
			}
		}

		for _, id := range part {
			p, ok := found[id]

			x := payableNews{headlines[id], p}
			switch {
			case !ok:

			case x.headline == payableWaits && p.Status == payable.Draft:
				for _, userID := range deciders {
					if !p.Authors.Has(userID) {
						out[userID] = append(out[userID], x)
					}
				}

			case x.headline == payablePaid:
				for _, userID := range p.Authors.List() {
					out[userID] = append(out[userID], x)
				}
			}
		}
	}

	return out, nil
}

// payableSummary tells somebody of payables: what waits first.
func payableSummary(to user.Brief, organisation string, all []payableNews) mail.Message {
	slices.SortStableFunc(all, func(a, b payableNews) int { return strings.Compare(b.headline, a.headline) })
	shown := all[:min(len(all), listed)]

	items := make([]mail.Item, len(shown))
	for i, x := range shown {
		items[i] = mail.Item{
			Title: x.headline + ": " + x.Amount.String() + " " + x.Amount.Asset().Code,
			Text:  x.Name + " (" + x.ID + ")",
		}
	}

	more := ""
	if n := len(all) - len(shown); n > 0 {
		more = fmt.Sprintf("And %d more.", n)
	}

	return mail.Message{
		Kind:  mail.PayableSummary,
		To:    to.Email,
		User:  to.ID,
		Items: items,
		Data: map[string]string{
			"name":         to.FirstName,
			"organisation": organisation,
			"count":        strconv.Itoa(len(all)),
			"more":         more,
		},
	}
}
