package bankaccount

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/rails/ibansuite"
)

// JobValidate is the kind of the job that asks the provider about an account; its payload is the account's
// identifier, and its handler calls Validate.
const JobValidate = "bankaccount.validate"

// ask adds the job for an account that waits for the provider. Each version has its own: a job for an earlier one may
// be running.
func (s *Service) ask(tx *db.Tx, a Account) {
	if a.Validation == ValidationPending {
		s.deps.Enqueue(tx, JobValidate, fmt.Sprintf("bank_account/%s/validate/%d", a.ID, a.Version), a.ID)
	}
}

// Validate asks the provider about an account that waits for it, and records the verdict: the job that JobValidate
// names. A second call finds nothing to do. Trouble of the platform's account with the provider is noted on the
// account as what it is and never as a verdict; it and a provider out of reach are given back, so that the job is
// tried again.
func (s *Service) Validate(ctx context.Context, accountID string) error {
	a, err := anyone(ctx, s.deps.DB, accountID)
	if fault.Is(err, fault.NotFoundCode) {
		return nil // deleted in the meantime: nothing to do
	}

	if err != nil || a.Validation != ValidationPending {
		return err
	}

	var (
		answer ibansuite.Answer
		asked  error
	)
	if s.deps.Provider != nil { // it may have been configured away; then the offline verdict stands
		answer, asked = s.deps.Provider.Check(ctx, a.IBAN)
	}

	var trouble *ibansuite.Trouble
	if asked != nil && !errors.As(asked, &trouble) {
		return asked
	}

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := anyone(ctx, tx, accountID)
		if fault.Is(err, fault.NotFoundCode) {
			return nil
		}

		if err != nil || now.Validation != ValidationPending || now.target() != a.target() {
			// the answer is about numbers that the account no longer has; another job asks about the new ones
			return err
		}

		return s.record(tx, now, answer, trouble)
	})

	return errors.Join(err, asked)
}

// record writes what the provider said.
func (s *Service) record(tx *db.Tx, a Account, answer ibansuite.Answer, trouble *ibansuite.Trouble) error {
	switch {
	case trouble != nil:
		if a.ErrorCode == int64(trouble.Code) {
			return nil // said already
		}

		a.ErrorCode = int64(trouble.Code)

		a.ErrorMessage = "the validation provider could not be asked; it is asked again: " + trouble.Message
		if err := a.validated(ValidationPending); err != nil {
			return err
		}

	case answer.Code != 0:
		a.ErrorCode = int64(answer.Code)
		a.ErrorMessage = answer.Message

		a.ValidatedAt = tx.Now
		if err := a.validated(ValidationRejected); err != nil {
			return err
		}

	default:
		a.ErrorCode = 0
		a.ErrorMessage = cmp.Or(answer.Doubt, remark(a))
		a.ValidatedAt = tx.Now

		a.Found = found(a.Found, answer.Bank)

		a.SEPA = reach(a.SEPA, answer.SEPA)
		if err := a.validated(ValidationVerified); err != nil {
			return err
		}
	}

	_, err := update(tx, a)

	return err
}

// found adds what the provider knows of the bank to what the number tells.
func found(b Bank, p ibansuite.Bank) Bank {
	out := Bank{
		BIC:        cmp.Or(p.BIC, b.BIC),
		Name:       cmp.Or(p.Name, b.Name),
		Branch:     p.Branch,
		Address:    p.Address,
		City:       p.City,
		State:      p.State,
		Zip:        p.Zip,
		Phone:      p.Phone,
		Fax:        p.Fax,
		Website:    p.Website,
		Email:      p.Email,
		Code:       p.Code,
		BranchCode: p.BranchCode,
	}
	if out.Code == "" {
		out.Code = b.Code
		out.BranchCode = b.BranchCode
	}

	return out
}

// reach takes the provider's word for each scheme that it speaks of. A QR-IBAN stays out of SEPA whatever the bank
// takes part in.
func reach(s SEPA, p ibansuite.SEPA) SEPA {
	if s.SCT == No {
		return s
	}

	for _, f := range []struct {
		into *string
		said string
	}{
		{&s.SCT, p.SCT},
		{&s.SDD, p.SDD},
		{&s.COR1, p.COR1},
		{&s.B2B, p.B2B},
		{&s.SCC, p.SCC},
		{&s.SCI, p.SCI},
		{&s.SCITips, p.SCITips},
	} {
		if f.said != "" {
			*f.into = f.said
		}
	}

	return s
}
