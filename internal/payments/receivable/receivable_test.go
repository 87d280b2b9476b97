//go:build !nosandbox

package receivable_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	noun "slipway/internal/payments/receivable"
	"slipway/internal/payments/settlement"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// receivable is what an organisation owes, as it sees it; operators see more.
type receivable struct {
	ID             string   `json:"_id"`
	State          string   `json:"state"`
	Transaction    string   `json:"transaction"`
	Amount         string   `json:"amount"`
	Owed           string   `json:"owed"`
	SettledAt      string   `json:"settledAt"`
	Name           string   `json:"organisationName"`
	Reference      string   `json:"reference"`
	AllowedActions []string `json:"allowedActions"`

	Decisions []decision `json:"decisions"`

	HowToPay *struct {
		Amount       string `json:"amount"`
		Reference    string `json:"reference"`
		IBAN         string `json:"iban"`
		Instructions string `json:"instructions"`
		PaymentCode  any    `json:"paymentCode"`
	} `json:"howToPay"`

	Parts []struct {
		Means  string `json:"means"`
		Source string `json:"source"`
		Amount string `json:"amount"`
	} `json:"parts"`

	Returns []struct {
		ID     string `json:"_id"`
		Amount string `json:"amount"`
	} `json:"returns"`
}

// decision is what two people have settled of a receivable.
type decision struct {
	Means     string `json:"means"`
	Amount    string `json:"amount"`
	DecidedBy string `json:"decidedBy"`
	Reason    string `json:"reason"`
}

func listed(c *apptest.Client, path string) []receivable {
	var page struct {
		Results []receivable `json:"results"`
	}

	c.Do("GET", path, nil).OK(200).Into(&page)

	return page.Results
}

// owes returns the one thing that an organisation owes.
func owes(t *testing.T, c *apptest.Client) receivable {
	t.Helper()

	all := listed(c, "/receivables?state=OPEN")
	require.Len(t, all, 1)

	return all[0]
}

// scene is an organisation whose deposit of 2,500.00 EUR was taken back after its tokens had gone out.
type scene struct {
	*apptest.Harness

	c         *apptest.Client
	bought    string // the transaction
	reference string
	first     string // the deposit, as the simulated bank names it
	held      string // a payment of 100.00 EUR that is held because of it
}

func each(t *testing.T, do func(t *testing.T, s *scene)) {
	t.Helper()

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		s := &scene{Harness: h, c: h.Client("Ada")}
		s.c.StaySignedIn()
		s.bought, s.reference = s.c.OnrampSubmitted("USDC", "EUR", "2500.00")
		s.first = s.pay("2500.00", s.reference, s.c.Name())
		h.BankUntil("delivered", func() bool { return s.status() == "COMPLETED" })
		do(t, s)
	})
}

func (s *scene) status() string { return string(s.c.Read(s.bought).Status) }

func (s *scene) pay(amount, reference, sender string) (entry string) {
	return s.Deposit(banksim.Deposit{
		Currency:      "EUR",
		Amount:        amount,
		Reference:     reference,
		Sender:        sender,
		SenderAccount: apptest.SenderAccount,
	})[0]
}

// takeBack has the sender's bank take a deposit back.
func (s *scene) takeBack(entry string) {
	s.Control(banksim.Control{Op: "reverse", Entry: entry})
	s.BankUntil("owed", func() bool { return s.Count("SELECT count(*) FROM receivables WHERE state = 'OPEN'") == 1 })
	require.Equal(s.T, "RETURNED", s.c.Read(s.bought).Settlement)
}

// hold makes a payment that is held because the organisation owes.
func (s *scene) hold() {
	s.held = s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "100"), "100.00"))
	s.BankUntil("held", func() bool { return s.c.Read(s.held).Settlement == "ON_HOLD" })
	require.Contains(s.T, s.c.Read(s.held).StatusInfo, "until that is settled")
}

