//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/app/apiclient"
	"slipway/internal/app/world"
)

// Trigger is one real flow in a sandbox that runs elsewhere.
type Trigger struct {
	Client *apiclient.Client // signed in
	Chain  string            // URL of the sandbox's chain
	Flow   string
	Out    io.Writer
}

// flow takes a transaction to the state that it is named for, and returns its identifier.
type flow struct {
	help string
	run  func(s *story, ctx context.Context) (id string, err error)
	ends []string // the statuses, or settlement statuses, that end it
	// later is how far the sandbox's clock is moved when the payment has settled: what happens then comes days later.
	later string
}

// flows are what Trigger can do. Bank accounts end like those that the simulated bank treats in its own ways.
var flows = map[string]flow{
	"payment": {
		help: "pay 10 USDC to an address",
		run:  (*story).triggerPayment,
		ends: []string{"SETTLED"},
	},
	"fiat": {
		help: "pay 100 EUR to a bank account",
		run:  fiatTo("000"),
		ends: []string{"SETTLED"},
	},
	"reject": {
		help: "pay 100 EUR to an account that its bank does not know",
		run:  fiatTo("003"),
		ends: []string{"REFUNDED"},
	},
	"return": {
		help:  "pay 100 EUR that the payee's bank sends back; the sandbox's clock moves on by five minutes",
		run:   fiatTo("004"),
		ends:  []string{"RETURNED", "REFUNDED"},
		later: "5m",
	},
	"onramp": {
		help: "deposit 2500 EUR, and get tokens",
		run:  depositOf("exact"),
		ends: []string{"SETTLED"},
	},
	"deposit-mismatch": {
		help: "deposit less than what was agreed",
		run:  depositOf("short"),
		ends: []string{"DEPOSIT_MISMATCH"},
	},
	"deposit-over": {
		help: "deposit more than what was agreed",
		run:  depositOf("over"),
		ends: []string{"DEPOSIT_MISMATCH"},
	},
	"deposit-lost": {
		help: "deposit without the reference",
		run:  depositOf("no_reference"),
		ends: []string{"AWAITING_DEPOSIT"},
	},
}

// Flows returns the names of the flows, each with what it does.
func Flows() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(flows)) {
		out = append(out, name+": "+flows[name].help)
	}

	return out
}

// Run carries out a flow and follows its transaction to the state that it is named for.
func (t Trigger) Run(ctx context.Context) error {
	f, ok := flows[t.Flow]
	if !ok {
		return fmt.Errorf("there is no flow %s; there are:\n  %s", t.Flow, strings.Join(Flows(), "\n  "))
	}

	chain, err := ethclient.DialContext(ctx, t.Chain)
	if err != nil {
		return err
	}
	defer chain.Close()

	places := world.At(t.Chain)
	s := &story{
		t:      newTeller(t.Out, false),
		c:      t.Client,
		chain:  chain,
		payer:  places.Accounts[0],
		street: crypto.CreateAddress(places.Accounts[2].Address, uint64(time.Now().UnixNano())),
		pause:  250 * time.Millisecond,
	}

	if err := s.ownWallet(ctx); err != nil {
		return err
	}

	id, err := f.run(s, ctx)
	if err != nil {
		return err
	}

	s.t.done("transaction %s", id)

	if f.later != "" {
		if err := s.reaches(ctx, id, []string{"SETTLED"}); err != nil {
			return err
		}

		if err := s.c.Call(ctx, "POST", "/sandbox/clock", object{"advance": f.later}, nil); err != nil {
			return fmt.Errorf("move the clock: %w", err)
		}
	}

	return s.reaches(ctx, id, f.ends)
}

// reaches waits until a transaction stands in one of some settlement statuses, and prints each change.
func (s *story) reaches(ctx context.Context, id string, ends []string) error {
	seen := ""

	return s.until(ctx, 2*time.Minute, func() (bool, error) {
		var t transactionAnswer
		if err := s.c.Call(ctx, "GET", "/transactions/"+id, nil, &t); err != nil {
			return false, err
		}

		if now := t.Status + ", " + t.Settlement; now != seen {
			s.t.done("%s %s", now, t.StatusInfo)
			seen = now
		}

		if t.Status == "FAILED" && !slices.Contains(ends, t.Settlement) && t.Settlement == "IDLE" {
			return false, errors.New("the transaction FAILED: " + t.StatusInfo)
		}

		return slices.Contains(ends, t.Settlement), nil
	})
}

// ownWallet finds the organisation's own receiver, and its wallet of the first test key; it proves the wallet if it is
// not there.
func (s *story) ownWallet(ctx context.Context) error {
	var self record
	if err := s.c.Call(ctx, "GET", "/receivers/self", nil, &self); err != nil {
		return fmt.Errorf("self-receiver: %w", err)
	}

	s.self = self.ID

	var mine struct {
		Results []struct {
			Address string `json:"address"`
		} `json:"results"`
	}
	if err := s.c.Call(ctx, "GET", "/wallets/me?limit=250", nil, &mine); err != nil {
		return fmt.Errorf("wallets: %w", err)
	}

	for _, w := range mine.Results {
		if common.HexToAddress(w.Address) == s.payer.Address {
			return nil
		}
	}

	_, err := s.proveWallet(ctx, s.self, s.payer)

	return err
}

