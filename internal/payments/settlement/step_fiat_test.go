package settlement

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/words"
)

func ofType(
	kind transaction.Type,
	status transaction.Status,
	s transaction.SettlementStatus,
	outcomes ...transaction.PaymentStatus,
) transaction.Transaction {
	t := transaction.Transaction{
		ID:         "txn_1",
		Type:       kind,
		Status:     status,
		Settlement: s,
		Debit:      big.NewInt(10),
		Token:      "USDC",
		Decimals:   6,
	}
	for i, o := range outcomes {
		t.Payments = append(t.Payments, transaction.Payment{
			Position:   i,
			Outcome:    o,
			Units:      big.NewInt(1),
			StatusInfo: "why",
		})
	}

	return t
}

// anOrder returns a conversion in a state.
func anOrder(at outbound.State) outbound.Effect {
	return outbound.Effect{Key: effect.ConversionOf("txn_1", "EUR"), State: at}
}

// What is done next for a FIAT transaction, in every state it can be found in.
func TestNextFiat(t *testing.T) {
	const fiat = transaction.TypeFiat
	eur := []string{"EUR"}
	asked := []outbound.Effect{anOrder(outbound.Wanted)}
	filled := []outbound.Effect{anOrder(outbound.Final)}
	rejected := []outbound.Effect{anOrder(outbound.Failed)}
	rich := Facts{Funds: evidence.Funds{Balance: big.NewInt(100), Allowance: big.NewInt(100)}}
	process := func(s transaction.SettlementStatus) transaction.Transaction {
		return ofType(fiat, transaction.StatusProcess, s, "")
	}
	wanted := []outbound.Effect{{State: outbound.Wanted}}

	planned := []outbound.Effect{{State: outbound.Planned}}
	for _, c := range []struct {
		name string
		s    State
		want Action
	}{
		{"never locked", State{T: process(transaction.SettlementPulling), Facts: rich, Currencies: eur}, Fail},
		{"its number was used before", State{
			T:          process(transaction.SettlementPulling),
			Facts:      Facts{Used: true},
			Currencies: eur,
		}, Hold},
		{"the pull is planned", State{
			T:          process(transaction.SettlementPulling),
			Planned:    true,
			Currencies: eur,
		}, Nothing},
		{"the organisation owes", State{
			T:          process(transaction.SettlementPulling),
			Blocked:    true,
			Facts:      rich,
			Currencies: eur,
		}, Wait},
		{"it owes no more", State{T: process(transaction.SettlementHeld), Facts: rich, Currencies: eur}, Fail},
		{"the tokens are here", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Currencies: eur,
		}, Convert},
		{"here, and it owes", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Blocked:    true,
			Currencies: eur,
		}, Wait},
		{"one currency of two is asked for", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Currencies: []string{"EUR", "GBP"},
			Orders:     filled,
		}, Convert},
		{"asked, no answer", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Currencies: eur,
			Orders:     asked,
		}, Advance},
		{"no answer, told", State{
			T:          process(transaction.SettlementUncertain),
			Planned:    true,
			Currencies: eur,
			Orders:     asked,
		}, Advance},
		{"an answer after doubt", State{
			T:          process(transaction.SettlementUncertain),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
		}, PayOut},
		{"an answer after doubt, and it owes", State{
			T:          process(transaction.SettlementUncertain),
			Planned:    true,
			Blocked:    true,
			Currencies: eur,
			Orders:     filled,
		}, Wait},
		{"a doubt about a refund", State{
			T:          process(transaction.SettlementUncertain),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
			Sends:      planned,
		}, Nothing},
		{"changed after the tokens had come", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Changed:    true,
			Currencies: eur,
			Orders:     filled,
		}, Hold},
		{"changed, told", State{
			T:          process(transaction.SettlementUncertain),
			Planned:    true,
			Changed:    true,
			Currencies: eur,
			Orders:     filled,
		}, Nothing},
		{"a doubt of the chain", State{
			T:          process(transaction.SettlementUncertain),
			Planned:    true,
			Currencies: eur,
		}, Nothing},
		{"filled", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
		}, PayOut},
		{"rejected", State{
			T:          process(transaction.SettlementReceived),
			Planned:    true,
			Currencies: eur,
			Orders:     rejected,
		}, PayOut},
		{"held after the tokens had come", State{
			T:          process(transaction.SettlementHeld),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
		}, PayOut},
		{"at the bank", State{
			T:          process(transaction.SettlementConverted),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
		}, Nothing},
		{"a refund is wanted", State{
			T:          process(transaction.SettlementConverted),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
			Sends:      wanted,
		}, Advance},
		{"a refund is planned", State{
			T:          process(transaction.SettlementConverted),
			Planned:    true,
			Currencies: eur,
			Orders:     filled,
			Sends:      planned,
		}, Nothing},
		{"a late refund", State{
			T:       ofType(fiat, transaction.StatusCompleted, transaction.SettlementReturned, transaction.PaymentReturned),
			Planned: true,
			Orders:  filled,
			Sends:   wanted,
		}, Advance},
		{"ended", State{
			T:          ofType(fiat, transaction.StatusCompleted, transaction.SettlementSettled),
			Planned:    true,
			Orders:     filled,
			Currencies: eur,
		}, Nothing},
		{"not accepted", State{
			T:          ofType(fiat, transaction.StatusWaiting, transaction.SettlementQuoted),
			Currencies: eur,
			Facts:      rich,
		}, Nothing},
	} {
		got, why := NextFiat(c.s)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.want == Fail || c.want == Hold || c.want == Wait, why != "", c.name)
	}
}

