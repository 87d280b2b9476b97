//go:build !nosandbox

package bankaccount_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/platform/db"
	"slipway/internal/rails/ibansuite"
)

// provided is the service with a provider, beside the world's own without.
type provided struct {
	w       *dt.World
	service *bankaccount.Service
	suite   *ibansuite.Simulator
}

// provider asks the simulator over the client, after what a test puts between.
type provider struct {
	client *ibansuite.Client
	before func()
}

// Check asks.
func (p *provider) Check(ctx context.Context, iban string) (ibansuite.Answer, error) {
	if p.before != nil {
		p.before()
	}

	return p.client.Check(ctx, iban)
}

func withProvider(t *testing.T, w *dt.World, before func()) provided {
	t.Helper()
	suite := &ibansuite.Simulator{}
	client, err := ibansuite.NewClient(ibansuite.Config{
		URL:       "http://suite.invalid/",
		Key:       ibansuite.SimulatorKey,
		Transport: suite,
	})
	require.NoError(t, err)
	deps := w.BankAccountDeps()
	deps.Provider = &provider{client, before}

	return provided{w, bankaccount.New(deps), suite}
}

// add adds an account and returns its identifier.
func (p provided) add(country, currency, number string) string {
	p.w.T.Helper()

	var id string
	a := bankaccount.Account{
		Organisation: "org_a",
		Receiver:     p.w.Self(dt.A),
		Country:      country,
		Currency:     currency,
		IBAN:         number,
		BIC:          "COBADEFF",
	}
	require.NoError(p.w.T, p.service.Create(context.Background(), a, func(_ *db.Tx, v bankaccount.View) error {
		id = v.ID
		return nil
	}))

	return id
}

func (p provided) read(id string) bankaccount.Account {
	p.w.T.Helper()
	a, err := bankaccount.ByID(context.Background(), p.w.DB, "org_a", id)
	require.NoError(p.w.T, err)

	return a
}

func TestProvidersVerdictIsAwaited(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		p := withProvider(t, w, nil)
		id := p.add("DE", "EUR", "DE89370400440532013000")
		require.Equal(t, []string{"bankaccount.validate bank_account/" + id + "/validate/1 " + id}, w.Jobs())
		require.True(t, fault.Is(p.read(id).Usable(w.DB.Now()), fault.BankAccountNotValidated))

		a := w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Status(200)
		require.Equal(t, false, a.Get("ibanSuiteValidation.verified"))
		require.Nil(t, a.Get("ibanSuiteValidation.verifiedAt"))
		require.Nil(t, a.Get("ibanSuiteValidation.errorCode"))
		require.NoError(t, p.service.Validate(ctx, id))
		require.NoError(t, p.read(id).Usable(w.DB.Now()))

		a = w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Status(200)
		require.Equal(t, true, a.Get("ibanSuiteValidation.verified"))
		require.NotNil(t, a.Get("ibanSuiteValidation.verifiedAt"))
		require.Equal(t, "Simulated Bank 37040044", a.Text("bankName"))
		require.Equal(t, "YES", a.Text("sepaSupport.sdd"), "what only the provider knows")
		require.NoError(t, p.service.Validate(ctx, id))
		require.Equal(t, 1, p.suite.Asked(), "a verdict is not asked for again")
		require.NoError(t, p.service.Validate(ctx, "bac_none"))
		require.Equal(t, "bank_account.created bank_account.validated", events(t, w, id))
	})
}

// What is wrong offline is not asked about, and what has no IBAN neither.
func TestProviderIsAskedOnlyWhatItCanAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		p := withProvider(t, w, nil)
		id := p.add("DE", "EUR", "DE88370400440532013000")
		require.Equal(t, bankaccount.ValidationRejected, p.read(id).Validation)

		a := bankaccount.Account{
			Organisation:  "org_a",
			Receiver:      w.Self(dt.A),
			Country:       "GB",
			Currency:      "GBP",
			AccountNumber: "12345678",
			SortCode:      "123456",
		}

		require.NoError(t, p.service.Create(context.Background(), a, func(_ *db.Tx, v bankaccount.View) error {
			require.True(t, v.IBANSuiteValidation.Verified)
			return nil
		}))

		require.Empty(t, w.Jobs())
		require.Zero(t, p.suite.Asked())
	})
}

