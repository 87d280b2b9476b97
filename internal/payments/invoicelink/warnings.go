package invoicelink

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/user"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/standards/lookalike"
)

// What a member should check before he decides. Each may have a good reason; together they are the signs of diverted
// invoices.
const (
	// new receiver: another one has the address, so it may be created twice, with another account
	sameEmail      = "SAME_EMAIL"
	sameName       = "SAME_NAME"               // new receiver: another one has the name
	mixedName      = "NAME_MIXED"              // new receiver: a word of its name has letters of several scripts
	otherAddress   = "OTHER_ADDRESS"           // the link went to another address than the known receiver has
	otherCountry   = "OTHER_COUNTRY"           // the bank is in another country than the receiver
	othersAccount  = "OTHER_RECEIVERS_ACCOUNT" // another receiver has the account
	replaced       = "REPLACED"                // an account or wallet was handed in and later replaced by another one
	otherAmount    = "OTHER_AMOUNT"            // the invoice's amount differs from the requested one
	walletUnproven = payable.WalletUnproven    // nobody has proven that the wallet's keys are the receiver's
)

// viewWithWarnings returns viewOf with what a person should check. It also does so once the payable is made, for
// whoever approves it.
func viewWithWarnings(ctx context.Context, q db.Querier, k Link, now time.Time) (View, error) {
	v := viewOf(ctx, k, now)
	if v.Status == Revoked || v.Status == Expired {
		return v, nil
	}

	r, err := k.payee(ctx, q)
	if err != nil {
		return v, err
	}

	if v.Warnings, err = k.alike(ctx, q); err != nil {
		return v, err
	}

	if v.Other = k.sentElsewhere(r); v.Other {
		v.Warnings = append(v.Warnings, otherAddress)
	}

	ofAccount, err := k.accountWarnings(ctx, q, r)
	if err != nil {
		return v, err
	}

	ofWallet, err := k.walletWarnings(ctx, q)
	if err != nil {
		return v, err
	}

	v.Warnings = slices.Concat(v.Warnings, ofAccount, ofWallet)

	if k.replacedDestination() {
		v.Warnings = append(v.Warnings, replaced)
	}

	if k.differsFromRequest() {
		v.Warnings = append(v.Warnings, otherAmount)
	}

	return v, nil
}

// shown returns viewWithWarnings for the caller: whoever needs a second person for a proposal is not told to confirm
// it.
func (s *Service) shown(ctx context.Context, q db.Querier, k Link, now time.Time) (View, error) {
	v, err := viewWithWarnings(ctx, q, k, now)
	if err != nil || !slices.Contains(v.AllowedActions, confirmWord) {
		return v, err
	}

	r, err := k.payee(ctx, q)
	if err != nil {
		return v, err
	}

	err = s.secondPerson(ctx, q, k, r)
	if fault.Is(err, fault.SecondPersonRequired) {
		v.AllowedActions = slices.DeleteFunc(v.AllowedActions, func(word string) bool { return word == confirmWord })
		err = nil
	}

	return v, err
}

// warningsFor returns the warnings that a payable of the link keeps: those of the account or wallet that was handed in
// only if it is what the payable pays to.
func (k Link) warningsFor(ctx context.Context, q db.Querier, in payable.Input, now time.Time) ([]string, error) {
	v, err := viewWithWarnings(ctx, q, k, now)

	toAccount := k.Given.Account != nil && string(in.BankAccount) == k.Given.Account.Account.ID
	toWallet := k.Given.Wallet != nil && string(in.Wallet) == k.Given.Wallet.ID

	return slices.DeleteFunc(v.Warnings, func(code string) bool {
		switch code {
		case otherCountry, othersAccount:
			return !toAccount
		case walletUnproven:
			return !toWallet
		}

		return false
	}), err
}

// payee returns the receiver of a link, as it is known or as it has described itself. It returns the zero value if
// there is neither, or if it was deleted.
func (k Link) payee(ctx context.Context, q db.Querier) (receiver.Receiver, error) {
	if k.Existing {
		r, err := receiver.ByID(ctx, q, k.Organisation, k.Receiver)
		if fault.Is(err, fault.NotFoundCode) {
			return receiver.Receiver{}, nil
		}

		return r, err
	}

	if k.Given.Receiver == nil {
		return receiver.Receiver{}, nil
	}

	return k.Given.Receiver.record(k), nil
}

// sentElsewhere reports whether the link went to another address than its known receiver has, when it was made or now:
// an address that was given up since may belong to somebody else.
func (k Link) sentElsewhere(r receiver.Receiver) bool {
	return k.Existing && (k.OtherAddress || r.ID != "" && user.Key(r.Email) != user.Key(k.Email))
}

// alike returns by what a new receiver resembles a known one, or pretends to.
func (k Link) alike(ctx context.Context, q db.Querier) ([]string, error) {
	out := []string{}
	if k.Existing {
		return out, nil
	}

	others := func(ids []string) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return id != k.Receiver })
	}

	same, err := receiver.WithEmail(ctx, q, k.Organisation, k.Email)
	if others(same) {
		out = append(out, sameEmail)
	}

	if r := k.Given.Receiver; err == nil && r != nil {
		name := r.LegalName
		if r.Type == receiver.Individual {
			name = r.FirstName + " " + r.LastName
		}

		same, err = receiver.WithName(ctx, q, k.Organisation, name)
		if others(same) {
			out = append(out, sameName)
		}

		if lookalike.MixedWord(name) != "" {
			out = append(out, mixedName)
		}
	}

	return out, err
}

func (k Link) accountWarnings(ctx context.Context, q db.Querier, r receiver.Receiver) (out []string, err error) {
	if k.Given.Account == nil {
		return nil, nil
	}

	a := k.Given.Account.Account
	if r.Country != "" && r.Country != a.Country {
		out = append(out, otherCountry)
	}

	if a.IBAN == "" {
		return out, nil
	}

	known, err := bankaccount.ByIBAN(ctx, q, k.Organisation, a.IBAN)
	if slices.ContainsFunc(known, func(x bankaccount.Account) bool { return x.Receiver != k.Receiver }) {
		out = append(out, othersAccount)
	}

	return out, err
}

func (k Link) walletWarnings(ctx context.Context, q db.Querier) ([]string, error) {
	w := k.Given.Wallet
	if w == nil {
		return nil, nil
	}

	added, err := wallet.ByID(ctx, q, k.Organisation, w.ID)
	proven := added.Ownership == wallet.OwnershipVerified

	if fault.Is(err, fault.NotFoundCode) {
		proven = w.Proof.Proven()
		err = nil
	}

	if err == nil && proven {
		return nil, nil
	}

	return []string{walletUnproven}, err
}

// replacedDestination reports whether a destination was handed in and later replaced by another one.
func (k Link) replacedDestination() bool {
	kept := int64(0)
	if k.Given.Account != nil {
		kept++
	}

	if k.Given.Wallet != nil {
		kept++
	}

	return k.Counts.Target > kept
}

// differsFromRequest reports whether the invoice differs from what was requested; 1250 equals 1250.00.
func (k Link) differsFromRequest() bool {
	in := k.Given.Invoice

	asked := k.Requested
	if in == nil || asked.Currency == "" {
		return false
	}

	plain := func(amount string) string {
		if !strings.Contains(amount, ".") {
			return amount
		}

		return strings.TrimRight(strings.TrimRight(amount, "0"), ".")
	}

	return in.Currency != asked.Currency || asked.Amount != "" && plain(in.Amount) != plain(asked.Amount)
}
