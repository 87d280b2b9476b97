//go:build !nosandbox

package app_test

import (
	"context"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/core/fault"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/screening"
)

// listed is a list file in the operator's hands.
type listed struct {
	t     *testing.T
	path  string
	lists *screening.Lists
}

// nobody keeps a list from being empty.
const nobody = "name: Nobody In Particular\n"

func (l *listed) names(lines ...string) {
	l.t.Helper()
	require.NoError(l.t, os.WriteFile(l.path, []byte(nobody+strings.Join(lines, "\n")), 0o600))
	require.NoError(l.t, l.lists.Reload())
}

// eachListed runs a test in a sandbox that is screened by a list, as a live deployment is.
func eachListed(t *testing.T, test func(t *testing.T, h *apptest.Harness, l *listed)) {
	path := filepath.Join(t.TempDir(), "list.txt")
	require.NoError(t, os.WriteFile(path, []byte(nobody), 0o600))

	lists, err := screening.NewLists(path)
	require.NoError(t, err)

	l := &listed{t, path, lists}

	apptest.EachWith(t, apptest.Config{Tune: func(out *app.Outside) {
		out.Screening = app.Screening{Addresses: lists, Names: lists, Lists: lists}
	}}, func(t *testing.T, h *apptest.Harness) {
		l.t = t
		l.names()
		test(t, h, l)
	})
}

// Somebody who is put on a list after submit is not paid: not at accept, and not when the list comes between accept
// and sending. Who is taken off it can be paid again.
func TestListsAreAskedAtAcceptAndBeforeSending(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		first := c.Submitted("USDC", "1.00")
		second := c.Submitted("USDC", "2.00")
		l.names(c.Payee.Hex())

		c.Act(first, "accept").Refused(
			422,
			"WALLET_SCREENING_REJECTED",
			"/payments/0/walletAddress WALLET_SCREENING_REJECTED",
		)

		c.Act(c.Draft("USDC", "1.00"), "submit").Refused(422, "WALLET_SCREENING_REJECTED")
		l.names(c.Payer.Address.Hex())
		c.Act(first, "accept").Refused(422, "WALLET_SCREENING_REJECTED", "/walletAddress WALLET_SCREENING_REJECTED")
		l.names()
		c.Act(first, "accept").OK(200)
		c.Act(second, "accept").OK(200)
		h.RunJobs() // planned: what screening says afterwards comes too late
		third := c.Accepted("USDC", "3.00")
		l.names(c.Payee.Hex())
		h.Settle()
		c.Ends(first, transaction.StatusCompleted)
		v := c.Ends(third, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "sanctions list")

		require.Positive(
			t,
			h.Count(
				"SELECT count(*) FROM screenings WHERE object = ? AND purpose = 'SEND' AND status = 'REJECTED'",
				third,
			),
		)

		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends WHERE object = ?", third))

		h.Oracle()
	})
}

// Whose name is like a listed one waits: at submit, and before sending. Two of the platform's people let it go on.
func TestNamesWaitForTwoPeople(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		s1 := h.Person("Grace")
		s2 := h.Person("Edsger")
		s1.Staff("staff")
		s2.Staff("staff")

		clear := func() {
			var cases struct {
				Results []struct {
					ID string `json:"_id"`
				} `json:"results"`
			}

			s1.Do("GET", "/operations/screening-cases?status[]=OPEN", nil).OK(200).Into(&cases)
			require.Len(t, cases.Results, 1)

			path := "/operations/screening-cases/" + cases.Results[0].ID + "/decision"
			body := object{"decision": "CLEARED", "reason": "born in another year"}
			s1.Do("POST", path, body).OK(200)
			s1.Do("POST", path, body).Refused(409, "SCREENING_SECOND_PERSON")
			s2.Do("POST", path, body).OK(200)
			c.Do("POST", path, body).Refused(403, "ROLE_REQUIRED")
		}

		id := c.Draft("USDC", "1.00")
		l.names("name: KELLER, Alice")
		c.Act(id, "validate").Refused(422, "NAME_SCREENING_REJECTED", "/payments/0/receiver NAME_SCREENING_REJECTED")
		c.Act(id, "submit").Refused(422, "NAME_SCREENING_REJECTED", "/payments/0/receiver NAME_SCREENING_REJECTED")
		clear()
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		l.names("name: KELLER, Alice", "name: KELER, Alice")
		h.RunJobs()
		v := c.Read(id)
		require.Equal(t, transaction.StatusProcess, v.Status)
		require.Contains(t, v.StatusInfo, "people look")
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends WHERE object = ?", id))

		clear()
		h.DB().Clock().Advance(3 * time.Minute)
		require.NoError(t, h.App.Settlement.Sweep(context.Background()))

		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		h.Oracle()
	})
}

