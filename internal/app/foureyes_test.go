//go:build !nosandbox

package app_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// team is an organisation of three: Ada and Ben are admins who may accept, Cleo draws payments up.
type team struct{ ada, ben, cleo *apptest.Client }

func newTeam(h *apptest.Harness) team {
	ada := h.Client("Ada")
	return team{ada, ada.Colleague("Ben", "authorized", "admin"), ada.Colleague("Cleo", "initiator", "initiator")}
}

// policy sets the organisation's policy and gives the approval that it waits for, empty when it is in force.
func policy(c *apptest.Client, p object) (pending string) {
	var v struct {
		PendingApproval string `json:"pendingApproval"`
	}
	c.Do("PUT", "/organisations/"+c.Org+"/approval-policy", with(object{
		"fourEyes":      false,
		"payeeApproval": false,
	}, p)).OK(200).Into(&v)

	return v.PendingApproval
}

// approvals lists what waits.
func approvals(c *apptest.Client, query string) (ids []string) {
	var v struct {
		Results []struct {
			ID string `json:"_id"`
		} `json:"results"`
	}
	c.Do("GET", "/approvals?status[]=PENDING"+query, nil).OK(200).Into(&v)

	for _, a := range v.Results {
		ids = append(ids, a.ID)
	}

	return ids
}

// TestWhoHadAPartDoesNotAccept (Z-07): the creator of a transaction, whoever changed its draft, and whoever made or
// changed whom it pays need another authorized member. Without the policy, one person is enough.
func TestWhoHadAPartDoesNotAccept(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		x.ada.Accepted("USDC", "1.00") // no policy yet
		waiting := x.ada.Submitted("USDC", "1.00")
		require.Empty(t, policy(x.ada, object{"fourEyes": true}))

		x.ada.Act(waiting, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		require.NotContains(t, x.ada.Read(waiting).AllowedActions, "accept")
		require.Contains(t, x.ben.Read(waiting).AllowedActions, "accept")
		require.Equal(t, transaction.StatusWaiting, x.ada.Read(waiting).Status)

		edited := x.cleo.Draft("USDC", "1.00")
		h.Exec("UPDATE receivers SET changed_by = ''") // as if two had looked at them
		x.ada.Do("PUT", "/transactions/"+edited, x.ada.Body("USDC", x.ada.Payment(x.ada.Payee, "2.00"))).OK(200)
		x.cleo.Act(edited, "submit").OK(200)
		x.ada.Act(edited, "accept").Refused(403, "SECOND_PERSON_REQUIRED") // he changed the draft

		theirs := x.cleo.Draft("USDC", "1.00")
		h.Exec("UPDATE receivers SET changed_by = ? WHERE id = ?", x.ada.User, x.ada.Receiver)
		x.cleo.Act(theirs, "submit").OK(200)
		x.ada.Act(theirs, "accept").Refused(403, "SECOND_PERSON_REQUIRED") // he made the receiver
		h.Exec("UPDATE receivers SET changed_by = ''")

		paid := x.cleo.NewReceiver("Bob") // Cleo's payee, Ben's wallet for it, Cleo's transaction
		wallet := x.ben.ProveWallet(paid, h.Account("Bob's wallet"))
		inCleosName := with(x.cleo.Payment(x.cleo.Payee, "1.00"), object{
			"receiver":      paid,
			"wallet":        wallet,
			"walletAddress": nil,
			"walletType":    nil,
			"network":       nil,
		})
		stored := x.cleo.Do("POST", "/transactions", x.cleo.Body("USDC", inCleosName)).OK(201).ID()
		x.cleo.Act(stored, "submit").OK(200)
		x.ben.Act(stored, "accept").Refused(403, "SECOND_PERSON_REQUIRED") // he made the wallet that is paid
		x.cleo.Act(stored, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
		x.ada.Act(stored, "accept").OK(200)

		x.ben.Act(waiting, "accept").OK(200)
		x.ben.Act(edited, "accept").OK(200)
		h.Settle()

		for _, id := range []string{waiting, edited, stored} {
			x.ada.Ends(id, transaction.StatusCompleted)
		}
	})
}

