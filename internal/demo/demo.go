//go:build !nosandbox

// Package demo tells Slipway's main story from end to end: it is a client that speaks HTTP only, a person with a
// wallet, and an auditor who looks at the chain and the books afterwards and does not take anybody's word.
package demo

import (
	"context"
	"crypto/ecdsa"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/app/world"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// Config is where the story takes place.
type Config struct {
	API      string // base address
	World    *world.World
	DB       *db.DB     // for the auditor
	Bank     *bank.Rail // for the auditor: files and statements as they were read
	Out      io.Writer
	Terminal bool
}

// story is the state of one telling.
type story struct {
	Config
	t      *teller
	c      *client
	chain  *ethclient.Client
	payer  world.Account
	alice  world.Account // a receiver with a stored wallet
	street common.Address

	organisation, self, aliceID, bobID, aliceWallet string
	before                                          map[string]*big.Int
	paid                                            []transactionAnswer // CRYPTO
	fiat                                            []transactionAnswer
	onramp                                          transactionAnswer
}

// organisationName is who pays; the bank writes it as the sender of the deposit.
const organisationName = "Muster Trading AG"

// Run tells the story; an error means that something was not what it must be.
func Run(ctx context.Context, c Config) error {
	chain, err := ethclient.DialContext(ctx, c.World.Chain.URL())
	if err != nil {
		return err
	}
	defer chain.Close()

	s := &story{
		Config: c,
		t:      newTeller(c.Out, c.Terminal),
		c:      newClient(c.API),
		chain:  chain,
		payer:  c.World.Accounts[0],
		alice:  c.World.Accounts[1],
		street: crypto.CreateAddress(c.World.Accounts[2].Address, 7),
		before: map[string]*big.Int{},
	}
	for _, part := range []func(context.Context) error{s.signUp, s.secondFactor, s.onboard, s.people, s.pay, s.follow, s.payOut, s.deposit, s.payables, s.endOfDay, s.audit, s.files} {
		if err := part(ctx); err != nil {
			s.t.still()
			return err
		}
	}

	return nil
}

// all is every transaction of the story.
func (s *story) all() []transactionAnswer {
	return append(slices.Concat(s.paid, s.fiat), s.onramp)
}

// The person of the story.
const (
	personEmail    = "ada@example.org"
	personPassword = "a harbour of seven boats"
)

// signUp: an account, and a session of it.
func (s *story) signUp(ctx context.Context) error {
	s.t.heading("A person signs up")

	person := object{"firstName": "Ada", "lastName": "Muster", "email": personEmail, "password": personPassword}
	if err := s.c.call(ctx, "POST", "/auth/register", person, nil); err != nil {
		return fmt.Errorf("register: %w", err)
	}

	var in tokens
	if err := s.c.call(ctx, "POST", "/auth/login", object{
		"email":    personEmail,
		"password": personPassword,
	}, &in); err != nil {
		return fmt.Errorf("log in: %w", err)
	}

	s.c.token = in.Access
	s.t.done("Ada registers and logs in")

	return nil
}

// people: receivers and wallets, each wallet proven by signature.
func (s *story) people(ctx context.Context) error {
	s.t.heading("Receivers and wallets")

	var self record
	if err := s.c.call(ctx, "GET", "/receivers/self", nil, &self); err != nil {
		return fmt.Errorf("self-receiver: %w", err)
	}

	s.self = self.ID
	for _, r := range []struct {
		body object
		id   *string
	}{
		{object{
			"type":           "INDIVIDUAL",
			"email":          "alice@example.org",
			"firstName":      "Alice",
			"lastName":       "Keller",
			"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
			"countryIsoCode": "CH",
		}, &s.aliceID},
		{object{
			"type":           "COMPANY",
			"email":          "ap@bob.example",
			"legalName":      "Bob & Sons Ltd",
			"address":        object{"addressLine1": "1 High Street", "postCode": "N1 9GU", "city": "London"},
			"countryIsoCode": "GB",
		}, &s.bobID},
	} {
		var got record
		if err := s.c.call(ctx, "POST", "/receivers", r.body, &got); err != nil {
			return fmt.Errorf("create receiver: %w", err)
		}

		*r.id = got.ID
	}

	s.t.done("two receivers: Alice Keller, Bob & Sons Ltd")

	if _, err := s.proveWallet(ctx, s.self, s.payer); err != nil {
		return err
	}

	s.t.done("the paying wallet %s is stored and proven by signature (EIP-4361)", short(s.payer.Address))

	id, err := s.proveWallet(ctx, s.aliceID, s.alice)
	if err != nil {
		return err
	}

	s.aliceWallet = id
	s.t.done("Alice's wallet %s too", short(s.alice.Address))

	return nil
}

func (s *story) proveWallet(ctx context.Context, receiver string, a world.Account) (string, error) {
	var w walletAnswer
	if err := s.c.call(ctx, "POST", "/wallets", object{
		"address":  a.Address.Hex(),
		"network":  world.NetworkID,
		"type":     "EOA",
		"receiver": receiver,
	}, &w); err != nil {
		return "", fmt.Errorf("store wallet: %w", err)
	}

	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), a.Key)
	if err != nil {
		return "", err
	}

	signature[64] += 27
	if err := s.c.call(ctx, "POST", "/wallets/"+w.ID+"/verify-wallet", object{
		"message":       w.Ownership.Message,
		"signedMessage": "0x" + hex.EncodeToString(signature),
	}, &w); err != nil {
		return "", fmt.Errorf("verify wallet: %w", err)
	}

	s.t.doing("wallet is screened")
	defer s.t.still()

	return w.ID, s.until(ctx, 10*time.Second, func() (bool, error) {
		err := s.c.call(ctx, "GET", "/wallets/"+w.ID, nil, &w)
		return w.Ownership.Status == "VERIFIED" && w.Analysis == "APPROVED", err
	})
}