// A listed name is found however it is disguised, in what was stored before names were cleaned where they enter, and as
// the bank's file will have it.
func TestDisguisedNamesAreNotPaid(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		id := c.Do("POST", "/transactions", fiatBody(c, payout(c, account(h, c, "EUR"), "10.00", "EUR"))).OK(201).ID()
		c.Act(id, "validate").OK(200)
		l.names("name: BOROVKIN, Dmitriy", "name: OEL, Ueb")

		for first, last := range map[string]string{
			"Dmitriy":       "Boro\u200bvkin",
			"Dmit\u00adriy": "Borovkin\u200d",
			"Dm\u2060itriy": "\ufeffBorovkin",
			"D\u043citriy":  "B\u043er\u03bfvkin",
			"Dm1triy":       "B0rovkin",
			"Dmitriy B o r": "o v k i n",
			"Dmitriy Boro":  "vkin",
			"\u00dcb":       "\u00d6l",
			"Dmitriy Boro-": "vkin",
		} {
			c.Do("PATCH", "/receivers/"+c.Receiver, object{"firstName": first, "lastName": last}).OK(200)
			a := c.Act(id, "validate")
			require.Equal(t, 422, a.Status, "%+q %+q", first, last)
			require.Contains(t, a.Raw, "/payments/0/receiver", "%+q %+q", first, last)
			require.Contains(t, a.Raw, `"NAME_`, "%+q %+q", first, last)

			h.Exec("UPDATE receivers SET first_name = ?, last_name = ? WHERE id = ?", first, last, c.Receiver)

			a = c.Act(id, "submit")
			require.Equal(t, 422, a.Status, "%+q %+q", first, last)
			require.Contains(t, a.Raw, `"NAME_`, "%+q %+q", first, last)
		}

		c.Do("PATCH", "/receivers/"+c.Receiver, object{"firstName": "Dmitriy", "lastName": "Borov"}).OK(200)
		c.Act(id, "validate").OK(200)
	})
}

// A bank that a payment file names is asked about as its account's owner is; one with a BIC is not named there.
func TestListedBanksAreNotPaidTo(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		l.names("name: ZELENOGRAD COMMERCIAL BANK")

		named := with(
			bankAccounts["USD"],
			object{"receiver": c.Receiver, "bankName": "Zelenograd\u200b Commercia1 Bank"},
		)
		bank := c.Do("POST", "/bank-accounts", named).OK(201).ID()
		coded := with(bankAccounts["EUR"], object{"receiver": c.Receiver, "bankName": "Zelenograd Commercial Bank"})
		other := c.Do("POST", "/bank-accounts", coded).OK(201).ID()

		h.RunJobs()

		draft := func(bank, currency string) string {
			return c.Do("POST", "/transactions", fiatBody(c, payout(c, bank, "10.00", currency))).OK(201).ID()
		}

		c.Act(draft(bank, "USD"), "validate").
			Refused(422, "NAME_IN_REVIEW", "/payments/0/bankAccount NAME_IN_REVIEW")
		c.Act(draft(other, "EUR"), "validate").OK(200)
	})
}

// counting counts how often a provider is asked.
type counting struct {
	screening.Provider
	asked *atomic.Int64
}

func (c counting) Screen(ctx context.Context, network, address string) (screening.Result, error) {
	c.asked.Add(1)
	return c.Provider.Screen(ctx, network, address)
}