// TestBankAccountOfThePersonWhoAccepts (Z-07, F-09): also of a bank account, and also when it was changed by one and
// then by another.
func TestBankAccountOfThePersonWhoAccepts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		policy(x.ada, object{"fourEyes": true})
		h.Exec("UPDATE receivers SET changed_by = ''")
		account := x.ben.NewBankAccount("EUR", "000")
		// says nothing of where the money goes
		x.cleo.Do("PATCH", "/bank-accounts/"+account, object{"bankName": "Hausbank"}).OK(200)
		id := x.cleo.FiatSubmitted("USDC", x.cleo.FiatPayment(account, "100.00"))
		x.ben.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		x.ada.Act(id, "accept").OK(200)

		other := x.ben.NewBankAccount("GBP", "000")
		x.ada.Do("PATCH", "/bank-accounts/"+other, object{"accountNumber": "31926819"}).OK(200)
		h.Exec("UPDATE bank_accounts SET cool_until = 0")
		h.RunJobs()
		id = x.cleo.FiatSubmitted("USDC", x.cleo.FiatPayment(other, "100.00"))
		x.ben.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		x.ada.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
	})
}

// TestFourEyesAboveALimit (Z-07): up to the limit of its currency one person is enough; what has no limit of its own
// is held against what it costs.
func TestFourEyesAboveALimit(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		policy(x.ada, object{
			"fourEyes": true,
			"fourEyesLimits": []object{
				{"currency": "USDC", "amount": "10.00"},
				{"currency": "EUR", "amount": "100.00"},
			},
		})
		small := x.ada.Submitted("USDC", "4.00", "5.00")
		exact := x.ada.Submitted("USDC", "10.00")
		large := x.ada.Submitted("USDC", "9.00", "1.000001")
		dai := x.ada.Submitted("DAI", "1.00")
		require.Contains(t, x.ada.Read(small).AllowedActions, "accept")
		x.ada.Act(small, "accept").OK(200)
		x.ada.Act(exact, "accept").OK(200)
		x.ada.Act(large, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		x.ada.Act(dai, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		euro := x.ada.NewBankAccount("EUR", "000")
		pound := x.ada.NewBankAccount("GBP", "000")
		x.ada.Act(x.ada.FiatSubmitted("USDC", x.ada.FiatPayment(euro, "100.00")), "accept").OK(200)
		x.ada.Act(
			x.ada.FiatSubmitted("USDC", x.ada.FiatPayment(euro, "60.00"), x.ada.FiatPayment(euro, "40.01")),
			"accept",
		).Refused(403, "SECOND_PERSON_REQUIRED")
		// costs less than 10 USDC
		x.ada.Act(x.ada.FiatSubmitted("USDC", x.ada.FiatPayment(pound, "5.00")), "accept").OK(200)
		x.ada.Act(x.ada.FiatSubmitted("USDC", x.ada.FiatPayment(pound, "90.00")), "accept").Refused(
			403,
			"SECOND_PERSON_REQUIRED",
		)

		// Under a lower limit, at once; not without the other, whose currency is then held against what it costs.
		require.NotEmpty(t, policy(x.ada, object{
			"fourEyes":       true,
			"fourEyesLimits": []object{{"currency": "USDC", "amount": "5.00"}},
		}))
		require.Empty(t, policy(x.ada, object{
			"fourEyes":       true,
			"fourEyesLimits": []object{{"currency": "USDC", "amount": "5.00"}, {"currency": "EUR", "amount": "100.00"}},
		}))
		x.ada.Act(x.ada.Submitted("USDC", "5.000001"), "accept").Refused(403, "SECOND_PERSON_REQUIRED")
	})
}

