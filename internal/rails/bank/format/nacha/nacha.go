// Package nacha writes payments by ACH into Nacha files and reads what originating banks send about them: returns,
// notifications of change, acknowledgements.
//
// Read in this order: nacha.go (names and days), write.go, report.go.
//
// What it promises: all of a file but its dates follows from its payments. A payment is named by 15 characters that are
// made from its end-to-end identification (Individual Identification Number), which whoever returns the entry repeats;
// its trace number is made from them. An amount above the limit of the same-day windows stands in a batch of its own,
// for the next day.
package nacha

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // windows are in the time of New York; a container may have no time zone database

	"slipway/internal/core/money"
	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/nacha"
)

// Format is Nacha files. Its zero value is ready.
type Format struct{}

// Name returns nacha.
func (Format) Name() string { return "nacha" }

// Rails returns ACH.
func (Format) Rails() []string { return []string{"ACH"} }

const (
	word      = "nacha"
	extension = "ach"
	// blockTail is how much of a file's identification stands in that of a batch, before the dash and the letter.
	blockTail = idLength - 2
	idLength  = 15 // of an Individual Identification Number
	zone      = "America/New_York"
)

// sameDayLimit is the largest entry of the same-day windows: 1,000,000.00 since 18 March 2022 (Nacha Operating Rules,
// Article Two, Subsection 2.5 on same day entries).
const sameDayLimit = 1_000_000_00

// The letters of batches. None is in the alphabet's place behind the dash, so that no payment is taken for a batch.
const (
	persons      = 'P'
	companies    = 'C'
	personsNext  = 'Q' // above the same-day limit
	companieNext = 'D'
)

// Identity returns the root of an identification and two characters that are made from it. So an identification number
// of ours is known among those of others without a query.
func (Format) Identity(endToEnd string) string {
	root := format.Root(endToEnd)
	return root + check(root)
}

// Names reports whether a text is a root and what is made from it.
func (Format) Names(text string) bool {
	return format.IsID(text, idLength) && check(format.Root(text)) == text[len(format.Root(text)):]
}

// check returns the two characters behind a root.
func check(root string) string {
	sum := sha256.Sum256([]byte("slipway/identification-number/" + root))
	return string([]byte{format.Alphabet[sum[0]%32], format.Alphabet[sum[1]%32]})
}

// letter returns the batch of a payment. It follows from the payment alone.
func letter(p format.Payment) byte {
	large := p.Amount.Units().IsInt64() && p.Amount.Units().Int64() > sameDayLimit

	switch {
	case p.Creditor.Person && large:
		return personsNext
	case p.Creditor.Person:
		return persons
	case large:
		return companieNext
	}

	return companies
}

// Block returns the batch of a payment: banks book a batch, or its offset, in one sum.
func (Format) Block(message string, p format.Payment) string {
	return blockOf(message, letter(p))
}

func blockOf(message string, letter byte) string {
	tail := strings.TrimPrefix(message, format.Prefix)
	return tail[:min(blockTail, len(tail))] + "-" + string(letter)
}

// MessageOfBlock returns the beginning of the file's identification.
func (Format) MessageOfBlock(block string) (string, bool) {
	if len(block) != idLength || block[blockTail] != '-' || !format.IsID(block[:blockTail], blockTail) ||
		strings.IndexByte("PCQD", block[blockTail+1]) < 0 {
		return "", false
	}

	return format.Prefix + block[:blockTail], true
}

// FileName returns nacha-….ach.
func (Format) FileName(message string) string { return format.NamedFile(word, message, extension) }

// MessageOf is the reverse of FileName.
func (Format) MessageOf(name string) (string, bool) {
	return format.MessageNamed(word, name, extension)
}

// Day returns the day on which entries should settle. Until the account's same-day time on a working day it is that
// day. Otherwise it is the working day after the one on which the bank takes the file.
func (Format) Day(a format.Account, at time.Time, next func(time.Time) time.Time) time.Time {
	first := next(at)
	if sameDay(a, at, first) {
		return first
	}

	return following(first, next)
}

