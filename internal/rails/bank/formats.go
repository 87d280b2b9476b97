package bank

import (
	"bufio"
	"slices"

	"slipway/internal/rails/bank/format"
	"slipway/internal/rails/bank/format/iso"
	"slipway/internal/rails/bank/format/nacha"
	"slipway/internal/standards/bai2"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/swiftmt"
)

// formats lists the formats of payment files. The first one is that of an account that names none, and of the rails
// that the account's own format does not carry. A new format is a folder below format and a line here.
func formats() []format.Format { return []format.Format{iso.Format{}, nacha.Format{}} }

// reporters lists what reads the reports of banks. Whatever none of them knows is read as a statement.
func reporters() []format.Reporter {
	return []format.Reporter{iso.Statuses{}, iso.Returns{}, nacha.Report{}}
}

// statements lists what reads statements, by how a file begins. Whatever none of them knows is read as camt.
func statements() []statementFormat {
	return []statementFormat{
		{swiftmt.Looks, func(in *bufio.Reader, l iso20022.Limits, charset swiftmt.Charset, h camt.Handler) error {
			return swiftmt.Read(in, l, charset, h)
		}},
		{bai2.Looks, func(in *bufio.Reader, l iso20022.Limits, _ swiftmt.Charset, h camt.Handler) error {
			return bai2.Read(in, l, h)
		}},
		{always, func(in *bufio.Reader, l iso20022.Limits, _ swiftmt.Charset, h camt.Handler) error {
			return camt.Read(in, l, h)
		}},
	}
}

// always reports true: whatever is left is read as camt, which says what is wrong with it.
func always([]byte) bool { return true }

// statementFormat is one format of statements. All pass the same structures to the same kind of handler.
type statementFormat struct {
	looks func(head []byte) bool
	read  func(in *bufio.Reader, l iso20022.Limits, charset swiftmt.Charset, h camt.Handler) error
}

// Formats returns the names of the formats that an account may name.
func Formats() []string {
	var out []string
	for _, f := range formats() {
		out = append(out, f.Name())
	}

	return out
}

// formatNamed returns a format by its name; the first one if there is none of that name.
func formatNamed(name string) format.Format {
	for _, f := range formats() {
		if f.Name() == name {
			return f
		}
	}

	return formats()[0]
}

// formatOf returns the format in which an account's payments by a rail are written.
func (a HouseAccount) formatOf(rail string) format.Format {
	if f := formatNamed(a.Format); slices.Contains(f.Rails(), rail) {
		return f
	}

	return formats()[0]
}

// formatAccount returns the account as formats see it.
func (a HouseAccount) formatAccount() format.Account {
	return format.Account{
		ID:             a.ID,
		Currency:       a.Currency,
		Country:        a.Country,
		IBAN:           a.IBAN,
		BIC:            a.BIC,
		AccountNumber:  a.AccountNumber,
		SortCode:       a.SortCode,
		RoutingNumber:  a.RoutingNumber,
		IFSC:           a.IFSC,
		Holder:         a.Holder,
		HolderStreet:   a.HolderStreet,
		HolderPostCode: a.HolderPostCode,
		HolderTown:     a.HolderTown,
		BankName:       a.BankName,
		ACH:            a.ACH,
	}
}

// identityOf returns how files of an account name a payout on a rail.
func (a HouseAccount) identityOf(key, rail string) string {
	return a.formatOf(rail).Identity(EndToEndID(key))
}

// messageOf returns the identification of a file from its name, and false for a file that is not ours.
func messageOf(name string) (string, bool) {
	for _, f := range formats() {
		if message, ok := f.MessageOf(name); ok {
			return message, true
		}
	}

	return "", false
}

// messageOfBlock returns the beginning of the identification of a file from that of a block, and false for others.
func messageOfBlock(block string) (string, bool) {
	for _, f := range formats() {
		if message, ok := f.MessageOfBlock(block); ok {
			return message, true
		}
	}

	return "", false
}

// formatLooking returns the format in which a file of ours is written.
func formatLooking(head []byte) (format.Format, bool) {
	for _, f := range formats() {
		if f.Looks(head) {
			return f, true
		}
	}

	return nil, false
}

// block returns the identification of the block that a movement books; "" if it names none of ours.
func (e *Entry) block() string {
	if _, ours := messageOfBlock(e.PaymentInfoID); ours {
		return e.PaymentInfoID
	}

	return e.mentionedBlock
}