// TestPolicyThatCommittedFirstWins (Z-07, N-04): whoever asked before the policy was there, with a token that knows
// nothing of it, is refused by the statement itself.
func TestPolicyThatCommittedFirstWins(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		id := x.ada.Submitted("USDC", "1.00")
		x.ada.Act(id, "check-allowance").OK(200)
		// as another process would: the tokens of this one are not dropped
		h.Exec("UPDATE organisations SET four_eyes = 7, policy_version = 7")
		x.ada.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		require.EqualValues(t, 0, h.Count("SELECT count(*) FROM journals"))
		x.ben.Act(id, "accept").OK(200)

		// Many at once: whatever the order, nobody who had a part has accepted once the policy was in force.
		h.Exec("UPDATE organisations SET four_eyes = 0")
		x.ada.Login()
		ids := []string{
			x.ada.Submitted("USDC", "1.00"),
			x.ada.Submitted("USDC", "1.00"),
			x.ada.Submitted("USDC", "1.00"),
			x.ada.Submitted("USDC", "1.00"),
		}

		var (
			all sync.WaitGroup
			on  apptest.Answer
		)

		codes := make([]int, len(ids))
		for i, id := range ids {
			all.Go(func() { codes[i] = x.ada.Act(id, "accept").Status })
		}

		all.Go(func() {
			on = x.ben.Do("PUT", "/organisations/"+x.ben.Org+"/approval-policy", object{
				"fourEyes":      true,
				"payeeApproval": false,
			})
		})
		all.Wait()
		on.OK(200)

		for i, id := range ids {
			require.Contains(t, []int{200, 403, 409}, codes[i])

			want := transaction.StatusWaiting
			if codes[i] == 200 {
				want = transaction.StatusProcess
			}

			require.Equal(t, want, x.ada.Read(id).Status)

			if codes[i] != 200 {
				x.ada.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
			}
		}
	})
}

// TestPolicyIsWeakenedByTwo: more is in force at once, less waits for another admin; and neither of them can be had
// by one admin alone.
func TestPolicyIsWeakenedByTwo(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		alone := h.Client("Solo")
		alone.Do("PUT", "/organisations/"+alone.Org+"/approval-policy", object{
			"fourEyes":      true,
			"payeeApproval": false,
		}).Refused(409, "SECOND_PERSON_MISSING")
		x := newTeam(h)
		x.cleo.Do("PUT", "/organisations/"+x.ada.Org+"/approval-policy", object{
			"fourEyes":      true,
			"payeeApproval": false,
		}).Refused(403, "ROLE_REQUIRED")
		alone.Do("PUT", "/organisations/"+x.ada.Org+"/approval-policy", object{
			"fourEyes":      true,
			"payeeApproval": false,
		}).Refused(404, "NOT_FOUND")
		alone.Do("GET", "/organisations/"+x.ada.Org+"/approval-policy", nil).Refused(404, "NOT_FOUND")
		x.ada.Do("PUT", "/organisations/"+x.ada.Org+"/approval-policy", object{
			"fourEyes":      true,
			"payeeApproval": true,
			"fourEyesLimits": []object{
				{"currency": "XYZ", "amount": "1"},
				{"currency": "EUR", "amount": "-1"},
				{"currency": "EUR", "amount": "2"},
			},
		}).
			Refused(
				422,
				"VALIDATION",
				"/fourEyesLimits/0/currency CURRENCY_UNKNOWN",
				"/fourEyesLimits/1/amount AMOUNT_INVALID",
				"/fourEyesLimits/2/currency NOT_ALLOWED",
			)

		strict := object{"fourEyes": true, "payeeApproval": true, "payeeDelayHours": 24}
		require.Empty(t, policy(x.ada, strict))

		for _, weaker := range []object{
			{"payeeApproval": true, "payeeDelayHours": 24},
			with(strict, object{"payeeApproval": false}), with(strict, object{"payeeDelayHours": 1}),
			with(strict, object{"fourEyesLimits": []object{{"currency": "EUR", "amount": "1"}}}),
		} {
			require.NotEmpty(t, policy(x.ada, weaker), "%v", weaker)
		}

		pending := policy(x.ada, object{})
		require.Equal(t, []string{pending}, approvals(x.ben, ""), "the newest takes the place of the others")
		require.Contains(t, x.cleo.Do("GET", "/organisations/"+x.ada.Org+"/approval-policy", nil).OK(200).Raw, pending)
		x.ada.Do("POST", "/approvals/"+pending+"/approve", nil).Refused(403, "SECOND_PERSON_REQUIRED")
		x.cleo.Do("POST", "/approvals/"+pending+"/approve", nil).Refused(403, "ROLE_REQUIRED")
		alone.Do("POST", "/approvals/"+pending+"/approve", nil).Refused(404, "NOT_FOUND")
		waiting := x.ada.Draft("USDC", "1.00")
		require.Contains(t, x.ada.Act(waiting, "submit").Refused(422, "PAYEE_NOT_APPROVED").Raw, "walletAddress")

		x.ben.Do("POST", "/approvals/"+pending+"/reject", object{"comment": "No."}).OK(200)
		x.ben.Do("POST", "/approvals/"+pending+"/approve", nil).Refused(409, "APPROVAL_DECIDED")
		x.ada.Act(waiting, "submit").Refused(422, "PAYEE_NOT_APPROVED")

		// One asks for less and the other makes it stricter meanwhile: what was asked for is gone.
		pending = policy(x.ada, with(strict, object{"payeeApproval": false}))
		require.Empty(t, policy(x.ben, with(strict, object{"payeeDelayHours": 48})))
		x.ben.Do("POST", "/approvals/"+pending+"/approve", nil).Refused(409, "APPROVAL_DECIDED")

		pending = policy(x.ben, object{})
		x.ada.Do("POST", "/approvals/"+pending+"/approve", nil).OK(200)
		x.ada.Act(waiting, "submit").OK(200)
		x.ada.Act(waiting, "accept").OK(200)
		require.Contains(
			t,
			x.ada.Do("GET", "/audit-log?action=organisation.policy_changed", nil).OK(200).Raw,
			"one person may create and accept",
		)
	})
}

