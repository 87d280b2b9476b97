//go:build !nosandbox

package app_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/house"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/chain/faultrpc"
)

// checkOf is the latest look at one thing.
func checkOf(h *apptest.Harness, subject string) house.Check {
	h.T.Helper()
	all, err := house.Checks(h.T.Context(), h.DB())
	require.NoError(h.T, err)

	for _, c := range all {
		if c.Subject == subject {
			return c
		}
	}

	h.T.Fatalf("nobody has looked at %s", subject)

	return house.Check{}
}

// lookAtHouse lets a minute pass, with blocks, and looks.
func lookAtHouse(h *apptest.Harness) {
	h.T.Helper()
	h.DB().Clock().Advance(time.Minute)
	h.World.Chain.Mine(1)
	require.NoError(h.T, h.App.House.CheckAll(h.T.Context()))
}

// halted returns why a name is halted.
func halted(h *apptest.Harness, name string) string {
	h.T.Helper()
	why, err := halt.Why(h.T.Context(), h.DB(), name)
	require.NoError(h.T, err)

	return why
}

// agree looks, and requires that nothing differs.
func agree(h *apptest.Harness) []house.Check {
	h.T.Helper()
	require.NoError(h.T, h.App.House.CheckAll(h.T.Context()))
	all, err := house.Checks(h.T.Context(), h.DB())
	require.NoError(h.T, err)

	for _, c := range all {
		require.Contains(h.T, []house.State{house.Agrees, house.Unknown}, c.State, "%s differs by %s at %s: %+v",
			c.Subject, c.Difference, c.Point, c.Figures)
	}

	return all
}

const (
	devUSDC = "treasury/" + world.NetworkID + "/USDC"
	devHalt = "network/" + world.NetworkID
)

// I11, M-04: while payments of all four flows are under way, refused, returned and delivered, books and world agree at
// every moment: what lies between them is known send by send and booking by booking.
func TestBooksAndWorldAgreeAtEveryMoment(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		h.World.Chain.Mine(2)
		agree(h)
		require.Equal(t, house.Agrees, checkOf(h, devUSDC).State, "the first reading")
		require.Equal(t, apptest.Units(h.World.Token("USDC"), 10_000_000), checkOf(h, devUSDC).Figures.Books)

		paid := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		refundedOne := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "50.00"))
		returned := c.FiatAccepted("USDT", c.FiatPayment(c.NewBankAccount("EUR", "004"), "70.00"))
		crypto := c.Accepted("USDC", "10.00")
		onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "12.00", Reference: "a stranger's", Sender: "Nobody"})

		ended := func() bool {
			agree(h)

			for id, want := range map[string]string{
				paid:        "COMPLETED",
				refundedOne: "FAILED",
				returned:    "COMPLETED",
				crypto:      "COMPLETED",
				onramp:      "COMPLETED",
			} {
				if string(c.Read(id).Status) != want {
					return false
				}
			}

			return c.Read(refundedOne).Settlement == "REFUNDED"
		}
		h.BankUntil("all have ended", ended)
		h.Control(banksim.Control{Op: "statement"})
		h.BankUntil("the statement is here", func() bool {
			agree(h)
			return h.Count("SELECT count(*) FROM bank_statements WHERE account = 'eur' AND kind = 'camt.053'") > 0
		})
		h.SettleAll()
		h.MineUntil("all is final", func() bool {
			return h.Count("SELECT count(*) FROM chain_sends WHERE state NOT IN ('FINAL', 'REFUSED')") == 0
		})

		for _, check := range agree(h) {
			require.Equal(t, house.Agrees, check.State, "%s: %s", check.Subject, check.Note)
			require.Zero(
				t,
				new(big.Int).Sub(check.Figures.High, check.Figures.Low).Sign(),
				"nothing is under way: %s",
				check.Subject,
			)
		}

		require.NotZero(t, checkOf(h, "bank/eur").Figures.Outside.Sign())
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "3.00", Reference: "a late one", Sender: "Nobody"})
		h.BankUntil("it is advised, and stands in no statement", func() bool {
			agree(h)
			return h.Count("SELECT count(*) FROM deposits WHERE units = '300'") == 1
		})
		h.Oracle()
	})
}

// R-04, I11: a node that shows an earlier block than was posted of. What was posted of later blocks is taken off,
// send by send; a node that goes back behind the last look proves nothing.
func TestALookAtAnEarlierBlock(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		lookAtHouse(h)

		head := h.World.Chain.Head().Number.Uint64()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		h.MineUntil("the tokens are here", func() bool { return c.Read(id).Settlement == "CONVERTED" })
		h.Proxy.Freeze(head, head-world.FinalityDepth)
		agree(h)
		require.Equal(t, house.Agrees, checkOf(h, devUSDC).State)
		require.EqualValues(t, head-world.FinalityDepth, checkOf(h, devUSDC).Height)

		h.Proxy.Freeze(head-1, head-1-world.FinalityDepth)
		agree(h)
		require.Equal(t, house.Unknown, checkOf(h, devUSDC).State)
	})
}

