//go:build !nosandbox

package conformance

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/idv/idvsim"
)

// rules are the tests of the rows that are no fields and no endpoints.
func rules() map[string]func(*stage) error {
	return map[string]func(*stage) error{
		"region/EU / SEPA":      region("sepa"),
		"region/United Kingdom": region("kingdom"),
		"region/United States":  region("states"),
		"region/India":          region("india"),
		"region/Other":          region("other"),

		"transition/Transaction/none→DRAFT":                              draftIsMade,
		"transition/Transaction/DRAFT→DRAFT":                             draftIsChanged,
		"transition/Transaction/DRAFT→WAITING_ACCEPTANCE":                moved("WAITING_ACCEPTANCE"),
		"transition/Transaction/WAITING_ACCEPTANCE→PROCESSING":           moved("PROCESSING"),
		"transition/Transaction/WAITING_ACCEPTANCE→PROCESSING #2":        depositMoves,
		"transition/Transaction/PROCESSING→RELEASED":                     moved("RELEASED"),
		"transition/Transaction/RELEASED→COMPLETED":                      moved("COMPLETED"),
		"transition/Transaction/PROCESSING or other active state→FAILED": fails,
		"transition/Transaction/any active state→REJECTED_BY_PLATFORM":   isRejected,
		"transition/Payable/none→DRAFT":                                  payableIsMade,
		"transition/Payable/DRAFT→DRAFT":                                 payableIsChanged,
		"transition/Payable/DRAFT→REJECTED":                              payableIsRejected,
		"transition/Payable/DRAFT→APPROVED":                              payableIsApproved,
		"transition/Payable/APPROVED→PAID":                               payableIsPaid,
		"transition/Organisation/none→PENDING":                           organisationIsMade,
		"transition/Organisation/PENDING→SUBMITTED":                      organisationHandsIn,
		"transition/Organisation/SUBMITTED→APPROVED or REJECTED":         organisationIsDecided,
		"transition/Organisation/REJECTED→SUBMITTED":                     organisationTriesAgain,

		"error/1": smallOnramp,
		"error/2": region("kingdom"),
		"error/3": invalidDraft,
		"error/4": smallAllowance,
		"error/5": func(s *stage) error { return errors.Join(fails(s), isRejected(s)) },
		"error/6": payableIsLocked,
		"error/7": accountIsChecked,

		"limit/Payments per transaction (FIAT and CRYPTO)":    thirtyPayments,
		"limit/GET /transactions limit":                       pages("/transactions?columnId=all&"),
		"limit/GET /transactions offset":                      offsets("/transactions?columnId=all&"),
		"limit/Page size on networks and organisations lists": networkPages,
		"limit/Minimum on-ramp amount":                        leastOnramp,
		"limit/Wallet type default":                           walletIsEOA,
		"limit/Sort direction values":                         directions,
	}
}

// status wants a status, or says what came instead.
func status(a apptest.Answer, want int) error {
	if a.Status != want {
		return fmt.Errorf("%d instead of %d: %s", a.Status, want, a.Raw)
	}

	return nil
}

// is wants a member of an answer to have a value.
func (s *stage) is(a apptest.Answer, name string, want any) error {
	if a.Status >= 300 {
		return status(a, 200)
	}

	if got := s.parse(a)[name]; fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("%s is %v, not %v", name, got, want)
	}

	return nil
}

// refused wants a refusal that names a field.
func refused(a apptest.Answer, pointer string) error {
	if err := status(a, 422); err != nil {
		return err
	}

	names := func(f string) bool { return strings.HasPrefix(f, pointer+" ") }
	if !slices.ContainsFunc(a.Fields(), names) {
		return fmt.Errorf("the refusal does not name %s: %s", pointer, a.Raw)
	}

	return nil
}

// regions are bank accounts with what their region needs, and nothing else.
func regions() map[string]apptest.Object {
	return map[string]apptest.Object{
		"sepa": {
			"bankCountry": "DE",
			"currency":    "EUR",
			"iban":        "DE89370400440532013000",
			"bicSwift":    "COBADEFFXXX",
		},
		"kingdom": {"bankCountry": "GB", "currency": "GBP", "accountNumber": "31926819", "sortCode": "601613"},
		"states": {
			"bankCountry":   "US",
			"currency":      "USD",
			"accountNumber": "123456789",
			"routingNumber": "021000021",
			"accountType":   "CHECKING",
		},
		"india": {"bankCountry": "IN", "currency": "INR", "accountNumber": "50100012345", "ifscCode": "HDFC0000123"},
		"other": {"bankCountry": "BH", "currency": "USD", "accountNumber": "771400", "bicSwift": "BBKUBHBMXXX"},
	}
}