// TestPlatformStandsInForAnAdmin: about the policy and the members of an organisation whose other admin is gone, and
// never about whom it pays.
func TestPlatformStandsInForAnAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		platform := h.Person("Otto")
		platform.Staff("operator")
		policy(x.ada, object{"fourEyes": true, "payeeApproval": true})

		decide := func(c *apptest.Client, id string) apptest.Answer {
			return c.Do("POST", "/operations/approvals/"+id+"/decision", object{
				"decision": "APPROVED",
				"comment":  "Called back, case 17.",
			})
		}

		bob := x.cleo.NewReceiver("Bob")
		decide(platform, approvals(x.ada, "&object="+bob)[0]).Refused(409, "APPROVAL_FOR_MEMBERS")
		pending := policy(x.ada, object{})
		decide(x.ben, pending).Refused(403, "ROLE_REQUIRED")
		h.Exec("UPDATE approvals SET authors = authors || ',' || ? WHERE id = ?", platform.User, pending)
		decide(platform, pending).Refused(403, "SECOND_PERSON_REQUIRED")
		pending = policy(x.ada, object{"fourEyes": true})
		decide(platform, pending).OK(200)
		decide(platform, pending).Refused(409, "APPROVAL_DECIDED")

		require.Contains(
			t,
			x.ada.Do("GET", "/organisations/"+x.ada.Org+"/approval-policy", nil).OK(200).Raw,
			`"payeeApproval":false`,
		)

		require.EqualValues(
			t,
			1,
			h.Count(
				"SELECT count(*) FROM audit_log WHERE actor = ? AND action = 'approval.approved' AND organisation = ?",
				platform.User,
				x.ada.Org,
			),
		)
	})
}

