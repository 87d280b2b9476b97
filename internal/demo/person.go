//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"slipway/internal/app/apiclient"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Person is a signed-up user of a sandbox with an approved organisation.
type Person struct {
	Email        string
	Password     string
	Organisation string
	Token        string
	Secret       string // of the second factor, as it is typed into an authenticator; "": there is none
}

// Code returns the present code of the second factor, or "" without one.
func (p Person) Code(now time.Time) string {
	app, err := newAuthenticator(p.Secret)
	if err != nil || p.Secret == "" {
		return ""
	}

	return app.key.Code(app.key.Step(now))
}

// SignUp finds the sandbox's standing user and organisation, or creates them: all that a newcomer needs to call the
// API. The user is an operator of the platform, too. Where the user is in the database already, nothing is changed and
// no mail is sent. A user who has set another password or a second factor since is returned without a password, session
// and organisation.
func SignUp(ctx context.Context, base string, d *db.DB) (Person, error) {
	c := apiclient.New(base)
	p := Person{Email: "dev@example.org", Password: "sandbox password 1"}

	_, err := user.ByEmail(ctx, d, p.Email)
	if errors.Is(err, db.ErrNone) {
		err = register(ctx, c, d, p)
	}

	if err != nil {
		return p, fmt.Errorf("register: %w", err)
	}

	_, err = c.SignIn(ctx, p.Email, p.Password)
	if isRefusal(err) || err == nil && c.Token == "" {
		p.Password = ""
		return p, nil
	}

	if err != nil {
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

// register registers a person, who becomes an operator of the platform, too: whoever tries the product out sees both
// sides of it.
func register(ctx context.Context, c *apiclient.Client, d *db.DB, p Person) error {
	err := c.Register(ctx, apiclient.Person{
		FirstName: "Dev",
		LastName:  "Sandbox",
		Email:     p.Email,
		Password:  p.Password,
	})
	if err != nil {
		return err
	}

	return d.Write(ctx, func(tx *db.Tx) error {
		_, _, err := user.Grant(ctx, tx, p.Email, user.Operator)
		return err
	})
}

// isRefusal reports whether the API has understood a sign-in and refused it.
func isRefusal(err error) bool {
	var p *apiclient.Problem
	return errors.As(err, &p) && p.Status == http.StatusUnauthorized
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
