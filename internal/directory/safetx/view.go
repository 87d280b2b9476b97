package safetx

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/platform/db"
	"slipway/internal/standards/safe"
)

// Status says what a SafeTx waits for.
type Status string

// The statuses.
const (
	Confirming Status = "AWAITING_CONFIRMATIONS" // owners sign next
	Queued     Status = "AWAITING_EARLIER"       // an earlier nonce comes first
	Ready      Status = "AWAITING_EXECUTION"     // anybody may send execution next
	Closed     Status = "CLOSED"                 // its nonce is used: by it, or by another
)

// View is a SafeTx as callers see it.
type View struct {
	Hash          string             `json:"safeTxHash" doc:"what the owners sign"`
	Status        Status             `json:"status" enum:"AWAITING_CONFIRMATIONS,AWAITING_EARLIER,AWAITING_EXECUTION,CLOSED"`
	Transaction   string             `json:"transaction" doc:"identifier of the transaction that it is for"`
	Safe          string             `json:"safe" doc:"address of the Safe, with its chain's short name where the network has one (EIP-3770)"`
	Version       string             `json:"safeVersion" doc:"of the Safe's contract when it was made"`
	Purposes      []string           `json:"purposes" nullable:"false" enum:"RESET_TO_ZERO,APPROVE" doc:"what its calls do, in this order"`
	DomainHash    string             `json:"domainHash" doc:"a hardware wallet shows it"`
	MessageHash   string             `json:"messageHash" doc:"a hardware wallet shows it"`
	TypedData     safe.TypedTx       `json:"typedData" doc:"for eth_signTypedData_v4"`
	Nonce         string             `json:"nonce" doc:"of the Safe"`
	Owners        []string           `json:"owners" nullable:"false" doc:"who may confirm now"`
	Threshold     int                `json:"threshold" doc:"how many owners have to confirm"`
	Confirmations int                `json:"confirmations" doc:"how many present owners have"`
	Confirmed     []ConfirmationView `json:"confirmedBy" nullable:"false" doc:"who has confirmed, of the present owners"`
	Conflicts     []ConflictView     `json:"conflicts" nullable:"false" doc:"others with the same nonce, of which the Safe can carry out one"`
	Execution     *ExecutionView     `json:"execution" doc:"the call that carries it out, for whoever pays its gas; null until enough owners have confirmed and its nonce is the next"`
	Builder       BuilderView        `json:"transactionBuilder" doc:"the same calls as a file for Safe's transaction builder"`
	URL           string             `json:"url,omitempty" doc:"of the Safe's queue in Safe's web application, where it knows the network"`
	CreatedAt     time.Time          `json:"createdAt"`
}

// ConfirmationView is one owner's confirmation.
type ConfirmationView struct {
	Owner       string    `json:"owner"`
	Kind        string    `json:"kind" enum:"ECDSA,ETH_SIGN,APPROVED_HASH,CONTRACT"`
	Source      Source    `json:"source" enum:"API,SERVICE" doc:"by which way it came; it was verified in the same way"`
	ConfirmedAt time.Time `json:"confirmedAt" doc:"when it came here"`
}

// ConflictView is another SafeTx with the same nonce.
type ConflictView struct {
	Hash        string `json:"safeTxHash" example:"0x0cb7250b8becd7069223c54e2839feaed4cee156363fbfe5dd0a48e75c4e25b3" doc:"what its owners sign"`
	Transaction string `json:"transaction" example:"txn_06f2k8s0m4x3v7q9" doc:"identifier of the transaction that it is for"`
}

// ExecutionView is the call of execTransaction.
type ExecutionView struct {
	To    string `json:"to"`
	Data  string `json:"data"`
	Value string `json:"value"`
}

// BuilderView is a file of Safe's transaction builder. Its calls get a nonce of their own there, and so another hash:
// what owners confirm there is not counted here.
type BuilderView struct {
	Version      string            `json:"version"`
	ChainID      string            `json:"chainId"`
	CreatedAt    int64             `json:"createdAt" doc:"milliseconds since 1970"`
	Meta         BuilderMeta       `json:"meta" doc:"what the transaction builder shows"`
	Transactions []BuilderCallView `json:"transactions" nullable:"false" doc:"the calls, in this order"`
}

// BuilderMeta is what the transaction builder shows.
type BuilderMeta struct {
	Name        string `json:"name"`
	Description string `json:"description" doc:"what the calls are for"`
	Safe        string `json:"createdFromSafeAddress" doc:"address of the Safe"`
}

// BuilderCallView is one call of a file.
type BuilderCallView struct {
	To    string `json:"to"`
	Value string `json:"value"`
	Data  string `json:"data"`
}

// view makes the view of one SafeTx. It asks nobody: state was read before.
func (s *Service) view(
	ctx context.Context,
	q db.Querier,
	n network.Network,
	t Transaction,
	state safe.State,
) (*View, error) {
	views, err := s.views(ctx, q, n, []Transaction{t}, state)
	if err != nil {
		return nil, err
	}

	return &views[0], nil
}

