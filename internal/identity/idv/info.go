package idv

import (
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	provider "slipway/internal/rails/idv"
)

// FixedInfo corrects what the provider was told. Fields that are left out stay as they are. Persons and companies have
// different fields; both have a country.
type FixedInfo struct {
	FirstName    string `json:"firstName,omitempty" maxLength:"100" doc:"of a person"`
	MiddleName   string `json:"middleName,omitempty" maxLength:"100" doc:"of a person"`
	LastName     string `json:"lastName,omitempty" maxLength:"100" doc:"of a person"`
	DateOfBirth  string `json:"dob,omitempty" maxLength:"40" doc:"of a person; a day" example:"1980-05-17"`
	PlaceOfBirth string `json:"placeOfBirth,omitempty" maxLength:"100" doc:"of a person"`
	Nationality  string `json:"nationality,omitempty" maxLength:"2" doc:"of a person; ISO 3166-1 alpha-2"`

	CompanyName        string `json:"companyName,omitempty" maxLength:"200" doc:"of a company"`
	RegistrationNumber string `json:"registrationNumber,omitempty" maxLength:"64" doc:"of a company"`

	Country string `json:"country,omitempty" maxLength:"2" doc:"of residence or registration; ISO 3166-1 alpha-2"`
}

// fields returns the correction in the provider's form and in ours, or everything that is wrong with it. kind is what
// the applicant is to the provider.
func (s *Service) fields(
	f FixedInfo, kind provider.Kind, now time.Time,
) (map[string]any, organisation.Correction, error) {
	const at = "/fixedInfo/"

	var l fault.List

	out := map[string]string{}
	text := func(name, v string, maxLength int, of provider.Kind) {
		switch {
		case v == "":
		case of != kind:
			l.Add(at+name, fault.NotAllowed, "is not a field of this applicant.")
		default:
			out[name] = user.CheckText(&l, at+name, v, maxLength, true)
		}
	}

	text("firstName", f.FirstName, 100, provider.User)
	text("middleName", f.MiddleName, 100, provider.User)
	text("lastName", f.LastName, 100, provider.User)
	text("placeOfBirth", f.PlaceOfBirth, 100, provider.User)
	text("dob", f.DateOfBirth, 40, provider.User)
	text("nationality", f.Nationality, 2, provider.User)
	text("companyName", f.CompanyName, 200, provider.Organisation)
	text("registrationNumber", f.RegistrationNumber, 64, provider.Organisation)
	text("country", f.Country, 2, kind)

	if out["dob"] != "" {
		out["dob"] = user.CheckBirth(&l, at+"dob", out["dob"], now)
	}

	ours := organisation.Correction{
		Name:               out["companyName"],
		RegistrationNumber: out["registrationNumber"],
		FirstName:          out["firstName"],
		LastName:           out["lastName"],
		DateOfBirth:        out["dob"],
		Country:            strings.ToUpper(out["country"]),
	}

	for _, name := range []string{"nationality", "country"} {
		if code := out[name]; code != "" {
			if out[name] = s.config.Alpha3(strings.ToUpper(code)); out[name] == "" {
				l.Add(at+name, fault.CountryUnknown, "is not a country this service knows.")
			}
		}
	}

	return withoutEmpty(out), ours, l.Err()
}