// goesOn requires that what was held goes on by itself, and that nothing is owed any more.
func (s *scene) goesOn() {
	s.BankUntil("paid", func() bool {
		s.DB().Clock().Advance(time.Minute)
		require.NoError(s.T, s.App.Settlement.Sweep(s.T.Context()))

		return string(s.c.Read(s.held).Status) == "COMPLETED"
	})
	require.Empty(s.T, listed(s.c, "/receivables?state=OPEN"))
	s.Oracle()
}

// decide is one person's word about the one deposit in suspense.
func (s *scene) decide(who *apptest.Client, body apptest.Object) apptest.Answer {
	all := s.Suspense()
	require.Len(s.T, all, 1)

	return who.Do("POST", "/operations/deposits/"+all[0].Entry+"/decision", body)
}

// D-08: an organisation sees what it owes and how to pay it. The deposit that pays it exactly does so by itself, and
// what was held goes on by itself. Any other deposit goes to suspense.
func TestAnOrganisationPaysWhatItOwes(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		stranger := s.Client("Eve")
		s.takeBack(s.first)
		s.hold()

		r := owes(t, s.c)
		require.Equal(t, s.bought, r.Transaction)
		require.Equal(t, []string{"2500.00", "2500.00", ""}, []string{r.Amount, r.Owed, r.SettledAt})
		require.Equal(t, "2500.00", r.HowToPay.Amount)
		require.NotEmpty(t, r.HowToPay.IBAN)
		require.NotNil(t, r.HowToPay.PaymentCode)
		require.Contains(t, r.HowToPay.Instructions, r.HowToPay.Reference)
		require.Empty(t, listed(stranger, "/receivables"))
		stranger.Do("GET", "/receivables/"+r.ID, nil).Refused(404, "NOT_FOUND")

		s.pay("2499.99", r.HowToPay.Reference, s.c.Name())
		s.pay("2500.01", r.HowToPay.Reference, s.c.Name())
		s.pay("2500.00", r.HowToPay.Reference, "Somebody Else")
		s.BankUntil("in suspense", func() bool { return len(s.Suspense()) == 3 })
		require.Equal(t, "2500.00", owes(t, s.c).Owed)

		paid := s.pay("2500.00", r.HowToPay.Reference, s.c.Name())
		s.pay("2500.00", r.HowToPay.Reference, s.c.Name()) // by mistake, twice
		s.BankUntil("paid, and too much", func() bool { return len(s.Suspense()) == 4 })
		require.NotEmpty(t, paid)

		s.c.Do("GET", "/receivables/"+r.ID, nil).OK(200).Into(&r)
		require.Equal(t, []string{"SETTLED", "0.00"}, []string{r.State, r.Owed})
		require.NotEmpty(t, r.SettledAt)
		require.Len(t, r.Parts, 1)
		require.Equal(t, "DEPOSIT", r.Parts[0].Means)
		require.Empty(t, listed(s.Operators().Client, "/operations/receivables")[0].Decisions, "nobody had to decide")
		require.Equal(t, "SETTLED", s.c.Read(s.bought).Settlement)
		require.EqualValues(t, 1, s.Count("SELECT count(*) FROM deposits WHERE state = 'SETTLED'"))
		require.EqualValues(t, 1, s.Count("SELECT count(*) FROM events WHERE type = 'receivable.opened'"))
		require.EqualValues(t, 1, s.Count("SELECT count(*) FROM events WHERE type = 'receivable.settled'"))

		s.goesOn()
	})
}

