//go:build !nosandbox

package settlement_test

import (
	"cmp"
	"context"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/liquidity/liquiditysim"
	"slipway/internal/rails/rates"
)

const (
	completed = transaction.StatusCompleted
	failed    = transaction.StatusFailed
	paid      = transaction.PaymentCompleted
	refunded  = transaction.PaymentRefunded
)

// provided runs a test in worlds whose provider of liquidity can be steered.
func provided(t *testing.T, test func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server)) {
	t.Helper()

	apptest.EachURL(t, func(t *testing.T, url string) {
		var server *liquiditysim.Server

		c := apptest.Config{Tune: func(out *app.Outside) {
			out.Banking.Liquidity = func(
				_ string,
				c *clock.Clock,
				prices rates.Source,
			) (p liquidity.Provider, closes io.Closer, err error) {
				p, server, err = app.SimulatedLiquidity("", c, prices)
				return p, server, err
			}
		}}

		h := apptest.New(t, c, url)
		test(t, h, server)
	})
}

// The whole way of a FIAT transaction, once, in every currency with a rail of its own and one without.
func TestFiatGoesItsWholeWay(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		var payments []apptest.Object
		for _, currency := range []string{"EUR", "GBP", "USD", "INR", "AED"} {
			payments = append(payments, c.FiatPayment(c.NewBankAccount(currency, "100"), "1250.50"))
		}

		id := c.FiatAccepted("USDC", payments...)
		h.SettleAll()
		v := c.Ends(id, completed, paid, paid, paid, paid, paid)
		require.Equal(t, "SETTLED", v.Settlement)
		require.Empty(t, v.StatusInfo)

		for _, asset := range []string{"USDC", "EUR", "GBP", "USD", "INR", "AED"} {
			require.Equal(t, "0", booked(t, h, "open/", asset), "all that was exchanged serves a customer")

			rest := number(t, booked(t, h, "provider/", asset))
			rest.Add(rest, number(t, booked(t, h, "covered/", asset)))
			rest.Add(rest, number(t, booked(t, h, "result/", asset)))
			require.Zero(t, rest.Sign(), "%s: what the provider did is what was promised and the result", asset)
		}

		var way []string

		for _, s := range v.Timeline {
			if step := s.Status + " " + s.Settlement; len(way) == 0 || way[len(way)-1] != step {
				way = append(way, step)
			}
		}

		require.Equal(t, []string{
			"DRAFT IDLE",
			"WAITING_ACCEPTANCE QUOTED",
			"PROCESSING FUNDS_PULLING",
			"PROCESSING FUNDS_RECEIVED",
			"PROCESSING CONVERTED",
			"RELEASED SENT_TO_BANK",
			"COMPLETED SETTLED",
		}, way)

		h.Oracle()
	})
}

// feesBack returns the sum of some amounts and of the fees of a transaction that were given back.
func feesBack(t *testing.T, v apptest.View, amounts ...string) string {
	t.Helper()

	for _, f := range v.Fees {
		amounts = append(amounts, cmp.Or(f.GivenBack, "0"))
	}

	sum := new(big.Int)

	for _, a := range amounts {
		parsed, err := money.ParseOrZero(money.Asset{Code: v.Token, Decimals: 6}, a)
		require.NoError(t, err)
		sum.Add(sum, parsed.Units())
	}

	return moneyOf(sum)
}

// postedOf returns the sum of a transaction's postings to accounts of a kind, in base units.
func postedOf(t *testing.T, h *apptest.Harness, id, kind string) string {
	t.Helper()

	lines, err := ledger.OfTransaction(t.Context(), h.DB(), id)
	require.NoError(t, err)

	sum := new(big.Int)

	for _, l := range lines {
		if strings.HasPrefix(l.Account, kind) {
			sum.Add(sum, number(t, l.Units))
		}
	}

	return sum.String()
}

