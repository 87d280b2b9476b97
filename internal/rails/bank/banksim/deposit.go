//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"strings"
)

// Deposit is money that someone sends to one of our accounts.
type Deposit struct {
	Account       string // id or number of our account; "" is the one in Currency
	Currency      string // of Amount
	Amount        string // decimal
	Sender        string
	SenderAccount string
	Reference     string // the sender's text; in the form of ISO 11649 or of a QR reference it arrives structured
	EndToEndID    string // the sender's own; "" means NOTPROVIDED
	Kind          Kind
}

// Kind is how a deposit differs from the request.
type Kind string

// The kinds of deposit.
const (
	Exact          Kind = ""
	Short          Kind = "short"           // a tenth less
	Over           Kind = "over"            // a tenth more
	FeeShortened   Kind = "fee_shortened"   // a bank on the way deducted 15.00 and states so
	Split          Kind = "split"           // in three parts with the same sum
	Duplicate      Kind = "duplicate"       // twice
	WrongReference Kind = "wrong_reference" // one character is wrong
	NoReference    Kind = "no_reference"
	WrongCurrency  Kind = "wrong_currency" // the same number in another currency
	OtherSender    Kind = "other_sender"
	Pending        Kind = "pending" // only announced; the control "book" books it, "drop" removes it
)

// Fault is one reason why a deposit or a control was refused. Field names the wrong field.
type Fault struct{ Field, Text string }

// Faults lists all reasons.
type Faults []Fault

// Error returns all reasons.
func (f Faults) Error() string {
	var out []string
	for _, x := range f {
		out = append(out, x.Field+" "+x.Text)
	}

	return strings.Join(out, "; ")
}

// add appends a reason.
func (f *Faults) add(field, format string, args ...any) {
	*f = append(*f, Fault{field, fmt.Sprintf(format, args...)})
}

// err returns nil if there is no reason.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}

	return f
}

func fault(field, format string, args ...any) error {
	return Faults{{field, fmt.Sprintf(format, args...)}}
}

// maxText limits the texts of a deposit.
const maxText = 140

// Deposit credits one of our accounts and writes the advice. It returns the bank's references of the new entries,
// several for Split and Duplicate. Each call is a new deposit.
func (b *Bank) Deposit(ctx context.Context, d Deposit) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	list, err := b.vary(d)
	if err != nil {
		return nil, err
	}

	var refs []string

	err = b.write(ctx, func(t *sql.Tx) error {
		refs = nil
		for _, x := range list {
			ref, err := b.credit(ctx, t, x)
			if err != nil {
				return err
			}

			refs = append(refs, ref)
		}

		return b.advise(ctx, t)
	})
	if err != nil {
		return nil, err
	}

	return refs, b.finish(ctx)
}

// incoming is a deposit with all values known.
type incoming struct {
	Deposit
	account Account
	units   *big.Int
	charges *big.Int // nil: none
	pending bool
}

// vary changes a deposit according to its kind.
func (b *Bank) vary(d Deposit) ([]incoming, error) {
	one, err := b.definite(d)
	if err != nil {
		return nil, err
	}

	tenth := new(big.Int).Div(new(big.Int).Add(one.units, big.NewInt(9)), big.NewInt(10)) // at least one unit
	switch d.Kind {
	case Exact:
	case Short:
		one.units = new(big.Int).Sub(one.units, tenth)
	case Over:
		one.units = new(big.Int).Add(one.units, tenth)

	case FeeShortened:
		if one.charges, err = parseAmount(one.account.Currency, returnFee); err != nil {
			return nil, err
		}

		one.units = new(big.Int).Sub(one.units, one.charges)

	case Split:
		return one.split(), nil
	case Duplicate:
		return []incoming{one, one}, nil
	case WrongReference:
		one.Reference = misspelt(one.Reference)
	case NoReference:
		one.Reference = ""

	case WrongCurrency:
		if one.account, err = b.elsewhere(d.Currency); err != nil {
			return nil, err
		}

	case OtherSender:
		one.Sender = "Another Sender Ltd"
		one.SenderAccount = ""
	case Pending:
		one.pending = true
	default:
		return nil, fault("kind", "is not one of the kinds of deposit.")
	}

	if one.units.Sign() <= 0 {
		return nil, fault("amount", "is too small for this kind of deposit.")
	}

	return []incoming{one}, nil
}