// D-08: two people settle what is owed by a deposit that says nothing of it, a part first, and write the rest off. One
// person's word moves nothing, whoever says it twice.
func TestTwoPeopleSettleWhatIsOwed(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		two := s.Operators()
		s.takeBack(s.first)
		s.hold()

		r := owes(t, s.c)
		settle := apptest.Object{"action": "SETTLE", "receivable": r.ID, "note": "they called"}

		s.pay("3000.00", "for what we owe", s.c.Name())
		s.BankUntil("in suspense", func() bool { return len(s.Suspense()) == 1 })
		require.Contains(t, s.decide(two.Client, settle).Refused(422, "DEPOSIT_NOT_ASSIGNABLE").Raw, "larger")
		s.decide(two.Client, apptest.Object{"action": "REFUND"}).OK(200)
		s.decide(two.Second, apptest.Object{"action": "REFUND"}).OK(200)

		s.pay("1000.00", "a part of what we owe", s.c.Name())
		s.BankUntil("in suspense", func() bool { return len(s.Suspense()) == 1 })

		unknown := apptest.Object{"action": "SETTLE", "receivable": "ent_none"}
		s.decide(two.Client, unknown).Refused(422, "DEPOSIT_NOT_ASSIGNABLE")
		s.decide(two.Client, settle).OK(200)
		s.decide(two.Client, settle).Refused(409, "TWO_PERSONS_NEEDED")
		require.Equal(t, "2500.00", owes(t, s.c).Owed, "one person moves nothing")
		require.Contains(t, s.decide(two.Second, settle).OK(200).Raw, `"state":"SETTLED"`)

		require.Equal(t, "1500.00", owes(t, s.c).Owed)
		require.Equal(t, "1500.00", owes(t, s.c).HowToPay.Amount)
		require.Equal(t, "ON_HOLD", s.c.Read(s.held).Settlement)
		s.Oracle()

		path := "/operations/receivables/" + r.ID + "/decision"
		writeOff := apptest.Object{"action": "WRITE_OFF", "reason": "not worth a lawyer"}

		s.c.Do("POST", path, writeOff).Refused(403, "ROLE_REQUIRED")

		all := listed(two.Client, "/operations/receivables?state=OPEN")
		require.Len(t, all, 1)
		require.Equal(t, "Ada AG", all[0].Name)
		require.Equal(t, []string{"writeOff"}, all[0].AllowedActions)
		two.Do("POST", path, apptest.Object{"action": "SET_OFF", "reason": "x"}).Refused(422, "NOT_ALLOWED")

		asked := two.Do("POST", path, writeOff)
		require.Contains(t, asked.OK(202).Raw, "Ada AG owes 1500.00 EUR")
		own := apptest.Object{"decision": "APPROVED", "comment": "mine"}
		two.Do("POST", "/operations/approvals/"+asked.ID()+"/decision", own).Refused(403, "SECOND_PERSON_REQUIRED")
		require.Equal(t, "1500.00", owes(t, s.c).Owed, "one person moves nothing")

		two.Decide(asked, "APPROVED").OK(200)
		two.Do("POST", path, writeOff).Refused(409, "RECEIVABLE_SETTLED")

		both := two.User + " and " + two.Second.User
		all = listed(two.Client, "/operations/receivables?state=SETTLED")
		require.Len(t, all, 1)
		require.Equal(t, []decision{
			{"DEPOSIT", "1000.00", both, "they called"},
			{"WRITE_OFF", "1500.00", both, "not worth a lawyer"},
		}, all[0].Decisions)

		// who has decided, and why, is the house's own business
		audit := s.c.Do("GET", "/audit-log?limit=250", nil).OK(200).Raw
		require.Contains(t, audit, "WRITE_OFF written-off, 1500.00 EUR")

		for _, own := range []string{two.User, "and " + two.Second.User, "they called", "not worth a lawyer"} {
			require.NotContains(t, audit, own)
		}

		const decided = "SELECT count(*) FROM audit_log WHERE organisation = '' AND action = ? AND detail LIKE ?"
		wroteOff := "WRITE_OFF written-off, 1500.00 EUR, decided by " + both + ": not worth a lawyer"
		require.EqualValues(t, 1, s.Count(decided, "receivable.settled", wroteOff))
		require.EqualValues(
			t,
			1,
			s.Count(decided, "receivable.reduced", "%1000.00 EUR, decided by "+both+": they called"),
		)
		require.EqualValues(t, 1, s.Count(decided, "deposit.settled", both+": SETTLE "+r.ID+": they called"))
		require.Equal(t, "SETTLED", s.c.Read(s.bought).Settlement)
		s.goesOn()
	})
}