// TestPowerIsGivenByTwo (Z-10): under a policy, one admin alone makes no second person: not by a change, not by an
// invitation in whatever role, and not by one from before.
func TestPowerIsGivenByTwo(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		before := x.ada.Do("POST", "/organisations/"+x.ada.Org+"/invitations", object{
			"email": "puppet@example.org",
			"roles": []string{"admin", "initiator"},
		}).OK(201)
		policy(x.ada, object{"fourEyes": true})

		member := "/organisations/" + x.ada.Org + "/members/" + x.cleo.Member
		for _, gain := range []object{
			{"userType": "authorized"},
			{"roles": []string{"admin"}},
			{"roles": []string{"initiator", "approver"}},
		} {
			require.Contains(t, x.ada.Do("PATCH", member, gain).OK(200).Raw, `"pendingApproval":"apr_`)
		}

		id := x.cleo.Submitted("USDC", "1.00")
		x.cleo.Act(id, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
		pending := approvals(x.ada, "&kind[]=MEMBER")
		require.Len(t, pending, 1)

		for _, c := range []*apptest.Client{x.ada, x.cleo} {
			require.Equal(t, 403, c.Do("POST", "/approvals/"+pending[0]+"/approve", nil).Status)
		}

		x.ben.Do("POST", "/approvals/"+pending[0]+"/approve", nil).OK(200)
		require.Contains(t, x.ada.Do("GET", "/organisations/"+x.ada.Org+"/members", nil).OK(200).Raw, `"approver"`)

		var in struct {
			Token string `json:"token"`
		}

		before.Into(&in)
		require.NotEmpty(t, in.Token)

		puppet := object{
			"firstName":       "P",
			"lastName":        "P",
			"email":           "puppet@example.org",
			"password":        apptest.Password,
			"invitationToken": in.Token,
		}
		h.Do(h.App, "POST", "/auth/register-with-organisation", "", puppet).Refused(
			422,
			"INVITATION_INVALID",
			"/invitationToken INVITATION_INVALID",
		)

		// Her second address, as an initiator who draws up what she accepts.
		x.ada.Do("POST", "/organisations/"+x.ada.Org+"/invitations", object{
			"email": "puppet@example.org",
			"roles": []string{"initiator"},
		}).OK(201).Into(&in)
		require.Empty(t, in.Token)
		require.Len(t, x.ada.Mails("puppet@example.org"), 1, "that of before; nothing leaves before it is approved")

		pending = approvals(x.ada, "&kind[]=INVITATION")
		require.Len(t, pending, 1)
		x.ada.Do("POST", "/approvals/"+pending[0]+"/approve", nil).Refused(403, "SECOND_PERSON_REQUIRED")
		x.cleo.Do("POST", "/approvals/"+pending[0]+"/approve", nil).Refused(403, "ROLE_REQUIRED")
		x.ben.Do("POST", "/approvals/"+pending[0]+"/approve", nil).OK(200)

		puppet["invitationToken"] = x.ada.InvitationToken("puppet@example.org")
		h.Do(h.App, "POST", "/auth/register-with-organisation", "", puppet).OK(200)
		require.EqualValues(
			t,
			2,
			h.Count("SELECT count(*) FROM members WHERE organisation = ? AND roles LIKE '%admin%'", x.ada.Org),
		)

		// To take power away needs a second admin too: with it, one admin would make the other one go.
		x.ada.Do("PATCH", "/organisations/"+x.ada.Org+"/members/"+x.ben.Member, object{"roles": []string{}}).OK(200)
		pending = approvals(x.ada, "&kind[]=MEMBER")
		require.Len(t, pending, 1)
		x.ben.Do("POST", "/approvals/"+pending[0]+"/approve", nil).Refused(403, "SECOND_PERSON_REQUIRED")
		x.ben.Do("POST", "/approvals/"+pending[0]+"/reject", nil).OK(200)
		require.Contains(t, x.ada.Do("PATCH", member, object{
			"userType": "viewer",
			"roles":    []string{},
		}).OK(200).Raw, `"pendingApproval":"apr_`)
	})
}

