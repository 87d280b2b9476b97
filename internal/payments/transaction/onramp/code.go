package onramp

import (
	"encoding/base64"
	"fmt"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/paper"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/epcqr"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// Code returns the text of the QR code that fills in the deposit in a banking app. It is empty if no standard supports
// the account, or if data that the code needs is unknown, such as the holder's address in a Swiss QR-bill.
func Code(
	house transaction.DepositAccount, amount money.Amount, reference string,
) (kind transaction.CodeKind, text string) {
	account, err := iban.Parse(house.IBAN)
	if err != nil {
		return "", ""
	}

	rf, err := creditorref.RF(reference)
	if err != nil {
		return "", ""
	}

	kind = transaction.CodeEPC

	switch country := account.Country(); {
	case country == "CH" || country == "LI":
		kind = transaction.CodeSwiss
		text, err = swissCode(account, house, amount, reference)

	case amount.Asset().Code == "EUR":
		text, err = epcqr.Transfer{
			Name:      house.Holder,
			Account:   account,
			BIC:       house.BIC,
			Amount:    amount.String(),
			Reference: rf,
		}.Payload()
	}

	if err != nil || text == "" {
		return "", "" // words state what a code cannot hold
	}

	return kind, text
}

// swissCode returns a QR-bill: with a QR reference if the account is a QR-IBAN, else with the creditor reference (IG
// QR-bill 2.3, 4.2.2).
func swissCode(
	account iban.IBAN,
	house transaction.DepositAccount,
	amount money.Amount,
	reference string,
) (string, error) {
	rf, err := creditorref.RF(reference)
	if err != nil {
		return "", err
	}

	bill := qrbill.Bill{
		Account: account,
		Creditor: qrbill.Address{
			Type:     qrbill.Structured,
			Name:     house.Holder,
			Street:   house.Street,
			PostCode: house.PostCode,
			Town:     house.Town,
			Country:  house.Country,
		},
		Amount:        amount.String(),
		Currency:      amount.Asset().Code,
		ReferenceType: qrbill.SCOR,
		Reference:     rf,
	}
	if account.QR() {
		if bill.Reference, err = creditorref.QRRFor(reference); err != nil {
			return "", err
		}

		bill.ReferenceType = qrbill.QRR
	}

	return bill.Payload()
}

// codeView returns the code with its picture, or nil if there is none.
func codeView(
	house transaction.DepositAccount, amount money.Amount, reference string,
) (*transaction.PaymentCodeView, error) {
	kind, text := Code(house, amount, reference)
	if text == "" {
		return nil, nil
	}

	png, err := paper.Symbol{Payload: text, Cross: kind == transaction.CodeSwiss}.PNG()
	if err != nil {
		return nil, fmt.Errorf("draw the payment code of %s: %w", reference, err)
	}

	return &transaction.PaymentCodeView{
		Kind:          kind,
		Payload:       text,
		QRCodeDataURL: "data:image/png;base64," + base64.StdEncoding.EncodeToString(png),
	}, nil
}