// Accept, and the job that sends, use the answers of a moment ago: nobody is asked and nothing is written. After a
// restart, and after a quarter of an hour, everybody is asked anew.
func TestFreshAnswersAreUsedAgain(t *testing.T) {
	asked := &atomic.Int64{}

	apptest.EachWith(t, apptest.Config{Tune: func(out *app.Outside) {
		out.Screening.Addresses = counting{out.Screening.Addresses, asked}
	}}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Submitted("USDC", "1.00", "2.00")
		before := asked.Load()
		rows := h.Count("SELECT count(*) FROM screenings")
		require.Positive(t, rows)

		c.Act(id, "accept").OK(200)
		h.Settle()
		require.Equal(t, before, asked.Load())
		require.Equal(t, rows, h.Count("SELECT count(*) FROM screenings"))

		late := c.Submitted("USDC", "3.00")
		later := c.Submitted("USDC", "4.00")
		h.Restart()
		before = asked.Load()
		c.Act(late, "accept").OK(200)
		require.EqualValues(t, before+2, asked.Load())

		h.DB().Clock().Advance(16 * time.Minute)
		c.StaySignedIn()
		c.Act(later, "accept").OK(200)
		require.EqualValues(t, before+4, asked.Load())

		require.Equal(
			t,
			rows+5,
			h.Count("SELECT count(*) FROM screenings"),
			"two addresses and a name after the restart, and later the addresses",
		)
	})
}

// elsewhere is counting for a provider outside of this process, whose answers may change at any time.
type elsewhere struct{ counting }

func (elsewhere) AsksElsewhere() bool { return true }

// Accept, and the job that sends, ask a provider outside of this process anew however fresh its last answer is.
func TestAProviderOutsideIsAskedAtAcceptAndBeforeSending(t *testing.T) {
	asked := &atomic.Int64{}

	apptest.EachWith(t, apptest.Config{Tune: func(out *app.Outside) {
		out.Screening.Addresses = elsewhere{counting{out.Screening.Addresses, asked}}
	}}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Submitted("USDC", "1.00", "2.00")
		before := asked.Load()

		c.Act(id, "accept").OK(200)
		require.EqualValues(t, before+2, asked.Load(), "the payer's and the payees' address")
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		require.EqualValues(t, before+4, asked.Load())
	})
}

// deployOracle puts a contract on the chain that answers isSanctioned with true for one address.
func deployOracle(h *apptest.Harness, sanctioned common.Address) common.Address {
	h.T.Helper()
	// PUSH20 address
	runtime := append([]byte{0x73}, sanctioned.Bytes()...)
	// = argument? return the word
	runtime = append(runtime, 0x60, 0x04, 0x35, 0x14, 0x60, 0x00, 0x52, 0x60, 0x20, 0x60, 0x00, 0xf3)
	// returns runtime
	code := append([]byte{0x60, byte(len(runtime)), 0x80, 0x60, 0x0b, 0x60, 0x00, 0x39, 0x60, 0x00, 0xf3}, runtime...)
	ctx := context.Background()
	from := h.Account("Deployer")
	h.Fund(from)
	nonce, err := h.Eth.PendingNonceAt(ctx, from.Address)
	require.NoError(h.T, err)

	id := h.World.Chain.ChainID()

	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		Data:      code,
		Gas:       300_000,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(100_000_000_000),
	})

	require.NoError(h.T, err)
	require.NoError(h.T, h.Eth.SendTransaction(ctx, tx))

	h.World.Chain.Mine(1)

	return crypto.CreateAddress(from.Address, nonce)
}

// The oracle on the chain is asked through the rail's nodes. Where there is none at its address nothing is found out,
// and nothing is paid.
func TestOracleOnTheChain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		good := c.Draft("USDC", "1.00")
		oracle := deployOracle(h, c.Payee)

		use := func(at common.Address) {
			h.Tune(func(out *app.Outside) { out.Screening.Oracles = map[string]string{world.NetworkID: at.Hex()} })
			h.Restart()
		}

		use(common.HexToAddress("0x00000000000000000000000000000000000aaaaa"))

		c.Act(good, "submit").Refused(
			422,
			"VALIDATION",
			"/walletAddress ADDRESS_NOT_SCREENED",
			"/payments/0/walletAddress ADDRESS_NOT_SCREENED",
		)

		id := c.Do("POST", "/wallets", object{
			"address":  h.Account("another").Address.Hex(),
			"network":  world.NetworkID,
			"receiver": c.Self,
		}).OK(201).ID()

		h.RunJobs()

		var w struct {
			Status string `json:"walletAnalysisStatus"`
		}
		c.Do("GET", "/wallets/"+id, nil).OK(200).Into(&w)
		require.Equal(t, "ERROR", w.Status)

		use(oracle)

		c.Act(good, "submit").Refused(
			422,
			"WALLET_SCREENING_REJECTED",
			"/payments/0/walletAddress WALLET_SCREENING_REJECTED",
		)

		other := c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", c.Payment(h.Account("clean").Address, "1.00")),
		).OK(201).ID()

		c.Act(other, "submit").OK(200)
		c.Act(other, "accept").OK(200)
		h.Settle()
		c.Ends(other, transaction.StatusCompleted)
		h.Oracle()
	})
}