// operators are two of the platform's people.
func operators(h *apptest.Harness) (first, second *apptest.Client) {
	h.T.Helper()

	var out [2]*apptest.Client

	for i, name := range []string{"Olga", "Otto"} {
		out[i] = h.Person(name)
		out[i].StaySignedIn()
		out[i].Staff("operator")
		out[i].StaySignedIn()
	}

	return out[0], out[1]
}

// approve has the second operator approve what the first has asked for.
func approve(second *apptest.Client, asked apptest.Answer) apptest.Answer {
	return second.Do("POST", "/operations/approvals/"+asked.ID()+"/decision", object{
		"decision": "APPROVED",
		"comment":  "Looked at the chain.",
	})
}

// I11: tokens that leave the treasury behind the service's back halt that network, after three looks at later blocks,
// and no other network and no bank. A restart keeps it halted. Two operators who record the movement let it go on, and
// what waited is sent.
func TestTokensTakenFromTheTreasuryHaltItsNetwork(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		other := h.Account("another treasury")
		h.Fund(other)

		for _, token := range h.World.Tokens {
			h.Approve(token, other, big.NewInt(1))
		}

		h.Tune(func(out *app.Outside) {
			second := out.Networks[0]
			second.Record.ID = "net_second"
			second.Record.Name = "Second"
			second.Record.WalletAddress = other.Address.Hex()
			second.Rail.ID = "net_second"
			out.Networks = append(out.Networks, second)
		})
		h.Restart()

		c := h.Client("Ada")
		c.StaySignedIn()

		first, second := operators(h)
		lookAtHouse(h)
		require.Equal(t, house.Agrees, checkOf(h, devUSDC).State)
		require.Equal(t, house.Agrees, checkOf(h, "treasury/net_second/USDC").State)
		fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })

		usdc := h.World.Token("USDC")
		away := h.Account("elsewhere")
		theft := h.Send(
			h.World.Treasury,
			usdc.Address,
			apptest.Calldata("transfer(address,uint256)", away.Address, apptest.Units(usdc, 1_000)),
		)
		h.World.Chain.Mine(world.FinalityDepth)

		for range 2 {
			lookAtHouse(h)
			require.Equal(t, house.Short, checkOf(h, devUSDC).State)
			require.Empty(t, halted(h, devHalt), "one look, and two, prove nothing")
		}

		require.NoError(t, h.App.House.CheckAll(t.Context()))
		require.Empty(t, halted(h, devHalt), "a look at the same block is no further one")
		lookAtHouse(h)
		require.Contains(t, halted(h, devHalt), "1000.00 USDC is missing")
		require.Empty(t, halted(h, "network/net_second"))

		id := c.Accepted("USDC", "10.00")
		h.BankUntil("the bank goes on", func() bool { return c.Read(fiat).Status == completed })
		h.Restart()

		for range 3 {
			h.RunJobs()
			lookAtHouse(h)
		}

		require.Contains(t, halted(h, devHalt), "1000.00 USDC is missing")
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM chain_sends WHERE state = 'PLANNED' AND nonce < 0"),
			"it waits",
		)
		require.Equal(t, transaction.StatusProcess, c.Read(id).Status)
		require.Contains(t, first.Do("GET", "/operations/rails", nil).OK(200).Raw, "1000.00 USDC is missing")
		require.Contains(t, first.Do("GET", "/operations/balances", nil).OK(200).Raw, `"difference":"-1000.00"`)
		require.NotContains(
			t,
			c.Do("GET", "/transactions/"+id, nil).OK(200).Raw,
			"is missing",
			"the house's figures are the operators'",
		)
		status, _ := ready(h, h.App)
		require.Equal(t, "ok", status)
		require.True(t, gauge(h, h.App, `slipway_house_halted{name="network/net_dev"} 1`))
		require.True(t, gauge(h, h.App, `slipway_house_difference{subject="treasury/net_dev/USDC"} -1000`))

		h.Exec("UPDATE users SET language = 'de' WHERE id = ?", second.User)

		record := func(hash string) apptest.Answer {
			return first.Do("POST", "/operations/treasury-movements", object{
				"network":         world.NetworkID,
				"transactionHash": hash,
				"reason":          "Moved to the cold wallet.",
			})
		}
		ours, err := db.Value[string](t.Context(), h.DB(), "SELECT tx_hash FROM chain_receipts LIMIT 1")
		require.NoError(t, err)
		record(ours).Refused(409, "MOVEMENT_RECORDED")
		record("0x"+strings.Repeat("ab", 32)).Refused(409, "MOVEMENT_UNPROVEN")
		asked := record(theft.TxHash.Hex()).OK(202)
		require.Contains(t, asked.Raw, "1000.00 USDC out of the treasury")
		require.Contains(
			t,
			strings.Join(strings.Fields(first.Mails(second.Email)[0]), " "),
			"1.000,00 USDC aus der Wallet des Betreibers, durch Transaktion "+theft.TxHash.Hex()+" in Block ",
		)
		approve(first, asked).Refused(403, "SECOND_PERSON_REQUIRED")
		lookAtHouse(h)
		require.NotEmpty(t, halted(h, devHalt), "one operator is not enough")
		approve(second, asked).OK(200)
		record(theft.TxHash.Hex()).Refused(409, "MOVEMENT_RECORDED")
		lookAtHouse(h)
		require.Empty(t, halted(h, devHalt), "the look that agrees lets it go on")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM audit_log WHERE action = 'house.lifted'"))
		h.Settle()
		c.Ends(id, completed)
		agree(h)
		h.Oracle()
	})
}

