package notice_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/notice"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// office is an organisation whose people are told: ada made it and draws up payments, grace may accept, vera only
// looks.
type office struct {
	*identitytest.World
	tell             *notice.Service
	org              string
	ada, grace, vera string
	made             int
}

func eachOffice(t *testing.T, test func(t *testing.T, o *office)) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		o := &office{World: w, tell: notice.New(notice.Config{DB: w.DB, Mail: w.Outbox})}
		admin := w.Someone("ada@example.com").Access
		o.org = w.Organisation(admin)
		_, member := w.Member(admin, o.org, "grace@example.com", `"approver"`)
		w.Member(admin, o.org, "vera@example.com", `"viewer"`)
		w.Exec("UPDATE members SET user_type = 'authorized' WHERE id = ?", member)
		o.ada = o.idOf("ada")
		o.grace = o.idOf("grace")
		o.vera = o.idOf("vera")
		test(t, o)
	})
}

func (o *office) idOf(name string) string {
	o.T.Helper()
	v, err := db.Value[string](context.Background(), o.DB, "SELECT id FROM users WHERE email = ?", name+"@example.com")
	require.NoError(o.T, err)

	return v
}

// transaction stores one that ada has made and, when somebody has accepted it, who did.
func (o *office) transaction(kind transaction.Type, status transaction.Status, acceptedBy string) string {
	o.T.Helper()
	o.made++
	txn := id.New("txn", o.DB.Now())
	o.Exec(
		`INSERT INTO transactions (id, organisation, number, type, status, settlement_status, token, decimals,
			network, wallet, wallet_address, debit, created_by, accepted_by, created_at, updated_at, version)
			VALUES (?, ?, ?, ?, ?, 'IDLE', 'USDC', 6, 'net_dev', 'wal_1', '0x1', '1000000', ?, ?, 1, 1, 1)`,
		txn,
		o.org,
		int64(o.made),
		string(kind),
		string(status),
		o.ada,
		acceptedBy,
	)
	o.Exec(
		`INSERT INTO payments (transaction_id, position, units, reason, receiver, snapshot, address,
			wallet_type, network, updated_at)
			VALUES (?, 0, '1000000', 'Rent', 'rcv_1', ?, '0x2', 'EOA', 'net_dev', 1)`,
		txn,
		`{"_id":"rcv_1","type":"INDIVIDUAL","firstName":"Alice","lastName":"Keller","isSelf":false}`,
	)

	return txn
}

func (o *office) event(txn, what string, kind transaction.Type, settlement transaction.SettlementStatus, info string) {
	o.T.Helper()

	require.NoError(o.T, o.DB.Write(context.Background(), func(tx *db.Tx) error {
		return trail.Event(tx, "transaction."+what, o.org, txn, 1, map[string]any{
			"type":             string(kind),
			"token":            "USDC",
			"totals":           map[string]string{"tokenDebit": "1.00"},
			"statusInfo":       info,
			"settlementStatus": string(settlement),
			"version":          1,
		})
	}))
}

// told has everything told, and gives what came to a person: "kind subject", oldest first.
func (o *office) told(name string) []mail.Shown {
	o.T.Helper()
	o.DB.Clock().Advance(notice.Settle + 20*time.Minute)
	require.NoError(o.T, o.tell.Send(context.Background()))

	return o.box(name)
}

func (o *office) box(name string) []mail.Shown {
	o.T.Helper()
	all, err := o.Outbox.Mailbox(context.Background(), name+"@example.com")
	require.NoError(o.T, err)

	var out []mail.Shown
	for _, m := range all {
		if m.Category == string(mail.Transaction) {
			out = append([]mail.Shown{m}, out...)
		}
	}

	return out
}

