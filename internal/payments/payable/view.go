package payable

import "time"

// View is a payable as the interface shows it.
type View struct {
	ID                  string         `json:"_id"`
	Name                string         `json:"name"`
	Amount              string         `json:"amount"`
	Reason              string         `json:"reason"`
	Receiver            string         `json:"receiver"`
	Type                Type           `json:"type" enum:"FIAT,CRYPTO"`
	Status              Status         `json:"status" enum:"DRAFT,APPROVED,REJECTED,PAID"`
	DocumentStorageKey  string         `json:"documentStorageKey,omitempty"`
	Instructions        string         `json:"instructions,omitempty"`
	ExpectedPaymentDate string         `json:"expectedPaymentDate,omitempty" doc:"a date"`
	BankAccount         string         `json:"bankAccount,omitempty"`
	CurrencyIsoCode     string         `json:"currencyIsoCode,omitempty"`
	Wallet              string         `json:"wallet,omitempty"`
	TokenIsoCode        string         `json:"tokenIsoCode,omitempty"`
	InvoiceNumber       string         `json:"invoiceNumber,omitempty"`
	Reference           string         `json:"reference,omitempty"`
	Origin              Origin         `json:"origin" enum:"MEMBER,LINK,QR_BILL,EPC_QR"`
	InvoiceLink         string         `json:"invoiceLink,omitempty" doc:"identifier of the invoice link that it came by"`
	Document            *DocumentView  `json:"document" doc:"null: it has none"`
	Payment             *PaymentView   `json:"payment" doc:"null: no transaction pays it now"`
	Approvals           []ApprovalView `json:"approvals" nullable:"false" doc:"who has approved it, the newest last; those that have ended count no longer"`
	Rejection           *RejectionView `json:"rejection,omitempty"`
	Warnings            []WarningView  `json:"warnings" nullable:"false"`
	AllowedActions      []string       `json:"allowedActions" nullable:"false"`
	CreatedBy           string         `json:"createdBy"`
	PaidAt              time.Time      `json:"paidAt,omitzero"`
	CreatedAt           time.Time      `json:"createdAt"`
	UpdatedAt           time.Time      `json:"updatedAt"`
	Version             int64          `json:"version"`
}

// DocumentView is what a payable shows of its document.
type DocumentView struct {
	Key         string `json:"documentStorageKey"`
	Name        string `json:"fileName"`
	Size        int64  `json:"size"`
	ContentType string `json:"contentType"`
	SHA256      string `json:"sha256"`
	URL         string `json:"url" doc:"where the document is read, with a bearer token"`
}

// PaymentView is what a payable shows of the transaction that it is reserved for, or that has paid it.
type PaymentView struct {
	Transaction       string `json:"transactionId"`
	Payment           string `json:"paymentId"`
	Status            string `json:"status" doc:"of the payment"`
	StatusInfo        string `json:"statusInfo"`
	TransactionStatus string `json:"transactionStatus"`
	SettlementStatus  string `json:"settlementStatus" doc:"of the transaction"`
}

// ApprovalView is one person's word.
type ApprovalView struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Comment string    `json:"comment,omitempty"`
	EndedAt time.Time `json:"endedAt,omitzero"`
	Why     string    `json:"why,omitempty" doc:"why it has ended"`
}

// RejectionView says who has rejected a payable, and why.
type RejectionView struct {
	Reason string    `json:"reason"`
	By     string    `json:"by"`
	At     time.Time `json:"at"`
}

// WarningView is something a person should look at; nothing is kept from happening by it.
type WarningView struct {
	Code     string   `json:"code" enum:"POSSIBLE_DUPLICATE,DUPLICATE_DOCUMENT"`
	Message  string   `json:"message"`
	Payables []string `json:"payables" nullable:"false" doc:"the others that it looks like"`
}