// I11: a top-up that nobody has recorded is told, and halts nothing. Recorded by two, the figures match.
func TestATopUpIsToldAndRecordedByTwo(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		first, second := operators(h)
		lookAtHouse(h)

		usdc := h.World.Token("USDC")
		owner := h.Account("the owners")
		h.Fund(owner)
		topUp := h.Send(
			owner,
			usdc.Address,
			apptest.Calldata("transfer(address,uint256)", h.World.Treasury.Address, apptest.Units(usdc, 5)),
		)

		for range haltLooks + 2 {
			lookAtHouse(h)
		}

		require.Equal(t, house.Excess, checkOf(h, devUSDC).State)
		require.Equal(t, "5000000", checkOf(h, devUSDC).Difference.String())
		require.Empty(t, halted(h, devHalt))

		asked := first.Do("POST", "/operations/treasury-movements", object{
			"network":         world.NetworkID,
			"transactionHash": topUp.TxHash.Hex(),
			"reason":          "Top-up.",
		})
		h.DB().Clock().Advance(10 * time.Minute)
		approve(second, asked.OK(202)).OK(200)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM journals WHERE kind = 'movement' AND happened_at = ?",
			int64(h.World.Chain.Block(topUp.BlockNumber.Uint64()).Time()*1_000_000)), "on the day of its block")
		lookAtHouse(h)
		require.Equal(t, house.Agrees, checkOf(h, devUSDC).State)
		require.EqualValues(
			t,
			2,
			h.Count("SELECT count(*) FROM postings WHERE asset = 'USDC' AND account = 'equity/net_dev'"),
			"the opening and the top-up",
		)
		h.Oracle()
	})
}

// haltLooks is how many looks in a row halt.
const haltLooks = 3

// one of two nodes says that the treasury is empty, and then one is away. Nothing is known, nothing halts, and
// the time since the last agreement grows.
func TestALyingNodeHaltsNothing(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		liar, err := faultrpc.New(h.World.URL)
		require.NoError(t, err)
		t.Cleanup(liar.Close)
		h.Tune(func(out *app.Outside) { out.Networks[0].Rail.URLs = []string{liar.URL(), h.World.URL} })
		h.Restart()
		lookAtHouse(h)

		agreed := checkOf(h, devUSDC)
		require.Equal(t, house.Agrees, agreed.State)

		nothing := json.RawMessage(`"0x` + strings.Repeat("0", 64) + `"`)

		lie := func(method string, _ []json.RawMessage, truth json.RawMessage) json.RawMessage {
			if method == "eth_call" {
				return nothing
			}

			return truth
		}
		for _, spoil := range []func(){
			func() { liar.Edit(lie) },
			func() { liar.Clear(); liar.Add(faultrpc.Fault{Kind: faultrpc.Down}) },
		} {
			spoil()

			for range haltLooks + 1 {
				lookAtHouse(h)

				c := checkOf(h, devUSDC)
				require.Equal(t, house.Unknown, c.State)
				require.NotEmpty(t, c.Note)
				require.Equal(t, agreed.AgreedAt, c.AgreedAt)
				require.Empty(t, halted(h, devHalt))
			}
		}

		liar.Clear()
		h.Until("the node is asked again", func() bool {
			lookAtHouse(h)
			return checkOf(h, devUSDC).State == house.Agrees
		})
	})
}