// Trouble of the platform's account with the provider is never a verdict about the client's IBAN.
func TestProvidersTroubleIsNoVerdict(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		p := withProvider(t, w, nil)
		id := p.add("DE", "EUR", "DE89370400440532013000")
		p.suite.Fail(302)

		for range 3 {
			require.Error(t, p.service.Validate(ctx, id), "so that the job is tried again")
		}

		a := w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Status(200)
		require.EqualValues(t, 302, a.Get("ibanSuiteValidation.errorCode"))
		require.Equal(t, false, a.Get("ibanSuiteValidation.verified"))
		require.Nil(t, a.Get("ibanSuiteValidation.verifiedAt"))
		require.EqualValues(t, 2, a.Get("version"), "the same trouble is noted once")
		require.Equal(t, bankaccount.ValidationPending, p.read(id).Validation)
		require.NotEmpty(t, rails(a), "the account is not held to be wrong")
		p.suite.Fail(0)
		p.suite.Break(503)
		require.Error(t, p.service.Validate(ctx, id))
		require.Equal(t, bankaccount.ValidationPending, p.read(id).Validation)
		p.suite.Break(0)
		require.NoError(t, p.service.Validate(ctx, id))
		a = w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Status(200)
		require.Equal(t, true, a.Get("ibanSuiteValidation.verified"))
		require.Nil(t, a.Get("ibanSuiteValidation.errorCode"))
		require.Equal(t, "bank_account.created bank_account.validated", events(t, w, id), "only verdicts are told")
	})
}

// The answer comes when the numbers are others already: it says nothing of those.
func TestLateAnswerIsDropped(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()

		var (
			p  provided
			id string
		)
		change := func() {
			if a := p.read(id); a.IBAN == "DE89370400440532013000" {
				require.NoError(t, p.service.Change(ctx, "org_a", id, func(a *bankaccount.Account) {
					a.IBAN = "DE12500105170648489890"
				},
					func(*db.Tx, bankaccount.View) error { return nil }))
			}
		}
		p = withProvider(t, w, change)
		id = p.add("DE", "EUR", "DE89370400440532013000")
		w.Jobs()
		require.NoError(t, p.service.Validate(ctx, id))
		require.Equal(
			t,
			bankaccount.ValidationPending,
			p.read(id).Validation,
			"nobody has said anything of the new number",
		)
		require.Len(t, w.Jobs(), 1, "another job asks")
		require.NoError(t, p.service.Validate(ctx, id))
		require.Equal(t, bankaccount.ValidationVerified, p.read(id).Validation)
		require.Equal(t, "50010517", p.read(id).Found.Code)
	})
}

func TestProviderMayRejectWhatIsRightOffline(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		deps := w.BankAccountDeps()
		deps.Provider = said{ibansuite.Answer{Code: 203, Message: "IBAN Length is not correct"}}
		p := provided{w, bankaccount.New(deps), nil}
		id := p.add("DE", "EUR", "DE89370400440532013000")
		require.NoError(t, p.service.Validate(ctx, id))
		require.True(t, fault.Is(p.read(id).Usable(w.DB.Now()), fault.BankAccountNotValidated))
		require.EqualValues(t, 203, w.Do(dt.A, "GET", "/bank-accounts/"+id, "").Get("ibanSuiteValidation.errorCode"))

		deps.Provider = said{ibansuite.Answer{
			Doubt: "Account Number check digit not correct",
			SEPA:  ibansuite.SEPA{SCT: "YES", SCI: "NO"},
		}}

		p.service = bankaccount.New(deps)
		id = p.add("DE", "EUR", "DE89370400440532013000")
		require.NoError(t, p.service.Validate(ctx, id))

		require.NoError(
			t,
			p.read(id).Usable(w.DB.Now()),
			"a doubt about the account's own check digit is told and stops nothing",
		)

		a := w.Do(dt.A, "GET", "/bank-accounts/"+id, "")
		require.Equal(t, "Account Number check digit not correct", a.Text("ibanSuiteValidation.errorMessage"))
		require.Equal(t, "SEPA SWIFT", rails(a), "the bank takes no instant payments")
	})
}

// said always gives the same answer.
type said struct{ answer ibansuite.Answer }

// Check answers.
func (s said) Check(context.Context, string) (ibansuite.Answer, error) { return s.answer, nil }

// A provider that is configured away leaves no account waiting for ever.
func TestWithoutProviderTheOfflineVerdictStands(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := withProvider(t, w, nil).add("DE", "EUR", "DE89370400440532013000")
		require.NoError(t, w.BankAccounts.Validate(context.Background(), id))
		a := w.Do(dt.A, "GET", "/bank-accounts/"+id, "")
		require.Equal(t, true, a.Get("ibanSuiteValidation.verified"))
		require.Equal(t, "37040044", a.Text("bankCode"))
	})
}
