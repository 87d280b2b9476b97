package receiver

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/record"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/standards/mailbox"
)

// AddressView is an Address of the interface.
type AddressView struct {
	AddressLine1 string `json:"addressLine1,omitempty"`
	PostCode     string `json:"postCode,omitempty"`
	City         string `json:"city,omitempty"`
}

// Fields are a receiver's own.
type Fields struct {
	ID                     string       `json:"_id"`
	Type                   Type         `json:"type" enum:"INDIVIDUAL,COMPANY"`
	FirstName              string       `json:"firstName,omitempty"`
	MiddleName             string       `json:"middleName,omitempty"`
	LastName               string       `json:"lastName,omitempty"`
	LegalName              string       `json:"legalName,omitempty"`
	Email                  string       `json:"email"`
	TaxID                  string       `json:"taxId,omitempty"`
	PhoneNumber            string       `json:"phoneNumber,omitempty"`
	Address                AddressView  `json:"address"`
	DateOfBirth            *time.Time   `json:"dateOfBirth,omitempty"`
	IsHidden               bool         `json:"isHidden"`
	IsSelf                 bool         `json:"isSelf"`
	Approval               string       `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	BankingPartnerID       string       `json:"bankingPartnerId,omitempty" doc:"null: no banking partner keeps receivers of its own"`
	BankingPartnerClientID string       `json:"bankingPartnerLinkedClientId,omitempty" doc:"null, as bankingPartnerId"`
	Remarks                []RemarkView `json:"remarks" nullable:"false" doc:"what is worth knowing and stops nothing here"`
	Version                int64        `json:"version"`
	CreatedAt              time.Time    `json:"createdAt"`
	UpdatedAt              time.Time    `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v Fields) Record() (id string, version int64) { return v.ID, v.Version }

// View is a Receiver of the interface. Package payee makes it.
type View struct {
	Fields
	Owner          *user.Embedded        `json:"owner" doc:"the user who made it"`
	Country        *record.Country       `json:"country"`
	BankAccounts   []BankAccountView     `json:"bankAccounts" nullable:"false" doc:"the newest 250; GET /bank-accounts/me?receiver= has all"`
	Wallets        []record.Wallet       `json:"wallets" nullable:"false" doc:"the newest 250; GET /wallets/me?receiver= has all"`
	Organisation   organisation.Embedded `json:"organisation"`
	AllowedActions []string              `json:"allowedActions" nullable:"false" example:"[\"update\",\"delete\"]"`
}

// Embedded is a Receiver of the interface within another record.
type Embedded struct {
	Fields
	Owner        *record.Ref        `json:"owner" doc:"the user who made it"`
	Country      *record.CountryRef `json:"country"`
	BankAccounts record.Many        `json:"bankAccounts" doc:"null within another record: GET /receivers/{id} has them"`
	Wallets      record.Many        `json:"wallets" doc:"null within another record: GET /receivers/{id} has them"`
	Organisation record.Ref         `json:"organisation"`
}

// Embed returns the interface's form of a receiver within another record.
func Embed(r Receiver) Embedded {
	v := Embedded{
		Fields:       FieldsOf(r),
		Owner:        record.RefTo(r.Owner),
		Organisation: record.Ref{ID: r.Organisation},
	}
	if c, ok := refdata.All().Country(r.Country); ok {
		country := c.Ref()
		v.Country = &country
	}

	return v
}

// AllowedActions returns what the caller may do with a receiver.
func (r Receiver) AllowedActions(ctx context.Context) []string {
	return caller.Allowed(ctx,
		caller.Act{Word: "update", Operation: "changeReceiver", Refusal: r.gone()},
		caller.Act{Word: "delete", Operation: "deleteReceiver", Refusal: r.deletable()},
	)
}

// FieldsOf returns the interface's form of what is a receiver's own.
func FieldsOf(r Receiver) Fields {
	v := Fields{
		ID:                     r.ID,
		Type:                   r.Type,
		FirstName:              r.FirstName,
		MiddleName:             r.MiddleName,
		LastName:               r.LastName,
		LegalName:              r.LegalName,
		Email:                  mailbox.Show(r.Email),
		TaxID:                  r.TaxID,
		PhoneNumber:            r.Phone,
		Address:                AddressView(r.Address),
		IsHidden:               r.Hidden,
		IsSelf:                 r.Self,
		Approval:               r.Mark.Approval,
		BankingPartnerID:       r.BankingPartnerID,
		BankingPartnerClientID: r.BankingPartnerClient,
		Remarks:                remarksOf(r),
		Version:                r.Version,
		CreatedAt:              r.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:              r.UpdatedAt.Truncate(time.Millisecond),
	}
	if r.HasBirth {
		v.DateOfBirth = &r.BirthDate
	}

	return v
}