// region sends a bank account with what its region needs, and without each of these fields: it is named.
func region(name string) func(*stage) error {
	return func(s *stage) error {
		all := regions()[name]
		all["receiver"] = s.c.Receiver

		if a := s.c.Do("POST", "/bank-accounts", all); a.Status != 201 {
			return status(a, 201)
		}

		for field := range regions()[name] {
			without := maps.Clone(all)
			delete(without, field)

			if err := refused(s.c.Do("POST", "/bank-accounts", without), "/"+field); err != nil {
				return fmt.Errorf("without %s: %w", field, err)
			}
		}

		return nil
	}
}

func draftIsMade(s *stage) error {
	a := s.c.Do("POST", "/transactions", s.c.Body("USDC", s.c.Payment(s.c.Payee, "1.00")))
	return errors.Join(status(a, 201), s.is(a, "status", "DRAFT"))
}

func draftIsChanged(s *stage) error {
	id := s.c.Draft("USDC", "1.00")
	body := s.c.Body("USDC", s.c.Payment(s.c.Payee, "2.00"))

	if err := s.is(s.c.Do("PUT", "/transactions/"+id, body), "status", "DRAFT"); err != nil {
		return err
	}

	if got := s.c.Read(id).Payments[0].Amount; got != "2.00" && got != "2" && got != "2.000000" {
		return fmt.Errorf("the amount is %s", got)
	}

	s.c.Act(id, "submit").OK(200)

	return status(s.c.Do("PUT", "/transactions/"+id, body), 409)
}

// moved looks for a state in the timeline of a payment that has completed, behind the one before it.
func moved(to string) func(*stage) error {
	return func(s *stage) error { return s.came(s.crypto, to) }
}

var order = []string{"DRAFT", "WAITING_ACCEPTANCE", "PROCESSING", "RELEASED", "COMPLETED"}

func (s *stage) came(id, to string) error {
	var seen []string

	for _, step := range s.c.Read(id).Timeline {
		if n := len(seen); n == 0 || seen[n-1] != step.Status {
			seen = append(seen, step.Status)
		}
	}

	i := slices.Index(seen, to)
	if i < 1 || seen[i-1] != order[slices.Index(order, to)-1] {
		return fmt.Errorf("its states were %v", seen)
	}

	return nil
}

func depositMoves(s *stage) error { return s.came(s.onramp, "PROCESSING") }

// deposit has the bank credit what an on-ramp waits for.
func (s *stage) deposit(reference, amount string) {
	s.h.Deposit(banksim.Deposit{
		Reference: reference,
		Amount:    amount,
		Currency:  "EUR",
		Sender:    s.c.Name(),
	})
}

// fails has a payment of a token that its contract refuses to move.
func fails(s *stage) error {
	id := s.c.Accepted("USDT", "1.00")
	token := s.h.World.Token("USDT")
	s.h.Admin(token, "pause()")
	s.h.Settle()
	s.h.Admin(token, "unpause()")

	v := s.c.Read(id)
	if v.Status != "FAILED" || v.StatusInfo == "" {
		return fmt.Errorf("it is %s: %q", v.Status, v.StatusInfo)
	}

	return nil
}

func isRejected(s *stage) error {
	id := s.c.Submitted("USDC", "1.00")
	a := s.operators.Do("POST", "/transactions/"+id+"/reject", apptest.Object{"reason": "Not plausible"})

	return errors.Join(status(a, 200), s.is(a, "status", "REJECTED_BY_PLATFORM"))
}

// newPayable makes a draft that is like no other.
func (s *stage) newPayable() string {
	body := s.payable("CRYPTO")
	body["invoiceNumber"] = fmt.Sprint(s.h.Count("SELECT count(*) FROM payables"))

	return s.c.Do("POST", "/payables", body).OK(201).ID()
}

func payableIsMade(s *stage) error {
	a := s.c.Do("POST", "/payables", s.payable("CRYPTO"))
	return errors.Join(status(a, 201), s.is(a, "status", "DRAFT"))
}

func payableIsChanged(s *stage) error {
	a := s.c.Do("PATCH", "/payables/"+s.newPayable(), apptest.Object{"name": "Renamed"})
	return errors.Join(s.is(a, "status", "DRAFT"), s.is(a, "name", "Renamed"))
}

func payableIsRejected(s *stage) error {
	id := s.newPayable()
	a := s.c.Do("POST", "/payables/"+id+"/reject", apptest.Object{"reason": "Not ours"})
	pay := s.c.Do("POST", "/transactions/payables", apptest.Object{"payableIds": []string{id}, "token": "USDC"})

	return errors.Join(s.is(a, "status", "REJECTED"), status(pay, 422))
}