// booked returns the sum of all postings to accounts of a kind in an asset, in base units.
func booked(t *testing.T, h *apptest.Harness, kind, asset string) string {
	t.Helper()

	all, err := db.Select(t.Context(), h.DB(), func(s *string) []any { return []any{s} },
		"SELECT units FROM postings WHERE account LIKE ? AND asset = ?", kind+"%", asset)
	require.NoError(t, err)

	sum := new(big.Int)
	for _, units := range all {
		sum.Add(sum, number(t, units))
	}

	return sum.String()
}

// The whole way of an ONRAMP transaction, once.
func TestOnrampGoesItsWholeWay(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		before := h.Balance(usdc, c.Payer.Address)
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("matched", func() bool { return c.Read(id).Status != transaction.StatusWaiting })
		h.SettleAll()
		require.Equal(t, "SETTLED", c.Ends(id, completed, paid).Settlement)
		require.Positive(t, h.Balance(usdc, c.Payer.Address).Cmp(before))

		h.Oracle()
	})
}

// The price that was got is booked, and not the one that was promised: the difference is the house's result, and
// nothing is open.
func TestAnotherPriceThanPromisedIsAResult(t *testing.T) {
	for name, x := range map[string]struct {
		rate int64
		sign int
	}{
		"a better one, which the house earns": {9_050, -1},
		"a worse one, which the house bears":  {8_950, 1},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
				c := h.Client("Ada")
				id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "900.00"))
				m.Fix("EUR", x.rate)
				h.SettleAll()
				c.Ends(id, completed, paid)

				sold, err := db.Value[string](
					t.Context(),
					h.DB(),
					"SELECT sold_units FROM effects WHERE word = 'convert'",
				)
				require.NoError(t, err)
				require.Equal(t, "-"+sold, booked(t, h, "provider/", "USDC"))

				result := number(t, booked(t, h, "result/", "USDC"))
				require.Equal(t, x.sign, result.Sign())
				require.Equal(t, sold, result.Add(result, number(t, booked(t, h, "covered/", "USDC"))).String())
				require.Equal(t, "0", booked(t, h, "open/", "USDC"))
				h.Oracle()
			})
		})
	}
}

// F-05: of three payments the bank refuses one: it is FAILED and refunded once, in tokens at the locked rate; the
// others are paid, and the sentence says which.
func TestRefusedPaymentIsRefundedAlone(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		before := h.Balance(usdc, c.Payer.Address)

		id := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
			c.FiatPayment(c.NewBankAccount("EUR", "002"), "200.00"),
			c.FiatPayment(c.NewBankAccount("GBP", "100"), "300.00"),
		)

		h.SettleAll()
		v := c.Ends(id, completed, paid, refunded, paid)
		require.Equal(t, "SETTLED", v.Settlement)

		require.Regexp(
			t,
			`^1 of 3 payments failed: payment 2: the bank refused it: AC04 .*\. The tokens are back in the wallet\.$`,
			v.StatusInfo,
		)

		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))

		back, err := db.Value[string](t.Context(), h.DB(), "SELECT units FROM effects WHERE word <> 'convert'")
		require.NoError(t, err)

		gone := new(big.Int).Sub(before, h.Balance(usdc, c.Payer.Address))

		require.Equal(
			t,
			v.Totals.TokenDebit,
			moneyOf(new(big.Int).Add(gone, number(t, back))),
			"the debit less the refund is what is gone",
		)

		require.Equal(t, moneyOf(number(t, back)), feesBack(t, v, v.Payments[1].Tokens),
			"the refund is what the payment cost and the fees that are given back")

		require.Equal(
			t,
			"-20000",
			booked(t, h, "open/", "EUR"),
			"what was bought and serves nobody is an open position",
		)
		require.Equal(t, v.Payments[1].Tokens, moneyOf(number(t, booked(t, h, "open/", "USDC"))))
		require.Equal(t, "0", booked(t, h, "open/", "GBP"))

		h.Oracle()
	})
}

