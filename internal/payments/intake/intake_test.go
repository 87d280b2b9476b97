//go:build !nosandbox

package intake_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/directory/bankaccount"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/payments/intake"
	"slipway/internal/payments/paymentstest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// Payees that came into being since a table was looked at are not made again, whatever their numbers are like.
func TestPayeesThatAreThereByNowAreNotMadeAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := dt.New(t, d)
		s := intake.New(intake.Deps{
			DB:          d,
			OrgApproved: func(context.Context, db.Querier, string) error { return nil },
			Accounts:    bankaccount.New(w.BankAccountDeps()),
		})

		table, err := intake.Read(
			[]byte("name;email;street;country;iban;account number;bic;routing number;account type;currency\n"+
				"Werft AG;a@x.example;Seestrasse 1;CH;CH9300762011623852957;;POFICHBE;;;EUR\n"+
				"Werft AG;a@x.example;Seestrasse 1;CH;CH5604835012345678009;;POFICHBE;;;EUR\n"+
				"Short Inc;b@x.example;Main Street 1;US;;12345;;021000021;CHECKING;USD\n"+
				"Long Inc;c@x.example;Main Street 1;US;;1234567890;;021000021;CHECKING;USD\n"),
			intake.Options{},
		)
		require.NoError(t, err)

		looked, err := s.Check(t.Context(), d, "org_a", table, nil)
		require.NoError(t, err)

		for _, e := range looked {
			require.Empty(t, e.Faults)
		}

		for run, want := range [][2]int{{3, 4}, {0, 0}} {
			out := intake.Taken{Entries: append([]intake.Entry{}, looked...)}
			require.NoError(t, intake.MakePayees(s, t.Context(), "org_a", &out))
			require.Equal(t, want, [2]int{out.Receivers, out.Accounts}, "run %d", run)
			require.Equal(t, out.Entries[0].Receiver.ID, out.Entries[1].Receiver.ID, "one payee with two accounts")
		}

		again, err := s.Check(t.Context(), d, "org_a", table, nil)
		require.NoError(t, err)

		for _, e := range again {
			require.False(t, e.NewAccount(), e.Line)
			require.Empty(t, e.Faults)
		}
	})
}

// Of two requests that have both seen that a payment is not made, one makes it. Once its draft is deleted it is made
// again.
func TestAPaymentThatIsThereByNowIsNotMadeAgain(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		ada.BankAccount(ada.Receiver("Bob"), "DE89370400440532013000")

		ctx := caller.With(t.Context(), caller.Principal{User: ada.User, Organisation: ada.Org})
		s := intake.New(intake.Deps{DB: w.DB, Accounts: w.BankAccounts, Transactions: w.Transactions})

		table, err := intake.Read(
			[]byte("iban;amount;reason\nDE89370400440532013000;12.50;Invoice 7\n"),
			intake.Options{},
		)
		require.NoError(t, err)

		looked, err := s.Check(ctx, w.DB, ada.Org, table, nil)
		require.NoError(t, err)
		require.Empty(t, looked[0].Faults)

		order := intake.Order{Token: "USDC", Wallet: ada.Payer, Network: paymentstest.NetworkID}
		draft := func() (intake.Taken, error) {
			out := intake.Taken{Entries: slices.Clone(looked)}
			payment := *looked[0].Payment
			out.Entries[0].Payment = &payment

			return out, intake.MakeDraft(s, ctx, ada.Org, order, []int{0}, &out)
		}
		drafts := func() int64 { return w.Count("SELECT count(*) FROM transactions WHERE NOT deleted") }

		first, err := draft()
		require.NoError(t, err)

		_, err = draft()
		require.ErrorIs(t, err, intake.ErrMeanwhile)
		require.EqualValues(t, 1, drafts())

		ada.Do("DELETE", "/transactions/"+first.Transactions[0], nil).OK(200)

		_, err = draft()
		require.NoError(t, err)
		require.EqualValues(t, 1, drafts())
	})
}
