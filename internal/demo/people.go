//go:build !nosandbox

package demo

import (
	"context"
	"fmt"
)

// people stores two receivers, and two wallets that are proven by signature.
func (s *story) people(ctx context.Context) error {
	s.t.heading("Receivers and wallets")

	var self record
	if err := s.c.Call(ctx, "GET", "/receivers/self", nil, &self); err != nil {
		return fmt.Errorf("self-receiver: %w", err)
	}

	s.self = self.ID

	var err error

	s.aliceID, err = s.newReceiver(ctx, object{
		"type":           "INDIVIDUAL",
		"email":          "alice@example.org",
		"firstName":      "Alice",
		"lastName":       "Keller",
		"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	})
	if err != nil {
		return err
	}

	s.bobID, err = s.newReceiver(ctx, object{
		"type":           "COMPANY",
		"email":          "ap@bob.example",
		"legalName":      "Bob & Sons Ltd",
		"address":        object{"addressLine1": "1 High Street", "postCode": "N1 9GU", "city": "London"},
		"countryIsoCode": "GB",
	})
	if err != nil {
		return err
	}

	s.t.done("two receivers: Alice Keller, Bob & Sons Ltd")

	if _, err := s.proveWallet(ctx, s.self, s.payer); err != nil {
		return err
	}

	s.t.done("the paying wallet %s is stored and proven by signature (EIP-4361)", short(s.payer.Address))

	if s.aliceWallet, err = s.proveWallet(ctx, s.aliceID, s.alice); err != nil {
		return err
	}

	s.t.done("Alice's wallet %s too", short(s.alice.Address))

	return nil
}

// newReceiver stores a receiver and returns its identifier.
func (s *story) newReceiver(ctx context.Context, body object) (string, error) {
	var made record
	if err := s.c.Call(ctx, "POST", "/receivers", body, &made); err != nil {
		return "", fmt.Errorf("create receiver: %w", err)
	}

	return made.ID, nil
}