// newPayee stores a receiver of a name that no other has.
func (s *story) newPayee(ctx context.Context) (string, error) {
	return s.newReceiver(ctx, object{
		"type":           "COMPANY",
		"email":          "ap@payee.example",
		"legalName":      "Payee of " + time.Now().UTC().Format("2006-01-02 15:04:05.000"),
		"address":        object{"addressLine1": "1 High Street", "postCode": "N1 9GU", "city": "London"},
		"countryIsoCode": "GB",
	})
}

func (s *story) triggerPayment(ctx context.Context) (string, error) {
	var err error
	if s.bobID, err = s.newPayee(ctx); err != nil {
		return "", err
	}

	return s.carry(ctx, s.fromWallet("USDC", s.toStreet("10.00", "Triggered")))
}

// carry takes a body to acceptance; the wallet approves what is missing.
func (s *story) carry(ctx context.Context, body object) (string, error) {
	var t transactionAnswer
	if err := s.c.Call(ctx, "POST", "/transactions", body, &t); err != nil {
		return "", fmt.Errorf("create transaction: %w", err)
	}

	at := "/transactions/" + t.ID

	var a allowanceAnswer
	if err := s.c.Call(ctx, "POST", at+"/check-allowance", nil, &a); err != nil {
		return "", fmt.Errorf("check allowance: %w", err)
	}

	if !a.Sufficient {
		if err := s.approve(ctx, at, &a); err != nil {
			return "", err
		}
	}

	for _, step := range []string{"/submit", "/accept"} {
		if err := s.c.Call(ctx, "POST", at+step, nil, &t); err != nil {
			return "", fmt.Errorf("%s: %w", step[1:], err)
		}
	}

	return t.ID, nil
}

// fiatTo returns a flow that pays a German account with an ending.
func fiatTo(end string) func(s *story, ctx context.Context) (string, error) {
	return func(s *story, ctx context.Context) (string, error) {
		payee, err := s.newPayee(ctx)
		if err != nil {
			return "", err
		}

		var account record
		if err := s.c.Call(ctx, "POST", "/bank-accounts", object{
			"bankCountry": "DE",
			"currency":    "EUR",
			"iban":        germanIBAN("370400440532013" + end),
			"bicSwift":    "COBADEFFXXX",
			"receiver":    payee,
		}, &account); err != nil {
			return "", fmt.Errorf("store account: %w", err)
		}

		return s.carry(ctx, object{
			"type":          "FIAT",
			"token":         "USDC",
			"walletAddress": s.payer.Address.Hex(),
			"payments": []object{{
				"type":        "FIAT",
				"receiver":    payee,
				"bankAccount": account.ID,
				"amount":      "100.00",
				"reason":      "Triggered",
			}},
		})
	}
}

// germanIBAN returns the IBAN of a German account: bank code and number with their check digits (ISO 13616).
func germanIBAN(bban string) string {
	const letters = "131400" // DE and two digits to come

	rest := 0
	for _, r := range bban + letters {
		rest = (rest*10 + int(r-'0')) % 97
	}

	return fmt.Sprintf("DE%02d%s", 98-rest, bban)
}

// depositOf returns a flow that submits an on-ramp and deposits for it in a way.
func depositOf(kind string) func(s *story, ctx context.Context) (string, error) {
	return func(s *story, ctx context.Context) (string, error) {
		var t transactionAnswer
		if err := s.c.Call(ctx, "POST", "/transactions", object{
			"type":           "ONRAMP",
			"token":          "USDC",
			"walletAddress":  s.payer.Address.Hex(),
			"amountCurrency": "EUR",
			"payments":       []object{{"type": "ONRAMP", "receiver": s.self, "amount": "2500.00"}},
		}, &t); err != nil {
			return "", fmt.Errorf("create on-ramp: %w", err)
		}

		at := "/transactions/" + t.ID

		var sender struct {
			Results []struct {
				Name string `json:"name"`
			} `json:"results"`
		}
		if err := s.c.Call(ctx, "GET", "/organisations/me", nil, &sender); err != nil {
			return "", err
		}

		if len(sender.Results) == 0 {
			return "", errors.New("there is no organisation to deposit for")
		}

		name := sender.Results[0].Name
		if err := s.c.Call(ctx, "POST", at+"/submit", object{"sender": name}, &t); err != nil {
			return "", fmt.Errorf("submit on-ramp: %w", err)
		}

		var d struct {
			Reference string `json:"reference"`
			Amount    string `json:"amount"`
			Currency  string `json:"currencyIsoCode"`
		}
		if err := s.c.Call(ctx, "GET", at+"/bank-details", nil, &d); err != nil {
			return "", fmt.Errorf("bank details: %w", err)
		}

		err := s.c.Call(ctx, "POST", "/sandbox/deposits", object{
			"reference":  d.Reference,
			"amount":     d.Amount,
			"currency":   d.Currency,
			"senderName": name,
			"kind":       kind,
		}, nil)

		return t.ID, err
	}
}
