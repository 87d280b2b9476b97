//go:build !nosandbox

package apptest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apiclient"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/inprocess"
	"slipway/internal/platform/web/documenttest"
)

// Object is a JSON object of a request.
type Object = apiclient.Object

// Header is a request header.
type Header = apiclient.Header

// Key returns the header that makes a request repeatable.
func Key(value string) Header { return apiclient.Key(value) }

// Answer is what came back.
type Answer struct {
	T      testing.TB
	Status int
	Raw    string
	Header http.Header
}

// Do sends a request to an app. body is nil, text as it is, or anything that JSON can encode. It may be called from
// several goroutines.
func (h *Harness) Do(a *app.App, method, path, token string, body any, headers ...Header) Answer {
	got, err := api(a, token).Send(context.Background(), method, path, body, headers...)
	if err != nil {
		h.T.Errorf("%s %s: %v", method, path, err)
	} else if err := documented(a, method, path, got); err != nil {
		h.T.Errorf("against the OpenAPI document: %v", err)
	}

	return Answer{h.T, got.Status, string(got.Body), got.Header}
}

// documents are the OpenAPI documents of this process's apps. Making one takes longer than many a test.
var documents documenttest.Known

// documented returns an error where an answer is not what the app's OpenAPI document says of it; refusals, too.
func documented(a *app.App, method, path string, got apiclient.Answer) error {
	d, err := documents.Of(a.API)
	if err != nil {
		return err
	}

	path, _, _ = strings.Cut(path, "?")

	return d.Check(method, path, got.Status, got.Header, got.Body)
}