func (s *Service) views(
	ctx context.Context,
	q db.Querier,
	n network.Network,
	all []Transaction,
	state safe.State,
) ([]View, error) {
	confirmed, err := confirmationsOf(ctx, q, all)
	if err != nil {
		return nil, err
	}

	others, err := rivals(ctx, q, all)
	if err != nil {
		return nil, err
	}

	out := make([]View, len(all))
	for i, t := range all {
		if out[i], err = s.viewOf(n, t, state, confirmed[t.Hash], others[t.Nonce]); err != nil {
			return nil, err
		}
	}

	return out, nil
}

func (s *Service) viewOf(
	n network.Network,
	t Transaction,
	state safe.State,
	confirmed []Confirmation,
	others []Transaction,
) (View, error) {
	d, err := t.domain(n)
	if err != nil {
		return View{}, err
	}

	x := t.tx()
	v := View{
		Hash:        t.Hash,
		Transaction: t.Payment,
		Safe:        safe.WithPrefix(n.MultisigPrefix, t.Account),
		Version:     t.Version,
		Purposes:    t.purposes(),
		DomainHash:  d.Hash().Hex(),
		MessageHash: x.Hash().Hex(),
		TypedData:   d.TypedTx(x),
		Nonce:       strconv.FormatInt(t.Nonce, 10),
		Owners:      []string{},
		Threshold:   state.Threshold,
		Confirmed:   []ConfirmationView{},
		Conflicts:   []ConflictView{},
		Builder:     builder(n, t, x),
		URL:         s.link(n, t),
		CreatedAt:   t.CreatedAt.Truncate(time.Millisecond),
	}

	for _, o := range state.Owners {
		v.Owners = append(v.Owners, o.Hex())
	}

	for _, o := range others {
		if o.Hash != t.Hash {
			v.Conflicts = append(v.Conflicts, ConflictView{Hash: o.Hash, Transaction: o.Payment})
		}
	}

	return v, v.count(d.TxHash(x), x, state, confirmed)
}

// count adds the confirmations of present owners, and the call that carries the SafeTx out when they are enough.
func (v *View) count(hash common.Hash, x safe.Tx, state safe.State, confirmed []Confirmation) error {
	var good []safe.Confirmation

	for _, c := range confirmed {
		if !state.Owns(common.HexToAddress(c.Owner)) {
			continue // an owner once
		}

		parsed, err := safe.Parse(hash, common.FromHex(c.Signature))
		if err != nil {
			return err
		}

		good = append(good, parsed)
		v.Confirmed = append(v.Confirmed, ConfirmationView{
			Owner:       c.Owner,
			Kind:        c.Kind,
			Source:      c.Source,
			ConfirmedAt: c.CreatedAt.Truncate(time.Millisecond),
		})
	}

	v.Confirmations = len(good)

	switch {
	case x.Nonce < state.Nonce:
		v.Status = Closed
		return nil
	case len(good) < state.Threshold:
		v.Status = Confirming
		return nil
	case x.Nonce > state.Nonce:
		v.Status = Queued
		return nil
	}

	v.Status = Ready

	// the contract reads as many as its threshold: those by keys first, since they cost the least
	slices.SortStableFunc(good, func(a, b safe.Confirmation) int { return cost(a) - cost(b) })

	joined, err := safe.Join(good[:state.Threshold])
	if err != nil {
		return err
	}

	v.Execution = &ExecutionView{To: state.Address.Hex(), Data: hexOf(safe.Execute(x, joined)), Value: "0"}

	return nil
}

func cost(c safe.Confirmation) int {
	if c.Kind == safe.ByContract {
		return 1
	}

	return 0
}

// link returns the address of the Safe's queue.
func (s *Service) link(n network.Network, t Transaction) string {
	if s.deps.AppURL == "" || n.MultisigPrefix == "" {
		return ""
	}

	return s.deps.AppURL + "/transactions/tx?safe=" + safe.WithPrefix(n.MultisigPrefix, t.Account) +
		"&id=multisig_" + t.Account + "_" + t.Hash
}

// builder writes the calls of a SafeTx as a file of the transaction builder.
func builder(n network.Network, t Transaction, x safe.Tx) BuilderView {
	out := BuilderView{
		Version:   "1.0",
		ChainID:   strconv.FormatInt(n.ChainID, 10),
		CreatedAt: t.CreatedAt.UnixMilli(),
		Meta: BuilderMeta{
			Name:        "Slipway " + t.Payment,
			Description: "Approves the router for transaction " + t.Payment,
			Safe:        t.Account,
		},
		Transactions: []BuilderCallView{},
	}

	steps := []safe.Step{{To: x.To, Data: x.Data}}
	if x.Operation == safe.DelegateCall {
		steps = safe.Unbatch(x.Data)
	}

	for _, step := range steps {
		out.Transactions = append(
			out.Transactions,
			BuilderCallView{To: step.To.Hex(), Value: "0", Data: hexOf(step.Data)},
		)
	}

	return out
}
