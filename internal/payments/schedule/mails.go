package schedule

import (
	"cmp"
	"context"
	"slices"
	"time"

	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// askToAccept mails those who may accept a schedule, and have not made it, inside the caller's write.
func (s *Service) askToAccept(ctx context.Context, tx *db.Tx, x Schedule) error {
	letters, err := s.letters(ctx, tx, x, mail.ScheduleWaits, x.NextDay)

	for _, l := range letters {
		if l.User != x.CreatedBy {
			s.Mail(tx, l)
		}
	}

	return err
}

// tell mails about the next day, once. The mail and the mark that it was written stand in one write.
func (s *Service) tell(ctx context.Context, x Schedule) error {
	letters, err := s.letters(ctx, s.DB, x, mail.ScheduleDue, x.NextDay)
	if err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		x := x
		x.ToldDay = x.NextDay
		x.UpdatedAt = tx.Now
		x.Version++
		update(tx, x)

		for _, l := range letters {
			s.Mail(tx, l)
		}

		return s.record(ctx, tx, x, "announced", "")
	})
}

// ask mails that the transaction of a day waits for a person, inside the caller's write.
func (s *Service) ask(ctx context.Context, tx *db.Tx, x Schedule, d Day) error {
	letters, err := s.letters(ctx, tx, x, mail.ScheduleAsks, s.paidOn(x.Plan, d.Planned))
	if err != nil {
		return err
	}

	for _, l := range letters {
		l.Data["why"] = d.Why
		l.Data["reference"] = cmp.Or(d.Transaction, x.ID)
		s.Mail(tx, l)
	}

	return s.record(ctx, tx, x, "asked", words.English(d.Why))
}

// letters returns a mail to the maker of a schedule and to everybody who may accept transactions.
func (s *Service) letters(
	ctx context.Context,
	q db.Querier,
	x Schedule,
	kind mail.Kind,
	on time.Time,
) ([]mail.Message, error) {
	o, err := organisation.ByID(ctx, q, x.Organisation)
	if err != nil {
		return nil, err
	}

	members, err := organisation.HoldersOf(ctx, q, x.Organisation,
		append(organisation.Deciders(), organisation.Initiator, organisation.Viewer))
	if err != nil {
		return nil, err
	}

	authorized, err := organisation.HoldersOf(ctx, q, x.Organisation, []string{organisation.Authorized})
	if err != nil {
		return nil, err
	}

	people, err := user.BriefsOf(ctx, q, members)
	if err != nil {
		return nil, err
	}

	var out []mail.Message

	for _, member := range members {
		to := people[member]
		if !to.IsActive || member != x.CreatedBy && !slices.Contains(authorized, member) {
			continue
		}

		out = append(out, mail.Message{
			Kind:         kind,
			To:           to.Email,
			User:         to.ID,
			Record:       x.ID,
			Organisation: x.Organisation,
			Data: map[string]string{
				"name":         to.FirstName,
				"organisation": cmp.Or(o.Name, o.FirstName+" "+o.LastName),
				"amount":       words.Sum(x.Most.String(), x.Most.Asset().Code),
				"receivers":    x.Payees,
				"reference":    x.ID,
				"day":          words.OnDay(on),
			},
		})
	}

	return out, nil
}