// A deposit that somebody sanctioned has sent is neither converted nor delivered, and a FIAT payment to somebody
// whose name is asked about is not pulled: both wait.
func TestBankTransactionsWaitForScreening(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		id := c.Do("POST", "/transactions", onrampBody(c, "2000.00", "EUR")).OK(201).ID()

		c.Do("POST", "/transactions/"+id+"/submit", object{"sender": "SANCTIONED"}).Refused(
			422,
			"NAME_SCREENING_REJECTED",
			"/sender NAME_SCREENING_REJECTED",
		)

		const account = "DE89370400440532013000"
		c.Do("POST", "/transactions/"+id+"/submit", nil).OK(200)

		var d details
		c.Do("GET", "/transactions/"+id+"/bank-details", nil).OK(200).Into(&d)

		h.Deposit(banksim.Deposit{
			Account:       d.IBAN,
			Amount:        "2000.00",
			Currency:      "EUR",
			Reference:     d.Reference,
			Sender:        "Sanctioned",
			SenderAccount: account,
		})

		h.BankUntil("nobody's", func() bool { return len(h.Suspense()) == 1 })
		h.Decide(h.Suspense()[0].Entry, reconcile.Decision{Action: reconcile.ActionAssign, Transaction: id})
		h.BankUntil("the deposit is held", func() bool {
			return c.Read(id).Settlement == string(transaction.SettlementHeld)
		})
		require.Contains(t, c.Read(id).StatusInfo, "sanctions list")
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word = 'convert' AND transaction_id = ?", id))
	})
}

// What the treasury is to send to a wallet that was put on a list meanwhile stays with the house, and goes out when
// the wallet is on none.
func TestTreasurySendsNothingToListedWallets(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
		h.BankUntil("the payout is planned", func() bool {
			return h.Count("SELECT count(*) FROM bank_payouts WHERE object = ?", id) == 1
		})
		l.names(c.Payer.Address.Hex())
		wanted := func() bool {
			return h.Count(
				"SELECT count(*) FROM effects WHERE word <> 'convert' AND transaction_id = ? AND state = 'WANTED'",
				id,
			) == 1
		}
		h.BankUntil("the bank has refused it", wanted)

		for range 3 {
			h.BankRound()
		}

		require.True(t, wanted())
		require.Positive(t, h.Count("SELECT count(*) FROM screenings WHERE object = ? AND status = 'REJECTED'", id))

		l.names()
		h.DB().Clock().Advance(3 * time.Minute)
		require.NoError(t, h.App.Settlement.Sweep(context.Background()))

		h.SettleAll()
		require.Equal(t, string(transaction.SettlementRefunded), c.Read(id).Settlement)

		h.Oracle()
	})
}

// A FIAT payment to somebody whose name is asked about after accept is not pulled from the wallet; nor, once pulled,
// paid out.
func TestFiatWaitsForScreening(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		l.names("name: KELER, Alice")
		h.BankRound()
		require.Equal(t, string(transaction.SettlementHeld), c.Read(id).Settlement)
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends WHERE object = ?", id))

		again := func() {
			h.DB().Clock().Advance(3 * time.Minute)
			require.NoError(t, h.App.Settlement.Sweep(context.Background()))
			h.RunJobs()
		}

		l.names()
		again()
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends WHERE object = ?", id))

		l.names("name: KELLER, Alice")
		h.BankUntil("it is held with the tokens pulled", func() bool {
			return c.Read(id).Settlement == string(transaction.SettlementHeld)
		})
		require.Zero(t, h.Count("SELECT count(*) FROM bank_payouts WHERE object = ?", id))

		l.names()
		again()
		h.SettleAll()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
		h.Oracle()
	})
}