// api returns a client that calls an app's handler within the process. It follows no redirects: tests look at them.
func api(a *app.App, token string) *apiclient.Client {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "192.0.2.1:1234"
		a.Handler.ServeHTTP(w, r)
	})

	return &apiclient.Client{
		Base:  "http://slipway.example",
		Token: token,
		HTTP: &http.Client{
			Transport:     inprocess.Transport(handler),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// OK requires a status.
func (a Answer) OK(status int) Answer {
	a.T.Helper()
	require.Equal(a.T, status, a.Status, a.Raw)
	return a
}

// Into decodes the body.
func (a Answer) Into(v any) Answer {
	a.T.Helper()
	require.NoError(a.T, json.Unmarshal([]byte(a.Raw), v), a.Raw)
	return a
}

// problem returns the problem document of a refusal; it is empty for any other answer.
func (a Answer) problem() *apiclient.Problem {
	p, ok := apiclient.Answer{Status: a.Status, Body: []byte(a.Raw)}.Problem()
	if !ok {
		return &apiclient.Problem{}
	}

	return p
}

// Code returns the code of a refusal, or "" for any other answer.
func (a Answer) Code() string { return a.problem().Code }

// Fields returns the fields of a refusal as "pointer CODE".
func (a Answer) Fields() []string {
	errors := a.problem().Errors

	out := make([]string, len(errors))
	for i, e := range errors {
		out[i] = e.Where() + " " + e.Code
	}

	return out
}

// Refused requires a refusal with this status and code and, when fields are given, exactly these, as "pointer CODE".
func (a Answer) Refused(status int, code string, fields ...string) Answer {
	a.T.Helper()
	require.Equal(a.T, status, a.Status, a.Raw)
	require.Equal(a.T, code, a.Code(), a.Raw)

	if len(fields) > 0 {
		require.ElementsMatch(a.T, fields, a.Fields(), a.Raw)
	}

	return a
}

// View holds the fields of a transaction that tests look at.
type View struct {
	ID             string             `json:"_id"`
	Status         transaction.Status `json:"status"`
	Settlement     string             `json:"settlementStatus"`
	StatusInfo     string             `json:"statusInfo"`
	Token          string             `json:"token"`
	WalletAddress  string             `json:"walletAddress"`
	AllowedActions []string           `json:"allowedActions"`
	Version        int64              `json:"version"`
	Totals         struct {
		TokenDebit string `json:"tokenDebit"`
	} `json:"totals"`
	Payments []struct {
		ID         string                    `json:"_id"`
		Status     transaction.PaymentStatus `json:"status"`
		StatusInfo string                    `json:"statusInfo"`
		Amount     string                    `json:"amount"`
		Tokens     string                    `json:"tokenAmount"`
	} `json:"payments"`
	Fees []struct {
		Type      string `json:"type"`
		Amount    string `json:"amount"`
		GivenBack string `json:"givenBack"`
	} `json:"fees"`
	Chain []struct {
		TxHash     string `json:"txHash"`
		Status     string `json:"status"`
		ReplacedBy string `json:"replacedBy"`
		Info       string `json:"info"`
	} `json:"chain"`
	Timeline []struct {
		Status     string `json:"status"`
		Settlement string `json:"settlementStatus"`
		Version    int64  `json:"version"`
	} `json:"timeline"`
}

// View decodes a transaction.
func (a Answer) View() View {
	a.T.Helper()

	var v View
	a.Into(&v)

	return v
}

// ID returns the body's _id.
func (a Answer) ID() string {
	a.T.Helper()

	var v struct {
		ID string `json:"_id"`
	}
	a.Into(&v)
	require.NotEmpty(a.T, v.ID, a.Raw)

	return v.ID
}

// Password is the password of every person.
const Password = "nine violet kettles 47"

// Client is a signed-in person with an approved organisation, a proven paying wallet that has approved the router,
// and a receiver.
type Client struct {
	h                   *Harness
	Token, User, Member string
	Org, Self, Receiver string
	Payer               world.Account
	Wallet              string         // the payer's, stored and proven
	Payee               common.Address // of the receiver, as yet unknown to the chain
	Email               string

	stays bool // signs in anew when the session has ended
}

// Client creates a person with everything that a payment needs, and a wallet of its own.
func (h *Harness) Client(name string) *Client {
	h.T.Helper()
	c := h.Person(name)
	c.h.Do(h.App, "POST", "/sandbox/organisations/"+c.Org+"/onboarding", c.Token, Object{"status": "APPROVED"}).OK(200)
	c.Payer = h.Account(name + "'s wallet")
	c.Wallet = c.ProveWallet(c.Self, c.Payer)
	c.Receiver = c.NewReceiver("Alice")

	c.Payee = h.Account(name + "'s payee").Address
	for _, t := range h.World.Tokens {
		h.Approve(t, c.Payer, new(big.Int).Lsh(big.NewInt(1), 100))
	}

	return c
}

// Person creates a person with an organisation that is PENDING and has no wallets.
func (h *Harness) Person(name string) *Client {
	h.T.Helper()
	c := &Client{h: h, Email: strings.ReplaceAll(strings.ToLower(name), " ", ".") + "@example.org"}
	person := apiclient.Person{
		FirstName: name,
		LastName:  "Muster",
		Email:     c.Email,
		Password:  Password,
	}
	require.NoError(h.T, api(h.App, "").Register(context.Background(), person))
	c.Login()

	c.Org = h.Do(h.App, "POST", "/organisations/create", c.Token, Object{
		"organisationType": "Organisation",
		"name":             name + " AG",
	}).OK(201).ID()
	c.User = h.Do(h.App, "GET", "/users/me", c.Token, nil).OK(200).ID()
	c.Self = h.Do(h.App, "GET", "/receivers/self", c.Token, nil).OK(200).ID()

	var members struct {
		Results []struct {
			ID string `json:"_id"`
		} `json:"results"`
	}
	h.Do(h.App, "GET", "/organisations/"+c.Org+"/members", c.Token, nil).OK(200).Into(&members)
	require.Len(h.T, members.Results, 1)
	c.Member = members.Results[0].ID

	return c
}

// Login opens a new session for the person.
func (c *Client) Login() {
	c.h.T.Helper()
	session, err := api(c.h.App, "").SignIn(context.Background(), c.Email, Password)
	require.NoError(c.h.T, err)

	c.Token = session.Access
}

// TokenAhead opens a session for a process whose clock is ahead: the token expires later by as much.
func (c *Client) TokenAhead(by time.Duration) string {
	c.h.T.Helper()
	c.Login()

	hash := sha256.Sum256([]byte(c.Token))
	c.h.Exec(
		"UPDATE access_tokens SET expires_at = expires_at + ? WHERE hash = ?",
		by.Microseconds(),
		hex.EncodeToString(hash[:]),
	)

	return c.Token
}

// StaySignedIn makes Do sign in anew when the session has ended, while clocks are moved and backups restored.
func (c *Client) StaySignedIn() { c.stays = true }

// Account derives a key from a name. It holds nothing; see Fund.
func (h *Harness) Account(name string) world.Account {
	h.T.Helper()
	key, err := crypto.ToECDSA(crypto.Keccak256([]byte("slipway test key: " + name)))
	require.NoError(h.T, err)
	a := world.Account{Name: name, Key: key, Address: crypto.PubkeyToAddress(key.PublicKey)}

	return a
}

// ProveWallet stores a wallet for a receiver, signs for it, and has it screened.
func (c *Client) ProveWallet(receiver string, a world.Account) string {
	c.h.T.Helper()
	h := c.h
	h.Fund(a)

	var w struct {
		ID        string `json:"_id"`
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}
	h.Do(h.App, "POST", "/wallets", c.Token, Object{
		"address":  a.Address.Hex(),
		"network":  world.NetworkID,
		"type":     "EOA",
		"receiver": receiver,
	}).OK(201).Into(&w)
	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), a.Key)
	require.NoError(h.T, err)
	signature[64] += 27
	h.Do(h.App, "POST", "/wallets/"+w.ID+"/verify-wallet", c.Token, Object{
		"message":       w.Ownership.Message,
		"signedMessage": "0x" + hex.EncodeToString(signature),
	}).OK(200)
	h.RunJobs()

	return w.ID
}