// Whoever is asked to approve a change of power reads in a mail what it is, in the language of that person's account.
// The interface and the log say it in English.
func TestPowerIsAskedForInTheReadersLanguage(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		dora := x.ada.Colleague("Dora", "viewer", "admin")
		h.Exec("UPDATE users SET language = 'de' WHERE id = ?", x.ben.User)
		h.Exec("UPDATE users SET language = 'fr' WHERE id = ?", dora.User)
		policy(x.ada, object{
			"fourEyes":        true,
			"payeeApproval":   true,
			"payeeDelayHours": 24,
			"signedIntents":   true,
			"dailyCaps":       []object{{"token": "USDC", "amount": "250000"}},
		})

		asked := func(english, german, french string) {
			waiting := approvals(x.ben, "")
			require.Len(t, waiting, 1)

			var seen struct {
				Summary string `json:"summary"`
			}
			x.ben.Do("GET", "/approvals/"+waiting[0], nil).OK(200).Into(&seen)
			require.Equal(t, english, seen.Summary)

			for to, want := range map[*apptest.Client]string{x.ben: german, dora: french} {
				newest := x.ada.Mails(to.Email)[0]
				require.Contains(t, strings.Join(strings.Fields(newest), " "), want)
			}

			x.ben.Do("POST", "/approvals/"+waiting[0]+"/reject", nil).OK(200)
		}

		policy(x.ada, object{
			"fourEyes":        true,
			"payeeDelayHours": 1,
			"fourEyesLimits":  []object{{"currency": "EUR", "amount": "1000.50"}, {"currency": "USDC", "amount": "1"}},
		})
		asked(
			"From now on: every transaction above EUR 1000.50, USDC 1.00 needs a second person; payees need no "+
				"approval; new payees wait 1 hour. Until now: every transaction needs a second person; payees need a "+
				"second person's approval; new payees wait 24 hours; the paying wallet signs every batch; a paying "+
				"wallet has a daily cap of at most USDC 250000.00.",
			"Künftig: jede Transaktion über 1.000,50 EUR, 1,00 USDC braucht eine zweite Person; Zahlungsempfänger "+
				"brauchen keine Freigabe; an neue Zahlungsempfänger wird 1 Stunde lang nichts bezahlt. Bisher: jede "+
				"Transaktion braucht eine zweite Person; Zahlungsempfänger brauchen die Freigabe einer zweiten "+
				"Person; an neue Zahlungsempfänger wird 24 Stunden lang nichts bezahlt; die zahlende Wallet "+
				"unterschreibt jede Ausführung; eine zahlende Wallet hat eine Tagesgrenze von höchstens "+
				"250.000,00 USDC.",
			"Désormais : chaque transaction de plus de 1 000,50 EUR, 1,00 USDC exige une deuxième personne ; les "+
				"bénéficiaires n’exigent aucune approbation ; rien n’est payé aux nouveaux bénéficiaires pendant "+
				"1 heure. Jusqu’ici : chaque transaction exige une deuxième personne ; les bénéficiaires exigent "+
				"l’approbation d’une deuxième personne ; rien n’est payé aux nouveaux bénéficiaires pendant 24 heures ; "+
				"le portefeuille payeur signe chaque exécution ; un portefeuille payeur a un plafond journalier de "+
				"250 000,00 USDC au plus.",
		)

		member := "/organisations/" + x.ada.Org + "/members/" + x.cleo.Member
		x.ada.Do("PATCH", member, object{
			"userType": "authorized",
			"roles":    []string{},
			"isActive": false,
		}).OK(200)
		asked(
			"Cleo Muster ("+x.cleo.Email+") becomes authorized, is no longer initiator, is shut out.",
			"Cleo Muster ("+x.cleo.Email+") erhält die Rolle «authorized», verliert die Rolle «initiator», verliert "+
				"den Zugang.",
			"Cleo Muster ("+x.cleo.Email+") reçoit le rôle « authorized », perd le rôle « initiator », n’a plus accès.",
		)

		x.ada.Do("POST", "/organisations/"+x.ada.Org+"/invitations", object{
			"email": "erik@example.org",
			"roles": []string{"admin", "initiator"},
		}).OK(201)
		asked(
			"erik@example.org becomes a member: admin, initiator.",
			"erik@example.org wird Mitglied, Rollen: admin, initiator.",
			"erik@example.org devient membre, rôles : admin, initiator.",
		)

		log := x.ada.Do("GET", "/audit-log?action=organisation.policy_changed", nil).OK(200).Raw
		require.Contains(
			t,
			log,
			"every transaction needs a second person; payees need a second person's approval; new ",
		)
	})
}

