package notice

import (
	"cmp"
	"context"
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
	"slipway/internal/platform/words"
)

// People get mails about payables that wait for their approval, and about the payments of their own payables. All that
// is found together goes into one mail for each person.
const (
	payableWaits = "Waits for your approval"
	payablePaid  = "Paid"
)

// payableTypes returns the types of the events of payables that are read, and what they mean.
func payableTypes() map[string]string {
	return map[string]string{
		"payable.created":  payableWaits,
		"payable.reopened": payableWaits,
		"payable.paid":     payablePaid,
	}
}

// payableNews is one payable in a mail.
type payableNews struct {
	headline string
	payable.Payable
}

// payableLetters writes the mails about an organisation's payables. A payable that was decided on in the meantime no
// longer waits for approval.
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

// payablesOfPeople returns the payables that each person is mailed about. Payables to approve go to those who may
// approve them and are no authors; paid ones go to their authors.
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

// payableSummary returns one person's mail about payables. What waits for approval comes first.
func payableSummary(to user.Brief, organisation string, all []payableNews) mail.Message {
	slices.SortStableFunc(all, func(a, b payableNews) int { return strings.Compare(b.headline, a.headline) })
	shown := all[:min(len(all), maxListed)]

	items := make([]mail.Item, len(shown))
	for i, x := range shown {
		items[i] = mail.Item{
			Title: words.Phrase("%[1]s: %[2]s", words.Phrase(x.headline),
				words.Sum(x.Amount.String(), x.Amount.Asset().Code)),
			Text: x.Name + " (" + x.ID + ")",
			Asks: x.headline == payableWaits,
		}
	}

	more := ""
	if n := len(all) - len(shown); n > 0 {
		more = words.Phrase("And %s more.", strconv.Itoa(n))
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
