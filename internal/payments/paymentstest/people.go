//go:build !nosandbox

package paymentstest

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db"
)

// Object is a JSON object of a request.
type Object map[string]any

// With returns the object with other members; nil takes one away.
func (o Object) With(members Object) Object {
	out := Object{}
	for k, v := range o {
		out[k] = v
	}

	for k, v := range members {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}

	return out
}

// Member is a person who is signed in, in one organisation.
type Member struct {
	W            *World
	Token        string
	User, Email  string
	ID           string // of the membership
	Org, Self    string // the organisation and its own receiver
	Payer        string // address of the organisation's wallet, proven and screened
	PayingWallet string // identifier of it
}

// Founder makes a person with an organisation that is APPROVED and has one wallet to pay from. He is its admin, and may
// accept.
func (w *World) Founder(name string) *Member {
	w.T.Helper()

	m := &Member{W: w, Email: strings.ToLower(name) + "@example.org"}
	m.Token = w.Someone(m.Email).Access
	m.Org = w.Organisation(m.Token)
	m.User = m.Do("GET", "/users/me", nil).OK(200).Text("_id")
	m.ID = m.Do("GET", "/organisations/"+m.Org+"/members", nil).OK(200).Results()[0]["_id"].(string)
	m.Do("POST", "/sandbox/organisations/"+m.Org+"/onboarding", Object{"status": "APPROVED"}).OK(200)

	ctx := context.Background()
	require.NoError(w.T, w.DB.Write(ctx, func(tx *db.Tx) error {
		return receiver.CreateSelf(ctx, tx, m.Org, receiver.Own{
			Type:      receiver.Company,
			LegalName: "Ada Ltd",
			Email:     m.Email,
			Country:   "CH",
		})
	}))
	m.Self = m.Do("GET", "/receivers/self", nil).OK(200).Text("_id")
	m.PayingWallet, m.Payer = m.Wallet(m.Self)

	return m
}

// Colleague brings a person into the organisation. roles are what he may do; "authorized" among them lets him accept.
func (m *Member) Colleague(name string, roles ...string) *Member {
	w := m.W
	w.T.Helper()

	n := *m
	n.Email = strings.ToLower(name) + "@colleague.example.org"

	var session identitytest.Session
	session, n.ID = w.Member(m.Token, m.Org, n.Email, `"viewer"`)
	n.Token = session.Access
	n.User = n.Do("GET", "/users/me", nil).OK(200).Text("_id")

	body := Object{"roles": roles}
	if roles[0] == "authorized" {
		body = Object{"userType": roles[0], "roles": roles[1:]}
	}

	m.Do("PATCH", "/organisations/"+m.Org+"/members/"+n.ID, body).OK(200)

	return &n
}

// Do sends a request as this person. body is nil or something that JSON can say.
func (m *Member) Do(method, path string, body any, headers ...identitytest.Header) identitytest.Answer {
	m.W.T.Helper()

	text := ""
	if body != nil {
		raw, err := json.Marshal(body)
		require.NoError(m.W.T, err)

		text = string(raw)
	}

	return m.W.Do(method, path, m.Token, text, headers...)
}

// Policy sets the organisation's policy.
func (m *Member) Policy(policy Object) {
	m.W.T.Helper()

	none := Object{"fourEyes": false, "payeeApproval": false}
	m.Do("PUT", "/organisations/"+m.Org+"/approval-policy", none.With(policy)).OK(200)
}

// Receiver adds a person who can be paid and returns his identifier.
func (m *Member) Receiver(name string) string {
	m.W.T.Helper()

	return m.Do("POST", "/receivers", Object{
		"type":           "INDIVIDUAL",
		"email":          strings.ToLower(name) + "@example.org",
		"firstName":      name,
		"lastName":       "Keller",
		"address":        Object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	}).OK(201).Text("_id")
}

// Wallet adds a wallet of a receiver, proves it and has it screened.
func (m *Member) Wallet(receiverID string) (id, address string) {
	m.W.T.Helper()

	key, of := directorytest.NewKey(m.W.T)
	address = of.Hex()
	a := m.Do("POST", "/wallets", Object{
		"address":  address,
		"network":  NetworkID,
		"type":     "EOA",
		"receiver": receiverID,
	}).OK(201)
	id = a.Text("_id")
	message := a.Text("ownership.message")
	m.Do("POST", "/wallets/"+id+"/verify-wallet", Object{
		"message":       message,
		"signedMessage": directorytest.Sign(key, message),
	}).OK(200)
	m.W.RunJobs()

	return id, address
}

// BankAccount adds a bank account of a receiver in euros and returns its identifier.
func (m *Member) BankAccount(receiverID, iban string) string {
	m.W.T.Helper()

	id := m.Do("POST", "/bank-accounts", Object{
		"receiver":    receiverID,
		"bankCountry": "DE",
		"currency":    "EUR",
		"iban":        iban,
		"bicSwift":    "COBADEFFXXX",
	}).OK(201).Text("_id")
	m.W.RunJobs()

	return id
}

// Address makes an address that nobody has the key of.
func Address(name string) string {
	return common.BytesToAddress(crypto.Keccak256([]byte(name))).Hex()
}
