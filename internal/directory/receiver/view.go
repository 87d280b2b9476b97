package receiver

import (
	"time"

	"slipway/internal/directory/network"
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

// OwnershipView is a wallet's proof of ownership.
type OwnershipView struct {
	ApprovedAt    *time.Time `json:"approvedAt,omitempty"`
	Message       string     `json:"message,omitempty" doc:"the text to sign, exactly as it is"`
	ExpiresAt     *time.Time `json:"expiresAt,omitempty" doc:"until when the text can be signed"`
	SignedMessage string     `json:"signedMessage,omitempty" doc:"the signature"`
	Status        string     `json:"status" enum:"PENDING,VERIFIED,FAILED,EXPIRED,REVOKED"`
}

// WalletView is a Wallet of the interface as its receiver shows it; package wallet makes it, and adds the receiver where a wallet
// stands by itself.
type WalletView struct {
	ID                   string        `json:"_id"`
	Address              string        `json:"address"`
	Network              network.View  `json:"network"`
	Type                 string        `json:"type" enum:"EOA,MULTISIG"`
	WalletAnalysisStatus string        `json:"walletAnalysisStatus" enum:"PENDING,IN_PROGRESS,APPROVED,REVIEW,REJECTED,ERROR,EXPIRED"`
	ScreeningAnalysisID  string        `json:"screeningAnalysisId,omitempty"`
	ScreeningErrMessage  string        `json:"screeningErrMessage,omitempty"`
	SoftDeleted          bool          `json:"softDeleted"`
	Ownership            OwnershipView `json:"ownership"`
	CreatedAt            time.Time     `json:"createdAt"`
	UpdatedAt            time.Time     `json:"updatedAt"`
}

// View is a Receiver of the interface.
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
	BankAccounts           []any                `json:"bankAccounts" nullable:"false"`
	Wallets                []WalletView         `json:"wallets" nullable:"false"`
	Organisation           Reference            `json:"organisation"`
	IsHidden               bool                 `json:"isHidden"`
	IsSelf                 bool                 `json:"isSelf"`
	BankingPartnerID       string               `json:"bankingPartnerId,omitempty"`
	BankingPartnerClientID string               `json:"bankingPartnerLinkedClientId,omitempty"`
	CreatedAt              time.Time            `json:"createdAt"`
	UpdatedAt              time.Time            `json:"updatedAt"`
}

// ViewOf gives the interface's form of a receiver, without what belongs to it.
func ViewOf(r Receiver) View {
	v := View{ID: r.ID, Type: r.Type, FirstName: r.FirstName, MiddleName: r.MiddleName, LastName: r.LastName, LegalName: r.LegalName, Email: r.Email,
		TaxID: r.TaxID, PhoneNumber: r.Phone, Address: AddressView(r.Address), BankAccounts: []any{}, Wallets: []WalletView{},
		Organisation: Reference{r.Organisation}, IsHidden: r.Hidden, IsSelf: r.Self, BankingPartnerID: r.BankingPartnerID,
		BankingPartnerClientID: r.BankingPartnerClient, CreatedAt: r.CreatedAt.Truncate(time.Millisecond), UpdatedAt: r.UpdatedAt.Truncate(time.Millisecond)}
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