// TestPayeesWaitForASecondPerson: a new or changed receiver, wallet and bank account is paid to after another member
// has approved exactly that.
func TestPayeesWaitForASecondPerson(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		policy(x.ada, object{"payeeApproval": true})
		bob := x.cleo.NewReceiver("Bob")
		wallet := x.cleo.ProveWallet(bob, h.Account("Bob's wallet"))
		body := x.cleo.Body("USDC", with(x.cleo.Payment(x.cleo.Payee, "1.00"), object{
			"receiver":      bob,
			"wallet":        wallet,
			"walletAddress": nil,
			"walletType":    nil,
			"network":       nil,
		}))
		id := x.cleo.Do("POST", "/transactions", body).OK(201).ID()
		x.cleo.Act(id, "submit").Refused(
			422,
			"VALIDATION",
			"/payments/0/receiver PAYEE_NOT_APPROVED",
			"/payments/0/wallet PAYEE_NOT_APPROVED",
		)

		decide := func(c *apptest.Client, object, word string) apptest.Answer {
			waiting := approvals(c, "&object="+object)
			require.Len(t, waiting, 1)
			return c.Do("POST", "/approvals/"+waiting[0]+"/"+word, nil)
		}
		decide(x.cleo, wallet, "approve").Refused(403, "ROLE_REQUIRED")
		decide(x.ada, bob, "approve").OK(200)
		decide(x.ben, wallet, "approve").OK(200)
		x.cleo.Act(id, "submit").OK(200)

		account := x.ada.NewBankAccount("EUR", "000")
		decide(x.ada, account, "approve").Refused(403, "SECOND_PERSON_REQUIRED")
		x.ben.Do("PATCH", "/bank-accounts/"+account, object{"bankName": "Hausbank"}).OK(200)
		seen := approvals(x.ben, "&object="+account)[0]
		require.Contains(
			t,
			x.ben.Do("GET", "/approvals/"+seen, nil).OK(200).Raw,
			"CH",
			"the person who approves sees the number",
		)

		// Changed between looking and approving: what was looked at is not what would be approved.
		x.cleo.Do("PATCH", "/bank-accounts/"+account, object{"iban": "CH9300762011623852957"}).OK(200)
		x.ben.Do("POST", "/approvals/"+seen+"/approve", nil).Refused(409, "APPROVAL_DECIDED")
		decide(x.ada, account, "approve").Refused(403, "SECOND_PERSON_REQUIRED") // part of it is still his
		decide(x.ben, account, "reject").OK(200)
		h.Exec("UPDATE bank_accounts SET cool_until = 0")
		h.RunJobs()
		fiat := x.cleo.Do("POST", "/transactions", object{
			"type":          "FIAT",
			"token":         "USDC",
			"walletAddress": x.cleo.Payer.Address.Hex(),
			"payments":      []object{x.cleo.FiatPayment(account, "50.00")},
		}).OK(201).ID()
		x.cleo.Act(fiat, "submit").Refused(422, "PAYEE_NOT_APPROVED", "/payments/0/bankAccount PAYEE_NOT_APPROVED")
		require.Empty(t, approvals(x.ada, "&object="+account))

		// What the policy found there already goes on.
		known := x.cleo.Do("POST", "/transactions", body).OK(201).ID()
		x.cleo.Act(known, "submit").OK(200)
		x.ada.Act(known, "accept").OK(200)

		// A paying wallet that was changed and proven anew between submit and accept waits, too.
		again := x.cleo.Do("POST", "/transactions", body).OK(201).ID()
		x.cleo.Act(again, "submit").OK(200)

		for _, owner := range []string{bob, x.ada.Self} {
			x.ben.Do("PATCH", "/wallets/"+x.ada.Wallet, object{"receiver": owner}).OK(200)
		}

		prove(h, x.ben, x.ada.Wallet, x.ada.Payer)
		x.ada.Act(again, "accept").Refused(422, "PAYEE_NOT_APPROVED")
		decide(x.ben, x.ada.Wallet, "approve").Refused(403, "SECOND_PERSON_REQUIRED")
		decide(x.ada, x.ada.Wallet, "approve").OK(200) // she made it long ago: it is what Ben did that is approved
		x.ada.Act(again, "accept").OK(200)

		to := h.Count("SELECT count(*) FROM mails WHERE kind = 'decision_needed' AND recipient = ?", x.ben.Email)
		require.Greater(t, to, int64(2))
		require.EqualValues(
			t,
			0,
			h.Count("SELECT count(*) FROM mails WHERE kind = 'decision_needed' AND recipient = ?", x.cleo.Email),
			"who cannot decide is not asked",
		)
	})
}

