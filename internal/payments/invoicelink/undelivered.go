package invoicelink

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Undelivered notes that the mail with a link was not delivered, and mails whoever made the link. The outbox calls it
// in the transaction that ends the mail. The link stays as it is: its maker may hand it over in another way. A link
// that is not open any more was used or ended without the mail, and nothing is noted.
func (s *Service) Undelivered(ctx context.Context, tx *db.Tx, f mail.Failure) error {
	const event = "invoice_link.undelivered"

	k, err := ByID(ctx, tx, f.Organisation, f.Record)
	if fault.Is(err, fault.NotFoundCode) || err == nil && k.StatusAt(tx.Now) != Open {
		return nil
	}

	if err != nil {
		return err
	}

	k.MailProblem = f.Problem
	if k, err = update(tx, k, event); err != nil {
		return err
	}

	trail.Audit(ctx, tx, k.Organisation, event, k.ID, string(k.MailProblem))

	return s.mailUndelivered(ctx, tx, k)
}

// mailUndelivered mails the members concerned that the outside party has no mail.
func (s *Service) mailUndelivered(ctx context.Context, tx *db.Tx, k Link) error {
	name, err := s.deps.OrgName(ctx, tx, k.Organisation)
	if err != nil {
		return err
	}

	recipients, err := s.recipients(ctx, tx, k)
	if err != nil {
		return err
	}

	for _, to := range recipients {
		s.deps.Mail(tx, mail.Message{
			Kind:         mail.InvoiceUndelivered,
			To:           to.Email,
			User:         to.ID,
			Record:       k.ID,
			Organisation: k.Organisation,
			Data: map[string]string{
				"name":         to.FirstName,
				"organisation": name,
				"email":        k.Email,
				"why":          k.MailProblem.Words(),
				"when":         words.When(k.ExpiresAt),
				"reference":    k.ID,
			},
		})
	}

	return nil
}