func (b *Bank) definite(d Deposit) (incoming, error) {
	a, known := b.account(d.Account)
	if d.Account == "" {
		a, known = b.inCurrency(d.Currency)
	}

	var wrong Faults
	if !known {
		wrong.add("currency", "is not one that the bank keeps an account in for us.")
	}

	units, err := parseAmount(a.Currency, d.Amount)
	if err != nil || units.Sign() <= 0 {
		wrong.add("amount", "must be an amount of the currency above zero.")
	}

	for _, x := range []struct {
		field, text string
		most        int
	}{
		{"reference", d.Reference, maxText},
		{"senderName", d.Sender, maxText},
		{"senderAccount", d.SenderAccount, 34},
		{"endToEndId", d.EndToEndID, 35},
	} {
		if len([]rune(x.text)) > x.most {
			wrong.add(x.field, "may have at most %d characters.", x.most)
		}
	}

	return incoming{Deposit: d, account: a, units: units}, wrong.err()
}

// split divides an amount into three parts; the last one gets the remainder.
func (x incoming) split() []incoming {
	third := new(big.Int).Div(x.units, big.NewInt(3))
	if third.Sign() == 0 {
		return []incoming{x}
	}

	out := []incoming{x, x, x}
	out[0].units = third
	out[1].units = third
	out[2].units = new(big.Int).Sub(x.units, new(big.Int).Lsh(third, 1))

	return out
}

// misspelt changes the last letter or digit of a reference.
func misspelt(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case c >= '0' && c <= '8', c >= 'A' && c <= 'Y', c >= 'a' && c <= 'y':
			return s[:i] + string(c+1) + s[i+1:]
		case c == '9', c == 'Z', c == 'z':
			return s[:i] + string(c-1) + s[i+1:]
		}
	}

	return "NO REFERENCE"
}

// elsewhere returns our account in another currency.
func (b *Bank) elsewhere(currency string) (Account, error) {
	for _, a := range b.config.Accounts {
		if a.Currency != currency {
			return a, nil
		}
	}

	return Account{}, fault("kind", "needs a second account in another currency.")
}

// credit adds one entry, and the money unless the entry is only announced.
func (b *Bank) credit(ctx context.Context, t *sql.Tx, x incoming) (string, error) {
	d := detail{EndToEndID: x.EndToEndID, Units: x.units.String(), Debtor: x.Sender, DebtorAccount: x.SenderAccount}
	if structured(x.Reference) {
		d.Reference = strings.ReplaceAll(x.Reference, " ", "")
	} else if x.Reference != "" {
		d.Texts = []string{x.Reference}
	}

	if x.charges != nil {
		d.Charges = x.charges.String()
		d.Instructed = new(big.Int).Add(x.units, x.charges).String()
	}

	e := entry{
		account: x.account,
		units:   x.units,
		credit:  true,
		status:  statusBooked,
		code:    "PMNT/RCDT/DMCT",
		details: []detail{d},
	}
	if x.pending {
		e.status = statusPending
	} else {
		var err error
		if e.journal, err = b.post(ctx, t, "deposit", x.account.ID, x.account.Currency, x.units); err != nil {
			return "", err
		}
	}

	if err := b.insertEntry(ctx, t, &e); err != nil {
		return "", err
	}

	return e.ref(), nil
}

// structured reports whether a reference has the form of ISO 11649 or of a Swiss QR reference, for which banks have a
// separate field.
func structured(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if len(s) == 27 && strings.Trim(s, "0123456789") == "" {
		return true
	}

	return len(s) >= 5 && len(s) <= 25 && strings.HasPrefix(s, "RF") && strings.Trim(s[2:4], "0123456789") == ""
}

// finish writes the answers of a direct request.
func (b *Bank) finish(ctx context.Context) error {
	n, err := b.deliver(ctx)
	if err == nil && n > 0 && b.config.Wrote != nil {
		b.config.Wrote()
	}

	return err
}