func payableIsApproved(s *stage) error {
	return s.is(s.c.Do("POST", "/payables/"+s.newPayable()+"/approve", nil), "status", "APPROVED")
}

func payableIsPaid(s *stage) error {
	id := s.newPayable()
	s.c.Do("POST", "/payables/"+id+"/approve", nil).OK(200)

	batch := s.c.Do("POST", "/transactions/payables", apptest.Object{
		"payableIds": []string{id},
		"token":      "USDC",
	}).OK(201).ID()
	s.c.Act(batch, "submit").OK(200)
	s.c.Act(batch, "accept").OK(200)
	s.h.Settle()

	return s.is(s.c.Do("GET", "/payables/"+id, nil), "status", "PAID")
}

// payableIsLocked: what is no draft can neither be changed nor rejected.
func payableIsLocked(s *stage) error {
	id := s.newPayable()
	s.c.Do("POST", "/payables/"+id+"/approve", nil).OK(200)

	return errors.Join(
		status(s.c.Do("PATCH", "/payables/"+id, apptest.Object{"name": "Renamed"}), 409),
		status(s.c.Do("POST", "/payables/"+id+"/reject", apptest.Object{"reason": "Not ours"}), 409),
	)
}

// applicant is an organisation on its way through the identity provider.
type applicant struct {
	*stage
	c *apptest.Client
}

func (s *stage) applicant() applicant {
	a := applicant{s, s.h.Person(fmt.Sprint("Applicant ", s.h.Count("SELECT count(*) FROM organisations")))}
	a.c.StaySignedIn()
	a.c.Do("POST", "/idv/companies", nil).OK(200)
	a.token()

	return a
}

func (a applicant) token() {
	a.c.Do("POST", "/idv/get-applicant-token", apptest.Object{
		"type":           "organisation",
		"organisationId": a.c.Org,
	}).OK(200)
}

func (a applicant) handsIn() error {
	_, err := a.h.World.IDV.Complete(a.c.Org)
	return errors.Join(err, a.travels())
}

func (a applicant) decided(what idvsim.Outcome) error {
	_, err := a.h.World.IDV.Decide(a.c.Org, idvsim.Verdict{Outcome: what, Level: "enhanced-kyb-level"})
	return errors.Join(err, a.travels())
}

func (a applicant) travels() error {
	a.h.IdentityRound()

	_, err := a.h.App.Verification.Poll(a.t.Context(), 100)
	a.h.RunJobs()

	return err
}

func (a applicant) isNow(want string) error {
	return a.is(a.c.Do("GET", "/organisations/"+a.c.Org, nil), "onboardingStatus", want)
}

func organisationIsMade(s *stage) error { return s.applicant().isNow("PENDING") }

func organisationHandsIn(s *stage) error {
	a := s.applicant()
	return errors.Join(a.handsIn(), a.isNow("SUBMITTED"))
}

func organisationIsDecided(s *stage) error {
	yes := s.applicant()
	no := s.applicant()

	return errors.Join(
		yes.handsIn(),
		yes.decided(idvsim.Approve),
		yes.isNow("APPROVED"),
		no.handsIn(),
		no.decided(idvsim.Retry),
		no.isNow("REJECTED"),
	)
}

func organisationTriesAgain(s *stage) error {
	a := s.applicant()
	if err := errors.Join(a.handsIn(), a.decided(idvsim.Retry), a.isNow("REJECTED")); err != nil {
		return err
	}

	a.token()

	return errors.Join(a.handsIn(), a.isNow("SUBMITTED"))
}

func smallOnramp(s *stage) error {
	q := s.requests["OnrampPayment"][0]
	return refused(s.c.Do("POST", q.path, q.with("amount", "10.00")), "/payments/0/amount")
}

// invalidDraft: validate says what is wrong; the draft is changed and validated again.
func invalidDraft(s *stage) error {
	other := s.h.Account("nobody's wallet")
	unproven := s.c.Do("POST", "/wallets", apptest.Object{
		"address":  other.Address.Hex(),
		"network":  world.NetworkID,
		"receiver": s.c.Receiver,
	}).OK(201).ID()

	payment := apptest.Object{
		"type":     "CRYPTO",
		"receiver": s.c.Receiver,
		"wallet":   unproven,
		"amount":   "1.00",
		"reason":   "Rent",
	}
	id := s.c.Do("POST", "/transactions", s.c.Body("USDC", payment)).OK(201).ID()
	a := s.c.Act(id, "validate")

	if err := status(a, 422); err != nil {
		return err
	}

	if issues, _ := s.parse(a)["issues"].([]any); len(issues) == 0 {
		return fmt.Errorf("there are no issues: %s", a.Raw)
	}

	s.c.Do("PUT", "/transactions/"+id, s.c.Body("USDC", s.c.Payment(s.c.Payee, "1.00"))).OK(200)

	return s.is(s.c.Act(id, "validate"), "valid", true)
}