// The same for ONRAMP.
func TestNextOnramp(t *testing.T) {
	const onramp = transaction.TypeOnramp
	eur := []string{"EUR"}
	process := func(s transaction.SettlementStatus) transaction.Transaction {
		return ofType(onramp, transaction.StatusProcess, s, "")
	}
	asked := []outbound.Effect{anOrder(outbound.Wanted)}
	filled := []outbound.Effect{anOrder(outbound.Final)}
	rejected := []outbound.Effect{anOrder(outbound.Failed)}
	wanted := []outbound.Effect{{State: outbound.Wanted}}

	planned := []outbound.Effect{{State: outbound.Planned}}
	for _, c := range []struct {
		name string
		s    State
		want Action
	}{
		{"no deposit yet", State{
			T:          ofType(onramp, transaction.StatusWaiting, transaction.SettlementAwaiting),
			Currencies: eur,
		}, Nothing},
		{"matched", State{T: process(transaction.SettlementReceived), Currencies: eur}, Convert},
		{"matched, and it owes", State{
			T:          process(transaction.SettlementReceived),
			Blocked:    true,
			Currencies: eur,
		}, Wait},
		{"asked", State{T: process(transaction.SettlementUncertain), Currencies: eur, Orders: asked}, Advance},
		{"filled", State{T: process(transaction.SettlementReceived), Currencies: eur, Orders: filled}, Deliver},
		{"rejected", State{
			T:          process(transaction.SettlementReceived),
			Currencies: eur,
			Orders:     rejected,
		}, GiveBack},
		{"tokens wanted", State{
			T:          process(transaction.SettlementConverted),
			Currencies: eur,
			Orders:     filled,
			Sends:      wanted,
		}, Advance},
		{"tokens planned", State{
			T:          process(transaction.SettlementConverted),
			Currencies: eur,
			Orders:     filled,
			Sends:      planned,
		}, Nothing},
		{"planned, and a person looks", State{
			T:          process(transaction.SettlementUncertain),
			Currencies: eur,
			Orders:     filled,
			Sends:      planned,
		}, Nothing},
		{"reversed before they were planned", State{
			T:      ofType(onramp, transaction.StatusFailed, transaction.SettlementReturned),
			Orders: filled,
			Sends:  wanted,
		}, Nothing},
		{"reversed while asked", State{
			T:      ofType(onramp, transaction.StatusFailed, transaction.SettlementReturned),
			Orders: asked,
		}, Advance},
		{"the deposit goes back", State{
			T:          process(transaction.SettlementRefunding),
			Currencies: eur,
			Orders:     rejected,
		}, Nothing},
	} {
		got, why := NextOnramp(c.s)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.want == Wait, why != "", c.name)
	}
}

