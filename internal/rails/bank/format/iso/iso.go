// Package iso writes payments into files of ISO 20022 (pain.001) and reads what banks report about them (pain.002,
// pacs.004).
//
// Read in this order: iso.go (pain.001), report.go (pain.002 and pacs.004).
package iso

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pain"
)

// Format is pain.001. Its zero value is ready.
type Format struct{}

// Name returns pain.001.
func (Format) Name() string { return "pain.001" }

const (
	word      = "pain001"
	extension = "xml"
)

// services maps each rail to the way its payments are written in a payment file.
func services() map[string]pain.Service {
	return map[string]pain.Service{
		"SEPA":            pain.SEPA,
		"SEPA_INSTANT":    pain.SEPAInstant,
		"FASTER_PAYMENTS": pain.UK,
		"CHAPS":           pain.CHAPS,
		"ACH":             pain.ACH,
		"FEDWIRE":         pain.Wire,
		"NEFT":            pain.India,
		"IMPS":            pain.IMPS,
		"SIC":             pain.SIC,
		"SWIFT":           pain.SWIFT,
	}
}

// Rails returns all rails.
func (Format) Rails() []string {
	out := make([]string, 0, len(services()))
	for rail := range services() {
		out = append(out, rail)
	}

	return out
}

// Check returns nothing: what pain.001 needs of an account every account has.
func (Format) Check(format.Account) []string { return nil }

// Identity returns all 26 characters. ISO 20022 allows 35 (Max35Text).
func (Format) Identity(endToEnd string) string { return endToEnd }

// Names reports whether a text has 26 characters of the alphabet.
func (Format) Names(text string) bool { return format.IsID(text, format.Tail) }

// messageLength is the number of characters of the MsgId of our files.
const messageLength = len(format.Prefix) + format.Tail

// Block returns the PmtInfId of the payments with the same charges: 31 characters.
func (Format) Block(message string, p format.Payment) string { return blockID(message, p.Charges) }

func blockID(message, charges string) string { return message + "-" + charges[:min(1, len(charges))] }

// MessageOfBlock returns the MsgId in a PmtInfId of ours.
func (Format) MessageOfBlock(block string) (string, bool) {
	if len(block) != messageLength+2 || !strings.HasPrefix(block, format.Prefix) || block[messageLength] != '-' ||
		strings.IndexByte("OSB", block[messageLength+1]) < 0 {
		return "", false
	}

	return block[:messageLength], true
}

// FileName returns pain001-….xml.
func (Format) FileName(message string) string { return format.NamedFile(word, message, extension) }

// MessageOf is the reverse of FileName.
func (Format) MessageOf(name string) (string, bool) {
	return format.MessageNamed(word, name, extension)
}

// Day returns the rail's first working day.
func (Format) Day(_ format.Account, at time.Time, next func(time.Time) time.Time) time.Time {
	return next(at)
}

// Write writes a pain.001.
func (Format) Write(o format.Order) ([]byte, int, error) {
	d, positions := initiation(o)
	content, changes, err := pain.Render(d)

	var refused *pain.Refused
	if !errors.As(err, &refused) {
		return content, len(changes), err
	}

	out := &format.Refused{}

	for _, f := range refused.Faults {
		payment, field := faulty(positions, f.Path)

		detail := f.Detail
		if payment >= 0 && o.Payments[payment].Reference != "" && !structured(o.Rail) && field == "remittance" {
			detail += ", with the reference that stands in front of it on this rail"
		}

		out.Faults = append(out.Faults, format.Fault{Payment: payment, Field: field, Detail: detail})
	}

	return nil, 0, out
}

// faulty returns the payment and its field that a path such as /blocks/0/transfers/3/creditor/name refers to.
func faulty(positions [][]int, path string) (payment int, field string) {
	parts := strings.SplitN(strings.TrimPrefix(path, "/"), "/", 5)
	if len(parts) < 4 || parts[0] != "blocks" || parts[2] != "transfers" {
		return -1, path
	}

	b, err1 := strconv.Atoi(parts[1])

	t, err2 := strconv.Atoi(parts[3])
	if err1 != nil || err2 != nil || b < 0 || t < 0 || b >= len(positions) || t >= len(positions[b]) {
		return -1, path
	}

	return positions[b][t], strings.Join(parts[4:], "/")
}

// guideline returns whose rules the bank of the account follows on a rail.
func guideline(a format.Account, rail string) pain.Guideline {
	if a.Country == "CH" || a.Country == "LI" || rail == "SIC" {
		return pain.SPS
	}

	return pain.CGI
}

