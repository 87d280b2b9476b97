package receiver

import (
	"time"

	"slipway/internal/directory/refdata"
)

// Reference names a record of another noun.
type Reference struct {
	ID string `json:"_id"`
}

// AddressView is an Address of the interface.
type AddressView struct {
	AddressLine1 string `json:"addressLine1"`
	PostCode     string `json:"postCode"`
	City         string `json:"city"`
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
	BankingPartnerID       string               `json:"bankingPartnerId,omitempty"`
	BankingPartnerClientID string               `json:"bankingPartnerLinkedClientId,omitempty"`
	CreatedAt              time.Time            `json:"createdAt"`
	UpdatedAt              time.Time            `json:"updatedAt"`
}

// OwnerView is a receiver where one of its wallets or bank accounts is shown.
type OwnerView struct {
	View
	BankAccounts []struct{} `json:"bankAccounts" nullable:"false" doc:"empty here; GET /receivers/{id} has them"`
	Wallets      []struct{} `json:"wallets" nullable:"false" doc:"empty here; GET /receivers/{id} has them"`
}

// OwnerViewOf returns the interface's form of the receiver that something belongs to.
func OwnerViewOf(r Receiver) OwnerView {
	return OwnerView{View: ViewOf(r), BankAccounts: []struct{}{}, Wallets: []struct{}{}}
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