// following returns the working day after another one: the first from its end on, in New York.
func following(day time.Time, next func(time.Time) time.Time) time.Time {
	return next(time.Date(day.Year(), day.Month(), day.Day()+1, 5, 0, 0, 0, time.UTC))
}

// sameDay reports whether a moment is in time for the same-day windows of the day.
func sameDay(a format.Account, at, day time.Time) bool {
	place, err := time.LoadLocation(zone)
	if err != nil || a.ACH.SameDayUntil == "" {
		return false
	}

	local := at.In(place)

	return local.Format(time.DateOnly) == day.Format(time.DateOnly) && local.Format("15:04") < a.ACH.SameDayUntil
}

// Check returns what the account's set-up lacks.
func (f Format) Check(a format.Account) []string {
	var out []string
	say := func(bad bool, text string, args ...any) {
		if bad {
			out = append(out, fmt.Sprintf(text, args...))
		}
	}

	say(a.Currency != "USD", "an account that pays by Nacha files is in USD")
	say(a.RoutingNumber == "" || a.AccountNumber == "", "routing_number and account_number are needed for Nacha files")
	say(a.ACH.Origin == "", "ach.origin is needed for Nacha files: the bank's set-up sheet has it (immediate origin)")
	say(a.ACH.SameDayUntil != "" && !timeOfDay(a.ACH.SameDayUntil), "ach.same_day_until %q is no time such as 13:00",
		a.ACH.SameDayUntil)

	for _, c := range a.ACH.Classes {
		say(c != nacha.PPD && c != nacha.CCD, "ach.entry_classes %q is not PPD or CCD", c)
	}

	if len(out) > 0 {
		return out
	}

	_, _, err := f.Write(probe(a))
	if r, ok := refusedFile(err); ok {
		for _, fault := range r {
			out = append(out, "ach: "+fault)
		}
	}

	return out
}

func timeOfDay(s string) bool {
	_, err := time.Parse("15:04", s)
	return err == nil && len(s) == 5
}

// probe is a file of one payment, by which the account's settings are tried.
func probe(a format.Account) format.Order {
	class := len(a.ACH.Classes) > 0 && !slices.Contains(a.ACH.Classes, nacha.CCD)

	return format.Order{
		Message: format.Prefix + strings.Repeat("0", format.Tail),
		Created: time.Unix(1_767_312_000, 0),
		Day:     "2026-01-02",
		NextDay: "2026-01-05",
		Rail:    "ACH",
		From:    a,
		Payments: []format.Payment{{
			Identity: strings.Repeat("0", idLength),
			Amount:   money.FromUnits(money.Asset{Code: "USD", Decimals: 2}, big.NewInt(1)),
			Creditor: format.Party{Name: "Payee", Person: class},
			Account:  format.AccountIDs{RoutingNumber: "021000021", AccountNumber: "1"},
		}},
	}
}

// Looks reports whether a file is a Nacha file. Whose it is its origin says.
func (Format) Looks(head []byte) bool { return nacha.Looks(head) }

// Read reads a file of ours again. Offsets are no payments.
func (Format) Read(in io.Reader, limit int64) (format.Written, error) {
	out := format.Written{Currency: "USD"}

	f, err := nacha.Read(in, iso20022.Limits{Bytes: limit}, func(b *nacha.Batch, e nacha.Entry) error {
		if day := b.Effective.Format(time.DateOnly); out.Day == "" || day < out.Day {
			out.Day = day
		}

		if e.Debit() {
			return nil
		}

		out.Payments = append(out.Payments, format.WrittenPayment{
			Identity: e.ID,
			Amount:   decimal(e.Cents),
			Currency: "USD",
		})

		return nil
	})
	out.Origin = f.Origin

	return out, err
}

// decimal returns cents as a decimal number.
func decimal(cents int64) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
