// Package safetx holds what the owners of a Safe are asked to sign so that it approves the router, and what they have
// signed. A Safe has no key: its owners confirm the hash of one transaction (a SafeTx), and anybody may then carry it
// out.
//
// What it promises: whoever asks again for the same payment is given the same SafeTx, while its nonce is free and its
// calls are right. A confirmation is stored only after it was verified against the Safe's owners on the chain, whoever
// brings it; and it counts only while its owner is one. Nothing here moves money or sends anything.
//
// Read in this order: safetx.go (the record), propose.go (which SafeTx), confirm.go (signatures), board.go (Safe's
// transaction service), view.go, view_account.go (the Safe itself), store.go, http.go.
package safetx

import (
	"context"
	"log/slog"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/rails/safeservice"
	"slipway/internal/standards/safe"
)

// Chain answers what only a node knows, by two nodes where a network has them. It changes nothing.
type Chain interface {
	wallet.Safes
	// Refuses reports whether a call would revert.
	Refuses(ctx context.Context, networkID string, from, to common.Address, data []byte) (bool, error)
}

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB    *db.DB
	Log   *slog.Logger
	Chain Chain
	// AppURL is the address of Safe's web application, which the link of a SafeTx leads to; empty: there is no link.
	AppURL string
	// Boards are Safe's transaction services, by network; a network may have none.
	Boards map[string]*safeservice.Client
}

// Service holds the use cases.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.Default()
	}

	return &Service{d}
}

// Transaction is a SafeTx that owners are asked to confirm. Its fields never change.
type Transaction struct {
	ID                   string
	Hash                 string // safeTxHash
	Wallet, Organisation string
	Payment              string // identifier of the transaction that it is for
	Network              string
	Account              string // EIP-55
	Version              string // of the Safe's contract when it was made
	Nonce                int64
	To, Data             string
	Operation            int64
	Purposes             string // of its calls, with commas between
	CreatedAt            time.Time
}

// tx returns what is signed.
func (t Transaction) tx() safe.Tx {
	return safe.Tx{
		To:        common.HexToAddress(t.To),
		Data:      common.FromHex(t.Data),
		Operation: safe.Operation(t.Operation),
		Nonce:     uint64(t.Nonce),
	}
}

// domain returns whose signatures are meant.
func (t Transaction) domain(n network.Network) (safe.Domain, error) {
	return safe.DomainOf(t.Version, big.NewInt(n.ChainID), common.HexToAddress(t.Account))
}

func (t Transaction) purposes() []string { return strings.Split(t.Purposes, ",") }

// Step is one call that the Safe is to make, and what it is for.
type Step struct {
	To      common.Address
	Data    []byte
	Purpose string
}

// Need is what a payment needs of a Safe.
type Need struct {
	Wallet  wallet.Wallet
	Network network.Network
	Payment string
	Steps   []Step // in this order; at least one
}

// account reads the wallet's Safe. It returns SAFE_UNKNOWN if there is none.
func (s *Service) account(ctx context.Context, w wallet.Wallet) (safe.State, error) {
	state, ok, err := s.read(ctx, w)
	if err == nil && !ok {
		err = fault.New(
			fault.Conflict,
			fault.SafeUnknown,
			"There is no Safe of published code at the wallet's address.",
		)
	}

	return state, err
}

// read reads the wallet's Safe; ok is false if there is none.
func (s *Service) read(ctx context.Context, w wallet.Wallet) (safe.State, bool, error) {
	if w.Type != wallet.Multisig || s.deps.Chain == nil {
		return safe.State{}, false, nil
	}

	state, ok, err := s.deps.Chain.SafeAt(ctx, w.Network, common.HexToAddress(w.Address))
	if err != nil {
		return state, false, s.noAnswer(ctx, w, err)
	}

	return state, ok, nil
}

func (s *Service) noAnswer(ctx context.Context, w wallet.Wallet, err error) error {
	s.deps.Log.WarnContext(ctx, "chain node gave no answer", "network", w.Network, "wallet", w.ID, "error", err.Error())

	return fault.New(
		fault.Unavailable,
		fault.UpstreamFailed,
		"The chain node did not answer. Nothing was changed; try again.",
	)
}

// plan returns the SafeTx that a need comes to, without its nonce, and what its calls are for. Several calls go as one
// batch, where a published MultiSendCallOnly is on the network and the Safe's guard lets it pass. Otherwise only the
// first call is asked for; when it was carried out, asking again leads to the next.
func (s *Service) plan(ctx context.Context, n Need, state safe.State) (safe.Tx, []string, error) {
	if len(n.Steps) > 1 {
		batch, ok, err := s.batch(ctx, n, state)
		if err != nil || ok {
			var purposes []string
			for _, step := range n.Steps {
				purposes = append(purposes, step.Purpose)
			}

			return batch, purposes, err
		}
	}

	first := n.Steps[0]

	return safe.Tx{To: first.To, Data: first.Data}, []string{first.Purpose}, nil
}

// batch returns all steps as one SafeTx; ok is false where the network or the Safe allows none.
func (s *Service) batch(ctx context.Context, n Need, state safe.State) (tx safe.Tx, ok bool, err error) {
	batcher, ok, err := s.batcher(ctx, n.Wallet)
	if err != nil || !ok {
		return tx, false, err
	}

	var steps []safe.Step
	for _, step := range n.Steps {
		steps = append(steps, safe.Step{To: step.To, Data: step.Data})
	}

	tx = safe.Tx{To: batcher, Data: safe.Batch(steps), Operation: safe.DelegateCall}

	if state.Guard == (common.Address{}) {
		return tx, true, nil
	}

	refuses, err := s.deps.Chain.Refuses(
		ctx,
		n.Wallet.Network,
		state.Address,
		state.Guard,
		safe.CallGuard(tx, state.Owners[0]),
	)
	if err != nil {
		return tx, false, s.noAnswer(ctx, n.Wallet, err)
	}

	return tx, !refuses, nil
}

// batcher returns the first published MultiSendCallOnly that is on the network, by its code.
func (s *Service) batcher(ctx context.Context, w wallet.Wallet) (common.Address, bool, error) {
	for _, c := range safe.Batchers {
		code, err := s.deps.Chain.CodeAt(ctx, w.Network, c.Address)
		if err != nil {
			return common.Address{}, false, s.noAnswer(ctx, w, err)
		}

		if safe.IsBatcher(code) {
			return c.Address, true, nil
		}
	}

	return common.Address{}, false, nil
}

func hexOf(data []byte) string { return hexutil.Encode(data) }
