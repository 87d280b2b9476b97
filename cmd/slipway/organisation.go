package main

import (
	"context"
	"fmt"

	"slipway/internal/app"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
)

type orgCommand struct {
	Add addOrgCommand `cmd:"" help:"Add an organisation with its first admin, and print the link that completes the admin's account."`
}

type addOrgCommand struct {
	Name      string `arg:"" help:"Legal name."`
	Email     string `arg:"" help:"E-mail address of the person who becomes its admin."`
	FirstName string `arg:"" help:"First name of that person."`
	LastName  string `arg:"" help:"Last name of that person."`
	Country   string `required:"" help:"Country of the organisation, ISO 3166-1 alpha-2, such as CH."`
	Register  string `help:"Number in the commercial register."`
	Street    string `help:"Street and number."`
	PostCode  string `help:"Post code."`
	City      string `help:"City."`
}

// Run adds the organisation, PENDING: it does business once it is verified. It needs no mail: the link is printed, and
// whoever has it sets the password. A second call for the same name and admin prints a new link and adds nothing.
func (c addOrgCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		o, page, err := a.Auth.PrepareOrganisation(ctx, auth.Customer{
			Details: organisation.Details{
				Type:               organisation.TypeOrganisation,
				Name:               c.Name,
				RegistrationNumber: c.Register,
				Country:            c.Country,
				AddressLine1:       c.Street,
				PostCode:           c.PostCode,
				City:               c.City,
			},
			Admin: user.Person{Email: c.Email, FirstName: c.FirstName, LastName: c.LastName},
		})
		if err != nil {
			return err
		}

		const added = "%s is %s, with the admin %s, who goes on at\n  %s\n"
		_, err = fmt.Fprintf(g.out, added, o.ID, o.Name, c.Email, page)

		return err
	})
}