// Who is told of which event, and by which words.
func TestEveryEventIsToldToThoseWhomItConcerns(t *testing.T) {
	const crypto, fiat, onramp = transaction.TypeCrypto, transaction.TypeFiat, transaction.TypeOnramp

	eachOffice(t, func(t *testing.T, o *office) {
		for _, c := range []struct {
			what       string
			kind       transaction.Type
			settlement transaction.SettlementStatus
			subject    string // of the mail to both, or to ada alone where grace is not named
			ada, grace bool
		}{
			{"accepted", crypto, "", "Accepted", true, false},
			{"completed", crypto, "", "Paid", true, true},
			{"failed", fiat, "", "Not paid", true, true},
			{"rejected", crypto, "", "Rejected", true, true},
			{"returned", fiat, "", "Money came back", true, true},
			{"held", fiat, "", "On hold", true, true},
			{"deposit_mismatch", onramp, "", "Deposit does not match", true, true},
			{"funds_received", onramp, "", "Deposit received", true, true},
			{"funds_received", fiat, "", "", false, false},
			{"progressed", fiat, transaction.SettlementRefunded, "Refunded", true, true},
			{"progressed", fiat, transaction.SettlementConverted, "", false, false},
			{"created", crypto, "", "", false, false},
			{"updated", crypto, "", "", false, false},
			{"released", crypto, "", "", false, false},
			{"submitted", onramp, "", "", false, false},
		} {
			o.Exec("DELETE FROM mails")
			txn := o.transaction(c.kind, transaction.StatusCompleted, o.grace)
			o.event(txn, c.what, c.kind, c.settlement, "because of this")
			ada := o.told("ada")
			grace := o.box("grace")
			require.Equal(t, c.ada, len(ada) == 1, "%s %s: %v", c.what, c.kind, ada)
			require.Equal(t, c.grace, len(grace) == 1, "%s %s: %v", c.what, c.kind, grace)
			require.Empty(t, o.box("vera"))

			for _, m := range append(ada, grace...) {
				require.Equal(t, c.subject+": USDC 1.00, Ada Ltd", m.Subject)
				require.Contains(t, m.Text, "because of this")
				require.Contains(t, m.Text, txn)
				require.Contains(t, m.Text, "Alice Keller")
			}
		}
	})
}

// Reasons that Slipway states itself, and amounts, are in the reader's language; what banks state is in their words.
func TestStatusInfoAndAmountsAreInTheReadersLanguage(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.Exec("UPDATE users SET language = 'de' WHERE id = ?", o.ada)
		o.Exec("UPDATE users SET language = 'fr' WHERE id = ?", o.grace)

		why := words.Phrase("%[1]s of %[2]s payments failed: %[3]s.", "2", "30",
			words.Phrase("payment %[1]s: %[2]s", "7", words.Phrase("the bank refused it: %s", "AC04 Closed account")))

		txn := o.transaction(transaction.TypeFiat, transaction.StatusCompleted, o.grace)
		o.Exec(
			`INSERT INTO transaction_history (transaction_id, version, status, settlement_status, info, actor, at)
				VALUES (?, 1, 'COMPLETED', 'SETTLED', ?, 'system', 1)`,
			txn,
			why,
		)
		o.event(txn, "completed", transaction.TypeFiat, "", words.English(why))

		german := o.told("ada")
		require.Len(t, german, 1)
		require.Equal(t, "Bezahlt: 1,00 USDC, Ada Ltd", german[0].Subject)
		require.Contains(t, german[0].Text,
			"2 von 30 Zahlungen sind fehlgeschlagen: Zahlung 7: die Bank hat sie abgelehnt: AC04 Closed account.")

		french := o.box("grace")
		require.Len(t, french, 1)
		require.Contains(t, french[0].Text,
			"2 paiements sur 30 ont échoué : paiement 7 : la banque l’a refusé : AC04 Closed account.")
	})
}

// Several people who may accept are all asked but those who have had a part in it; once somebody has accepted, nobody
// is asked any more.
func TestApprovalIsAskedOfThoseWhoMayGiveItWhileItIsMissing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.Exec("UPDATE members SET user_type = 'authorized' WHERE organisation = ?", o.org)
		waiting := o.transaction(transaction.TypeCrypto, transaction.StatusWaiting, "")
		taken := o.transaction(transaction.TypeCrypto, transaction.StatusProcess, o.grace)
		o.Exec("UPDATE transactions SET authors = ? WHERE id = ?", o.vera, waiting)

		for _, txn := range []string{waiting, taken} {
			o.event(txn, "submitted", transaction.TypeCrypto, "", "")
		}

		require.Len(t, o.told("grace"), 1)
		require.Contains(t, o.box("grace")[0].Text, waiting)
		require.Empty(t, o.box("ada"), "she has made it")
		require.Empty(t, o.box("vera"), "she has changed it")
	})
}