// What is held with its tokens at the treasury ends by the platform's review: the tokens go back to the wallet,
// unless that is on a list itself.
func TestReviewGivesBackWhatIsHeld(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		staff := h.Person("Sam")
		staff.Staff("operator")
		before := h.Balance(h.World.Token("USDC"), c.Payer.Address)
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		reject := func() apptest.Answer {
			return staff.Do("POST", "/transactions/"+id+"/reject", apptest.Object{"reason": "the payee is listed"})
		}
		h.BankRound()
		reject().Refused(409, "TX_NOT_REVIEWABLE")
		l.names("name: KELLER, Alice")
		h.BankUntil("it is held with the tokens pulled", func() bool {
			return c.Read(id).Settlement == string(transaction.SettlementHeld)
		})
		require.NotContains(t, c.Read(id).StatusInfo, c.Payer.Address.Hex())

		l.names("name: KELLER, Alice", c.Payer.Address.Hex())
		h.DB().Clock().Advance(3 * time.Minute)
		require.NoError(t, h.App.Settlement.Sweep(context.Background()))

		h.RunJobs()
		require.Contains(t, c.Read(id).StatusInfo, c.Payer.Address.Hex(), "a further reason is told")

		reject().OK(200)
		require.Equal(t, string(transaction.SettlementRefunding), c.Read(id).Settlement)

		reject().Refused(409, "TX_NOT_REVIEWABLE")

		for range 3 {
			h.BankRound()
		}

		require.EqualValues(
			t,
			1,
			h.Count(
				"SELECT count(*) FROM effects WHERE word <> 'convert' AND transaction_id = ? AND state = 'WANTED'",
				id,
			),
			"nothing is sent to a listed wallet",
		)

		l.names("name: KELLER, Alice")
		h.DB().Clock().Advance(3 * time.Minute)
		require.NoError(t, h.App.Settlement.Sweep(context.Background()))

		h.SettleAll()

		require.Contains(
			t,
			c.Ends(id, transaction.StatusFailed, transaction.PaymentRefunded).StatusInfo,
			"the payee is listed",
		)

		require.Equal(t, before, h.Balance(h.World.Token("USDC"), c.Payer.Address))
		require.Zero(t, h.Count("SELECT count(*) FROM bank_payouts WHERE object = ?", id))
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word = 'convert' AND transaction_id = ?", id))

		h.Oracle()
	})
}

// A payment that came back is not paid again to somebody who was put on a list meanwhile, and a deposit does not go
// back to one.
func TestNothingGoesBackToListedPeople(t *testing.T) {
	eachListed(t, func(t *testing.T, h *apptest.Harness, l *listed) {
		c := h.Client("Ada")
		two := h.Operators()
		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			return settlement.SetPolicy(t.Context(), tx, c.Org, settlement.PolicyResend, "ann")
		}))
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		ask := func() apptest.Answer {
			return two.Do("POST", "/operations/transactions/"+id+"/returns", object{"payment": 1, "action": "RESEND"})
		}
		h.SettleAll()
		h.Control(banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(id, 0), Reason: "AC04"})
		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "7.00",
			Sender:        "Jane Doe",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("returned", func() bool { return c.Read(id).Settlement == "RETURNED" && len(h.Suspense()) == 1 })
		payouts := h.Count("SELECT count(*) FROM bank_payouts")

		l.names("name: KELLER, Alice", "name: DOE, Jane")
		require.Contains(t, ask().Refused(409, "RETURN_NOT_OPEN").Raw, "sanctions list")
		back := reconcile.Decision{Action: reconcile.ActionRefund}
		_, err := h.Says("ann", h.Suspense()[0].Entry, back)
		require.True(t, fault.Is(err, fault.DepositNotReturnable), "%v", err)
		require.ErrorContains(t, err, "sanctions list")
		require.Equal(t, payouts, h.Count("SELECT count(*) FROM bank_payouts"))

		l.names()
		two.Carried(ask())
		h.Decide(h.Suspense()[0].Entry, back)
		h.BankUntil("both are paid", func() bool {
			return c.Read(id).Settlement == "SETTLED" &&
				h.Count("SELECT count(*) FROM deposits WHERE state = 'REFUNDED'") == 1
		})
		h.Oracle()
	})
}
