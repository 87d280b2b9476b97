package statement

import (
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/standards/iban"
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
		{"To arrive by", when(t.ExpiresAt)},
	}}
	d.Code, d.Swiss = codeOf(t, house, issuer)

	return d, nil
}

// codeOf returns the text of the QR code for banking apps, and whether it is a Swiss one. An issuer that holds the
// account lends it its address, which a Swiss code needs.
func codeOf(t transaction.Transaction, house transaction.DepositAccount, issuer Issuer) (code string, swiss bool) {
	if house.Town == "" && house.Holder == issuer.Name {
		house.Street = issuer.Street
		house.PostCode = issuer.PostCode
		house.Town = issuer.Town
		house.Country = issuer.Country
	}

	kind, code := onramp.Code(house, t.Deposit(), t.Reference)

	return code, kind == transaction.CodeSwiss
}