// Many events at once become one mail with what matters first, and then it is quiet for a while.
func TestManyNewsBecomeOneMail(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		for range 20 {
			o.event(
				o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace),
				"completed",
				transaction.TypeCrypto,
				"",
				"",
			)
		}

		failed := o.transaction(transaction.TypeCrypto, transaction.StatusFailed, o.grace)
		o.event(failed, "accepted", transaction.TypeCrypto, "", "")
		o.event(failed, "failed", transaction.TypeCrypto, "", "The wallet is empty.")
		mine := o.told("ada")
		require.Len(t, mine, 1)
		require.Equal(t, "Ada Ltd: 21 news of your transactions", mine[0].Subject)
		require.Regexp(
			t,
			`(?s)^.{0,120}- Not paid: USDC 1\.00: `+failed+` The wallet is empty\.`,
			mine[0].Text,
			"trouble stands first",
		)
		require.Equal(t, 9, strings.Count(mine[0].Text, "- Paid: USDC 1.00"))
		require.Contains(t, mine[0].Text, "And 11 more (Paid: 11).")
		o.event(
			o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace),
			"completed",
			transaction.TypeCrypto,
			"",
			"",
		)
		o.DB.Clock().Advance(10 * time.Minute)
		require.NoError(t, o.tell.Send(context.Background()))
		require.Len(t, o.box("ada"), 1, "in peace")
		require.Len(t, o.told("ada"), 2, "nothing is lost")
	})
}

// Of many that tell at once one has the effect; what is told is not told again; what is too young waits for company,
// what is too old is left.
func TestNewsAreToldOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		txn := o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace)
		o.event(txn, "completed", transaction.TypeCrypto, "", "")
		require.NoError(t, o.tell.Send(context.Background()))
		require.Empty(t, o.box("ada"), "a write that began before may still be under way")
		o.DB.Clock().Advance(notice.Settle + time.Second)

		for round := range 2 { // without a cursor, and with one
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if err := o.tell.Send(context.Background()); err != nil && !errors.Is(err, db.ErrStale) &&
						!db.IsUnique(err, "notice_cursors") {
						t.Error(err)
					}
				})
			}

			all.Wait()
			require.Len(t, o.box("ada"), round+1)
			o.event(
				o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace),
				"completed",
				transaction.TypeCrypto,
				"",
				fmt.Sprint(round),
			)
			o.DB.Clock().Advance(notice.Settle + 2*time.Minute)
		}

		require.Len(t, o.told("ada"), 3)
		o.event(
			o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace),
			"completed",
			transaction.TypeCrypto,
			"",
			"",
		)
		o.DB.Clock().Advance(notice.Stale + time.Minute)
		require.Len(t, o.told("ada"), 3, "too old")
		o.Exec("UPDATE members SET is_active = FALSE WHERE user_id = ?", o.grace)
		o.event(
			o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace),
			"completed",
			transaction.TypeCrypto,
			"",
			"",
		)
		before := len(o.box("grace"))
		require.Len(t, o.told("ada"), 4)
		require.Len(t, o.box("grace"), before, "she is no member any more")
	})
}

// The mails of one organisation hold nothing of another's, and what was deleted is not told.
func TestNobodyIsToldOfAnothersTransactions(t *testing.T) { // Z-02
	eachOffice(t, func(t *testing.T, o *office) {
		eve := o.Someone("eve@example.com").Access
		org := o.World.Organisation(eve)
		theirs := o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace)
		mine := o.transaction(transaction.TypeCrypto, transaction.StatusCompleted, o.grace)
		o.Exec("UPDATE transactions SET deleted = TRUE WHERE id = ?", mine)
		o.event(mine, "completed", transaction.TypeCrypto, "", "")
		o.Exec("UPDATE transactions SET created_by = ? WHERE id = ?", o.idOf("eve"), theirs)

		// an event that names what is not its organisation's
		require.NoError(t, o.DB.Write(context.Background(), func(tx *db.Tx) error {
			return trail.Event(tx, "transaction.completed", org, theirs, 1, map[string]string{
				"type":   "CRYPTO",
				"token":  "USDC",
				"amount": "1.00",
			})
		}))

		require.Empty(t, o.told("eve"))
		require.Empty(t, o.box("ada"))
	})
}