// initiation builds a file's content, and which payment each of its transfers is.
func initiation(o format.Order) (d pain.Initiation, positions [][]int) {
	a := o.From

	debtor := pain.Party{
		Name:    a.Holder,
		Address: pain.Address{Street: a.HolderStreet, PostCode: a.HolderPostCode, Town: a.HolderTown},
	}
	if a.HolderTown != "" {
		debtor.Address.Country = a.Country
	}

	d = pain.Initiation{
		MsgID:           o.Message,
		CreatedAt:       o.Created,
		InitiatingParty: pain.Party{Name: a.Holder},
		Guideline:       guideline(a, o.Rail),
	}
	if o.Initiator != "" {
		d.InitiatingParty.Name = o.Initiator
	}

	for _, charges := range []string{"OUR", "SHA", "BEN"} {
		out := pain.Block{
			PmtInfID:      blockID(d.MsgID, charges),
			Debtor:        debtor,
			Service:       services()[o.Rail],
			ExecutionDate: o.Day,
			Charges:       pain.Charges(charges),
			SingleBooking: true, // each payment becomes COMPLETED by its own debit
			DebtorAccount: pain.Account{IBAN: iban.Normalise(a.IBAN), Number: a.AccountNumber, Currency: a.Currency},
			DebtorAgent: pain.Agent{
				BIC:      a.BIC,
				SortCode: a.SortCode,
				ABA:      a.RoutingNumber,
				IFSC:     a.IFSC,
			},
		}
		if out.DebtorAccount.IBAN != "" {
			out.DebtorAccount.Number = ""
		}

		var at []int

		for i := range o.Payments {
			if o.Payments[i].Charges == charges {
				out.Transfers = append(out.Transfers, transfer(o.Rail, &o.Payments[i]))
				at = append(at, i)
			}
		}

		if len(at) > 0 {
			d.Blocks = append(d.Blocks, out)
			positions = append(positions, at)
		}
	}

	return d, positions
}

// accountTypes maps the account types of ACH to ISO 20022 codes.
var accountTypes = map[string]string{"CHECKING": "CACC", "SAVINGS": "SVGS"}

func transfer(rail string, p *format.Payment) pain.Transfer {
	to := p.Creditor
	account := p.Account

	t := pain.Transfer{
		EndToEndID: p.Identity, // also the InstrId; it is the same in every database
		UETR:       p.UETR,
		Amount:     money.Format(p.Amount.Units(), p.Amount.Asset().Decimals),
		Currency:   p.Amount.Asset().Code,
		Purpose:    p.Purpose,
		Remittance: p.Remittance,
		Creditor: pain.Party{
			Name:    to.Name,
			Address: pain.Address{Street: to.Street, Building: to.BuildingNumber, PostCode: to.PostCode, Town: to.Town},
		},
		CreditorAccount: pain.Account{
			IBAN:   iban.Normalise(account.IBAN),
			Number: account.AccountNumber,
			Type:   accountTypes[account.AccountType],
		},
		CreditorAgent: pain.Agent{
			BIC:      account.BIC,
			SortCode: account.SortCode,
			ABA:      account.RoutingNumber,
			IFSC:     account.IFSC,
			Name:     account.BankName,
		},
	}
	if t.CreditorAccount.IBAN != "" {
		t.CreditorAccount.Number = ""
	}

	switch {
	case p.Reference == "":
	case structured(rail): // one of the two, never both
		t.Reference = p.Reference
		t.Remittance = ""
	default:
		t.Remittance = before(p.Reference, p.Remittance)
	}

	t.Creditor.Address.Country = to.Country
	if to.Town == "" && rail != "SWIFT" { // banks refuse an address without a town, and SWIFT alone needs one
		t.Creditor.Address = pain.Address{}
	}

	if sepa(rail) && !sameCountry(account.BIC, t.CreditorAccount.IBAN) {
		t.CreditorAgent.BIC = "" // the IBAN leads to the bank, and banks may refuse another country beside it
	}

	if account.Country != "" && account.BIC == "" && account.BankName != "" {
		t.CreditorAgent.Address.Country = account.Country
	}

	return t
}

// sepa reports whether a rail is one of the SEPA schemes.
func sepa(rail string) bool { return rail == "SEPA" || rail == "SEPA_INSTANT" }

// structured reports whether payments on a rail have a field for a creditor reference.
func structured(rail string) bool { return sepa(rail) || rail == "SIC" }

// before returns a text with a reference in front.
func before(reference, text string) string { return strings.TrimSpace(reference + " " + text) }

// sameCountry reports whether a BIC and an IBAN are of one country, as far as both are well formed.
func sameCountry(bic, number string) bool {
	b, err := bankcode.ParseBIC(bic)
	x, err2 := iban.Parse(number)

	return err != nil || err2 != nil || b.Country() == x.Country()
}

// Looks reports whether a file is a pain.001.
func (Format) Looks(head []byte) bool {
	return strings.Contains(string(iso20022.Head(head)), "CstmrCdtTrfInitn")
}

// Read reads a pain.001 of ours again.
func (Format) Read(in io.Reader, limit int64) (format.Written, error) {
	var out format.Written

	err := pain.Read001(in, iso20022.Limits{Bytes: limit}, func(o pain.Order) error {
		if len(out.Payments) == 0 {
			out.Message = o.MsgID
			out.Day = o.ExecutionDate
			out.Debtor = o.DebtorAccount
			out.Currency = o.DebtorCurrency
		}

		out.Payments = append(out.Payments, format.WrittenPayment{
			Identity: o.EndToEndID,
			Amount:   o.Amount.Value,
			Currency: o.Amount.Currency,
		})

		return nil
	})

	return out, err
}
