//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/pages/pagestest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/standards/safe"
)

// vault stores a Safe as a proven wallet of the member's organisation. Each two of its owners decide. It returns the
// path of the review page of a payment by the Safe, whose tokens it has not approved.
func (s *stage) vault(t *testing.T, owners []world.Account) (review string) {
	t.Helper()

	token := s.h.World.Token("USDC")
	at, err := s.h.World.NewSafe(s.c.Payer, safeOf(owners))
	require.NoError(t, err)
	s.h.World.Chain.Mine(1)
	require.NoError(t, s.h.World.Mint(token, at, apptest.Units(token, 1_000)))
	s.h.World.Chain.Mine(1)

	wallet := s.addSafe(at)
	s.proveSafe(t, wallet, at, owners)

	body := s.c.Body("USDC", s.c.Payment(s.c.Payee, "250.00"))
	body["walletAddress"] = at.Hex()

	return s.path("/transactions/" + s.c.Do("POST", "/transactions", body).OK(201).ID() + "/review")
}

func safeOf(owners []world.Account) world.SafeAccount {
	account := world.SafeAccount{Threshold: 2}
	for _, o := range owners {
		account.Owners = append(account.Owners, o.Address)
	}

	return account
}

func (s *stage) addSafe(at common.Address) (wallet string) {
	return s.c.Do("POST", "/wallets", object{
		"address":  at.Hex(),
		"network":  world.NetworkID,
		"type":     "MULTISIG",
		"receiver": s.c.Self,
	}).OK(201).ID()
}

// proveSafe proves a wallet by the signatures of the first two owners.
func (s *stage) proveSafe(t *testing.T, wallet string, at common.Address, owners []world.Account) {
	t.Helper()

	var w struct {
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}

	s.c.Do("GET", "/wallets/"+wallet, nil).OK(200).Into(&w)
	domain, err := safe.DomainOf(safe.V141, s.h.World.Chain.ChainID(), at)
	require.NoError(t, err)

	hash := domain.MessageHash(accounts.TextHash([]byte(w.Ownership.Message)))

	var confirmations []safe.Confirmation

	for _, o := range owners[:2] {
		c, err := safe.Sign(hash, func(hash []byte) ([]byte, error) { return crypto.Sign(hash, o.Key) })
		require.NoError(t, err)

		confirmations = append(confirmations, c)
	}

	joined, err := safe.Join(confirmations)
	require.NoError(t, err)
	s.c.Do("POST", "/wallets/"+wallet+"/verify-wallet", object{
		"message":       w.Ownership.Message,
		"signedMessage": hexutil.Encode(joined),
	}).OK(200)
	s.h.RunJobs()
}

// TestOwnersOfASafeConfirmAndOneCarriesItOut has two owners of a Safe confirm its approval, each with a wallet beside a
// browser of her own, and by keyboard alone. The second one sends it.
func TestOwnersOfASafeConfirmAndOneCarriesItOut(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	ada := s.c.Colleague("Ada", "authorized", "initiator")
	berta := s.c.Colleague("Berta", "authorized", "initiator")
	owners := []world.Account{s.c.Payer, s.h.Account("second owner"), s.h.Account("third owner")}
	review := s.vault(t, owners)

	first := walletOf(s.h, owners[0])
	p := b.Page(t, browsertest.Look{})
	pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": first})
	s.enter(t, p, ada, review)
	p.Await("main " + approveButton)
	press(t, p, "main "+approveButton)
	p.Await("dd .status.good")
	require.Contains(t, p.Text("main"), "1 of 2 owners have confirmed.")
	require.Zero(t, first.Sends())
	p.Shot("one")
	sound(t, p)

	s.h.Fund(owners[2])
	last := walletOf(s.h, owners[2])
	second := b.Page(t, browsertest.Phone())
	pagestest.Install(second, map[string]*pagestest.Wallet{"Cedar": last})
	s.enter(t, second, berta, review)
	second.Await("main " + approveButton)
	press(t, second, "main "+approveButton)
	second.Await("dd .status.good ~ *, dd:has(.status.good) ~ dd:has(.status.good)")
	require.Contains(t, second.Text("main "+approveButton), "Carry it out with Cedar")
	second.Shot("both")
	sound(t, second)

	press(t, second, "main "+approveButton)
	second.Await("header .status.good")
	require.Equal(t, 1, last.Sends())
	require.Contains(t, last.Asked(), "eth_signTypedData_v4")
}
