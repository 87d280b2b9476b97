package house

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type providerMovementIn struct {
	Body struct {
		Provider string `json:"provider" maxLength:"64" example:"main" doc:"as the configuration names it"`
		Movement string `json:"movement" maxLength:"200" example:"LM-000123" doc:"the provider's own identifier of the line"`
		Reason   string `json:"reason" minLength:"1" maxLength:"500" doc:"what it is, for the second operator"`
	}
}

// differenceView is a difference as operators see it.
type differenceView struct {
	ID        string         `json:"_id"`
	Provider  string         `json:"provider" example:"main" doc:"as the configuration names it"`
	Order     string         `json:"order,omitempty" example:"transaction/txn_01kaj3w8r8q2m5x9v7t4b6c1dn/convert/EUR" doc:"key of the order; null: a line of no order"`
	Why       DifferenceKind `json:"why" enum:"MISSING,ALONE,TWICE,AMOUNT,LATE,RESTATED" doc:"MISSING: it is not on the statement; ALONE: it is nowhere else; TWICE: more than once; AMOUNT: of another amount; LATE: booked on a later day; RESTATED: it was another one before"`
	Asset     string         `json:"asset"`
	Books     string         `json:"books" doc:"what the books have of it; above zero: the provider has given it"`
	Stated    string         `json:"stated" example:"-107.90" doc:"what the statement says"`
	Movements []string       `json:"movements" nullable:"false" example:"[\"LM-000123\"]" doc:"the statement's lines of it, by the provider's identifiers"`
	Day       string         `json:"day" example:"2026-11-21" doc:"of the first line, else of the order"`
}

func (s *Service) listDifferences(ctx context.Context, _ *struct{}) (*web.List[differenceView], error) {
	views := []differenceView{}

	err := s.DB.Snapshot(ctx, func(q db.Querier) error {
		for _, name := range s.providerNames() {
			all, err := s.differences(ctx, q, name, s.DB.Now())
			if err != nil {
				return err
			}

			for _, d := range all.told() {
				views = append(views, differenceView{
					ID:        name + "/" + d.Order + "/" + d.Place + "/" + fmt.Sprint(len(views)),
					Provider:  name,
					Order:     d.Order,
					Why:       d.Why,
					Asset:     d.Books.Asset().Code,
					Books:     d.Books.String(),
					Stated:    d.Stated.String(),
					Movements: append([]string{}, d.Movements...),
					Day:       d.Day.Format(time.DateOnly),
				})
			}
		}

		return nil
	})
	l := web.NewList(views, int64(len(views)), "")

	return &l, err
}

func (s *Service) handleProviderMovement(ctx context.Context, in *providerMovementIn) (*approval.View, error) {
	return web.OnceOf(ctx, 202, s.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return s.AskProviderMovement(ctx, in.Body.Provider, in.Body.Movement, in.Body.Reason, done)
	})
}
