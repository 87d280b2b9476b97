package billscan

import (
	"strings"

	"slipway/internal/platform/web"
	"slipway/internal/standards/qrbill"
)

// View is the answer of the operation: one bill.
type View struct {
	Source             Source                    `json:"source" enum:"SWISS_QR,EPC" doc:"SWISS_QR: Swiss QR bill; EPC: QR code of the European Payments Council"`
	Version            string                    `json:"version" doc:"of the code's standard, as it stands there"`
	IBAN               string                    `json:"iban"`
	IsQRIBAN           bool                      `json:"isQrIban" doc:"the account takes payments with a QR reference only"`
	BIC                string                    `json:"bicSwift,omitempty" doc:"EPC: of the creditor's bank"`
	Creditor           PartyView                 `json:"creditor"`
	Amount             *string                   `json:"amount" doc:"null: the payer chooses"`
	Currency           string                    `json:"currency" enum:"CHF,EUR"`
	ReferenceType      string                    `json:"referenceType" enum:"QRR,SCOR,NON,OTHER" doc:"QRR: Swiss QR reference; SCOR: ISO 11649; OTHER: EPC, structured in another way"`
	Reference          string                    `json:"reference" doc:"electronic form; empty: none"`
	Message            string                    `json:"message" doc:"for the creditor, from people to people"`
	Information        string                    `json:"information,omitempty" doc:"EPC: for the payer"`
	Purpose            string                    `json:"purpose,omitempty" doc:"EPC: code of ISO 20022"`
	BillInformation    string                    `json:"billInformation" doc:"for machines, as it stands there"`
	Invoice            web.Nullable[InvoiceView] `json:"invoice" doc:"what billInformation says where it is in the syntax of Swico (S1); null: nothing"`
	AlternativeSchemes []string                  `json:"alternativeSchemes" nullable:"false" doc:"as they stand there"`
	UltimateDebtor     web.Nullable[PartyView]   `json:"ultimateDebtor" doc:"who is to pay; null: the bill does not say"`
	Page               int                       `json:"page" doc:"of the document, from 1"`
	Confidence         int                       `json:"confidence" enum:"1" doc:"always 1: a value that is not certain is not given"`
	Prefill            web.Nullable[PrefillView] `json:"prefill" doc:"body of POST /payables as far as the bill tells it; null: the bill must not be paid"`
	Payee              web.Nullable[PayeeView]   `json:"payee" doc:"body of POST /bank-accounts/receiver as far as the bill tells it, for a creditor whose account is not known yet; null: it is known, or the bill must not be paid"`
	Warnings           []WarnView                `json:"warnings" nullable:"false" doc:"what whoever looks at it should know"`
}

// PartyView is a creditor or debtor.
type PartyView struct {
	Name           string `json:"name"`
	AddressType    string `json:"addressType,omitempty" enum:"S,K" doc:"S: structured; K: combined, in addressLine1 and addressLine2"`
	Street         string `json:"street,omitempty"`
	BuildingNumber string `json:"buildingNumber,omitempty"`
	PostCode       string `json:"postCode,omitempty"`
	City           string `json:"city,omitempty"`
	AddressLine1   string `json:"addressLine1,omitempty"`
	AddressLine2   string `json:"addressLine2,omitempty"`
	CountryIsoCode string `json:"countryIsoCode,omitempty"`
}

// InvoiceView is a bill's billing information for machines.
type InvoiceView struct {
	Number            string         `json:"number,omitempty"`
	Date              string         `json:"date,omitempty" doc:"a date"`
	DueDate           string         `json:"dueDate,omitempty" doc:"the invoice's date and its term; a date"`
	CustomerReference string         `json:"customerReference,omitempty"`
	VATNumber         string         `json:"vatNumber,omitempty" doc:"digits of the Swiss enterprise number"`
	SupplyFrom        string         `json:"supplyFrom,omitempty" doc:"first day of the supply"`
	SupplyTo          string         `json:"supplyTo,omitempty" doc:"last day of the supply"`
	VAT               []VATView      `json:"vat" nullable:"false"`
	ImportVAT         []VATView      `json:"importVat" nullable:"false"`
	Conditions        []DiscountView `json:"conditions" nullable:"false"`
}

// VATView is a VAT rate and the amount it applies to.
type VATView struct {
	Percent string `json:"percent"`
	Amount  string `json:"amount,omitempty" doc:"left out: the whole invoice"`
}

// DiscountView is a condition of payment.
type DiscountView struct {
	Percent string `json:"percent" doc:"that may be taken off; 0 is the term itself"`
	Days    int    `json:"days" doc:"after the invoice's date"`
}