// F-05: the bank refuses all payments: the transaction is FAILED, and everything but the network's fee is back in the
// wallet.
func TestAllPaymentsRefused(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		id := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"),
			c.FiatPayment(c.NewBankAccount("GBP", "003"), "200.00"),
		)

		h.SettleAll()
		v := c.Ends(id, failed, refunded, refunded)
		require.Equal(t, "REFUNDED", v.Settlement)
		require.Contains(t, v.StatusInfo, "2 of 2 payments failed")

		h.Oracle()
	})
}

// The provider refuses: everything goes back to the wallet, fees included, and no bank has heard of it.
func TestRejectedConversionRefundsEverything(t *testing.T) {
	provided(t, func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		before := h.Balance(usdc, c.Payer.Address)
		provider.Steer(liquiditysim.Reject, 0)

		id := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
			c.FiatPayment(c.NewBankAccount("GBP", "100"), "200.00"),
		)

		h.SettleAll()
		v := c.Ends(id, failed, refunded, refunded)
		require.Equal(t, "REFUNDED", v.Settlement)
		require.Equal(t, before.String(), h.Balance(usdc, c.Payer.Address).String())
		require.Zero(t, h.Count("SELECT count(*) FROM bank_payouts"))

		for _, f := range v.Fees {
			require.Equal(t, f.Amount, f.GivenBack, "%v", f)
		}

		h.Oracle()
	})
}

// Answers of the provider that are lost, slow or refused for the moment are not failures: each order is carried out
// once, and the transaction ends as if nothing had happened. Meanwhile it says that it is not known.
func TestProviderWithoutAnswers(t *testing.T) {
	provided(t, func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server) {
		c := h.Client("Ada")
		c.StaySignedIn()
		account := c.NewBankAccount("EUR", "100")

		for i, how := range []liquiditysim.Behaviour{liquiditysim.Drop, liquiditysim.Down, liquiditysim.Hold} {
			provider.Steer(how, 0)
			id := c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
			h.BankUntil("asked", func() bool {
				return h.Count("SELECT count(*) FROM effects WHERE word = 'convert' AND transaction_id = ?", id) == 1
			})

			if how != liquiditysim.Hold {
				h.BankUntil("it is told that it is not known", func() bool {
					return c.Read(id).Settlement == "UNCERTAIN"
				})
				require.Equal(t, transaction.PaymentUnknown, c.Read(id).Payments[0].Status)
			}

			h.Oracle()
			provider.Steer(liquiditysim.Normal, 0)

			h.BankUntil("paid", func() bool {
				h.DB().Clock().Advance(time.Minute) // past the pause of a job that failed
				return c.Read(id).Status == completed
			})

			require.Len(t, provider.Orders(), i+1, "one order for each transaction")

			h.Oracle()
		}
	})
}

// interrupted is a provider during whose first order something else happens.
type interrupted struct {
	liquidity.Provider
	once func()
}

// Place runs once, and then places the order.
func (p *interrupted) Place(ctx context.Context, o liquidity.Order) (liquidity.Result, error) {
	if once := p.once; once != nil {
		p.once = nil
		once()
	}

	return p.Provider.Place(ctx, o)
}

// Two runs ask for one order at the same time, and the slower one finds it recorded: that is no doubt about it.
func TestAnOrderThatAnotherRunHasRecordedIsNotInDoubt(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		between := &interrupted{}
		h := apptest.New(t, apptest.Config{Tune: func(out *app.Outside) {
			out.Banking.Liquidity = func(
				_ string,
				c *clock.Clock,
				prices rates.Source,
			) (_ liquidity.Provider, closes io.Closer, err error) {
				p, server, err := app.SimulatedLiquidity("", c, prices)
				between.Provider = p

				return between, server, err
			}
		}}, url)

		c := h.Client("Ada")
		account := c.NewBankAccount("EUR", "100")

		var id string

		ran := false
		between.once = func() {
			ran = true

			require.NoError(t, h.App.Settlement.Step(t.Context(), id))
		}

		id = c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.SettleAll()
		require.True(t, ran)

		v := c.Ends(id, completed, paid)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"))

		for _, s := range v.Timeline {
			require.NotEqual(t, "UNCERTAIN", s.Settlement)
		}

		h.Oracle()
	})
}

