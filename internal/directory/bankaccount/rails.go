package bankaccount

import (
	"slipway/internal/core/fault"
	"slipway/internal/directory/refdata"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
)

// Rails returns the codes of the payment rails that reach the account, best first (refdata has their names): those that
// its currency and its bank's country share, as far as the account's numbers and schemes allow. Empty: it cannot be
// paid to.
func (a Account) Rails() []string {
	var out []string
	for _, r := range a.rails() {
		out = append(out, r.Code)
	}

	return out
}

func (a Account) rails() []refdata.Rail {
	out := []refdata.Rail{}
	country, known := refdata.All().Country(a.Country)

	currency, offered := refdata.All().Currency(a.Currency)
	if !known || !offered || a.Validation == ValidationRejected {
		return out
	}

	there := map[string]bool{}
	for _, r := range country.Rails {
		there[r.Code] = true
	}

	for _, r := range currency.Rails {
		if r.Enabled && there[r.Code] && a.reachedBy(r.Code) {
			out = append(out, r)
		}
	}

	return out
}

// reachedBy reports whether the account has what a rail asks for. A QR-IBAN is reached by SIC alone: the Swiss clearing
// takes it, with a QR reference, and no other does (SIX, QR-bill 3.2).
func (a Account) reachedBy(rail string) bool {
	number := a.IBAN != "" || a.AccountNumber != ""
	if rail != "SIC" && a.qr() {
		return false
	}

	switch rail {
	case "SEPA":
		return a.IBAN != "" && a.SEPA.SCT == Yes
	case "SEPA_INSTANT":
		return a.IBAN != "" && (a.SEPA.SCI == Yes || a.SEPA.SCITips == Yes)
	case "FASTER_PAYMENTS", "CHAPS":
		return a.SortCode != "" && a.AccountNumber != ""
	case "ACH":
		return a.RoutingNumber != "" && a.AccountNumber != "" && a.ACH == Yes
	case "FEDWIRE":
		return a.RoutingNumber != "" && a.AccountNumber != "" && a.Fed == Yes
	case "IMPS", "NEFT":
		return a.IFSC != "" && a.AccountNumber != ""
	case "SIC":
		return a.IBAN != ""
	case "SWIFT":
		return a.BankBIC() != "" && number
	}

	return false
}

// Takes refuses a payment to the account for the creditor reference that it carries, or lacks: a QR-IBAN takes
// payments with a QR reference and no others, and a QR reference goes to a QR-IBAN alone (SIX, Implementation
// Guidelines QR-bill 3.2).
func (a Account) Takes(reference string) error {
	_, qrr := creditorref.ValidQRR(reference)
	switch {
	case a.qr() && !qrr:
		return fault.New(
			fault.Invalid,
			fault.BankAccountUnreachable,
			"The bank account has a QR-IBAN, which takes only payments with a QR reference: give that of the bill, "+
				"or pay to the account's ordinary IBAN.",
		)

	case qrr && !a.qr():
		return fault.New(
			fault.Invalid,
			fault.CreditorReference,
			"A QR reference goes to a QR-IBAN only, and the bank account has none.",
		)
	}

	return nil
}

func (a Account) qr() bool {
	x, err := iban.Parse(a.IBAN)
	return err == nil && x.QR()
}
