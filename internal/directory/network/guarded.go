package network

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// On a network in use one operator must not redirect money: what decides where it goes, whether it is final and what
// it costs changes when a second operator has approved it, after a delay in which everybody can see it and reject it.

// ChangeDelay is how long a change of what guards money can only be rejected.
const ChangeDelay = 24 * time.Hour

// guarded lists, by the names of the interface, what of a change decides where money goes on a network.
func (n Network) guarded(next Network) []string {
	var out []string

	for _, field := range []struct {
		name    string
		differs bool
	}{
		{"walletAddress", n.WalletAddress != next.WalletAddress},
		{"contracts", !reflect.DeepEqual(map[string]string(n.Contracts), map[string]string(next.Contracts))},
		{"rpcUrl", n.RPCURL != next.RPCURL},
		{"internalRpcUrl", n.InternalRPCURL != next.InternalRPCURL},
		{"wsRpcUrl", n.WSRPCURL != next.WSRPCURL},
		{"finality", n.Finality != next.Finality},
		{"maxFeePerGasWei", n.MaxFeePerGasWei != next.MaxFeePerGasWei},
		{"stuckAfterSeconds", n.StuckAfter != next.StuckAfter},
		{"minTransactionFee", n.MinTransactionFee != next.MinTransactionFee},
		{"nativeCurrency", n.NativeToken != next.NativeToken},
		{"amlProviderName", n.AMLProvider != next.AMLProvider},
		{"screenOnScreeningProvider", n.ScreenOnProvider != next.ScreenOnProvider},
	} {
		if field.differs {
			out = append(out, field.name)
		}
	}

	return out
}

// proposal is a change of a network that waits for a second operator.
type proposal struct {
	Version int64    `json:"version"` // of the network when it was asked for
	Record  *Network `json:"record,omitempty"`
}

// propose asks a second operator for a change of a network in use. The network is returned as it is, with the
// approval it waits for. change says what it is, as a value of words.Phrase.
func (s *Service) propose(ctx context.Context, tx *db.Tx, n Network, p proposal, change string) (Network, error) {
	if s.deps.Approvals == nil {
		return n, fault.New(
			fault.Conflict,
			fault.NetworkFixed,
			"Nobody here can approve a change of a network that is in use.",
		)
	}

	p.Version = n.Version

	raw, err := json.Marshal(p)
	if err != nil {
		return n, fmt.Errorf("write down a change of network %s: %w", n.ID, err)
	}

	_, err = s.deps.Approvals.Ask(ctx, tx, approval.Request{
		Kind:    approval.Network,
		Object:  n.ID,
		Data:    string(raw),
		Summary: words.Phrase("Network %[1]s: %[2]s.", n.Name, change),
		Delay:   s.deps.Delay,
	})

	return n, err
}

// changesOf says what a change makes of a network, for the second operator, as a value of words.Phrase. Fields stay as
// the interface calls them. Addresses of nodes may hold keys and are named only.
func changesOf(was, next Network, fields []string) string {
	out := make([]string, len(fields))

	for i, field := range fields {
		moved := func(form string, was, next any) string {
			return words.Phrase("%[1]s from %[2]s to %[3]s", field, fmt.Sprintf(form, was), fmt.Sprintf(form, next))
		}

		switch field {
		case "walletAddress":
			out[i] = moved("%q", was.WalletAddress, next.WalletAddress)
		case "contracts":
			out[i] = moved("%v", was.Contracts, next.Contracts)
		case "finality":
			out[i] = moved("%+v", was.Finality, next.Finality)
		case "maxFeePerGasWei":
			out[i] = moved("%q", was.MaxFeePerGasWei, next.MaxFeePerGasWei)
		case "minTransactionFee":
			out[i] = moved("%q", was.MinTransactionFee, next.MinTransactionFee)
		default:
			out[i] = field
		}
	}

	return words.List(words.Semicolons, out...)
}

// decided carries out an approved change, if the network is still as it was when the change was asked for.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var p proposal
	if err := json.Unmarshal([]byte(a.Data), &p); err != nil {
		return fmt.Errorf("read the change that %s proposes: %w", a.ID, err)
	}

	n, err := ByID(ctx, tx, a.Object)
	if err != nil {
		return err
	}

	if n.Version != p.Version || p.Record == nil {
		return fault.New(
			fault.Conflict,
			fault.ApprovalOvertaken,
			"The network is no longer as it was when this was asked for. Ask again.",
		)
	}

	next := *p.Record

	var l fault.List
	if err := s.treasuryFree(ctx, tx, next, &l); err != nil { // a wallet may have been stored meanwhile
		return err
	}

	if err := l.Err(); err != nil {
		return err
	}

	keepRouter(tx, n, next)
	update(tx, next)
	s.changed(tx, n.ID)
	trail.Audit(ctx, tx, "", "network.change", n.ID, strings.Join(n.guarded(next), ", "))

	return nil
}

// treasuryFree refuses a treasury that is somebody's stored wallet: what is delivered from the treasury would be
// taken from that wallet's allowance.
func (s *Service) treasuryFree(ctx context.Context, q db.Querier, n Network, l *fault.List) error {
	if n.WalletAddress == "" || s.deps.WalletStored == nil {
		return nil
	}

	stored, err := s.deps.WalletStored(ctx, q, n.WalletAddress)
	if err != nil || !stored {
		return err
	}

	l.Add(
		"/walletAddress",
		fault.TreasuryIsWallet,
		"is the stored wallet of an organisation: it cannot be the treasury.",
	)

	return nil
}

// handleApprovals says who decides about networks and their tokens, and what a decision does.
func (s *Service) handleApprovals() {
	if s.deps.Approvals == nil {
		return
	}

	s.deps.Approvals.Handle(approval.Network, approval.Handler{Roles: []string{"operator"}, Decided: s.decided})
	s.deps.Approvals.Handle(approval.Token, approval.Handler{
		Roles:   []string{"operator"},
		Decided: func(context.Context, *db.Tx, approval.Approval) error { return nil },
		After:   s.carryOutToken,
	})
}
