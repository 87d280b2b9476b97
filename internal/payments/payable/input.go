package payable

import (
	"slipway/internal/platform/web"
)

// Input is what a caller says of a payable, as the interface writes it.
type Input struct {
	Name                string  `json:"name" maxLength:"200" doc:"what the invoice is called"`
	Amount              string  `json:"amount" maxLength:"64" doc:"decimal text, in the currency or token"`
	Reason              string  `json:"reason" maxLength:"500" doc:"what is paid for; the receiver reads it"`
	Receiver            web.Ref `json:"receiver"`
	Type                string  `json:"type" enum:"FIAT,CRYPTO" doc:"FIAT: to a bank account; CRYPTO: to a wallet"`
	Status              string  `json:"status,omitempty" enum:"DRAFT" doc:"DRAFT, whether it is said or not"`
	DocumentStorageKey  string  `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that was uploaded"`
	Instructions        string  `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it"`
	ExpectedPaymentDate string  `json:"expectedPaymentDate,omitempty" maxLength:"64" doc:"when it is to be paid, as a date or a date-time"`
	BankAccount         web.Ref `json:"bankAccount,omitempty" doc:"FIAT: a bank account of the receiver"`
	CurrencyIsoCode     string  `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: the bank account's currency"`
	Wallet              web.Ref `json:"wallet,omitempty" doc:"CRYPTO: a wallet of the receiver"`
	TokenIsoCode        string  `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: the token"`
	InvoiceNumber       string  `json:"invoiceNumber,omitempty" maxLength:"70" doc:"the receiver's number of the invoice; the same one twice is warned of"`
	Reference           string  `json:"reference,omitempty" maxLength:"35" doc:"FIAT: structured creditor reference (QRR of a Swiss QR bill, or ISO 11649)"`
	Origin              Origin  `json:"origin,omitempty" enum:"MEMBER,QR_BILL,EPC_QR" doc:"where the data came from; MEMBER when left out"`
	Link                string  `json:"-"` // of an invoice link: the payable's origin is LINK
}
