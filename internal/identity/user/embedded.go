package user

import (
	"context"
	"time"

	"slipway/internal/core/record"
	"slipway/internal/platform/db"
	"slipway/internal/standards/mailbox"
)

// Embedded is a User of the interface within another record. Package organisation makes it: what a person shows depends
// on the organisation that asks.
type Embedded struct {
	ID                string              `json:"_id"`
	Email             string              `json:"email"`
	FirstName         string              `json:"firstName,omitempty"`
	LastName          string              `json:"lastName,omitempty"`
	Address           string              `json:"address,omitempty"`
	PhoneNumber       string              `json:"phoneNumber,omitempty"`
	MessagingHandle   string              `json:"messagingHandle,omitempty"`
	KycOnboardingInfo string              `json:"kycOnboardingInfo,omitempty" doc:"onboardingStatus of the person; null before his verification was begun"`
	KybOnboardingInfo string              `json:"kybOnboardingInfo,omitempty" doc:"onboardingStatus of the organisation"`
	OrganisationRole  string              `json:"organisationRole,omitempty" doc:"role in the organisation; null for who is no member any more"`
	TwoFactorRequired bool                `json:"twoFactorRequired"`
	IsAccountSetup    bool                `json:"isAccountSetup"`
	IsActive          bool                `json:"isActive"`
	Citizenship       []record.CountryRef `json:"citizenship" nullable:"false"`
	Country           *record.CountryRef  `json:"country"`
	DateOfBirth       *time.Time          `json:"dateOfBirth"`
	Features          []string            `json:"features" nullable:"false"`
	Comments          record.Many         `json:"comments" doc:"null within another record: GET /users/me has one's own"`
	Version           int64               `json:"version"`
	CreatedAt         time.Time           `json:"createdAt"`
	UpdatedAt         time.Time           `json:"updatedAt"`
}

// Embed returns what a person shows to everybody of an organisation: name and address of mail.
func (u User) Embed() Embedded {
	return Embedded{
		ID:                u.ID,
		Email:             mailbox.Show(u.Email),
		FirstName:         u.FirstName,
		LastName:          u.LastName,
		TwoFactorRequired: u.TwoFactorRequired,
		IsAccountSetup:    u.IsAccountSetup,
		IsActive:          u.IsActive,
		Citizenship:       []record.CountryRef{},
		Features:          append([]string{}, u.Features...),
		Version:           u.Version,
		CreatedAt:         Shown(u.CreatedAt),
		UpdatedAt:         Shown(u.UpdatedAt),
	}
}

// EmbedForMembers returns what a member shows to the others of the organisation.
func (u User) EmbedForMembers(ctx context.Context, q db.Querier, countries Countries) (Embedded, error) {
	v := u.Embed()
	v.Address = u.Address
	v.PhoneNumber = u.PhoneNumber
	v.MessagingHandle = u.MessagingHandle
	v.DateOfBirth = BirthTime(u.DateOfBirth)

	var err error
	if v.Country, err = countries.Ref(ctx, q, u.Country); err != nil {
		return v, err
	}

	for _, code := range u.Citizenship {
		c, err := countries.Ref(ctx, q, code)
		if err != nil {
			return v, err
		}

		if c != nil {
			v.Citizenship = append(v.Citizenship, *c)
		}
	}

	return v, nil
}
