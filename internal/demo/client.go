//go:build !nosandbox

package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// client speaks to the API as any other program would: over HTTP, with nothing but what the interface says.
type client struct {
	base  string
	token string
	http  *http.Client
}

func newClient(base string) *client {
	return &client{base: base, http: &http.Client{Timeout: 20 * time.Second}}
}

// refusal is a problem document.
type refusal struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Errors []struct {
		Pointer string `json:"pointer"`
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
}

// Error gives status, code and every field.
func (r *refusal) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s: %s", r.Status, r.Code, r.Detail)

	for _, e := range r.Errors {
		fmt.Fprintf(&b, " [%s %s]", e.Pointer, e.Code)
	}

	return b.String()
}

// call sends a request and decodes the answer into out, which may be nil. A refusal comes back as *refusal.
func (c *client) call(ctx context.Context, method, path string, body, out any) error {
	var send io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}

		send = bytes.NewReader(raw)
	}

	req, err := http.NewRequestWithContext(ctx, method, c.base+path, send)
	if err != nil {
		return err
	}

	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}

	return c.do(req, out)
}

// do sends a request with the client's credentials.
func (c *client) do(req *http.Request, out any) error {
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}

	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()

	raw, err := io.ReadAll(io.LimitReader(res.Body, 4<<20))
	if err != nil {
		return err
	}

	if res.StatusCode >= 400 {
		r := &refusal{}
		if err := json.Unmarshal(raw, r); err != nil {
			return fmt.Errorf("%s %s: status %d: %s", req.Method, req.URL.Path, res.StatusCode, raw)
		}

		return r
	}

	if out == nil || len(raw) == 0 {
		return nil
	}

	return json.Unmarshal(raw, out)
}

type object map[string]any

// The answers, as far as the demo reads them.
type (
	tokens struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
	}
	record struct {
		ID     string `json:"_id"`
		Status string `json:"onboardingStatus"`
	}
	walletAnswer struct {
		ID        string `json:"_id"`
		Address   string `json:"address"`
		Analysis  string `json:"walletAnalysisStatus"`
		Ownership struct {
			Message string `json:"message"`
			Status  string `json:"status"`
		} `json:"ownership"`
	}
	paymentAnswer struct {
		ID            string `json:"_id"`
		Status        string `json:"status"`
		StatusInfo    string `json:"statusInfo"`
		Amount        string `json:"amount"`
		WalletAddress string `json:"walletAddress"`
		Currency      string `json:"currencyIsoCode"`
		TokenAmount   string `json:"tokenAmount"`
	}
	bankEffect struct {
		Rail       string `json:"rail"`
		EndToEndID string `json:"endToEndId"`
		Status     string `json:"status"`
		Payment    string `json:"payment"`
	}
	transactionAnswer struct {
		ID         string          `json:"_id"`
		Type       string          `json:"type"`
		Status     string          `json:"status"`
		Settlement string          `json:"settlementStatus"`
		StatusInfo string          `json:"statusInfo"`
		Token      string          `json:"token"`
		Payments   []paymentAnswer `json:"payments"`
		Totals     struct {
			TokenDebit  string `json:"tokenDebit"`
			TokenCredit string `json:"tokenCredit"`
			FiatIn      struct {
				Amount   string `json:"amount"`
				Currency string `json:"currencyIsoCode"`
			} `json:"fiatIn"`
		} `json:"totals"`
		Fees []struct {
			Type   string `json:"type"`
			Amount string `json:"amount"`
		} `json:"fees"`
		Bank  []bankEffect `json:"bank"`
		Chain []struct {
			TxHash        string `json:"txHash"`
			Status        string `json:"status"`
			BlockNumber   int64  `json:"blockNumber"`
			Confirmations int64  `json:"confirmations"`
			GasUsed       int64  `json:"gasUsed"`
		} `json:"chain"`
		Timeline []struct {
			Status     string    `json:"status"`
			Settlement string    `json:"settlementStatus"`
			At         time.Time `json:"at"`
		} `json:"timeline"`
	}
	allowanceAnswer struct {
		Sufficient    bool   `json:"sufficient"`
		Allowance     string `json:"allowance"`
		Required      string `json:"required"`
		ApprovalCalls []struct {
			To      string `json:"to"`
			Data    string `json:"data"`
			Purpose string `json:"purpose"`
		} `json:"approvalCalls"`
	}
)

// title says what a transaction is about.
func (t transactionAnswer) title() string {
	if t.Type == "ONRAMP" {
		return t.Totals.FiatIn.Amount + " " + t.Totals.FiatIn.Currency
	}

	return t.Totals.TokenDebit + " " + t.Token
}

// atBank is what the bank has done for a payment; the zero value: nothing yet.
func (t transactionAnswer) atBank(p paymentAnswer) (last bankEffect) {
	for _, b := range t.Bank {
		if b.Payment == p.ID {
			last = b
		}
	}

	return last
}
