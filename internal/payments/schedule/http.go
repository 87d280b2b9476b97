package schedule

import (
	"context"
	"net/http"
	"strconv"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type (
	createIn struct {
		Body Input
	}
	byID struct {
		ID string `path:"id" maxLength:"64" doc:"the schedule's _id"`
	}
	listIn struct {
		web.Paging

		State     []string `query:"state[]" enum:"WAITING,ACTIVE,STOPPED,ENDED" doc:"in one of these states"`
		Direction int      `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
	}
)

func operation(method, path, id, summary string, codes ...fault.Code) web.Operation {
	return web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "transactions",
		Access:  web.Tenant,
		Codes:   codes,
	}
}

// Routes registers the operations of schedules.
func (s *Service) Routes(api *web.API) {
	web.Register(api, createOperation(), s.httpCreate)
	web.Register(api, operation("GET", "/schedules", "listSchedules", "List what is paid on a day"), s.httpList)
	web.Register(api, operation("GET", "/schedules/{id}", "getSchedule", "Read what is paid on a day"), s.httpGet)
	web.Register(api, acceptOperation(), s.httpAccept)
	web.Register(api, stopOperation(), s.httpStop)
}

func createOperation() web.Operation {
	o := operation("POST", "/schedules", "createSchedule", "Schedule a transaction, once or again and again",
		fault.PayerWallet,
		fault.TokenNotOnNetwork,
		fault.ReceiverUnknown,
		fault.WalletUnknown,
		fault.BankAccountUnknown,
		fault.CurrencyMismatch,
		fault.AmountPrecision,
		fault.OrgNotApproved,
		fault.TypeUnsupported,
		fault.TxNotForType,
		fault.DayOff,
		fault.ScheduleBound,
		fault.SchedulePast,
		fault.ScheduleLimit,
	)
	o.Description = "Nothing is paid before somebody has accepted it. Then a transaction is made on each day: " +
		"created, submitted and accepted for the person who accepted the schedule, under the rules of that day. What " +
		"cannot be paid so waits for a person. Days begin at midnight UTC; a day on which a rail rests moves to its next " +
		"working day."
	o.Roles = organisation.Writers()
	o.Status = http.StatusCreated
	o.Location = "/schedules/{id}"
	o.Stages = true
	o.MovesMoney = true

	return o
}

func acceptOperation() web.Operation {
	o := operation("POST", "/schedules/{id}/accept", "acceptSchedule", "Decide to pay on the days to come",
		fault.ScheduleState,
		fault.SchedulePast,
		fault.ScheduleBound,
		fault.TxChanged,
		fault.SecondPersonRequired,
		fault.MorePeopleRequired,
		fault.IntentRequired,
		fault.OrgNotApproved,
		fault.MemberNotAuthor,
		fault.UpstreamFailed,
		fault.VersionMismatch,
	)
	o.Description = "By a person who may accept a transaction that costs `maxDebit`. The payments and payees as they " +
		"are now are what is accepted. Days before today are left out."
	o.StepUp = true
	o.PeopleOnly = true // what a key has accepted would outlive the key
	o.MovesMoney = true // its statement checks who may accept, so it has no roles

	return o
}

func stopOperation() web.Operation {
	o := operation("POST", "/schedules/{id}/stop", "stopSchedule", "Pay nothing more of it",
		fault.ScheduleState,
		fault.MemberNotAuthor,
		fault.VersionMismatch,
	)
	o.Description = "What was accepted before is paid. A draft of today that was not stays, for people. It may be " +
		"accepted anew."

	return o
}

func (s *Service) httpCreate(ctx context.Context, in *createIn) (*View, error) {
	return s.answer(ctx, http.StatusCreated, func(done Done) error { return s.Create(ctx, in.Body, done) })
}

func (s *Service) httpAccept(ctx context.Context, in *byID) (*View, error) {
	return s.answer(ctx, http.StatusOK, func(done Done) error { return s.Accept(ctx, in.ID, done) })
}

func (s *Service) httpStop(ctx context.Context, in *byID) (*View, error) {
	return s.answer(ctx, http.StatusOK, func(done Done) error { return s.Stop(ctx, in.ID, done) })
}

// answer runs a use case and returns the schedule as it is at the end of its write.
func (s *Service) answer(ctx context.Context, status int, run func(done Done) error) (*View, error) {
	return web.OnceOf(ctx, status, func(q db.Querier, all []Schedule) ([]View, error) {
		return s.views(ctx, q, all)
	}, run)
}

func (s *Service) httpGet(ctx context.Context, in *byID) (*View, error) {
	var out *View

	return out, s.DB.Snapshot(ctx, func(q db.Querier) error {
		x, err := ByID(ctx, q, caller.Of(ctx).Organisation, in.ID)
		if err != nil {
			return err
		}

		out, err = web.Only(s.views(ctx, q, []Schedule{x}))

		return err
	})
}

func (s *Service) httpList(ctx context.Context, in *listIn) (*web.List[View], error) {
	var w db.Where
	w.And("organisation = ?", caller.Of(ctx).Organisation)

	if len(in.State) > 0 {
		db.In(&w, "state", in.State)
	}

	order := caller.Order{Column: "created_at", Ascending: in.Direction > 0}

	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, window caller.Window) ([]Schedule, int64, error) {
		return page(ctx, q, w, window, order)
	}, func(x Schedule) string {
		return order.Position(x.ID, strconv.FormatInt(db.Micros(x.CreatedAt), 10))
	}, func(q db.Querier, all []Schedule) ([]View, error) {
		return s.views(ctx, q, all)
	})
}
