//go:build !nosandbox

package transaction_test

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/wallet"
	"slipway/internal/payments/transaction"
	tt "slipway/internal/payments/transaction/transactiontest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type object = tt.Object

// done does nothing at the end of a write.
func done(*db.Tx, transaction.Transaction) error { return nil }

// stored reads a transaction as the database has it, past every cache, and compares it with what readers see.
func stored(w *tt.World, id string) transaction.Transaction {
	w.T.Helper()

	t, err := transaction.ByID(w.T.Context(), w.DB, id)
	require.NoError(w.T, err)

	current, err := w.Transactions.Current(w.T.Context(), id)
	require.NoError(w.T, err)
	require.Equal(w.T, t, current, "the cache has what the database has")

	return t
}

// What every type needs is asked for at its field, all at once.
func TestBodiesThatAreRefused(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		_, foreign := w.Key()

		for name, x := range map[string]struct {
			members object
			at      string
			code    fault.Code
		}{
			"no token":             {object{"token": nil}, "/token", fault.Required},
			"no wallet":            {object{"walletAddress": nil}, "/walletAddress", fault.Required},
			"a wallet not stored":  {object{"walletAddress": foreign}, "/walletAddress", fault.PayerWallet},
			"a payee's wallet":     {object{"walletAddress": w.Address}, "/walletAddress", fault.PayerWallet},
			"another type":         {object{"type": "FIAT"}, "/payments/0/type", fault.PaymentTypeMismatch},
			"a deposit's currency": {object{"amountCurrency": "EUR"}, "/amountCurrency", fault.NotAllowed},
		} {
			t.Run(name, func(t *testing.T) {
				w.Send("POST", "/transactions", tt.Merge(w.Crypto("1.00"), x.members)).Refused(422, x.code, x.at)
			})
		}

		w.Do(w.Token, "POST", "/transactions", `{"type":"CRYPTO","payments":[]}`).Status(422)
	})
}

// A draft is replaced as a whole, and by nobody who has read an older one.
func TestReplaceOverwritesADraft(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		for name, x := range map[string]struct{ before, after object }{
			"CRYPTO": {w.Crypto("1.00"), w.Crypto("2.00")},
			"FIAT":   {w.Fiat("90.00"), w.Fiat("180.00")},
			"ONRAMP": {w.Deposit("2000.00", "EUR"), w.Deposit("3000.00", "CHF")},
		} {
			t.Run(name, func(t *testing.T) {
				id := w.Draft(x.before)
				want := w.Read(w.Draft(x.after))

				w.Send("PUT", "/transactions/"+id, x.after).Status(200)

				got := w.Read(id)
				require.Equal(t, want.Get("totals"), got.Get("totals"))
				require.Equal(t, amountOf(want), amountOf(got))
				require.Equal(t, 2.0, got.Get("version"))
				stored(w, id)

				raw := `{"type":"CRYPTO"}`
				w.Do(w.Token, "PUT", "/transactions/"+id, raw).Status(422)
				w.Post(id, "submit").Status(200)
				w.Send("PUT", "/transactions/"+id, x.after).Refused(409, fault.TxNotDraft, "")
			})
		}

		id := w.Draft(w.Crypto("1.00"))
		w.Send("PUT", "/transactions/"+id, w.Fiat("90.00")).Refused(422, fault.TxNotForType, "/type")

		in := input(w, "5.00")
		require.True(t, fault.Is(w.Transactions.Replace(seen(w.Context(), "7"), id, in, done), fault.VersionMismatch))
		require.NoError(t, w.Transactions.Replace(seen(w.Context(), "1"), id, in, done))
	})
}

// amountOf returns the amount of the first payment.
func amountOf(a *directorytest.Answer) any { return a.List("payments")[0].(map[string]any)["amount"] }