// Where a transaction is follows from its payments, refunds and returns, in every mixture.
func TestStanding(t *testing.T) {
	const (
		process, released, completed, failed = transaction.StatusProcess, transaction.StatusReleased, transaction.StatusCompleted, transaction.StatusFailed
		sent, paid, unknown, no, back, home  = transaction.PaymentSent, transaction.PaymentCompleted, transaction.PaymentUnknown, transaction.PaymentFailed,
			transaction.PaymentReturned, transaction.PaymentRefunded
		converted, atBank, settled, refunding = transaction.SettlementConverted, transaction.SettlementAtBank, transaction.SettlementSettled, transaction.SettlementRefunding
		refundedS, noRefund, returned         = transaction.SettlementRefunded, transaction.SettlementNoRefund, transaction.SettlementReturned
	)
	open := outbound.Effect{State: outbound.Planned}
	final := outbound.Effect{State: outbound.Final}
	refused := outbound.Effect{State: outbound.Kept}
	kept := PayoutReturn{State: ReturnHeld}
	resent := PayoutReturn{State: ReturnResent}
	gone := PayoutReturn{State: ReturnGivenBack}

	type outcomes = []transaction.PaymentStatus

	for _, c := range []struct {
		name       string
		status     transaction.Status
		settlement transaction.SettlementStatus
		payments   outcomes
		sends      []outbound.Effect
		returns    []PayoutReturn
		want       transaction.Status
		wantS      transaction.SettlementStatus
	}{
		{"one of two handed over", process, converted, outcomes{sent, ""}, nil, nil, process, converted},
		{"both", process, converted, outcomes{sent, sent}, nil, nil, released, atBank},
		{"one not known before it was handed over", process, converted, outcomes{sent, unknown}, nil, nil, process, converted},
		{"one refused, the other handed over", process, converted, outcomes{no, sent}, []outbound.Effect{open}, nil, released, atBank},
		{"all refused at once", process, converted, outcomes{no, no}, []outbound.Effect{open, open}, nil, process, refunding},
		{"all refused and refunded", process, refunding, outcomes{home, home}, []outbound.Effect{final, final}, nil, failed, refundedS},
		{"one paid, one open", released, atBank, outcomes{paid, sent}, nil, nil, released, atBank},
		{"one paid, one not known", released, atBank, outcomes{paid, unknown}, nil, nil, released, atBank},
		{"one paid, a refund open", released, atBank, outcomes{paid, no}, []outbound.Effect{open}, nil, released, atBank},
		{"one paid, one refunded", released, atBank, outcomes{paid, home}, []outbound.Effect{final}, nil, completed, settled},
		{"one paid, a refund that the wallet refuses", released, atBank, outcomes{paid, no}, []outbound.Effect{refused}, nil, completed, noRefund},
		{"all paid", released, atBank, outcomes{paid, paid}, nil, nil, completed, settled},
		{"all refused late", released, atBank, outcomes{no, no}, []outbound.Effect{open, open}, nil, released, refunding},
		{"and refunded", released, refunding, outcomes{home, home}, []outbound.Effect{final, final}, nil, failed, refundedS},
		{"and the wallet refuses", released, refunding, outcomes{no}, []outbound.Effect{refused}, nil, failed, noRefund},
		{"returned, kept", completed, settled, outcomes{paid, back}, nil, []PayoutReturn{kept}, completed, returned},
		{"returned, tokens on the way", completed, returned, outcomes{paid, back}, []outbound.Effect{open}, []PayoutReturn{{State: ReturnGivenBack}}, completed, refunding},
		{"returned, tokens back", completed, refunding, outcomes{paid, home}, []outbound.Effect{final}, []PayoutReturn{gone}, completed, refundedS},
		{"paid again, on the way", completed, returned, outcomes{paid, sent}, nil, []PayoutReturn{resent}, completed, atBank},
		{"paid again", completed, atBank, outcomes{paid, paid}, nil, []PayoutReturn{resent}, completed, settled},
		{"returned before the others were booked", released, atBank, outcomes{back, sent}, nil, []PayoutReturn{kept}, released, atBank},
	} {
		step := fiatStep(ofType(transaction.TypeFiat, c.status, c.settlement, c.payments...), c.sends, c.returns)
		require.Equal(t, c.want, step.Status, c.name)
		require.Equal(t, c.wantS, step.Settlement, c.name)
	}
}

