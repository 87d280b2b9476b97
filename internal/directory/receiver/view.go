package receiver

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/directory/refdata"
)

// Reference names a record of another noun.
type Reference struct {
	ID string `json:"_id"`
}

// AddressView is an Address of the interface.
type AddressView struct {
	AddressLine1 string `json:"addressLine1,omitempty"`
	PostCode     string `json:"postCode,omitempty"`
	City         string `json:"city,omitempty"`
}

// View is a Receiver of the interface without what belongs to it, which package payee adds.
type View struct {
	ID                     string               `json:"_id"`
	Type                   Type                 `json:"type" enum:"INDIVIDUAL,COMPANY"`
	FirstName              string               `json:"firstName,omitempty"`
	MiddleName             string               `json:"middleName,omitempty"`
	LastName               string               `json:"lastName,omitempty"`
	LegalName              string               `json:"legalName,omitempty"`
	Email                  string               `json:"email"`
	TaxID                  string               `json:"taxId,omitempty"`
	PhoneNumber            string               `json:"phoneNumber,omitempty"`
	Address                AddressView          `json:"address"`
	DateOfBirth            *time.Time           `json:"dateOfBirth,omitempty"`
	Owner                  *Reference           `json:"owner,omitempty" doc:"the user who made it"`
	Country                *refdata.CountryView `json:"country,omitempty"`
	Organisation           Reference            `json:"organisation"`
	IsHidden               bool                 `json:"isHidden"`
	IsSelf                 bool                 `json:"isSelf"`
	Approval               string               `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	BankingPartnerID       string               `json:"bankingPartnerId,omitempty" doc:"null: no banking partner keeps receivers of its own"`
	BankingPartnerClientID string               `json:"bankingPartnerLinkedClientId,omitempty" doc:"null, as bankingPartnerId"`
	Version                int64                `json:"version"`
	CreatedAt              time.Time            `json:"createdAt"`
	UpdatedAt              time.Time            `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// FullView is a Receiver of the interface with what belongs to it.
type FullView struct {
	View
	BankAccounts   []BankAccountView `json:"bankAccounts" nullable:"false"`
	Wallets        []WalletView      `json:"wallets" nullable:"false"`
	Remarks        []RemarkView      `json:"remarks" nullable:"false" doc:"what is worth knowing and stops nothing here"`
	AllowedActions []string          `json:"allowedActions" nullable:"false" example:"[\"update\",\"delete\"]"`
}

// FullViewOf returns the interface's form of a receiver with what belongs to it.
func FullViewOf(ctx context.Context, r Receiver, accounts []BankAccountView, wallets []WalletView) FullView {
	return FullView{
		View:         ViewOf(r),
		BankAccounts: append([]BankAccountView{}, accounts...),
		Wallets:      append([]WalletView{}, wallets...),
		Remarks:      remarksOf(r),
		AllowedActions: caller.Allowed(ctx,
			caller.Act{Word: "update", Operation: "changeReceiver", Refusal: r.gone()},
			caller.Act{Word: "delete", Operation: "deleteReceiver", Refusal: r.deletable()},
		),
	}
}

// ViewOf returns the interface's form of a receiver.
func ViewOf(r Receiver) View {
	v := View{
		ID:                     r.ID,
		Type:                   r.Type,
		FirstName:              r.FirstName,
		MiddleName:             r.MiddleName,
		LastName:               r.LastName,
		LegalName:              r.LegalName,
		Email:                  r.Email,
		TaxID:                  r.TaxID,
		PhoneNumber:            r.Phone,
		Address:                AddressView(r.Address),
		Organisation:           Reference{r.Organisation},
		IsHidden:               r.Hidden,
		IsSelf:                 r.Self,
		Approval:               r.Mark.Approval,
		BankingPartnerID:       r.BankingPartnerID,
		BankingPartnerClientID: r.BankingPartnerClient,
		Version:                r.Version,
		CreatedAt:              r.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:              r.UpdatedAt.Truncate(time.Millisecond),
	}
	if r.HasBirth {
		v.DateOfBirth = &r.BirthDate
	}

	if r.Owner != "" {
		v.Owner = &Reference{r.Owner}
	}

	if c, ok := refdata.All().Country(r.Country); ok {
		country := c.View()
		v.Country = &country
	}

	return v
}