// input is the Input of a CRYPTO transaction.
func input(w *tt.World, amount string) transaction.Input {
	return transaction.Input{
		Type:          "CRYPTO",
		Token:         "USDC",
		WalletAddress: w.Payer,
		Payments: []transaction.PaymentInput{{
			Type:     "CRYPTO",
			Receiver: caller.Ref(w.Payee),
			Wallet:   caller.Ref(w.Wallet),
			Amount:   amount,
			Reason:   "Invoice 9",
		}},
	}
}

// Z-02: another organisation's transaction is refused like one that does not exist, whatever is asked of it.
func TestOthersSeeNothing(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Submitted(w.Crypto("1.00"))

		for _, call := range [][2]string{
			{"GET", ""},
			{"DELETE", ""},
			{"POST", "/validate"},
			{"POST", "/check-allowance"},
			{"POST", "/submit"},
			{"POST", "/accept"},
			{"GET", "/bank-details"},
		} {
			t.Run(call[0]+call[1], func(t *testing.T) {
				w.Do(directorytest.B, call[0], "/transactions/"+id+call[1], "").Refused(404, fault.NotFoundCode, "")
			})
		}

		require.Empty(t, w.Do(directorytest.B, "GET", "/transactions?columnId=all", "").Status(200).List("results"))
		w.Do(w.Token, "GET", "/transactions/nobody", "").Refused(404, fault.NotFoundCode, "")
	})
}

// Submit refuses what the wallet does not cover, and says by how much; check-allowance gives the calls that would do.
func TestSubmitNeedsAllowanceAndBalance(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Draft(w.Crypto("250.00"))

		for name, x := range map[string]struct {
			balance, allowance int64
			code               fault.Code
		}{
			"no allowance": {1_000_000_000, 249_999_999, fault.AllowanceShort},
			"no balance":   {249_999_999, 1_000_000_000, fault.BalanceShort},
		} {
			t.Run(name, func(t *testing.T) {
				w.Node.Set(x.balance, x.allowance)
				w.Post(id, "submit").Refused(422, x.code, "/walletAddress")
			})
		}

		w.Node.Set(1_000_000_000, 100_000_000)
		w.Node.Reverts = true
		a := w.Post(id, "check-allowance").Status(200)
		require.Equal(t, false, a.Get("sufficient"))
		require.Equal(t, "150.00", a.Text("missing"))
		require.Len(t, a.List("approvalCalls"), 2, "this token's allowance is set to zero first")

		w.Node.Down = true
		w.Post(id, "check-allowance").Refused(503, fault.UpstreamFailed, "")
		w.Post(id, "submit").Refused(503, fault.UpstreamFailed, "")
	})
}

// E-10: what other submitted transactions may pull is not there for this one.
func TestSubmitReservesTheWallet(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		w.Node.Set(400_000_000, 400_000_000)
		first := w.Submitted(w.Crypto("250.00"))
		second := w.Draft(w.Crypto("250.00"))
		w.Post(second, "submit").Refused(422, fault.ReservationShort, "/walletAddress")
		require.Equal(t, "500.00", w.Post(second, "check-allowance").Status(200).Text("required"))

		w.Send("DELETE", "/transactions/"+first, nil).Status(200)
		w.Post(second, "submit").Status(200)
		w.Send("GET", "/transactions/"+first, nil).Refused(404, fault.NotFoundCode, "")
	})
}

// Submit looks at the directory as it is then, not as it was when the draft was made.
func TestSubmitReadsTheDirectoryAnew(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Draft(w.Crypto("1.00"))
		w.Exec("UPDATE wallets SET screened_at = 1 WHERE id = ?", w.Wallet)
		w.Post(id, "validate").Refused(422, fault.WalletNotScreened, "/payments/0/wallet")
		w.Post(id, "submit").Refused(422, fault.WalletNotScreened, "/payments/0/wallet")

		w.Exec("UPDATE wallets SET ownership_status = 'PENDING' WHERE id = ?", w.PayerID)
		w.Post(id, "submit").Refused(422, fault.WalletNotVerified, "/walletAddress")

		w.Exec("DELETE FROM token_addresses WHERE token = 'USDC'")
		w.Post(id, "submit").Refused(422, fault.TokenNotOnNetwork, "/token")
	})
}

