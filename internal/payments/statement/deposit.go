package statement

import (
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/epcqr"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// depositOf returns how to pay an ONRAMP transaction. It returns nil before the account is known, and once nothing is
// to be paid any more.
func depositOf(t transaction.Transaction, issuer Issuer) (*Deposit, error) {
	if t.Type != transaction.TypeOnramp || t.Status != transaction.StatusWaiting ||
		t.Settlement != transaction.SettlementAwaiting {
		return nil, nil
	}

	v, err := onramp.BankDetails(t)
	if err != nil {
		return nil, err
	}

	house, err := t.HouseAccount()
	if err != nil {
		return nil, err
	}

	number := v.IBAN

	qr := ""
	if account, err := iban.Parse(v.IBAN); err == nil {
		if number = account.String(); account.QR() {
			qr = v.QRReference // other accounts accept no such reference
		}
	}

	d := &Deposit{Instructions: v.Instructions, Facts: [][2]string{
		{"Account holder", v.AccountHolder},
		{"IBAN", number},
		{"BIC", v.BIC},
		{"Account number", v.AccountNumber},
		{"Sort code", v.SortCode},
		{"Routing number", v.RoutingNumber},
		{"IFSC", v.IFSC},
		{"Bank", v.BankName},
		{"Bank's address", v.BankAddress},
		{"Bank's country", v.BankCountry},
		{"Reference", v.Reference},
		{"QR reference", qr},
		{"ISO 11649 reference", v.CreditorReference},
		{"To arrive by", when(v.ExpiresAt)},
	}}
	d.Code, d.Swiss = codeOf(t, house, issuer)

	return d, nil
}

// codeOf returns the text of the QR code for banking apps. It is empty if the code's standard does not support the
// account, or if data that the code needs is unknown, such as the holder's address in a Swiss QR-bill.
func codeOf(t transaction.Transaction, house transaction.DepositAccount, issuer Issuer) (code string, swiss bool) {
	account, err := iban.Parse(house.IBAN)
	if err != nil {
		return "", false
	}

	reference, err := creditorref.RF(t.Reference)
	if err != nil {
		return "", false
	}

	if country := account.Country(); country == "CH" || country == "LI" {
		code, err = swissCode(t, account, house, issuer, reference)
		return code, err == nil
	}

	if t.AmountCurrency != "EUR" {
		return "", false
	}

	code, err = epcqr.Transfer{
		Name:      house.Holder,
		Account:   account,
		BIC:       house.BIC,
		Amount:    t.Deposit().String(),
		Reference: reference,
	}.Payload()
	if err != nil {
		return "", false // the document states in words what a code cannot hold
	}

	return code, false
}

// swissCode returns a QR-bill: with a QR reference if the account is a QR-IBAN, else with the creditor reference (IG
// QR-bill 2.3, 4.2.2).
func swissCode(
	t transaction.Transaction,
	account iban.IBAN,
	house transaction.DepositAccount,
	issuer Issuer,
	reference string,
) (string, error) {
	creditor := qrbill.Address{
		Type:     qrbill.Structured,
		Name:     house.Holder,
		Street:   house.Street,
		PostCode: house.PostCode,
		Town:     house.Town,
		Country:  house.Country,
	}
	if house.Town == "" && house.Holder == issuer.Name {
		creditor.Street = issuer.Street
		creditor.PostCode = issuer.PostCode
		creditor.Town = issuer.Town
		creditor.Country = issuer.Country
	}

	bill := qrbill.Bill{
		Account:       account,
		Creditor:      creditor,
		Amount:        t.Deposit().String(),
		Currency:      t.AmountCurrency,
		ReferenceType: qrbill.SCOR,
		Reference:     reference,
	}
	if account.QR() {
		var err error
		if bill.Reference, err = creditorref.QRRFor(t.Reference); err != nil {
			return "", err
		}

		bill.ReferenceType = qrbill.QRR
	}

	return bill.Payload()
}
