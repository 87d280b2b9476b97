package receivable

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// View is a receivable as its organisation sees it.
type View struct {
	EventView

	HowToPay  *transaction.BankDetailsView `json:"howToPay" doc:"transfer that pays what is owed; null: nothing is owed any more, or the account is closed: ask the platform"`
	Parts     []PartView                   `json:"parts" nullable:"false" doc:"what has settled it so far, oldest first"`
	CreatedAt time.Time                    `json:"createdAt" doc:"when the deposit was taken back"`
	SettledAt *time.Time                   `json:"settledAt" doc:"null: something is owed still"`
}

// EventView is the part of View that events carry.
type EventView struct {
	ID           string `json:"_id" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the bank's entry that took the deposit back"`
	State        State  `json:"state" enum:"OPEN,SETTLED" doc:"OPEN: nothing is paid out for the organisation until it is settled"`
	Organisation string `json:"organisation" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Transaction  string `json:"transaction,omitempty" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"that the deposit had paid"`
	Amount       string `json:"amount" example:"2500.00" doc:"that was taken back"`
	Owed         string `json:"owed" example:"2500.00" doc:"that is owed still"`
	Currency     string `json:"currencyIsoCode" example:"EUR"`
	Version      int64  `json:"version"`
}

// PartView is what one thing has settled.
type PartView struct {
	Means  Means     `json:"means" enum:"DEPOSIT,SET_OFF,WRITE_OFF" doc:"DEPOSIT: money came in. SET_OFF: money of a returned payment was kept for it. WRITE_OFF: the platform has given it up"`
	Source string    `json:"source,omitempty" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"the bank's entry of the deposit or of the return"`
	Amount string    `json:"amount" example:"2500.00"`
	At     time.Time `json:"at"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

func (r Receivable) eventData() EventView {
	return EventView{
		ID:           r.ID,
		State:        r.State,
		Organisation: r.Organisation,
		Transaction:  r.Transaction,
		Amount:       r.Amount.String(),
		Owed:         r.Owed.String(),
		Currency:     r.Amount.Asset().Code,
		Version:      r.Version,
	}
}

// view returns what an organisation sees of a receivable.
func (s *Service) view(r Receivable, parts []Part) (v View, err error) {
	v = View{
		EventView: r.eventData(),
		Parts:     make([]PartView, len(parts)),
		CreatedAt: user.Shown(r.CreatedAt),
	}

	for i, p := range parts {
		v.Parts[i] = PartView{Means: p.Means, Source: p.Source, Amount: p.Amount.String(), At: user.Shown(p.At)}

		if p.Means == ByWriteOff {
			v.Parts[i].Source = ""
		}
	}

	if r.State == Settled {
		at := user.Shown(r.SettledAt)
		v.SettledAt = &at

		return v, nil
	}

	if r.Reference == "" {
		return v, nil
	}

	v.HowToPay, err = s.Details(r.House, r.Reference, r.Owed)
	if v.HowToPay != nil {
		v.HowToPay.Instructions = fmt.Sprintf(
			"Transfer exactly %s %s in one transfer from an account in your organisation's name, with the reference %s "+
				"and nothing else in it. What is held goes on by itself when it has arrived. What differs is not "+
				"counted until people have looked at it.",
			v.Owed,
			v.Currency,
			v.HowToPay.Reference,
		)
	}

	return v, err
}

// views returns what organisations see of receivables.
func (s *Service) views(ctx context.Context, q db.Querier, all []Receivable) ([]View, error) {
	parts, err := partsOf(ctx, q, all)
	if err != nil {
		return nil, err
	}

	return s.viewsWith(all, parts)
}

// viewsWith returns what organisations see of receivables and their parts.
func (s *Service) viewsWith(all []Receivable, parts map[string][]Part) (out []View, err error) {
	out = make([]View, len(all))
	for i, r := range all {
		if out[i], err = s.view(r, parts[r.ID]); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// query are the parameters of both lists.
type query struct {
	web.Paging

	State     string `query:"state" enum:"OPEN,SETTLED" doc:"in this state"`
	Direction int    `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

type byID struct {
	ID string `path:"id" maxLength:"64" doc:"the receivable's _id"`
}

// Routes registers what organisations read, and what operators read and decide.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/receivables",
		ID:      "listReceivables",
		Tag:     "organisations",
		Access:  web.Tenant,
		Summary: "List what the organisation owes the platform, and how it is paid",
		Description: "A deposit that its bank takes back after its tokens have gone out is owed. Until it is settled " +
			"nothing is paid out for the organisation: its transactions are ON_HOLD and go on by themselves afterwards.",
	}, func(ctx context.Context, in *query) (*web.List[View], error) {
		var w db.Where
		w.And("organisation = ?", caller.Of(ctx).Organisation)

		return listOf(ctx, s, in, w, func(q db.Querier, all []Receivable) ([]View, error) {
			return s.views(ctx, q, all)
		})
	})

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/receivables/{id}",
		ID:      "readReceivable",
		Tag:     "organisations",
		Access:  web.Tenant,
		Summary: "Show what the organisation owes for a deposit, and how it is paid",
	}, func(ctx context.Context, in *byID) (*View, error) {
		var out *View

		return out, s.DB.Snapshot(ctx, func(q db.Querier) error {
			r, err := ofOrganisation(ctx, q, caller.Of(ctx).Organisation, in.ID)
			if err != nil {
				return err
			}

			out, err = web.Only(s.views(ctx, q, []Receivable{r}))

			return err
		})
	})

	s.operatorRoutes(api)
}

// listOf answers with a page of the receivables that match.
func listOf[V any](
	ctx context.Context,
	s *Service,
	in *query,
	w db.Where,
	show func(q db.Querier, all []Receivable) ([]V, error),
) (*web.List[V], error) {
	order := caller.Order{Column: "created_at", Ascending: in.Direction > 0}

	if in.State != "" {
		w.And("state = ?", in.State)
	}

	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, window caller.Window) ([]Receivable, int64, error) {
		return page(ctx, q, w, window, order)
	}, func(r Receivable) string {
		return order.Position(r.ID, strconv.FormatInt(db.Micros(r.CreatedAt), 10))
	}, show)
}