// TestNewPayeeWaits: nothing is paid to a new bank account or wallet before the organisation's delay is over,
// and its admins are told.
func TestNewPayeeWaits(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		known := x.ada.NewBankAccount("EUR", "000")
		policy(x.ada, object{"payeeDelayHours": 3})
		account := x.cleo.NewBankAccount("GBP", "000")
		wallet := x.cleo.ProveWallet(x.cleo.Receiver, h.Account("a new wallet"))
		require.Contains(t, x.cleo.Do("GET", "/wallets/"+wallet, nil).OK(200).Raw, `"payableFrom":"`)
		draft := func(payments ...object) string {
			kind, _ := payments[0]["type"].(string)

			return x.cleo.Do("POST", "/transactions", object{
				"type":          kind,
				"token":         "USDC",
				"walletAddress": x.cleo.Payer.Address.Hex(),
				"payments":      payments,
			}).OK(201).ID()
		}
		stored := with(x.cleo.Payment(x.cleo.Payee, "1.00"), object{
			"wallet":        wallet,
			"walletAddress": nil,
			"walletType":    nil,
			"network":       nil,
		})
		fiat := draft(x.cleo.FiatPayment(account, "50.00"))
		crypto := draft(stored)
		x.cleo.Act(fiat, "submit").Refused(
			422,
			"BANK_ACCOUNT_COOLING_DOWN",
			"/payments/0/bankAccount BANK_ACCOUNT_COOLING_DOWN",
		)
		x.cleo.Act(crypto, "submit").Refused(422, "PAYEE_TOO_NEW", "/payments/0/wallet PAYEE_TOO_NEW")
		x.cleo.Act(draft(x.cleo.Payment(x.cleo.Payee, "1.00")), "submit").Refused(
			422,
			"PAYEE_NOT_APPROVED",
			"/payments/0/walletAddress PAYEE_NOT_APPROVED",
		)
		x.cleo.FiatSubmitted("USDC", x.cleo.FiatPayment(known, "50.00"))

		for _, admin := range []string{x.ada.Email, x.ben.Email} {
			require.EqualValues(
				t,
				2,
				h.Count("SELECT count(*) FROM mails WHERE kind = 'payee_added' AND recipient = ?", admin),
			)
		}

		for _, c := range []*apptest.Client{x.ada, x.cleo} {
			c.StaySignedIn()
		}

		h.App.DB.Clock().Advance(3*time.Hour + time.Second)
		h.RunJobs()
		x.cleo.Act(fiat, "submit").OK(200)
		x.cleo.Act(crypto, "submit").OK(200)
		x.ada.Act(crypto, "accept").OK(200)
	})
}

// TestChangesAtOnceAskOnce (N-01): of many who change a payee at once each is told what became of it, and one
// approval waits: the one that the payee names.
func TestChangesAtOnceAskOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		policy(x.ada, object{"payeeApproval": true})
		bob := x.cleo.NewReceiver("Bob")
		account := x.cleo.NewBankAccount("EUR", "000")

		var all sync.WaitGroup
		for path, field := range map[string]string{
			"/receivers/" + bob:         "firstName",
			"/bank-accounts/" + account: "iban",
		} {
			for i := range 12 {
				all.Go(func() {
					value := []string{"CH9300762011623852957", "DE89370400440532013000"}[i%2]
					if field == "firstName" {
						value = "Bob " + strings.Repeat("b", i)
					}

					a := []*apptest.Client{x.ada, x.ben}[i%2].Do("PATCH", path, object{field: value})
					if a.Status >= 500 {
						t.Error(path, a.Status, a.Raw)
					}
				})
			}
		}

		all.Wait()

		for table, object := range map[string]string{"receivers": bob, "bank_accounts": account} {
			waiting := approvals(x.ada, "&object="+object)
			require.Len(t, waiting, 1, table)
			require.EqualValues(
				t,
				1,
				h.Count("SELECT count(*) FROM "+table+" WHERE id = ? AND approval = ?", object, waiting[0]),
			)
		}
	})
}

// TestPolicyCostsNoStatement: to create a transaction, and to accept one without having had a part in it or without a
// policy, nothing of a policy is read; the one guarded statement compares it.
func TestPolicyCostsNoStatement(t *testing.T) {
	h := apptest.New(t, apptest.Config{}, "sqlite:"+t.TempDir()+"/test.db")
	x := newTeam(h)
	policies := func(act func()) (read, compared int) {
		h.DB().Watch(func(query string, _ []any) {
			if strings.Contains(query, "four_eyes_limits") {
				read++
			}

			if strings.Contains(query, "gate_o.four_eyes <= ?") {
				compared++
			}
		})
		defer h.DB().Watch(nil)
		act()

		return read, compared
	}
	expect := func(read, compared int, act func()) {
		t.Helper()
		gotRead, gotCompared := policies(act)
		require.Equal(t, []int{read, compared}, []int{gotRead, gotCompared})
	}

	var id string
	expect(0, 0, func() { id = x.ada.Draft("USDC", "1.00") })
	expect(0, 0, func() { x.ada.Act(id, "submit").OK(200) })
	expect(0, 1, func() { x.ada.Act(id, "accept").OK(200) })
	policy(x.ada, object{"fourEyes": true, "fourEyesLimits": []object{{"currency": "USDC", "amount": "1.00"}}})
	id = x.ada.Submitted("USDC", "2.00")
	small := x.ada.Submitted("USDC", "1.00")
	expect(0, 1, func() { x.ben.Act(id, "accept").OK(200) })
	expect(1, 1, func() { x.ada.Act(small, "accept").OK(200) })
}