// smallAllowance: check-allowance says what is missing and which calls approve it.
func smallAllowance(s *stage) error {
	poor := s.h.Account("a wallet that has approved nothing")
	s.c.ProveWallet(s.c.Self, poor)

	body := s.c.Body("USDC", s.c.Payment(s.c.Payee, "1.00"))
	body["walletAddress"] = poor.Address.Hex()
	a := s.c.Act(s.c.Do("POST", "/transactions", body).OK(201).ID(), "check-allowance")

	if calls, _ := s.parse(a)["approvalCalls"].([]any); len(calls) == 0 {
		return fmt.Errorf("it names no calls: %s", a.Raw)
	}

	return s.is(a, "sufficient", false)
}

func accountIsChecked(s *stage) error {
	v, ok := s.get("/bank-accounts/" + s.account)["ibanSuiteValidation"].(object)
	if !ok || v["verified"] != true || v["verifiedAt"] == nil {
		return fmt.Errorf("ibanSuiteValidation is %v", v)
	}

	return nil
}

func thirtyPayments(s *stage) error {
	many := func(n int) apptest.Answer {
		payments := make([]apptest.Object, n)
		for i := range payments {
			payments[i] = s.c.Payment(s.c.Payee, "1.00")
		}

		return s.c.Do("POST", "/transactions", s.c.Body("USDC", payments...))
	}

	return errors.Join(status(many(30), 201), refused(many(31), "/payments"))
}

// pages wants the sizes of a page: 1 and 250 are taken, 0 and 251 are not.
func pages(path string) func(*stage) error {
	return func(s *stage) error {
		get := func(limit int) apptest.Answer { return s.c.Do("GET", fmt.Sprint(path, "limit=", limit), nil) }

		return errors.Join(
			status(get(1), 200),
			status(get(250), 200),
			status(get(0), 422),
			status(get(251), 422),
			s.is(s.c.Do("GET", path+"limit=20", nil), "page_total", min(20, s.parse(get(1))["total"].(float64))),
			s.sameList(path, path+"limit=20"),
		)
	}
}

func offsets(path string) func(*stage) error {
	return func(s *stage) error { return s.sameList(path, path+"offset=0") }
}

// sameList wants two lists to be of the same records.
func (s *stage) sameList(one, other string) error {
	ids := func(path string) (out []any) {
		for _, r := range s.list(path) {
			out = append(out, r["_id"])
		}

		return out
	}

	if a, b := ids(one), ids(other); fmt.Sprint(a) != fmt.Sprint(b) {
		return fmt.Errorf("%s and %s differ: %v, %v", one, other, a, b)
	}

	return nil
}

func networkPages(s *stage) error {
	var all []error
	for _, path := range []string{"/networks?", "/organisations/me?"} {
		all = append(all, pages(path)(s), offsets(path)(s))
	}

	return errors.Join(all...)
}

func leastOnramp(s *stage) error {
	a := s.c.Do("GET", "/transactions/min-onramp-amount", nil)
	return errors.Join(s.is(a, "amount", "1000.00"), s.is(a, "currency", "USD"))
}

// walletIsEOA: wherever a wallet is named without a type.
func walletIsEOA(s *stage) error {
	named := s.c.Do("POST", "/wallets", apptest.Object{
		"address":  s.h.Account("a wallet without a type").Address.Hex(),
		"network":  world.NetworkID,
		"receiver": s.c.Receiver,
	})
	link := s.newLink()
	handedIn := s.h.Do(s.h.App, "POST", "/payables/create-invoice-wallet", "", apptest.Object{
		"token":   link.token,
		"address": s.h.Account("a wallet by a link without a type").Address.Hex(),
		"network": world.NetworkID,
	})

	return errors.Join(s.is(named, "type", "EOA"), status(handedIn, 200))
}

func directions(s *stage) error {
	get := func(direction string) apptest.Answer {
		return s.c.Do("GET", "/transactions?columnId=all&direction="+direction, nil)
	}

	up := s.list("/transactions?columnId=all&limit=250&direction=1")
	down := s.list("/transactions?columnId=all&limit=250&direction=-1")
	slices.Reverse(down)

	if len(up) < 2 || up[0]["_id"] != down[0]["_id"] {
		return errors.New("1 and -1 are not opposite")
	}

	return errors.Join(status(get("0"), 422), status(get("2"), 422))
}