// pay: two transactions, one in a token with 6 decimals and one in a token with 18.
func (s *story) pay(ctx context.Context) error {
	s.t.heading("Payments are made, approved and accepted")

	for _, t := range s.World.Tokens {
		for _, a := range []common.Address{s.payer.Address, s.alice.Address, s.street, s.World.Treasury.Address} {
			b, err := s.World.Balance(ctx, t, a)
			if err != nil {
				return err
			}

			s.before[t.Code+a.Hex()] = b
		}
	}

	three := object{"type": "CRYPTO", "token": "USDC", "walletAddress": s.payer.Address.Hex(), "payments": []object{
		{
			"type":     "CRYPTO",
			"receiver": s.aliceID,
			"wallet":   s.aliceWallet,
			"amount":   "1250.50",
			"reason":   "Invoice 2026-117",
		},
		{
			"type":          "CRYPTO",
			"receiver":      s.bobID,
			"walletAddress": s.street.Hex(),
			"walletType":    "EOA",
			"network":       world.NetworkID,
			"amount":        "399.999999",
			"reason":        "Invoice BS-8841",
		},
		{
			"type":          "CRYPTO",
			"receiver":      s.bobID,
			"walletAddress": s.street.Hex(),
			"walletType":    "EOA",
			"network":       world.NetworkID,
			"amount":        "10",
			"reason":        "Freight",
			"tokenIsoCode":  "DAI",
		},
	}}

	var no *refusal
	if err := s.c.call(ctx, "POST", "/transactions", three, nil); !errors.As(err, &no) ||
		no.Code != "TOKEN_SWAP_UNAVAILABLE" {
		//nolint:errorlint // it may be nil
		return fmt.Errorf("a payment in another token than its transaction's should be refused, but: %v", err)
	}

	s.t.done("a payment in another token is refused: %s %s", no.Errors[0].Pointer, no.Code)
	delete(three["payments"].([]object)[2], "tokenIsoCode")

	if err := s.payOne(ctx, three); err != nil {
		return err
	}

	return s.payOne(ctx, object{
		"type":          "CRYPTO",
		"token":         "DAI",
		"walletAddress": s.payer.Address.Hex(),
		"payments": []object{
			{
				"type":     "CRYPTO",
				"receiver": s.aliceID,
				"wallet":   s.aliceWallet,
				"amount":   "0.123456789012345678",
				"reason":   "To the last wei",
			},
		},
	})
}

// payOne takes a transaction from draft to acceptance.
func (s *story) payOne(ctx context.Context, body object) error {
	var t transactionAnswer
	if err := s.c.call(ctx, "POST", "/transactions", body, &t); err != nil {
		return fmt.Errorf("create transaction: %w", err)
	}

	if err := s.payDraft(ctx, &t); err != nil {
		return err
	}

	s.paid = append(s.paid, t)

	return nil
}

