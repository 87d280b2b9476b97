//go:build !nosandbox

package apptest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
)

// Object is a JSON object of a request.
type Object map[string]any

// Header is a request header.
type Header struct{ Name, Value string }

// Key is the header that makes a request repeatable.
func Key(value string) Header { return Header{"Idempotency-Key", value} }

// Answer is what came back.
type Answer struct {
	T      testing.TB
	Status int
	Raw    string
	Header http.Header
}

// Do sends a request to an app. body is nil, text as it is, or anything that JSON can say. It may be called from
// several goroutines.
func (h *Harness) Do(a *app.App, method, path, token string, body any, headers ...Header) Answer {
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)

	default:
		raw, err := json.Marshal(b)
		if err != nil {
			h.T.Errorf("encode the body of %s %s: %v", method, path, err)
		}

		r = bytes.NewReader(raw)
	}

	req := httptest.NewRequest(method, path, r)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}

	for _, x := range headers {
		req.Header.Set(x.Name, x.Value)
	}

	rec := httptest.NewRecorder()
	a.Handler.ServeHTTP(rec, req)

	return Answer{h.T, rec.Code, rec.Body.String(), rec.Header()}
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

// problem is the part of a problem document that tests look at.
type problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Errors []struct {
		Pointer string `json:"pointer"`
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
}

// Code is the code of a refusal, empty for an answer that is none.
func (a Answer) Code() string {
	var p problem
	if a.Status < 400 || json.Unmarshal([]byte(a.Raw), &p) != nil {
		return ""
	}

	return p.Code
}

// Fields are the fields of a refusal as "pointer CODE".
func (a Answer) Fields() []string {
	a.T.Helper()

	var p problem
	a.Into(&p)

	out := make([]string, len(p.Errors))
	for i, e := range p.Errors {
		out[i] = e.Pointer + " " + e.Code
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

// View is a transaction as a client reads it: the fields that tests look at, by their names in the interface.
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
	} `json:"payments"`
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

// ID is the body's _id.
func (a Answer) ID() string {
	a.T.Helper()

	var v struct {
		ID string `json:"_id"`
	}
	a.Into(&v)
	require.NotEmpty(a.T, v.ID, a.Raw)

	return v.ID
}

// Password is everybody's.
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

// Client makes a person with everything that a payment needs. Each has a wallet of its own.
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

// Person makes a person with an organisation that is PENDING and has no wallets.
func (h *Harness) Person(name string) *Client {
	h.T.Helper()
	c := &Client{h: h, Email: strings.ReplaceAll(strings.ToLower(name), " ", ".") + "@example.org"}
	h.Do(h.App, "POST", "/auth/register", "", Object{
		"firstName": name,
		"lastName":  "Muster",
		"email":     c.Email,
		"password":  Password,
	}).OK(200)
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

// Login gives the person a new session.
func (c *Client) Login() {
	c.h.T.Helper()

	var in struct {
		Access string `json:"access_token"`
	}
	c.h.Do(c.h.App, "POST", "/auth/login", "", Object{"email": c.Email, "password": Password}).OK(200).Into(&in)
	c.Token = in.Access
}

// TokenAhead signs in for a process whose clock is ahead: the token begins when that clock shows now.
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

// StaySignedIn has the person sign in anew when the session has ended, while clocks are moved and back-ups put back.
func (c *Client) StaySignedIn() { c.stays = true }

// Account makes a key from a name. It holds nothing; see Fund.
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

// NewReceiver makes a person who can be paid.
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

// Payment is an item to an address that is not a stored wallet.
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

// Body is a transaction of these payments from this person's wallet.
func (c *Client) Body(token string, payments ...Object) Object {
	return Object{"type": "CRYPTO", "token": token, "walletAddress": c.Payer.Address.Hex(), "payments": payments}
}

// Draft makes a transaction with one payment to the person's payee for each amount.
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

// Submitted makes a draft and submits it.
func (c *Client) Submitted(token string, amounts ...string) string {
	c.h.T.Helper()
	id := c.Draft(token, amounts...)
	c.Act(id, "submit").OK(200)

	return id
}

// Accepted makes a draft, submits and accepts it.
func (c *Client) Accepted(token string, amounts ...string) string {
	c.h.T.Helper()
	id := c.Submitted(token, amounts...)
	c.Act(id, "accept").OK(200)

	return id
}

// Read gives a transaction as clients see it.
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

// Staff makes the person one of the platform's own, and logs in again.
func (c *Client) Staff(role string) {
	c.h.T.Helper()
	c.h.Exec("UPDATE users SET staff = ? WHERE id = ?", role, c.User)
	c.Login()
}

// Amount is a plain decimal number of a token.
func Amount(n int) string { return fmt.Sprintf("%d.00", n) }