// NewReceiver stores a person who can be paid.
func (c *Client) NewReceiver(name string) string {
	c.h.T.Helper()

	return c.Do("POST", "/receivers", Object{
		"type":           "INDIVIDUAL",
		"email":          strings.ToLower(name) + "@example.org",
		"firstName":      name,
		"lastName":       "Keller",
		"address":        Object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	}).OK(201).ID()
}

// Do sends a request as this person to the first app.
func (c *Client) Do(method, path string, body any, headers ...Header) Answer {
	c.h.T.Helper()

	a := c.h.Do(c.h.App, method, path, c.Token, body, headers...)
	if a.Status == 401 && c.stays {
		c.Login()
		a = c.h.Do(c.h.App, method, path, c.Token, body, headers...)
	}

	return a
}

// Payment returns a payment to an address that is no stored wallet.
func (c *Client) Payment(to common.Address, amount string) Object {
	return Object{
		"type":          "CRYPTO",
		"receiver":      c.Receiver,
		"walletAddress": to.Hex(),
		"walletType":    "EOA",
		"network":       world.NetworkID,
		"amount":        amount,
		"reason":        "Invoice 2026-117",
	}
}

// Body returns a transaction of these payments from this person's wallet.
func (c *Client) Body(token string, payments ...Object) Object {
	return Object{"type": "CRYPTO", "token": token, "walletAddress": c.Payer.Address.Hex(), "payments": payments}
}

// Draft creates a transaction with one payment to the person's payee for each amount.
func (c *Client) Draft(token string, amounts ...string) string {
	c.h.T.Helper()

	payments := make([]Object, len(amounts))
	for i, a := range amounts {
		payments[i] = c.Payment(c.Payee, a)
	}

	return c.Do("POST", "/transactions", c.Body(token, payments...)).OK(201).ID()
}

// Act calls an operation of a transaction: submit, accept, validate, check-allowance.
func (c *Client) Act(id, what string, headers ...Header) Answer {
	c.h.T.Helper()
	return c.Do("POST", "/transactions/"+id+"/"+what, nil, headers...)
}

// Submitted creates a draft and submits it.
func (c *Client) Submitted(token string, amounts ...string) string {
	c.h.T.Helper()
	id := c.Draft(token, amounts...)
	c.Act(id, "submit").OK(200)

	return id
}

// Accepted creates a draft, submits and accepts it.
func (c *Client) Accepted(token string, amounts ...string) string {
	c.h.T.Helper()
	id := c.Submitted(token, amounts...)
	c.Act(id, "accept").OK(200)

	return id
}

// Read returns a transaction as clients see it.
func (c *Client) Read(id string) View {
	c.h.T.Helper()
	return c.Do("GET", "/transactions/"+id, nil).OK(200).View()
}

// Ends requires a transaction's status and the statuses of its payments.
func (c *Client) Ends(id string, status transaction.Status, payments ...transaction.PaymentStatus) View {
	c.h.T.Helper()
	v := c.Read(id)
	require.Equal(c.h.T, status, v.Status, "%s: %s", id, v.StatusInfo)

	for i, want := range payments {
		require.Equal(c.h.T, want, v.Payments[i].Status, "payment %d: %s", i, v.Payments[i].StatusInfo)
	}

	return v
}

// Staff makes the person one of the platform's own staff, and signs in again.
func (c *Client) Staff(role string) {
	c.h.T.Helper()
	c.h.Exec("UPDATE users SET staff = ? WHERE id = ?", role, c.User)
	c.Login()
}

// Amount returns n with two decimals.
func Amount(n int) string { return fmt.Sprintf("%d.00", n) }