// payDraft takes a draft to acceptance.
func (s *story) payDraft(ctx context.Context, t *transactionAnswer) error {
	s.t.done("%s %s in %d payment(s): %s", t.Totals.TokenDebit, t.Token, len(t.Payments), t.Status)

	at := "/transactions/" + t.ID
	if err := s.c.call(ctx, "POST", at+"/validate", nil, nil); err != nil {
		return fmt.Errorf("validate: %w", err)
	}

	var a allowanceAnswer
	if err := s.c.call(ctx, "POST", at+"/check-allowance", nil, &a); err != nil {
		return fmt.Errorf("check allowance: %w", err)
	}

	if a.Sufficient {
		return errors.New("the wallet has approved nothing, and check-allowance says it suffices")
	}

	s.t.done("valid; allowance %s of %s %s: not enough", a.Allowance, a.Required, t.Token)

	if err := s.approveAndSubmit(ctx, at, &a, t); err != nil {
		return err
	}

	if err := s.c.call(ctx, "POST", at+"/accept", nil, t); err != nil {
		return fmt.Errorf("accept: %w", err)
	}

	s.t.done("submitted and accepted: %s", t.Status)

	return nil
}

// approveAndSubmit has the wallet approve what is missing and submits. The rate of a payment in another currency is
// locked by submit: one that moves before that asks for more, as a person would see too.
func (s *story) approveAndSubmit(ctx context.Context, at string, a *allowanceAnswer, t *transactionAnswer) error {
	for try := 1; ; try++ {
		for _, call := range a.ApprovalCalls {
			s.t.doing("the wallet sends the approve call")

			if err := s.sendFromWallet(
				ctx,
				s.payer.Key,
				common.HexToAddress(call.To),
				common.FromHex(call.Data),
			); err != nil {
				return fmt.Errorf("send approval: %w", err)
			}
		}

		if err := s.c.call(ctx, "POST", at+"/check-allowance", nil, a); err != nil {
			return fmt.Errorf("allowance after approving: %w", err)
		}

		var no *refusal

		err := s.c.call(ctx, "POST", at+"/submit", nil, t)
		switch {
		case err == nil:
			s.t.done(
				"the wallet signs the approve call it was given: allowance %s, for this amount and no more",
				a.Allowance,
			)

			return nil

		case t.Type != "FIAT" || try == 3 || !errors.As(err, &no) || no.Code != "ALLOWANCE_INSUFFICIENT":
			return fmt.Errorf("submit with an allowance of %s: %w", a.Allowance, err)
		}

		s.t.done("the rate has moved meanwhile: %s %s are needed now", a.Required, t.Token)

		if err := s.c.call(ctx, "POST", at+"/check-allowance", nil, a); err != nil {
			return fmt.Errorf("check allowance: %w", err)
		}
	}
}

// sendFromWallet is what a wallet does with a call it was given: sign, send, wait until it is in a block.
func (s *story) sendFromWallet(ctx context.Context, key *ecdsa.PrivateKey, to common.Address, data []byte) error {
	from := crypto.PubkeyToAddress(key.PublicKey)

	nonce, err := s.chain.PendingNonceAt(ctx, from)
	if err != nil {
		return err
	}

	gas, err := s.chain.EstimateGas(ctx, ethereum.CallMsg{From: from, To: &to, Data: data})
	if err != nil {
		return err
	}

	id := big.NewInt(world.ChainID)

	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		To:        &to,
		Data:      data,
		Gas:       gas * 5 / 4,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(20_000_000_000),
	})
	if err != nil {
		return err
	}

	if err := s.chain.SendTransaction(ctx, tx); err != nil {
		return err
	}

	return s.until(ctx, 15*time.Second, func() (bool, error) {
		r, err := s.chain.TransactionReceipt(ctx, tx.Hash())
		if errors.Is(err, ethereum.NotFound) {
			return false, nil
		}

		return err == nil && r.Status == types.ReceiptStatusSuccessful, nil
	})
}

// follow polls until both transactions have ended.
func (s *story) follow(ctx context.Context) error {
	s.t.heading("Slipway signs, sends and waits for finality")

	for i := range s.paid {
		if err := s.followOne(ctx, &s.paid[i], "waiting for the chain"); err != nil {
			return err
		}
	}

	return nil
}