// N-04: a revocation that committed first wins, gate by gate, and names its reason.
func TestAcceptRefusesWhenAGateIsClosed(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		for name, x := range map[string]struct {
			shut, open string
			status     int
			code       fault.Code
		}{
			"organisation": {
				"UPDATE organisations SET onboarding_status = 'REJECTED'",
				"UPDATE organisations SET onboarding_status = 'APPROVED'",
				403,
				fault.OrgNotApproved,
			},
			"member": {
				"UPDATE members SET user_type = 'viewer'",
				"UPDATE members SET user_type = 'authorized'",
				403,
				fault.MemberNotAuthor,
			},
			"wallet": {
				"UPDATE wallets SET ownership_status = 'PENDING'",
				"UPDATE wallets SET ownership_status = 'VERIFIED'",
				422,
				fault.WalletNotVerified,
			},
			"content": {
				"UPDATE payments SET units = '1' WHERE units = '3000000'",
				"UPDATE payments SET units = '3000000' WHERE units = '1'",
				409,
				fault.TxChanged,
			},
		} {
			t.Run(name, func(t *testing.T) {
				id := w.Submitted(w.Crypto("3.00"))
				w.Exec(x.shut)
				w.Exec("UPDATE transactions SET version = 9 WHERE id = ?", id) // another process has changed it
				w.Post(id, "accept").Refused(x.status, x.code, "")
				require.Empty(t, w.Settled())
				w.Exec(x.open)
				w.Send("DELETE", "/transactions/"+id, nil).Status(200)
			})
		}
	})
}

// The same when nobody has changed the transaction, so that accept works with what submit has cached.
func TestAcceptOfACachedTransactionRefusesToo(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Submitted(w.Crypto("3.00"))
		w.Exec("UPDATE members SET is_active = FALSE WHERE user_id = ?", w.User)
		w.Post(id, "accept").Refused(403, fault.MemberNotAuthor, "")
		w.Exec("UPDATE members SET is_active = TRUE WHERE user_id = ?", w.User)

		w.Node.Set(0, 0)
		w.Advance(5 * time.Second)
		w.Post(id, "accept").Refused(422, fault.AllowanceShort, "/walletAddress")
		w.Node.Set(3_000_000, 3_000_000)

		err := w.Transactions.Accept(seen(w.Context(), "9"), id, done)
		require.True(t, fault.Is(err, fault.VersionMismatch))

		w.Post(id, "accept").Status(200)
		stored(w, id)
	})
}

// N-01: of many concurrent calls one takes effect.
func TestOfManyAcceptsOneTakesEffect(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Submitted(w.Crypto("3.00"))

		var (
			group    sync.WaitGroup
			accepted = make(chan error, 8)
		)
		for range cap(accepted) {
			group.Go(func() { accepted <- w.Transactions.Accept(w.Context(), id, done) })
		}

		group.Wait()
		close(accepted)

		succeeded := 0

		for err := range accepted {
			if err == nil {
				succeeded++
				continue
			}

			require.True(t, fault.Is(err, fault.TxNotWaiting), err)
		}

		require.Equal(t, 1, succeeded)
		require.Equal(t, []string{id}, w.Settled())
	})
}

// Z-07: under a policy, whoever has had a part does not accept.
func TestFourEyes(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		w.Exec("UPDATE organisations SET four_eyes = 1, policy_version = 1 WHERE id = ?", w.Org)

		ctx := w.UnderPolicy()
		id := w.Submitted(w.Crypto("3.00"))

		err := w.Transactions.Accept(ctx, id, done)
		require.True(t, fault.Is(err, fault.SecondPersonRequired), err)

		err = w.Transactions.Accept(w.Context(), id, done) // whose token is older than the policy
		require.True(t, fault.Is(err, fault.SecondPersonRequired), err)

		_, view, err := w.Transactions.Show(ctx, id)
		require.NoError(t, err)
		require.NotContains(t, view.AllowedActions, "accept")

		w.Exec("UPDATE organisations SET four_eyes_limits = 'USDC=5' WHERE id = ?", w.Org)

		_, view, err = w.Transactions.Show(ctx, id)
		require.NoError(t, err)
		require.Contains(t, view.AllowedActions, "accept", "one person is enough up to the limit")
		require.NoError(t, w.Transactions.Accept(ctx, id, done))
	})
}