// statementOf is a statement of the Swiss account: what it opens and closes with, and one booked credit.
func statementOf(number int, day time.Time, opening, credit, closing string) string {
	on := day.Format(time.DateOnly)
	balance := func(kind, amount string) string {
		return fmt.Sprintf(
			`<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>%s</Dt></Dt></Bal>`,
			kind,
			amount,
			on,
		)
	}

	return fmt.Sprintf(
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M%[1]d</MsgId><CreDtTm>%[2]sT20:00:00</CreDtTm></GrpHdr>`+
			`<Stmt><Id>S-%[1]d</Id><ElctrncSeqNb>%[1]d</ElctrncSeqNb><CreDtTm>%[2]sT20:00:00</CreDtTm><Acct><Id><IBAN>CH6700099012345678901</IBAN></Id><Ccy>CHF</Ccy></Acct>%[3]s%[4]s`+
			`<Ntry><Amt Ccy="CHF">%[5]s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>%[2]s</Dt></BookgDt><AcctSvcrRef>REF-%[1]d</AcctSvcrRef>`+
			`<NtryDtls><TxDtls><Amt Ccy="CHF">%[5]s</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>thank you</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
		number,
		on,
		balance("OPBD", opening),
		balance("CLBD", closing),
		credit,
	)
}

// I11, D-03: a statement whose closing misses an entry halts new files from its account, and from no other. Files of
// the bank are taken all the same. Two operators accept the difference and let it go on; a greater one halts it
// again.
func TestAStatementThatMissesAnEntryHaltsItsAccount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()

		first, second := operators(h)
		today := h.DB().Now().UTC()
		imported := func(number int, opening, credit, closing string) bank.Report {
			report, err := h.App.Bank.Import(
				t.Context(),
				fmt.Sprint(number),
				strings.NewReader(statementOf(number, today, opening, credit, closing)),
				nil,
			)
			require.NoError(t, err)

			return report
		}

		imported(1, "1000.00", "100.00", "1100.00")
		lookAtHouse(h)
		require.Equal(t, house.Agrees, checkOf(h, "bank/chf").State)

		file := imported(2, "1100.00", "100.00", "1170.00")
		require.Equal(t, bank.Waiting, file.Outcome)

		for range haltLooks + 1 {
			lookAtHouse(h)
			require.Equal(t, house.Unknown, checkOf(h, "bank/chf").State)
			require.Empty(t, halted(h, "bank/chf"))
		}

		resolve := bank.Decision{Action: bank.ActBook, AskedBy: "ann", ApprovedBy: "bob", Note: "the bank says so"}
		require.NoError(t, h.App.Bank.ResolveFile(t.Context(), file.File, resolve))

		for range haltLooks {
			require.Empty(t, halted(h, "bank/chf"))
			lookAtHouse(h)
		}

		require.Contains(t, halted(h, "bank/chf"), "the books say 200.00 CHF, statement S-2")
		require.Contains(t, halted(h, "bank/chf"), "30.00 CHF is missing")

		accepted := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("CHF", "000"), "100.00"))
		euros := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		h.BankUntil("the other account pays", func() bool { return c.Read(euros).Status == completed })
		h.Restart()
		h.BankRound()
		require.Zero(t, h.Count("SELECT count(*) FROM bank_files WHERE house = 'chf'"))
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM bank_payouts WHERE house = 'chf' AND state = 'PLANNED'"),
		)
		require.Equal(t, bank.Imported, imported(3, "1170.00", "5.00", "1175.00").Outcome, "what comes in is taken")

		release := func() apptest.Answer {
			return first.Do("POST", "/operations/balances/release", object{
				"subject": "bank/chf",
				"reason":  "The bank corrects it tomorrow.",
			})
		}
		asked := release().OK(202)
		approve(first, asked).Refused(403, "SECOND_PERSON_REQUIRED")
		approve(second, asked).OK(200)
		require.Empty(t, halted(h, "bank/chf"))
		lookAtHouse(h)
		require.Equal(t, house.Accepted, checkOf(h, "bank/chf").State)
		release().Refused(409, "NOTHING_TO_RELEASE")
		h.BankUntil("it is paid", func() bool { return c.Read(accepted).Status == completed })
		require.Empty(t, halted(h, "bank/chf"))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM audit_log WHERE action = 'house.accepted'"))
	})
}

// A look costs what was posted since the last one: on an idle service some dozen statements and one request to each
// node, however long the books are.
func TestAnIdleLookIsCheap(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		lookAtHouse(h)

		cost := func() (statements, requests int) {
			before := h.Proxy.Calls("eth_call")
			h.DB().Watch(func(string, []any) { statements++ })
			require.NoError(t, h.App.House.CheckAll(t.Context()))
			h.DB().Watch(nil)

			return statements, h.Proxy.Calls("eth_call") - before
		}

		statements, calls := cost()
		require.Equal(t, len(h.World.Tokens), calls)
		require.Less(t, statements, 100)

		for range 3 {
			c.Accepted("USDC", "1.00")
		}

		h.Settle()
		lookAtHouse(h)

		later, _ := cost()
		require.Less(t, later, 100, "the rail's own statements are among them")
	})
}
