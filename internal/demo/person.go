//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/app/apiclient"
)

// Person is a signed-up user of a sandbox with an approved organisation.
type Person struct{ Email, Password, Organisation, Token string }

// SignUp creates the sandbox's standing user and organisation, or finds them again: all that a newcomer needs to call
// the API.
func SignUp(ctx context.Context, base string) (Person, error) {
	c := apiclient.New(base)
	p := Person{Email: "dev@example.org", Password: "sandbox password 1"}

	dev := apiclient.Person{
		FirstName: "Dev",
		LastName:  "Sandbox",
		Email:     p.Email,
		Password:  p.Password,
	}
	if err := c.Register(ctx, dev); err != nil {
		return p, fmt.Errorf("register: %w", err)
	}

	if _, err := c.SignIn(ctx, p.Email, p.Password); err != nil {
		return p, fmt.Errorf("log in: %w", err)
	}

	p.Token = c.Token

	org, err := organisationOf(ctx, c)
	if err != nil {
		return p, err
	}

	p.Organisation = org.ID
	if org.Status == "APPROVED" {
		return p, nil
	}

	err = c.Call(ctx, "POST", "/sandbox/organisations/"+org.ID+"/onboarding", object{"status": "APPROVED"}, &org)
	if err == nil && org.Status != "APPROVED" {
		err = errors.New("onboarding is " + org.Status)
	}

	return p, err
}

// organisationOf returns the caller's organisation, and creates it if there is none.
func organisationOf(ctx context.Context, c *apiclient.Client) (org record, err error) {
	var mine struct {
		Results []record `json:"results"`
	}
	if err := c.Call(ctx, "GET", "/organisations/me", nil, &mine); err != nil {
		return org, fmt.Errorf("organisations: %w", err)
	}

	if len(mine.Results) > 0 {
		return mine.Results[0], nil
	}

	err = c.Call(ctx, "POST", "/organisations/create", object{
		"organisationType": "Organisation",
		"name":             "Sandbox Ltd",
	}, &org)
	if err != nil {
		return org, fmt.Errorf("create organisation: %w", err)
	}

	return org, nil
}
