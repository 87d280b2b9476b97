package transaction

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/state"
)

// ways are what docs/explanation/interface-decisions.md promises of settlementStatus, status by status.
var ways = map[Type][]string{
	TypeFiat: {
		"IDLE QUOTED FUNDS_PULLING FUNDS_RECEIVED CONVERTED SENT_TO_BANK SETTLED",
		"FUNDS_PULLING UNCERTAIN FUNDS_PULLING",
		"FUNDS_PULLING UNCERTAIN FUNDS_RECEIVED",
		"SENT_TO_BANK UNCERTAIN SENT_TO_BANK",
		"SENT_TO_BANK UNCERTAIN SETTLED",
		"FUNDS_PULLING ON_HOLD FUNDS_PULLING",
		"CONVERTED ON_HOLD CONVERTED",
		"SENT_TO_BANK ON_HOLD SENT_TO_BANK",
		"SETTLED RETURNED REFUND_IN_FLIGHT REFUNDED",
		"SENT_TO_BANK RETURNED REFUND_IN_FLIGHT REFUND_FAILED",
		"RETURNED SENT_TO_BANK SETTLED",
	},
	TypeOnramp: {
		"IDLE AWAITING_DEPOSIT FUNDS_RECEIVED CONVERTED TOKENS_SENT SETTLED",
		"AWAITING_DEPOSIT DEPOSIT_MISMATCH FUNDS_RECEIVED",
		"DEPOSIT_MISMATCH REFUND_IN_FLIGHT REFUNDED",
		"TOKENS_SENT UNCERTAIN TOKENS_SENT",
		"TOKENS_SENT UNCERTAIN SETTLED",
		"FUNDS_RECEIVED ON_HOLD FUNDS_RECEIVED",
	},
}

func TestSettlementStatusGoesTheWaysThatAreToldOf(t *testing.T) {
	for kind, all := range ways {
		table := SettlementTableOf(kind)

		for _, way := range all {
			steps := strings.Fields(way)

			for i := range steps[1:] {
				require.True(
					t,
					table.Allows(SettlementStatus(steps[i]), SettlementStatus(steps[i+1])),
					"%s: %s to %s",
					kind,
					steps[i],
					steps[i+1],
				)
			}
		}
	}
}

// The interface's moves and no other lead from one status to another, whatever the type; what is final stays final.
func TestNoTypeHasAWayThatTheInterfaceHasNot(t *testing.T) {
	allowed := map[Status][]Status{
		StatusDraft:    {StatusWaiting, StatusRejected},
		StatusWaiting:  {StatusProcess, StatusRejected},
		StatusProcess:  {StatusReleased, StatusFailed, StatusRejected},
		StatusReleased: {StatusCompleted, StatusFailed},
	}

	for _, kind := range []Type{TypeCrypto, TypeFiat, TypeOnramp} {
		table := TableOf(kind)
		for _, from := range table.States() {
			for _, to := range table.States() {
				if from == to {
					continue
				}

				want := false
				for _, x := range allowed[from] {
					want = want || x == to
				}

				if kind == TypeOnramp && from == StatusWaiting && to == StatusFailed {
					want = true // the deposit is missing
				}

				require.Equal(t, want, table.Allows(from, to), "%s: %s to %s", kind, from, to)
			}
		}

		for _, last := range []Status{StatusCompleted, StatusFailed, StatusRejected} {
			require.True(t, table.Final(last), "%s of %s", last, kind)
		}
	}
}

// Nothing is stuck: from every settlement status there is a way to one that needs nobody any more.
func TestEverySettlementStatusHasAnEnd(t *testing.T) {
	for _, kind := range []Type{TypeCrypto, TypeFiat, TypeOnramp} {
		table := SettlementTableOf(kind)

		for _, from := range table.States() {
			require.True(
				t,
				reaches(table, from, SettlementSettled, SettlementRefunded, SettlementIdle),
				"%s: %s",
				kind,
				from,
			)
		}
	}
}

func reaches(table *state.Table[SettlementStatus], from SettlementStatus, ends ...SettlementStatus) bool {
	seen := map[SettlementStatus]bool{from: true}

	next := []SettlementStatus{from}
	for len(next) > 0 {
		s := next[0]
		next = next[1:]

		for _, end := range ends {
			if s == end {
				return true
			}
		}

		for _, to := range table.From(s) {
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}

	return false
}

// A payment's outcome on a chain is final; at a bank it may come back once it was paid, and nothing comes out of
// REFUNDED.
func TestPaymentOutcomes(t *testing.T) {
	require.False(
		t,
		paymentTable.Allows(PaymentCompleted, PaymentFailed),
		"what was paid has not failed, it comes back",
	)

	require.True(t, paymentTable.Allows(PaymentCompleted, PaymentReturned))
	require.True(t, paymentTable.Final(PaymentRefunded))

	crypto := Transaction{ID: "txn_1", Type: TypeCrypto, Payments: []Payment{{Outcome: PaymentCompleted}}}
	require.ErrorContains(t, SetOutcome(nil, crypto, 0, PaymentReturned, ""), "is no move")
	require.ErrorContains(t, SetOutcome(nil, crypto, 1, PaymentCompleted, ""), "has no payment")
}

func TestMasked(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"123":                    "•••",
		"1234":                   "••••",
		"DE89370400440532013000": "••••••••••••••••••3000",
	} {
		t.Run(in, func(t *testing.T) {
			require.Equal(t, want, Masked(in))
		})
	}
}

func TestTransferDate(t *testing.T) {
	for in, want := range map[string]string{
		"2026-11-30":                "2026-11-30T00:00:00Z",
		"2026-11-30T23:30:00-05:00": "2026-11-30T00:00:00Z",
	} {
		t.Run(in, func(t *testing.T) {
			got, err := Day(in)
			require.NoError(t, err)
			require.Equal(t, want, got.Format("2006-01-02T15:04:05Z07:00"))
		})
	}

	for _, in := range []string{"30.11.2026", "2026-02-30", "2026-11-30T10:00:00", "soon"} {
		_, err := Day(in)
		require.Error(t, err, in)
	}
}

// I8: the reference of a FIAT payment and the treasury are part of what is locked.
func TestContentHashCoversTheReference(t *testing.T) {
	locked := func(references ...string) string {
		x := Transaction{
			ID:           "txn_1",
			Organisation: "org_1",
			Number:       7,
			Type:         TypeFiat,
			Network:      "net_1",
			Token:        "USDC",
			Debit:        big.NewInt(5),
		}
		for i, r := range references {
			p := Payment{Position: i, Units: big.NewInt(2), Receiver: "rcv_1"}
			p.Currency = "EUR"
			p.FiatUnits = big.NewInt(90)
			p.BankAccount = "bac_1"
			p.FeesOption = FeesSha
			p.Reference = r
			x.Payments = append(x.Payments, p)
		}

		return x.contentHash()
	}

	const rf = "RF18539007547034"

	seen := map[string]bool{}
	for _, h := range []string{locked("", ""), locked(rf, ""), locked("", rf), locked(rf, rf), locked("202600000000000000000008718", "")} {
		require.False(t, seen[h])
		seen[h] = true
	}

	x := Transaction{ID: "txn_1", Type: TypeFiat, Debit: big.NewInt(5)}
	before := x.contentHash()
	x.Treasury = "0x52908400098527886E0F7030069857D2E4169EE7"
	require.NotEqual(t, before, x.contentHash())
}