// The tokens cannot be taken: nothing was converted and no bank has heard of it.
func TestFiatWithoutFundsFails(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		account := c.NewBankAccount("EUR", "100")
		id := c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.Approve(usdc, c.Payer, new(big.Int))
		h.SettleAll()
		require.Contains(t, c.Ends(id, failed, transaction.PaymentFailed).StatusInfo, "has approved USDC 0.00")

		h.Approve(usdc, c.Payer, new(big.Int).Lsh(big.NewInt(1), 90))
		id = c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.Admin(usdc, "blacklist(address)", c.Payer.Address)
		h.SettleAll()
		require.Equal(t, "IDLE", c.Ends(id, failed, transaction.PaymentFailed).Settlement)
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"))
		require.Zero(t, h.Count("SELECT count(*) FROM reservations WHERE released_at = 0"))

		h.Oracle()
	})
}

// D-09: a payment comes back after COMPLETED. The status never flips; what becomes of the money is the organisation's
// policy, and it happens once, however often the bank tells of it.
func TestReturnAfterCompletion(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		operator := h.Operators()

		for name, policy := range map[string]settlement.Policy{
			"Ada":  settlement.PolicyRecredit,
			"Bea":  settlement.PolicyHold,
			"Cleo": settlement.PolicyResend,
		} {
			c := h.Client(name)
			c.StaySignedIn()

			operator.Do(
				"PUT",
				"/operations/organisations/"+c.Org+"/return-policy",
				apptest.Object{"policy": policy},
			).OK(200)

			id := c.FiatAccepted(
				"USDC",
				c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
				c.FiatPayment(c.NewBankAccount("EUR", "101"), "200.00"),
			)

			h.SettleAll()
			c.Ends(id, completed, paid, paid)

			decide := func(action, account string) apptest.Answer {
				body := apptest.Object{"payment": 2, "action": action}
				if account != "" {
					body["bankAccount"] = account
				}

				return operator.Do("POST", "/operations/transactions/"+id+"/returns", body)
			}

			decide("RECREDIT", "").Refused(409, "RETURN_NOT_OPEN")

			h.Control(banksim.Control{
				Op:         "late_return",
				EndToEndID: h.EndToEnd(id, 1),
				Reason:     "AC04",
				Amount:     "195.00",
			})

			h.BankUntil("told", func() bool {
				return h.Count(
					"SELECT count(*) FROM events WHERE object = ? AND type = 'transaction.returned'",
					id,
				) == 1
			})

			h.Control(banksim.Control{Op: "duplicate_file", Kind: "camt.054"})
			h.Control(banksim.Control{Op: "statement"})
			h.SettleAll()
			require.EqualValues(t, 1, h.Count("SELECT count(*) FROM payout_returns WHERE transaction_id = ?", id))

			v := c.Read(id)
			require.Equal(t, completed, v.Status, "COMPLETED never flips")
			require.Equal(t, paid, v.Payments[0].Status)
			require.Equal(
				t,
				[]string{"10000", "500"},
				[]string{postedOf(t, h, id, "payee/"), postedOf(t, h, id, "charges/")},
				"the payee of the returned payment has nothing, and the banks have what is missing",
			)

			switch policy {
			case settlement.PolicyRecredit:
				require.Equal(t, "REFUNDED", v.Settlement)
				require.Equal(t, refunded, v.Payments[1].Status)
				require.Equal(t, "0.00", feesBack(t, v), "the payment was made, so its fees are earned")

			case settlement.PolicyHold:
				require.Equal(t, "RETURNED", v.Settlement)
				require.Equal(t, transaction.PaymentReturned, v.Payments[1].Status)
				operator.Carried(decide("RECREDIT", ""))
				h.SettleAll()
				require.Equal(t, "REFUNDED", c.Ends(id, completed, paid, refunded).Settlement)
				decide("RECREDIT", "").Refused(409, "RETURN_NOT_OPEN")

			case settlement.PolicyResend:
				require.Equal(t, "RETURNED", v.Settlement)

				decide("RESEND", c.NewBankAccount("GBP", "102")).Refused(409, "RETURN_NOT_OPEN")
				operator.Carried(decide("RESEND", c.NewBankAccount("EUR", "102")))
				h.BankUntil("paid again", func() bool { return c.Read(id).Settlement == "SETTLED" })
				c.Ends(id, completed, paid, paid)

				require.EqualValues(
					t,
					3,
					h.Count("SELECT count(DISTINCT end_to_end_id) FROM bank_payouts WHERE object = ?", id),
				)
			}

			h.Oracle()
		}
	})
}