// Screening stands in the way of submit and of accept.
func TestScreeningRefuses(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		listed := w.Receiver(w.Token, "Sanctioned")
		wallet, _ := w.ProvenWallet(listed)
		id := w.Draft(tt.With(w.Crypto("1.00"), object{"receiver": listed, "wallet": wallet}))
		w.Post(id, "validate").Refused(422, fault.NameRejected, "/payments/0/receiver")
		w.Post(id, "submit").Refused(422, fault.NameRejected, "/payments/0/receiver")

		fiat := w.Draft(tt.With(w.Deposit("2000.00", "EUR"), nil))
		w.Send("POST", "/transactions/"+fiat+"/submit", object{"sender": "Sanctioned"}).
			Refused(422, fault.NameRejected, "/sender")
	})
}

// A list is filtered, sorted and cut into pages that do not overlap.
func TestList(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		crypto := w.Submitted(w.Crypto("1.00"))
		w.Advance(time.Second)
		fiat := w.Draft(w.Fiat("90.00"))
		w.Advance(time.Second)
		onramp := w.Draft(w.Deposit("2000.00", "EUR"))

		for query, want := range map[string][]string{
			"":                            {onramp, fiat, crypto},
			"&direction=1":                {crypto, fiat, onramp},
			"&type[]=FIAT":                {fiat},
			"&status[]=DRAFT":             {onramp, fiat},
			"&tokens[]=DAI":               {},
			"&currencies[]=cur_eur":       {onramp, fiat},
			"&currencies[]=CHF":           {},
			"&commissionType=CUSTOM":      {},
			"&commissionType=STANDARD":    {onramp, fiat, crypto},
			"&searchTerm=invoice%2090.00": {fiat},
			"&isHidden=true":              {},
			"&partners[]=prt_nobody":      {},
			"&organisations[]=org_b":      {},
			"&selectedYear=2001":          {},
			"&sortBy=type":                {onramp, fiat, crypto},
			"&sortBy=status&limit=1":      {crypto},
			"&limit=2":                    {onramp, fiat},
		} {
			t.Run(query, func(t *testing.T) {
				a := w.Send("GET", "/transactions?columnId=all"+query, nil).Status(200)

				ids := []string{}
				for _, x := range a.List("results") {
					ids = append(ids, x.(map[string]any)["_id"].(string))
				}

				require.Equal(t, want, ids)
			})
		}
	})
}

// A page of long transactions ends when it has web.MaxPageBytes, whatever its limit is; its cursor goes on from there,
// and one with a number is refused.
func TestAPageOfLongTransactionsIsBoundByBytes(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		const drafts = 80

		long := w.Crypto("1.00")
		payment := long["payments"].([]object)[0]
		payment["instructions"] = strings.Repeat("€", 1000)
		payment["reason"] = strings.Repeat("€", 400)
		long["payments"] = slices.Repeat([]object{payment}, transaction.MaxPayments)

		ids := map[string]bool{}
		for range drafts {
			ids[w.Draft(long)] = true
		}

		for pages, cursor := 0, ""; ; pages++ {
			a := w.Send("GET", "/transactions?limit=250"+cursor, nil).Status(200)
			require.Less(t, len(a.Raw), web.MaxPageBytes+web.MaxPageBytes/drafts)

			for _, x := range a.List("results") {
				delete(ids, x.(map[string]any)["_id"].(string))
			}

			next, more := a.Get("nextCursor").(string)
			if !more {
				require.Positive(t, pages, "not on one page")
				break
			}

			cursor = "&cursor=" + url.QueryEscape(next)
		}

		require.Empty(t, ids, "each was on a page")
		w.Send("GET", "/transactions?limit=250&page=1", nil).Refused(422, fault.OutOfRange, "")
	})
}