// Whatever the order in which outcomes come, the step is always one that both tables allow, COMPLETED means that
// something arrived, and nothing leads out of COMPLETED or FAILED.
func TestStandingIsAlwaysAMove(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	status := transaction.TableOf(transaction.TypeFiat)

	settlements := transaction.SettlementTableOf(transaction.TypeFiat)
	for run := range 5_000 {
		x := ofType(
			transaction.TypeFiat,
			transaction.StatusProcess,
			transaction.SettlementConverted,
			make([]transaction.PaymentStatus, 1+r.IntN(4))...)

		var sends []outbound.Effect
		for range 25 {
			i := r.IntN(len(x.Payments))

			next := transaction.PaymentTable().From(x.Payments[i].Outcome)
			if len(next) == 0 {
				continue
			}

			to := next[r.IntN(len(next))]
			if to == transaction.PaymentCancelled || x.Payments[i].Outcome == "" && to == transaction.PaymentCompleted {
				continue // a payout is handed over first
			}

			if to == transaction.PaymentFailed {
				sends = append(sends, outbound.Effect{Position: i, State: outbound.Planned})
			}

			if to == transaction.PaymentRefunded {
				for j := range sends {
					if sends[j].Position == i {
						sends[j].State = outbound.Final
					}
				}
			}

			x.Payments[i].Outcome = to
			step := fiatStep(x, sends, nil)
			require.True(t, status.Allows(x.Status, step.Status), "run %d: %s to %s", run, x.Status, step.Status)
			require.True(
				t,
				settlements.Allows(x.Settlement, step.Settlement),
				"run %d: %s to %s",
				run,
				x.Settlement,
				step.Settlement,
			)

			if x.Status == transaction.StatusCompleted || x.Status == transaction.StatusFailed {
				require.Equal(t, x.Status, step.Status, "run %d", run)
			}

			x.Status = step.Status
			x.Settlement = step.Settlement
		}
	}
}

func TestInfoOfFiat(t *testing.T) {
	x := ofType(
		transaction.TypeFiat,
		transaction.StatusReleased,
		transaction.SettlementAtBank,
		transaction.PaymentCompleted,
		transaction.PaymentRefunded,
		transaction.PaymentUnknown,
	)

	x.Payments[1].StatusInfo = "the bank refused it: AC04"
	x.Payments[2].StatusInfo = ""

	require.Equal(
		t,
		"1 of 3 payments failed: payment 2: the bank refused it: AC04. 1 of 3 payments are being looked at. The "+
			"tokens are back in the wallet.",
		words.English(statusInfo(x, countOutcomes(x), 0, 0)),
	)

	require.Empty(
		t,
		statusInfo(
			ofType(
				transaction.TypeFiat,
				transaction.StatusReleased,
				transaction.SettlementAtBank,
				transaction.PaymentCompleted,
			),
			count{paid: 1},
			0,
			0,
		),
	)
}

// What comes back of a return is never more than what was paid, and the parts of a commission never more than the
// whole (M-06).
func TestProportion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))

	for range 10_000 {
		units := big.NewInt(r.Int64N(1 << 50))
		all := big.NewInt(1 + r.Int64N(1<<40))
		part := big.NewInt(r.Int64N(all.Int64() + 10))
		got := proportion(units, part, all)
		require.True(t, got.Sign() >= 0 && got.Cmp(units) <= 0)

		if part.Cmp(all) < 0 {
			require.True(t, new(big.Int).Mul(got, all).Cmp(new(big.Int).Mul(units, part)) <= 0, "rounded down")
		}
	}
}