// F-02, F-07: it is not known whether the bank has executed a payment, since it refuses it as a duplicate: nothing is
// refunded, and the payment is UNKNOWN.
func TestRefusedAsDuplicateIsHeld(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		account := c.NewBankAccount("EUR", "100")
		h.Control(banksim.Control{Op: "duplicate_reject", Count: 1})
		id := c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.BankUntil("held", func() bool { return c.Read(id).Payments[0].Status == transaction.PaymentUnknown })
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))

		h.Oracle()
	})
}

// A refund that the wallet cannot take, since the token has put it on its black list, is kept for the organisation
// and said; the transaction ends.
func TestRefundThatTheWalletRefusesIsKept(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")

		id := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
			c.FiatPayment(c.NewBankAccount("EUR", "002"), "200.00"),
		)

		h.MineUntil("the tokens are here", func() bool { return c.Read(id).Settlement == "CONVERTED" })
		h.Admin(usdc, "blacklist(address)", c.Payer.Address)
		h.SettleAll()
		v := c.Ends(id, completed, paid, transaction.PaymentFailed)
		require.Equal(t, "REFUND_FAILED", v.Settlement)
		require.Contains(t, v.StatusInfo, "it is kept for you")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM postings WHERE account LIKE 'held/%'"))

		h.Oracle()
	})
}

// The router is paused while a refund waits: the batch is refused as a whole, nothing of it is called failed, and
// when the router goes on the same batch is sent anew under the same number and arrives once.
func TestRefundThatTheRouterRefusesIsSentAnew(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
		h.MineUntil("the tokens are here", func() bool { return c.Read(id).Settlement == "CONVERTED" })
		h.Send(h.World.Operator, h.World.Router, apptest.Calldata("pause()"))
		h.MineUntil("the key's use from outside is noticed", h.Frozen)
		require.NoError(t, h.App.Rail.Thaw(t.Context(), "net_dev"))

		h.BankUntil("the refund is refused", func() bool {
			return h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'DOUBTFUL'") == 1
		})
		require.NotEqual(t, refunded, c.Read(id).Payments[0].Status)

		h.OracleWithout("I9")
		h.Send(h.World.Operator, h.World.Router, apptest.Calldata("unpause()"))

		h.BankUntil("refunded", func() bool {
			h.DB().Clock().Advance(3 * time.Minute)
			_ = h.App.Rail.Thaw(t.Context(), "net_dev") // the key was used from outside once more
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))

			return c.Read(id).Status == failed
		})

		require.Equal(t, "REFUNDED", c.Ends(id, failed, refunded).Settlement)
		require.EqualValues(t, 1, h.Count("SELECT count(DISTINCT number) FROM effects WHERE word <> 'convert'"))

		moved, _ := h.Ground()
		require.Len(t, moved, 2)

		h.OracleWithout("I9")
	})
}