// PrefillView is a body of POST /payables.
type PrefillView struct {
	Type                string `json:"type" enum:"FIAT"`
	Name                string `json:"name" doc:"the creditor's"`
	Amount              string `json:"amount,omitempty" doc:"left out: the payer chooses"`
	CurrencyIsoCode     string `json:"currencyIsoCode"`
	Reason              string `json:"reason,omitempty" doc:"the bill's message, or else the invoice's number, or else the reference; left out: it has none of them"`
	Reference           string `json:"reference,omitempty" doc:"QRR or ISO 11649"`
	InvoiceNumber       string `json:"invoiceNumber,omitempty"`
	ExpectedPaymentDate string `json:"expectedPaymentDate,omitempty" doc:"the day the invoice is due, where the bill says it for machines"`
	Receiver            string `json:"receiver,omitempty" doc:"only when exactly one receiver has the account"`
	BankAccount         string `json:"bankAccount,omitempty" doc:"only when the receiver has exactly one such account, in the bill's currency"`
	DocumentStorageKey  string `json:"documentStorageKey,omitempty" doc:"of the document that was read, where it is kept"`
	Origin              string `json:"origin" enum:"QR_BILL,EPC_QR"`
}

// PayeeView is a body of POST /bank-accounts/receiver. What the bill does not tell is left out: the type of the
// receiver, its e-mail address, and of a SEPA code its address.
type PayeeView struct {
	LegalName      string        `json:"legalName" doc:"the creditor's name; of a person it is firstName and lastName"`
	Address        *PayeeAddress `json:"address,omitempty"`
	CountryIsoCode string        `json:"countryIsoCode,omitempty"`
	BankCountry    string        `json:"bankCountry" doc:"of the IBAN"`
	Currency       string        `json:"currency"`
	IBAN           string        `json:"iban"`
	BIC            string        `json:"bicSwift,omitempty"`
}

// PayeeAddress is the creditor's address as receivers have it.
type PayeeAddress struct {
	AddressLine1 string `json:"addressLine1,omitempty"`
	PostCode     string `json:"postCode,omitempty"`
	City         string `json:"city,omitempty"`
}

// WarnView is one thing to look at.
type WarnView struct {
	Code    string `json:"code" doc:"stable name"`
	Field   string `json:"field,omitempty" doc:"of the bill, if it is about one"`
	Message string `json:"message"`
}

// summary describes one of several bills inside a refusal.
type summary struct {
	Number    int    `json:"bill" example:"1" doc:"what to send as ?bill="`
	Page      int    `json:"page"`
	Source    Source `json:"source,omitempty"`
	IBAN      string `json:"iban,omitempty"`
	Creditor  string `json:"creditor,omitempty" example:"Keller Consulting" doc:"name of who is to be paid"`
	Amount    string `json:"amount,omitempty"`
	Currency  string `json:"currency,omitempty"`
	Reference string `json:"reference,omitempty"`
	Faulty    bool   `json:"faulty" doc:"it breaks the rules of its standard"`
}

// severalView is what the refusal 422 QR_SEVERAL_BILLS has besides a problem document.
type severalView struct {
	Bills []summary `json:"bills,omitempty" nullable:"false" doc:"the bills that the document states"`
}

func summaries(all []Statement) []summary {
	out := make([]summary, len(all))
	for i, s := range all {
		b := s.Bill

		out[i] = summary{
			Number:    i + 1,
			Page:      s.Page,
			Source:    b.Source,
			IBAN:      string(b.Account),
			Creditor:  b.Creditor.Name,
			Amount:    b.Amount,
			Currency:  b.Currency,
			Reference: b.Reference,
			Faulty:    len(s.Problems) > 0,
		}
	}

	return out
}

func viewOf(r Reading, stored string) *View {
	b := r.Bill

	v := &View{
		Source:             b.Source,
		Version:            b.Version,
		IBAN:               string(b.Account),
		IsQRIBAN:           b.Account.QR(),
		BIC:                b.BIC,
		Creditor:           partyView(b.Creditor),
		Currency:           b.Currency,
		ReferenceType:      b.ReferenceType,
		Reference:          b.Reference,
		Message:            b.Message,
		Information:        b.Information,
		Purpose:            b.Purpose,
		BillInformation:    b.Billing,
		Invoice:            web.Nullable[InvoiceView]{Value: invoiceView(b)},
		AlternativeSchemes: append([]string{}, b.Schemes...),
		Page:               r.Page,
		Confidence:         1,
		Prefill:            web.Nullable[PrefillView]{Value: prefill(r, stored)},
		Payee:              web.Nullable[PayeeView]{Value: newPayee(r)},
		Warnings:           []WarnView{},
	}
	if b.Amount != "" {
		v.Amount = &b.Amount
	}

	if b.Debtor != nil {
		debtor := partyView(*b.Debtor)
		v.UltimateDebtor.Value = &debtor
	}

	for _, w := range b.Warnings {
		v.Warnings = append(v.Warnings, WarnView(w))
	}

	return v
}