// D-08: what was asked for about another amount than is owed at the second person's word is not carried out.
func TestADecisionIsAboutWhatWasOwed(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		two := s.Operators()
		s.takeBack(s.first)

		r := owes(t, s.c)
		asked := two.Do("POST", "/operations/receivables/"+r.ID+"/decision", apptest.Object{
			"action": "WRITE_OFF",
			"reason": "it is long ago",
		})

		s.pay("1000.00", "a part of what we owe", s.c.Name())
		s.BankUntil("in suspense", func() bool { return len(s.Suspense()) == 1 })

		settle := apptest.Object{"action": "SETTLE", "receivable": r.ID}
		s.decide(two.Client, settle).OK(200)
		s.decide(two.Second, settle).OK(200)

		two.Decide(asked, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")
		require.Equal(t, "1500.00", owes(t, s.c).Owed)

		all, err := noun.OpenOf(t.Context(), s.DB(), "EUR", 1)
		require.NoError(t, err)
		require.ErrorContains(t, s.DB().Write(t.Context(), func(tx *db.Tx) error {
			return s.App.Settlement.Receivables.Settle(t.Context(), tx, all, noun.Payment{
				Means:  noun.ByWriteOff,
				Source: "more than is owed",
				Amount: all[0].Amount,
			})
		}), "is more than receivable")
		s.Oracle()
	})
}

// D-08: what came back of a payment of the organisation is set off, all of it where less is there than is owed, and a
// part where more is there. What is left of a return goes on as it would have.
func TestAReturnIsSetOff(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		two := s.Operators()
		require.NoError(t, s.DB().Write(t.Context(), func(tx *db.Tx) error {
			return settlement.SetPolicy(t.Context(), tx, s.c.Org, settlement.PolicyHold, "ann")
		}))

		account := s.c.NewBankAccount("EUR", "100")
		returned := func(amount string) string {
			id := s.c.FiatAccepted("USDC", s.c.FiatPayment(account, amount))
			s.SettleAll()
			s.Control(banksim.Control{Op: "late_return", EndToEndID: s.EndToEnd(id, 0), Reason: "AC04"})
			s.BankUntil("returned", func() bool { return s.c.Read(id).Settlement == "RETURNED" })

			return id
		}
		large := returned("2000.00")
		small := returned("900.00")

		recredit := func() apptest.Answer {
			return two.Do("POST", "/operations/transactions/"+large+"/returns", apptest.Object{
				"payment": 1,
				"action":  "RECREDIT",
			})
		}
		before := recredit()

		s.takeBack(s.first)
		s.hold()

		r := owes(t, s.c)
		setOff := func(amount string) apptest.Answer {
			for _, x := range listed(two.Client, "/operations/receivables?state=OPEN")[0].Returns {
				if x.Amount == amount {
					return two.Do("POST", "/operations/receivables/"+r.ID+"/decision", apptest.Object{
						"action": "SET_OFF",
						"return": x.ID,
						"reason": "agreed by phone",
					})
				}
			}

			t.Fatalf("no return of %s can be set off", amount)

			return apptest.Answer{}
		}

		asked := setOff("900.00")
		s.pay("100.00", "a part of what we owe", s.c.Name())
		s.BankUntil("in suspense", func() bool { return len(s.Suspense()) == 1 })

		settle := apptest.Object{"action": "SETTLE", "receivable": r.ID}
		s.decide(two.Client, settle).OK(200)
		s.decide(two.Second, settle).OK(200)
		two.Decide(asked, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN") // the same sum, of another debt

		asked = setOff("900.00")
		require.Contains(t, asked.OK(202).Raw, "900.00 EUR of it are set off")
		two.Decide(asked, "APPROVED").OK(200)
		require.Equal(t, "1500.00", owes(t, s.c).Owed)
		require.Equal(t, "SETTLED", s.c.Read(small).Settlement)
		require.Contains(t, s.c.Read(small).StatusInfo, "kept for what the organisation owes")
		s.Oracle()

		two.Decide(setOff("2000.00"), "APPROVED").OK(200)
		require.Equal(t, "RETURNED", s.c.Read(large).Settlement, "500.00 EUR are still here")
		s.goesOn()

		two.Decide(before, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")
		two.Carried(recredit())
		s.SettleAll()
		require.Equal(t, "REFUNDED", s.c.Read(large).Settlement)
		s.Oracle()
	})
}

