package house

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// providerObject begins what is compared of providers, and the objects of approvals about their lines.
const providerObject = "provider/"

// statedLine is a line of a provider's statement that waits for a second operator, as it was when it was asked for.
type statedLine struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
	Text     string `json:"text"`
}

// AskProviderMovement asks a second operator to book a line of a provider's statement that belongs to no order.
func (s *Service) AskProviderMovement(ctx context.Context, provider, id, why string, done approval.Done) error {
	if !slices.Contains(s.providerNames(), provider) {
		return fault.Missing("provider")
	}

	why, err := approval.Reason("/reason", why)
	if err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		l, err := s.unbooked(ctx, tx, provider, id)
		if err != nil {
			return err
		}

		raw, err := json.Marshal(statedLine{provider, id, l.text()})
		if err != nil {
			return fmt.Errorf("encode line %s of %s: %w", id, provider, err)
		}

		a, err := s.Approvals.Ask(ctx, tx, approval.Request{
			Kind:   approval.Movement,
			Object: chart.ProviderMovedKey(provider, id),
			Data:   string(raw),
			Summary: words.Phrase("Book %[1]s of the statement of %[2]s: %[3]s on %[4]s. %[5]s",
				l.Kind, provider, approval.Sum(l.Amount), l.Day.Format(time.DateOnly), why),
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// unbooked returns a line that people may book.
func (s *Service) unbooked(ctx context.Context, q db.Querier, provider, id string) (l Stating, err error) {
	found, err := statedWhere(ctx, q, "provider = ? AND id = ?", provider, id)
	if err != nil {
		return l, err
	}

	if len(found) == 0 {
		return l, fault.Missing("movement")
	}

	l = found[0]

	posted, err := ledger.Posted(ctx, q, chart.ProviderMovedKey(provider, id))
	if err != nil {
		return l, err
	}

	switch {
	case posted:
		return l, fault.New(fault.Conflict, fault.MovementRecorded, "The line is in the books already.")
	case l.Gone || l.Kind != charged && l.Kind != withdrawal && l.Kind != deposit:
		return l, fault.New(fault.Conflict, fault.MovementUnproven,
			"What an order has moved is booked by the order, and not by a line of the statement.")
	}

	return l, nil
}

// providerDecided posts an approved line, on the day that the provider states, unless he states another one by now.
func (s *Service) providerDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	var asked statedLine
	if err := json.Unmarshal([]byte(a.Data), &asked); err != nil {
		return fmt.Errorf("decode the line of %s: %w", a.ID, err)
	}

	l, err := s.unbooked(ctx, tx, asked.Provider, asked.ID)
	if err != nil {
		return err
	}

	if l.text() != asked.Text {
		return fault.New(fault.Conflict, fault.ApprovalOvertaken,
			"The provider states another line than when this was asked for. Ask again.")
	}

	e := chart.ProviderMoved{
		Provider: asked.Provider,
		Movement: asked.ID,
		Place:    l.Place,
		Cause:    chart.ProviderSettled,
		Amount:   l.Amount,
		Order:    l.Order,
	}
	if l.Kind == charged {
		e.Cause = chart.ProviderFee
	}

	trail.Audit(ctx, tx, "", "house.movement", a.Object, words.English(a.Summary))

	return chart.PostOn(tx, ledger.OfBank(l.Day, time.Time{}), e)
}