// What has ended is shown with its way; a read after a change shows the change.
func TestTimelineShowsEveryStep(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Submitted(w.Crypto("1.00"))
		require.Len(t, w.Read(id).List("timeline"), 2)
		w.Post(id, "accept").Status(200)

		move := func(step transaction.Step) error {
			return w.DB.Write(t.Context(), func(tx *db.Tx) error {
				now, err := transaction.ByID(t.Context(), tx, id)
				require.NoError(t, err)

				_, err = w.Transactions.Advance(t.Context(), tx, now, step)

				return err
			})
		}

		require.ErrorContains(t, move(transaction.Step{Status: transaction.StatusCompleted}), "is no move")
		require.NoError(t, move(transaction.Step{
			Status:     transaction.StatusReleased,
			Settlement: transaction.SettlementSent,
			What:       "released",
		}))
		require.NoError(t, move(transaction.Step{
			Status:     transaction.StatusCompleted,
			Settlement: transaction.SettlementSettled,
			What:       "completed",
		}))

		a := w.Read(id)
		require.Equal(t, "COMPLETED", a.Text("status"))
		require.Len(t, a.List("timeline"), 5)
		require.Empty(t, a.List("allowedActions"))
		stored(w, id)
	})
}

// The platform's people reject what has had no effect yet; that frees what was reserved and held.
func TestReject(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		w.Node.Set(3_000_000, 3_000_000)

		reject := func(id string, sent bool) error {
			return w.Transactions.Reject(t.Context(), id, "unclear", func(
				context.Context,
				db.Querier,
				transaction.Transaction,
			) (bool, error) {
				return sent, nil
			}, transaction.ReleaseHold, done)
		}

		for name, prepare := range map[string]func(id string){
			"draft":    func(string) {},
			"waiting":  func(id string) { w.Post(id, "submit").Status(200) },
			"accepted": func(id string) { w.Post(id, "submit").Status(200); w.Post(id, "accept").Status(200) },
		} {
			t.Run(name, func(t *testing.T) {
				id := w.Draft(w.Crypto("3.00"))
				prepare(id)
				require.True(t, fault.Is(reject(id, true), fault.TxNotReviewable))
				require.NoError(t, reject(id, false))
				require.Equal(t, "Rejected in review: unclear", w.Read(id).Text("statusInfo"))
				require.True(t, fault.Is(reject(id, false), fault.TxNotReviewable))
				w.Send("DELETE", "/transactions/"+id, nil).Refused(409, fault.TxNotDeletable, "")
			})
		}

		require.True(t, fault.Is(reject("txn_nobody", false), fault.NotFoundCode))
		w.Submitted(w.Crypto("3.00")) // the whole wallet is free
	})
}

// People who have had a part are recorded at submit, so that they cannot accept later what they have made payable.
func TestPartiesAreRecorded(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		w.Exec("UPDATE wallets SET changed_by = 'usr_mallory' WHERE id = ?", w.Wallet)
		id := w.Submitted(w.Crypto("1.00"))

		parties, err := transaction.PartiesOf(t.Context(), w.DB, w.Org, []string{id, "txn_nobody"})
		require.NoError(t, err)
		require.Len(t, parties, 1)
		require.Equal(t, w.User, parties[id].CreatedBy)
		require.Contains(t, parties[id].Authors.List(), "usr_mallory")
		require.Equal(t, []string{"Bob GmbH"}, stored(w, id).Payees())
	})
}

// What the check did not see is not locked.
func TestSubmitRefusesADraftThatWasChangedMeanwhile(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Draft(w.Crypto("1.00"))
		w.Node.Asked = func() { w.Exec("UPDATE transactions SET version = version + 1 WHERE id = ?", id) }
		w.Post(id, "submit").Refused(409, fault.TxChanged, "")

		w.Node.Asked = nil
		w.Post(id, "submit").Status(200)
	})
}