// D-08: of a return that serves two receivables the second one gets what is left, and what was asked for about more is
// asked for again.
func TestAReturnServesTwoReceivables(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		two := s.Operators()
		require.NoError(t, s.DB().Write(t.Context(), func(tx *db.Tx) error {
			return settlement.SetPolicy(t.Context(), tx, s.c.Org, settlement.PolicyHold, "ann")
		}))

		id := s.c.FiatAccepted("USDC", s.c.FiatPayment(s.c.NewBankAccount("EUR", "100"), "2600.00"))
		s.SettleAll()
		s.Control(banksim.Control{Op: "late_return", EndToEndID: s.EndToEnd(id, 0), Reason: "AC04"})
		s.BankUntil("returned", func() bool { return s.c.Read(id).Settlement == "RETURNED" })

		other, reference := s.c.OnrampSubmitted("USDC", "EUR", "2400.00")
		second := s.pay("2400.00", reference, s.c.Name())
		s.BankUntil("delivered", func() bool { return string(s.c.Read(other).Status) == "COMPLETED" })

		s.takeBack(s.first)
		s.Control(banksim.Control{Op: "reverse", Entry: second})
		s.BankUntil(
			"owed, too",
			func() bool { return s.Count("SELECT count(*) FROM receivables WHERE state = 'OPEN'") == 2 },
		)

		setOff := func(transaction string) apptest.Answer {
			for _, r := range listed(two.Client, "/operations/receivables?state=OPEN") {
				if r.Transaction == transaction {
					return two.Do("POST", "/operations/receivables/"+r.ID+"/decision", apptest.Object{
						"action": "SET_OFF",
						"return": r.Returns[0].ID,
						"reason": "agreed by phone",
					})
				}
			}

			t.Fatalf("nothing is owed for %s", transaction)

			return apptest.Answer{}
		}

		early := setOff(other) // 2,400.00, of 2,600.00
		two.Decide(setOff(s.bought), "APPROVED").OK(200)
		two.Decide(early, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")

		two.Decide(setOff(other), "APPROVED").OK(200)
		require.Equal(t, "2300.00", owes(t, s.c).Owed)
		require.Equal(t, "SETTLED", s.c.Read(id).Settlement)
		s.Oracle()
	})
}

// D-08: what has settled a receivable may be taken back itself. Then it is owed again, under the same reference.
func TestWhatHasSettledItMayBeTakenBack(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		s.takeBack(s.first)
		s.hold()

		again := s.pay("2500.00", s.reference, s.c.Name())
		s.BankUntil("settled", func() bool { return s.c.Read(s.bought).Settlement == "SETTLED" })

		s.takeBack(again)
		r := owes(t, s.c)
		require.Equal(t, s.bought, r.Transaction)
		require.Len(t, listed(s.c, "/receivables"), 2)
		s.Oracle()

		s.pay("2500.00", r.HowToPay.Reference, s.c.Name())
		s.BankUntil("settled again", func() bool { return s.c.Read(s.bought).Settlement == "SETTLED" })
		s.goesOn()
	})
}
