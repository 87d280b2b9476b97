//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
)

// Person is a signed-up user of a sandbox with an approved organisation.
type Person struct{ Email, Password, Organisation, Token string }

// SignUp makes the sandbox's standing user and organisation, or finds them again: everything a newcomer needs to call
// the API at once.
func SignUp(ctx context.Context, base string) (Person, error) {
	c := newClient(base)

	p := Person{Email: "dev@example.org", Password: "sandbox password 1"}
	if err := c.call(ctx, "POST", "/auth/register", object{
		"firstName": "Dev",
		"lastName":  "Sandbox",
		"email":     p.Email,
		"password":  p.Password,
	}, nil); err != nil {
		return p, fmt.Errorf("register: %w", err)
	}

	var in tokens
	if err := c.call(ctx, "POST", "/auth/login", object{"email": p.Email, "password": p.Password}, &in); err != nil {
		return p, fmt.Errorf("log in: %w", err)
	}

	c.token = in.Access
	p.Token = in.Access

	var mine struct {
		Results []record `json:"results"`
	}
	if err := c.call(ctx, "GET", "/organisations/me", nil, &mine); err != nil {
		return p, fmt.Errorf("organisations: %w", err)
	}

	org := record{}
	if len(mine.Results) > 0 {
		org = mine.Results[0]
	} else if err := c.call(ctx, "POST", "/organisations/create", object{
		"organisationType": "Organisation",
		"name":             "Sandbox Ltd",
	}, &org); err != nil {
		return p, fmt.Errorf("create organisation: %w", err)
	}

	p.Organisation = org.ID
	if org.Status == "APPROVED" {
		return p, nil
	}

	err := c.call(ctx, "POST", "/sandbox/organisations/"+org.ID+"/onboarding", object{"status": "APPROVED"}, &org)
	if err == nil && org.Status != "APPROVED" {
		err = errors.New("onboarding is " + org.Status)
	}

	return p, err
}