// Under a policy about payees, only what is stored is paid: nobody can approve an address.
func TestPolicyAboutPayeesWantsStoredWallets(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		_, address := w.Key()
		inline := object{
			"wallet":        nil,
			"walletAddress": address,
			"walletType":    "EOA",
			"network":       "net_ethereum",
		}
		id := w.Draft(tt.With(w.Crypto("1.00"), inline))
		w.Exec("UPDATE organisations SET payee_approval = TRUE, policy_version = 1 WHERE id = ?", w.Org)

		err := w.Transactions.Submit(w.UnderPolicy(), id, "", transaction.Rests{}, done)
		f, ok := fault.As(err)
		require.True(t, ok, err)
		require.Equal(t, "/payments/0/walletAddress", f.Fields[0].Pointer)
		require.Equal(t, fault.PayeeNotApproved, f.Fields[0].Code)

		require.NoError(
			t,
			w.Transactions.Submit(w.UnderPolicy(), w.Draft(w.Crypto("1.00")), "", transaction.Rests{}, done),
		)
	})
}

// A transaction made of payables is theirs: it is not replaced, submit asks them, and they hear of its end (I7).
func TestTransactionOfPayables(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		refused := errors.New("refused")
		create := func(take error) (id string, err error) {
			reserve := func(*db.Tx, transaction.Transaction) error { return take }
			err = w.Transactions.CreateOfPayables(
				w.Context(),
				input(w, "1.00"),
				"usr_author",
				reserve,
				func(_ *db.Tx, x transaction.Transaction) error {
					id = x.ID
					return nil
				},
			)

			return id, err
		}

		_, err := create(refused)
		require.ErrorIs(t, err, refused)
		require.Empty(t, w.Send("GET", "/transactions?columnId=all", nil).Status(200).List("results"))

		id, err := create(nil)
		require.NoError(t, err)

		a := w.Read(id)
		require.Equal(t, "pyb_0", a.List("payments")[0].(map[string]any)["payable"])
		require.NotContains(t, a.List("allowedActions"), "update")
		require.Equal(t, []string{"usr_author"}, stored(w, id).Authors.List())
		w.Send("PUT", "/transactions/"+id, w.Crypto("2.00")).Refused(409, fault.TxOfPayables, "")

		w.PayablesLock = refused
		require.ErrorIs(t, w.Transactions.Submit(w.Context(), id, "", transaction.Rests{}, done), refused)

		w.PayablesLock = nil
		w.Post(id, "submit").Status(200)
		require.Empty(t, w.Ended())
		w.Send("DELETE", "/transactions/"+id, nil).Status(200)
		require.Equal(t, []string{id}, w.Ended())
	})
}

// What other nouns ask of transactions.
func TestQuestionsOfOtherNouns(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		ctx := t.Context()

		inUse, err := transaction.NetworkInUse(ctx, w.DB, "net_ethereum")
		require.NoError(t, err)
		require.False(t, inUse)

		fiat := w.Submitted(w.Fiat("90.00"))
		id := w.Submitted(w.Crypto("1.00"))
		w.Post(id, "accept").Status(200)

		inUse, err = transaction.NetworkInUse(ctx, w.DB, "net_ethereum")
		require.NoError(t, err)
		require.True(t, inUse)

		pulls, err := transaction.Pulls(ctx, w.DB, []string{id, fiat})
		require.NoError(t, err)
		require.Len(t, pulls, 1, "only FIAT pulls to the treasury")
		require.Equal(t, fiat, pulls[0].Transaction)
		require.Equal(t, stored(w, fiat).Debit, pulls[0].Units)

		progress, err := transaction.ProgressOf(ctx, w.DB, []string{id, fiat})
		require.NoError(t, err)
		require.Equal(t, transaction.PaymentProcess, progress[id][0].Payment)
		require.Equal(t, transaction.PaymentLocked, progress[fiat][0].Payment)

		w.Advance(time.Minute)

		for before, want := range map[time.Time]int{w.DB.Now(): 1, w.DB.Now().Add(-time.Hour): 0} {
			waiting, err := transaction.Stranded(ctx, w.DB, db.Micros(before), "", 10)
			require.NoError(t, err)
			require.Len(t, waiting, want)
		}

		used, err := transaction.Referred(ctx, w.DB, w.Org, []string{"doc_nobody"})
		require.NoError(t, err)
		require.Empty(t, used)
	})
}