// followOne polls until a transaction has ended, and tells of each change.
func (s *story) followOne(ctx context.Context, t *transactionAnswer, doing string) error {
	seen := ""
	s.t.doing(doing)
	err := s.until(ctx, 60*time.Second, func() (bool, error) {
		if err := s.c.call(ctx, "GET", "/transactions/"+t.ID, nil, t); err != nil {
			return false, err
		}

		if now := t.Status + ", " + t.Settlement; now != seen && seen != "" {
			s.t.done("%s: %s", t.title(), now)
			s.t.doing(doing)
		}

		seen = t.Status + ", " + t.Settlement

		return t.Status == "COMPLETED" || t.Status == "FAILED", nil
	})
	s.t.still()

	if err != nil {
		return fmt.Errorf("follow %s, which is %s: %w", t.ID, seen, err)
	}

	if t.Status != "COMPLETED" {
		return fmt.Errorf("transaction %s ended %s: %s", t.ID, t.Status, t.StatusInfo)
	}

	return nil
}

func (s *story) until(ctx context.Context, limit time.Duration, ready func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	for {
		ok, err := ready()
		if err != nil || ok {
			return err
		}

		select {
		case <-ctx.Done():
			return errors.New("it took too long")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func short(a common.Address) string { return a.Hex()[:8] + "…" + a.Hex()[38:] }

// audit looks at the chain and at the books by itself, and compares.
func (s *story) audit(ctx context.Context) error {
	s.t.heading("What happened, in times")

	var rows [][]string
	for _, t := range s.all() {
		last := time.Time{}

		for i, x := range t.Timeline {
			if i > 0 && x.Status == t.Timeline[i-1].Status && x.Settlement == t.Timeline[i-1].Settlement {
				continue // one payment of several went on
			}

			since := ""
			if i > 0 {
				since = fmt.Sprintf("+%.2fs", x.At.Sub(last).Seconds())
			}

			last = x.At
			rows = append(rows, []string{t.title(), x.Status, x.Settlement, x.At.Local().Format("15:04:05.000"), since})
		}
	}

	s.t.table([]string{"transaction", "status", "settlement", "at", "step>"}, rows)

	if err := s.onChain(ctx); err != nil {
		return err
	}

	if err := s.balances(ctx); err != nil {
		return err
	}

	return s.books(ctx)
}

func (s *story) onChain(ctx context.Context) error {
	s.t.heading("On the chain")

	var rows [][]string
	for _, t := range s.all() {
		if len(t.Chain) != 1 {
			return fmt.Errorf("transaction %s has %d sends, not one", t.ID, len(t.Chain))
		}

		x := t.Chain[0]

		r, err := s.chain.TransactionReceipt(ctx, common.HexToHash(x.TxHash))
		if err != nil {
			return fmt.Errorf("receipt of %s: %w", x.TxHash, err)
		}

		legs := uint64(1) // to or from the treasury
		if t.Type == "CRYPTO" {
			legs = uint64(len(t.Payments))
		}

		rows = append(
			rows,
			[]string{t.title(), x.TxHash, fmt.Sprint(r.BlockNumber), fmt.Sprint(legs), fmt.Sprint(r.GasUsed / legs)},
		)
	}

	s.t.table([]string{"transaction", "hash", "block>", "payments>", "gas a payment>"}, rows)

	return nil
}

// balances compares every balance with what was to be paid.
func (s *story) balances(ctx context.Context) error {
	s.t.heading("Balances on the chain")

	want := map[string]*big.Int{}
	for k, b := range s.before {
		want[k] = new(big.Int).Set(b)
	}

	for _, t := range s.paid {
		token := s.World.Token(t.Token)

		for _, p := range t.Payments {
			a, err := money.Parse(money.Asset{Code: t.Token, Decimals: token.Decimals}, p.Amount)
			if err != nil {
				return err
			}

			move(want, t.Token+s.payer.Address.Hex(), new(big.Int).Neg(a.Units()))
			move(want, t.Token+common.HexToAddress(p.WalletAddress).Hex(), a.Units())
		}
	}

	if err := s.throughTreasury(want); err != nil {
		return err
	}

	var (
		rows  [][]string
		wrong []string
	)
	for _, token := range []string{"USDC", "DAI"} {
		t := s.World.Token(token)

		for _, who := range []struct {
			name string
			a    common.Address
		}{
			{"Muster's wallet", s.payer.Address},
			{"Alice's wallet", s.alice.Address},
			{"inline address", s.street},
			{"house treasury", s.World.Treasury.Address},
		} {
			key := token + who.a.Hex()

			now, err := s.World.Balance(ctx, t, who.a)
			if err != nil {
				return err
			}

			if now.Cmp(want[key]) != 0 {
				wrong = append(
					wrong,
					fmt.Sprintf("%s holds %s base units of %s, not %s", who.name, now, token, want[key]),
				)
			}

			diff := new(big.Int).Sub(now, s.before[key])
			rows = append(
				rows,
				[]string{
					who.name,
					token,
					money.Format(s.before[key], t.Decimals),
					money.Format(now, t.Decimals),
					money.Format(diff, t.Decimals),
				},
			)
		}
	}

	s.t.table([]string{"who", "token", "before>", "after>", "difference>"}, rows)

	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}

	return nil
}

// throughTreasury adds what went to the house's treasury and came from it.
func (s *story) throughTreasury(want map[string]*big.Int) error {
	usdc := money.Asset{Code: "USDC", Decimals: s.World.Token("USDC").Decimals}

	credit, err := money.Parse(usdc, s.onramp.Totals.TokenCredit)
	if err != nil {
		return err
	}

	in := credit.Neg().Units()
	for _, t := range s.fiat {
		debit, err := money.Parse(usdc, t.Totals.TokenDebit)
		if err != nil {
			return err
		}

		in = new(big.Int).Add(in, debit.Units())
	}

	move(want, "USDC"+s.World.Treasury.Address.Hex(), in)
	move(want, "USDC"+s.payer.Address.Hex(), new(big.Int).Neg(in))

	return nil
}

func move(m map[string]*big.Int, key string, by *big.Int) {
	if m[key] == nil {
		m[key] = new(big.Int)
	}

	m[key].Add(m[key], by)
}

// books prints the postings and verifies the ledger.
func (s *story) books(ctx context.Context) error {
	s.t.heading("Ledger postings")

	for _, t := range s.all() {
		lines, err := ledger.OfTransaction(ctx, s.DB, t.ID)
		if err != nil {
			return err
		}

		s.t.table([]string{t.title(), "account", "amount>", "asset"}, s.postings(lines))
		fmt.Fprintln(s.Out)
	}

	if _, err := ledger.Seal(ctx, s.DB, nil); err != nil {
		return err
	}

	r, err := ledger.Verify(ctx, s.DB, ledger.Proof{})
	if err != nil {
		return err
	}

	if len(r.Faults) > 0 || len(r.Open) > 0 || r.Journals == 0 {
		return fmt.Errorf("ledger verify: %d journals, faults %v, open %v", r.Journals, r.Faults, r.Open)
	}

	s.t.heading("Ledger verify")
	s.t.done(
		"%d journals with %d postings sum to zero, the chain of hashes is whole, nothing is left in clearing",
		r.Journals,
		r.Postings,
	)

	return nil
}

// postings are the rows of a transaction's lines; lines of one journal on one account are added up.
func (s *story) postings(lines []ledger.Line) [][]string {
	var (
		rows [][]string
		sums []*big.Int
	)

	at := map[string]int{}
	for _, l := range lines {
		key := l.Kind + " " + l.Account + " " + l.Asset

		i, seen := at[key]
		if !seen {
			i = len(rows)
			at[key] = i

			rows = append(rows, []string{l.Kind, abbreviated(l.Account), "", l.Asset})
			sums = append(sums, new(big.Int))
		}

		units, _ := new(big.Int).SetString(l.Units, 10)
		sums[i].Add(sums[i], units)
	}

	for i, sum := range sums {
		rows[i][2] = money.Format(sum, s.decimalsOf(rows[i][3]))
	}

	return rows
}

// decimalsOf an asset of the story: a token, gas money, or money in the bank.
func (s *story) decimalsOf(asset string) int {
	switch decimals := s.World.Token(asset).Decimals; {
	case decimals > 0:
		return decimals
	case asset == "ETH":
		return 18
	}

	return 2
}

// abbreviated shortens the identifiers in an account's name, so that a table fits a terminal.
func abbreviated(account string) string {
	parts := strings.Split(account, "/")
	for i, p := range parts {
		if len(p) > 20 {
			parts[i] = p[:8] + "…" + p[len(p)-4:]
		}
	}

	return strings.Join(parts, "/")
}