func partyView(p Party) PartyView {
	return PartyView{
		Name:           p.Name,
		AddressType:    p.AddressType,
		Street:         p.Street,
		BuildingNumber: p.BuildingNumber,
		PostCode:       p.PostCode,
		City:           p.Town,
		AddressLine1:   p.CombinedLine1,
		AddressLine2:   p.CombinedLine2,
		CountryIsoCode: p.Country,
	}
}

func invoiceView(b Bill) *InvoiceView {
	s := b.Swico
	if s == nil {
		return nil
	}

	v := &InvoiceView{
		Number:            s.Invoice,
		Date:              s.Date,
		DueDate:           s.Due(),
		CustomerReference: s.CustomerRef,
		VATNumber:         s.VATNumber,
		SupplyFrom:        s.VATFrom,
		SupplyTo:          s.VATTo,
		VAT:               vatViews(s.VAT),
		ImportVAT:         vatViews(s.ImportVAT),
		Conditions:        []DiscountView{},
	}
	for _, c := range s.Conditions {
		v.Conditions = append(v.Conditions, DiscountView(c))
	}

	return v
}

func vatViews(rates []qrbill.VATRate) []VATView {
	out := []VATView{}
	for _, r := range rates {
		out = append(out, VATView(r))
	}

	return out
}

// prefill returns the fields that a payable can take over. For a bill that is for information only it returns nil: its
// amount is 0.00, or its maker marked it as not to be paid.
func prefill(r Reading, stored string) *PrefillView {
	b := r.Bill
	if b.ForInfo {
		return nil
	}

	v := &PrefillView{
		Type:                "FIAT",
		Name:                b.Creditor.Name,
		Amount:              b.Amount,
		CurrencyIsoCode:     b.Currency,
		InvoiceNumber:       b.Invoice(),
		ExpectedPaymentDate: b.Due(),
		Receiver:            r.Payee.Receiver,
		BankAccount:         r.Payee.BankAccount,
		DocumentStorageKey:  stored,
		Origin:              "QR_BILL",
	}
	if b.Source == EPC {
		v.Origin = "EPC_QR"
	}

	if b.ReferenceType == string(qrbill.QRR) || b.ReferenceType == string(qrbill.SCOR) {
		v.Reference = b.Reference
	}

	for _, text := range []string{b.Message, b.Invoice(), b.Reference} {
		if v.Reason == "" {
			v.Reason = text
		}
	}

	return v
}

// newPayee returns the receiver and the account that a bill makes known. It returns nil if the organisation has the
// account, even with several receivers, and for a bill that is for information only.
func newPayee(r Reading) *PayeeView {
	b := r.Bill
	if b.ForInfo || r.Payee.Known {
		return nil
	}

	return &PayeeView{
		LegalName:      b.Creditor.Name,
		Address:        b.Creditor.address(),
		CountryIsoCode: b.Creditor.Country,
		BankCountry:    b.Account.Country(),
		Currency:       b.Currency,
		IBAN:           string(b.Account),
		BIC:            b.BIC,
	}
}

// address returns the party's address as receivers have it, or nil if the code has none. The second line of a combined
// address is post code and town (SIX, Implementation Guidelines QR-bill 4.2.2): they are told apart where the first
// word is a number, and are the town otherwise.
func (p Party) address() *PayeeAddress {
	out := PayeeAddress{
		AddressLine1: strings.TrimSpace(p.Street + " " + p.BuildingNumber),
		PostCode:     p.PostCode,
		City:         p.Town,
	}

	if p.AddressType == string(qrbill.Combined) {
		out = PayeeAddress{AddressLine1: p.CombinedLine1, City: p.CombinedLine2}

		first, rest, _ := strings.Cut(p.CombinedLine2, " ")
		if rest != "" && strings.Trim(first, "0123456789") == "" {
			out.PostCode = first
			out.City = strings.TrimSpace(rest)
		}
	}

	if out == (PayeeAddress{}) {
		return nil
	}

	return &out
}