// seen returns the context of a request with If-Match.
func seen(ctx context.Context, version string) context.Context {
	p := caller.Of(ctx)
	match, _ := caller.ParseMatch(version)

	return caller.WithCall(ctx, &caller.Call{Principal: &p, Match: match})
}

// An outcome belongs to a payment that there is.
func TestOutcomeOfNoPaymentIsRefused(t *testing.T) {
	x := transaction.Transaction{ID: "txn_1", Payments: make([]transaction.Payment, 2)}

	for _, position := range []int{-1, 2} {
		require.ErrorContains(t, transaction.SetInfo(nil, x, position, "why"), "has no payment")
		require.ErrorContains(t, transaction.SetOutcome(nil, x, position, transaction.PaymentFailed, "why"),
			"has no payment")
	}
}

// What a payment says of its wallet besides the wallet's id must be so; to say it, in any case of letters, is allowed.
func TestAPaymentMayRepeatItsWallet(t *testing.T) {
	w := wallet.Wallet{ID: "wal_1", Address: "0xAb", Type: wallet.EOA, Network: "net_1"}

	for name, x := range map[string]struct {
		said transaction.PaymentInput
		want bool
	}{
		"nothing": {transaction.PaymentInput{}, false},
		"all of it": {transaction.PaymentInput{
			Wallet:        "wal_1",
			WalletAddress: "0xaB",
			WalletType:    "EOA",
			Network:       "net_1",
		}, false},
		"another wallet":  {transaction.PaymentInput{Wallet: "wal_2"}, true},
		"another address": {transaction.PaymentInput{WalletAddress: "0xAc"}, true},
		"another type":    {transaction.PaymentInput{WalletType: "MULTISIG"}, true},
		"another network": {transaction.PaymentInput{Network: "net_2"}, true},
	} {
		require.Equal(t, x.want, x.said.Contradicts(w), name)
	}
}

// The event of a deletion has a later version than those before it: whoever follows events takes it for the newest.
func TestADeletionIsTheNewestEvent(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		id := w.Submitted(w.Crypto("1.00"))
		before := w.Number("SELECT max(sequence) FROM events WHERE object = ?", id)

		w.Send("DELETE", "/transactions/"+id, nil).Status(200)

		require.Equal(
			t,
			before+1,
			w.Number("SELECT sequence FROM events WHERE object = ? AND type = 'transaction.deleted'", id),
		)
	})
}

// Z-07: a policy adds accept for those alone whom it lets accept although they had a part. A deposit is accepted by
// nobody, and who had no part has the word once.
func TestAPolicyOffersAcceptOnce(t *testing.T) {
	tt.Each(t, func(t *testing.T, w *tt.World) {
		w.Exec("UPDATE organisations SET four_eyes = 1, policy_version = 1, "+
			"four_eyes_limits = 'EUR=5000,USDC=5000' WHERE id = ?", w.Org)

		offered := func(id string) (n int) {
			t.Helper()

			_, view, err := w.Transactions.Show(w.UnderPolicy(), id)
			require.NoError(t, err)

			for _, word := range view.AllowedActions {
				if word == "accept" {
					n++
				}
			}

			return n
		}

		require.Zero(t, offered(w.Submitted(w.Deposit("2000.00", "EUR"))))

		own := w.Submitted(w.Crypto("1.00"))
		require.Equal(t, 1, offered(own))

		another := w.Submitted(w.Crypto("2.00"))
		w.Exec(
			"UPDATE transactions SET created_by = 'usr_other', authors = '', version = version + 1 WHERE id = ?",
			another,
		)
		require.Equal(t, 1, offered(another))
	})
}