// I5: jobs that are lost are found by the sweep, wherever the transaction stands.
func TestSweepFindsStrandedTransactionsOfBanks(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		fiat := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
			c.FiatPayment(c.NewBankAccount("EUR", "002"), "50.00"),
		)

		onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})

		for range 12 { // every job is lost as soon as it is asked for
			h.Exec("DELETE FROM jobs")
			h.BankRounds(2)
			h.Exec("DELETE FROM jobs")
			h.World.Chain.Mine(3)
			h.DB().Clock().Advance(3 * time.Minute)
			require.NoError(t, h.App.Settlement.Deposits.Match(t.Context()))
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))

			h.BankRound()
		}

		h.BankUntil("both have ended", func() bool {
			h.DB().Clock().Advance(3 * time.Minute)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			return c.Read(fiat).Status == completed && c.Read(onramp).Status == completed
		})

		require.Equal(t, 1, h.ExecutedOnce())

		h.Oracle()
	})
}

// The provider refuses a deposit's conversion: the deposit goes back to the account it came from, once, and the
// transaction is FAILED.
func TestRejectedDepositGoesBack(t *testing.T) {
	provided(t, func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server) {
		c := h.Client("Ada")
		provider.Steer(liquiditysim.Reject, 0)
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")

		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "2500.00",
			Reference:     reference,
			Sender:        c.Name(),
			SenderAccount: apptest.SenderAccount,
		})

		h.BankUntil("it has ended", func() bool { return c.Read(id).Settlement == "REFUNDED" })
		v := c.Ends(id, failed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "went back")
		require.NotEmpty(t, v.Fees)

		for _, f := range v.Fees {
			require.Empty(t, f.GivenBack, "nothing was charged that could be given back: %v", f)
		}

		require.Equal(t, 1, h.ExecutedOnce())
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"))

		h.Oracle()
	})
}

// E-01: the block with the delivery is replaced before it is final: the status says so, and the tokens arrive once.
func TestDeliveryInAReplacedBlock(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})

		h.Until("sent", func() bool {
			h.BankRound()
			waiting, _ := h.World.Chain.PoolSize()
			return waiting == 1
		})

		h.World.Chain.Mine(1)
		h.Until("released", func() bool { return c.Read(id).Status == transaction.StatusReleased })
		_, err := h.World.Chain.Reorg(1, devchain.Return)
		require.NoError(t, err)

		h.Until("told", func() bool { return strings.Contains(c.Read(id).StatusInfo, "replaced") })
		h.Oracle()
		h.SettleAll()
		require.Equal(t, "SETTLED", c.Ends(id, completed, paid).Settlement)

		h.Oracle()
	})
}

// F-06: the bank says nothing at all: the transaction stays RELEASED, however long that takes, and completes when the
// bank speaks.
func TestSilentBank(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		h.Control(banksim.Control{Op: "silence"})
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.BankUntil("handed over", func() bool { return c.Read(id).Status == transaction.StatusReleased })

		for range 10 {
			h.DB().Clock().Advance(time.Hour)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			h.BankRound()
		}

		require.Equal(t, transaction.StatusReleased, c.Read(id).Status)

		h.Oracle()
		h.Control(banksim.Control{Op: "speak"})
		h.SettleAll()
		c.Ends(id, completed, paid)
		h.Oracle()
	})
}

func number(t *testing.T, s string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(s, 10)
	require.True(t, ok, s)

	return n
}

// moneyOf writes base units of a token with six decimals as the interface does.
func moneyOf(units *big.Int) string {
	s := units.String()
	s = strings.Repeat("0", max(0, 7-len(s))) + s
	whole := s[:len(s)-6]
	frac := strings.TrimRight(s[len(s)-6:], "0")

	return whole + "." + frac + strings.Repeat("0", max(0, 2-len(frac)))
}
