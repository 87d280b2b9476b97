//go:build !nosandbox

package schedule_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/schedule"
	"slipway/internal/platform/mail"
)

// P-13: a payment is made on its day and not before, once, by the person who accepted it. Both are told the day before,
// once.
func TestAPaymentIsMadeOnItsDayOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		id := d.accepted(d.rent(first, nil))
		require.Len(t, d.mails(d.accepter, mail.ScheduleWaits), 1)
		require.Empty(t, d.mails(d.maker, mail.ScheduleWaits), "she has made it")

		d.goTo(first.AddDate(0, 0, -2))
		d.run()
		require.Empty(t, d.mails(d.maker, mail.ScheduleDue))

		d.goTo(first.AddDate(0, 0, -1))
		d.run()
		d.run()
		require.Len(t, d.mails(d.maker, mail.ScheduleDue), 1)
		require.Len(t, d.mails(d.accepter, mail.ScheduleDue), 1)
		require.Contains(t, d.mails(d.maker, mail.ScheduleDue)[0].Text, "Alice Keller")
		require.Zero(t, d.paid()+d.drafts())

		d.goTo(first)

		var all sync.WaitGroup
		for range 6 { // as many processes
			all.Go(func() {
				_ = d.schedules.Step(t.Context(), id) // those who come too late are refused
			})
		}

		all.Wait()
		d.run()
		require.EqualValues(t, 1, d.paid())
		require.Zero(t, d.drafts(), "nobody's half")
		require.Equal(t, []string{"PAID"}, d.days(id))
		require.Equal(t, "ENDED", d.state(id))

		require.EqualValues(t, 1, d.Count("SELECT count(*) FROM audit_log WHERE action = 'transaction.accepted' AND "+
			"actor = ? AND request_id = ?", d.accepter.User, id))
		require.EqualValues(t, 1, d.Count("SELECT count(*) FROM transactions WHERE created_by = ?", d.maker.User))

		d.goTo(first.AddDate(0, 2, 0))
		d.run()
		require.EqualValues(t, 1, d.paid())
	})
}

// Whoever sets the clock back pays nothing twice, and tells nobody twice.
func TestAClockThatIsSetBackPaysNothingTwice(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		d.accepted(d.rent(first, object{"repeats": "WEEKLY"}))

		for _, later := range []int{-1, 0, -1, 0, -3, 0, 6} {
			d.goTo(first.AddDate(0, 0, later))
			d.run()
		}

		require.EqualValues(t, 1, d.paid())
		require.Len(t, d.mails(d.maker, mail.ScheduleDue), 2, "of the first day, and of the second")
	})
}

// Whoever stops it on a day that was paid, and accepts it anew, has paid that day.
func TestADayThatWasPaidIsOverWhenItIsAcceptedAnew(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		id := d.accepted(d.rent(first, object{"repeats": "WEEKLY"}))
		d.goTo(first)
		d.run()
		d.maker.Do("POST", "/schedules/"+id+"/stop", nil).OK(200)

		v := d.accepter.Do("POST", "/schedules/"+id+"/accept", nil).OK(200)
		require.Equal(t, text(first.AddDate(0, 0, 7)), v.Text("nextDay"))
		d.run()
		require.EqualValues(t, 1, d.paid())
	})
}

// Of several days that were missed, the latest is made up for.
func TestMissedDaysAreMadeUpForOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(3)
		id := d.accepted(d.rent(first, object{"repeats": "WEEKLY", "times": 5}))

		d.goTo(first.AddDate(0, 0, 16))
		d.run()
		require.EqualValues(t, 1, d.paid())

		v := d.maker.Do("GET", "/schedules/"+id, nil).OK(200)
		require.Equal(t, text(first.AddDate(0, 0, 14)), v.Body["days"].([]any)[0].(map[string]any)["planned"])
		require.Equal(t, text(first.AddDate(0, 0, 21)), v.Text("nextDay"))

		d.goTo(first.AddDate(0, 0, 100))
		d.run()
		require.EqualValues(t, 2, d.paid())
		require.Equal(t, "ENDED", d.state(id))
	})
}

// A day on which the rail rests moves to the next working day, and the answer says so before. Chains do not rest.
func TestADayOnWhichTheRailRestsMoves(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		d.rests[text(first)] = true
		d.rests[text(first.AddDate(0, 0, 1))] = true

		v := d.maker.Do("POST", "/schedules", d.salary(first, object{"repeats": "MONTHLY"})).OK(201)
		require.Equal(t, map[string]any{"planned": text(first), "paidOn": text(first.AddDate(0, 0, 2))},
			v.Body["coming"].([]any)[0])
		require.Equal(t, text(first.AddDate(0, 0, 2)), v.Text("nextDay"))

		id := v.Text("_id")
		d.accepter.Do("POST", "/schedules/"+id+"/accept", nil).OK(200)

		d.goTo(first.AddDate(0, 0, 1))
		d.run()
		require.Zero(t, d.paid()+d.drafts())
		require.Len(t, d.mails(d.maker, mail.ScheduleDue), 1)

		d.goTo(first.AddDate(0, 0, 2))
		d.run()
		require.EqualValues(t, 1, d.paid())

		crypto := d.maker.Do("POST", "/schedules", d.rent(d.today(1), nil)).OK(201)
		d.rests[text(d.today(1))] = true
		require.Equal(t, text(d.today(1)), d.maker.Do("GET", "/schedules/"+crypto.Text("_id"), nil).Text("nextDay"))
	})
}

// P-13: what is not as it was when the schedule was accepted is not paid: the transaction waits for a person, and
// people are told why, once.
func TestWhatHasChangedSinceWaitsForAPerson(t *testing.T) {
	for name, x := range map[string]struct {
		fiat   bool
		change func(d *desk, id string)
		undo   func(d *desk)
		why    string
	}{
		"the accepter is no longer authorized": {
			change: func(d *desk, _ string) {
				d.Exec("UPDATE members SET user_type = 'none' WHERE id = ?", d.accepter.ID)
			},
			undo: func(d *desk) {
				d.Exec("UPDATE members SET user_type = 'authorized' WHERE id = ?", d.accepter.ID)
			},
			why: "AUTHORIZED",
		},
		"the accepter has left": {
			change: func(d *desk, _ string) {
				d.Exec("UPDATE members SET is_active = FALSE WHERE id = ?", d.accepter.ID)
			},
			undo: func(d *desk) { d.Exec("UPDATE members SET is_active = TRUE WHERE id = ?", d.accepter.ID) },
			why:  "AUTHORIZED",
		},
		"four eyes came, and one person did both": {
			change: func(d *desk, id string) {
				d.Exec("UPDATE schedules SET accepted_by = created_by WHERE id = ?", id)
				d.maker.Policy(object{"fourEyes": true})
			},
			why: "another authorized member",
		},
		"the receiver is another person": {
			change: func(d *desk, _ string) {
				d.Exec("UPDATE receivers SET last_name = 'Mallory' WHERE id = ?", d.payee)
			},
			undo: func(d *desk) { d.Exec("UPDATE receivers SET last_name = 'Keller' WHERE id = ?", d.payee) },
			why:  "not what was accepted",
		},
		"the account is another one": {
			fiat: true,
			change: func(d *desk, _ string) {
				d.maker.Do("PATCH", "/bank-accounts/"+d.account, object{"iban": "DE12500105170648489890"}).OK(200)
				d.RunJobs()
			},
			why: "not what was accepted",
		},
		"the rate has moved past the bound": {
			fiat:   true,
			change: func(d *desk, id string) { d.Exec("UPDATE schedules SET most_units = '99000000' WHERE id = ?", id) },
			undo:   func(d *desk) { d.Exec("UPDATE schedules SET most_units = '199000000'") },
			why:    "the schedule allows 99.00 USDC at most",
		},
		"the wallet has approved too little": {
			change: func(d *desk, _ string) { d.Node.Set(1e12, 1) },
			undo:   func(d *desk) { d.Node.Set(1e12, 1e12) },
			why:    "approved",
		},
		"the wallet is not proven any more": {
			change: func(d *desk, _ string) { d.proof("REVOKED") },
			undo:   func(d *desk) { d.proof("VERIFIED") },
			why:    "REVOKED",
		},
		"the receiver is gone": {
			change: func(d *desk, _ string) { d.maker.Do("DELETE", "/receivers/"+d.payee, nil).OK(200) },
			why:    "receiver",
		},
		"a back-up was restored": {
			change: func(d *desk, _ string) { d.restored = d.DB.Now() },
			undo:   func(d *desk) { d.restored = time.Time{} },
			why:    "restored",
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, d *desk) {
				first := d.today(10)

				body := d.rent(first, nil)
				if x.fiat {
					body = d.salary(first, nil)
				}

				id := d.accepted(body)
				x.change(d, id)
				d.clock(first.Add(time.Hour))
				d.run()
				require.Zero(t, d.accepts())

				if x.why == "not what was accepted" {
					require.EqualValues(t, 1, d.Count("SELECT count(*) FROM transactions WHERE status = 'DRAFT'"))
				}

				if x.undo != nil {
					x.undo(d)
				}

				d.clock(first.Add(2 * time.Hour))
				d.run()
				require.Zero(t, d.accepts(), "it is a person's by now")

				d.goTo(first)
				require.Equal(t, []string{"ASKED"}, d.days(id))
				require.Equal(t, "ENDED", d.state(id))

				told := d.mails(d.maker, mail.ScheduleAsks)
				require.Len(t, told, 1)
				require.Contains(t, told[0].Text, x.why)
			})
		})
	}
}

// A draft that somebody has changed is not what was accepted.
func TestADraftThatSomebodyHasChangedWaitsForAPerson(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		id := d.accepted(d.rent(first, nil))
		d.goTo(first)
		d.Node.Down = true
		require.Error(t, d.steps())
		require.Equal(t, []string{"MADE"}, d.days(id))

		txn := d.transactionOf(id)
		d.maker.Do("PUT", "/transactions/"+txn, d.rent(first, object{
			"firstDay": nil,
			"payments": []object{d.tokens("99.00")},
		})).OK(200)

		d.Node.Down = false
		d.run()
		require.Zero(t, d.paid())
		require.Equal(t, []string{"ASKED"}, d.days(id))
	})
}

// A draft that somebody else has submitted meanwhile is compared when it is accepted, too.
func TestADraftThatSomebodyHasSubmittedIsCompared(t *testing.T) {
	for name, change := range map[string]func(d *desk, transactionID string){
		"costs more": func(d *desk, _ string) { d.Exec("UPDATE schedules SET most_units = '99000000'") },
		"pays another sum": func(d *desk, transactionID string) {
			d.maker.Do("PUT", "/transactions/"+transactionID, d.rent(d.today(0), object{
				"firstDay": nil,
				"payments": []object{d.tokens("99.00")},
			})).OK(200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, d *desk) {
				first := d.today(10)
				id := d.accepted(d.rent(first, nil))
				d.goTo(first)
				d.Node.Down = true
				require.Error(t, d.steps())

				d.Node.Down = false
				change(d, d.transactionOf(id))
				d.maker.Do("POST", "/transactions/"+d.transactionOf(id)+"/submit", nil).OK(200)
				d.run()
				require.Zero(t, d.accepts())
				require.Equal(t, []string{"ASKED"}, d.days(id))
			})
		})
	}
}

// A node that does not answer is asked again until the day is over. Then people are asked.
func TestWhatMayPassIsTriedAgainUntilTheDayIsOver(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		id := d.accepted(d.rent(first, object{"repeats": "WEEKLY"}))
		d.goTo(first)
		d.Node.Down = true
		require.Error(t, d.steps())
		require.Zero(t, d.paid())

		d.Node.Down = false
		d.run()
		require.EqualValues(t, 1, d.paid())

		d.goTo(first.AddDate(0, 0, 7))
		d.Node.Down = true
		require.Error(t, d.steps())

		d.goTo(first.AddDate(0, 0, 8))
		d.Node.Down = false
		d.run()
		require.EqualValues(t, 1, d.paid(), "yesterday's is not paid today")
		require.Equal(t, []string{"ASKED", "PAID"}, d.days(id))
		require.Len(t, d.mails(d.maker, mail.ScheduleAsks), 1)
		require.Equal(t, "ACTIVE", d.state(id))
	})
}

// Each schedule that is due has a job of its own, however many there are, and a day that was made has one until it is
// over. One that waits for nothing has none.
func TestEachScheduleThatIsDueHasAJob(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		look := func() int64 {
			require.NoError(t, d.schedules.Look(t.Context()))
			return d.Count("SELECT count(*) FROM jobs WHERE kind = ?", schedule.Job)
		}

		first := d.today(10)
		id := d.accepted(d.rent(first, nil))
		d.copies(id, 450)
		require.Zero(t, look())

		d.goTo(first)
		require.EqualValues(t, 451, look())
		require.EqualValues(t, 451, look(), "they live")

		d.Exec("DELETE FROM jobs")
		d.Exec("UPDATE schedules SET state = 'STOPPED' WHERE id <> ?", id)
		d.Node.Down = true
		require.Error(t, d.schedules.Step(t.Context(), id))
		require.Equal(t, []string{"MADE"}, d.days(id))
		require.EqualValues(t, 1, look())
		d.Node.Down = false
		d.RunJobs()
		require.EqualValues(t, 1, d.paid())
		require.Zero(t, look())
	})
}

// Nothing is paid after a stop, even if the day's transaction was made already. It may be accepted anew, from its next
// day on.
func TestStopWorksUntilTheAcceptance(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.today(10)
		id := d.accepted(d.rent(first, object{"repeats": "WEEKLY"}))
		d.goTo(first)
		d.Node.Down = true
		require.Error(t, d.steps())

		v := d.accepter.Do("POST", "/schedules/"+id+"/stop", nil).OK(200)
		require.Equal(t, "STOPPED", v.Text("state"))
		require.Equal(t, []any{"accept"}, v.Body["allowedActions"])

		d.Node.Down = false
		d.run()
		d.goTo(first.AddDate(0, 0, 8))
		d.run()
		require.Zero(t, d.paid())
		require.Equal(t, []string{"STOPPED"}, d.days(id))
		d.maker.Do("POST", "/schedules/"+id+"/stop", nil).Refused(409, string(fault.ScheduleState))

		d.accepter.Do("POST", "/schedules/"+id+"/accept", nil).OK(200)
		d.run()
		require.Zero(t, d.paid(), "what was stopped is not made up for")
		d.goTo(first.AddDate(0, 0, 14))
		d.run()
		require.EqualValues(t, 1, d.paid())
		require.Equal(t, []string{"PAID", "STOPPED"}, d.days(id))
	})
}

// It is accepted by whoever may accept such a transaction, and by nobody else; of many at once one has the effect.
func TestAcceptIsUnderTheRulesOfTransactions(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		viewer := d.maker.Colleague("Vera", "viewer")
		initiator := d.maker.Colleague("Ivan", "initiator")
		id := d.made(d.rent(d.today(3), nil))
		accept := "/schedules/" + id + "/accept"

		viewer.Do("POST", accept, nil).Refused(403, string(fault.MemberNotAuthor))
		initiator.Do("POST", accept, nil).Refused(403, string(fault.MemberNotAuthor))
		viewer.Do("POST", "/schedules/"+id+"/stop", nil).Refused(403, string(fault.MemberNotAuthor))
		viewer.Do("POST", "/schedules", d.rent(d.today(3), nil)).Refused(403, string(fault.RoleRequired))

		d.maker.Policy(object{"fourEyes": true})
		d.maker.Do("POST", accept, nil).Refused(403, string(fault.SecondPersonRequired))

		d.proof("REVOKED")
		d.accepter.Do("POST", accept, nil).Refused(422, string(fault.WalletNotVerified))
		d.proof("VERIFIED")

		var (
			all sync.WaitGroup
			mu  sync.Mutex
			got = map[int]int{}
		)
		for range 6 {
			all.Go(func() {
				a := d.accepter.Do("POST", accept, nil)

				mu.Lock()
				defer mu.Unlock()

				got[a.Status]++
			})
		}

		all.Wait()
		require.Equal(t, map[int]int{200: 1, 409: 5}, got)

		stranger := d.Founder("Eve")
		stranger.Do("GET", "/schedules/"+id, nil).Refused(404, string(fault.NotFoundCode))
		stranger.Do("POST", accept, nil).Refused(404, string(fault.NotFoundCode))
		stranger.Do("POST", "/schedules/"+id+"/stop", nil).Refused(404, string(fault.NotFoundCode))
		require.Empty(t, stranger.Do("GET", "/schedules", nil).OK(200).Results())
		require.Len(t, d.maker.Do("GET", "/schedules?state[]=ACTIVE", nil).OK(200).Results(), 1)
	})
}

// Whatever is wrong with a schedule is said at its field, all at once.
func TestBodiesThatAreRefused(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for name, x := range map[string]struct {
			body  object
			wrong []string
		}{
			"today":         {d.rent(d.today(0), nil), []string{"/firstDay DAY_OFF"}},
			"no day":        {d.rent(d.today(3), object{"firstDay": "soon"}), []string{"/firstDay FORMAT_INVALID"}},
			"an early end":  {d.rent(d.today(3), object{"until": text(d.today(2))}), []string{"/until DAY_OFF"}},
			"a small bound": {d.rent(d.today(3), object{"maxDebit": "99.99"}), []string{"/maxDebit SCHEDULE_BOUND"}},
			"no bound":      {d.salary(d.today(3), object{"maxDebit": nil}), []string{"/maxDebit REQUIRED"}},
			"a low bound":   {d.salary(d.today(3), object{"maxDebit": "50"}), []string{"/maxDebit SCHEDULE_BOUND"}},
			"two things": {
				d.rent(d.today(0), object{"token": nil}),
				[]string{"/firstDay DAY_OFF", "/token REQUIRED"},
			},
			"a payment made again": {
				d.rent(d.today(3), object{
					"payments": []object{d.tokens("1.00").With(object{"again": "pay_06f2k8s0m4x3v7q9.1"})},
				}),
				[]string{"/payments/0/again NOT_ALLOWED"},
			},
			"a deposit": {d.rent(d.today(3), object{"type": "ONRAMP"}), []string{"/type TX_NOT_FOR_TYPE"}},
		} {
			d.Run(t, name, func(*testing.T) {
				code := string(fault.Validation)
				if len(x.wrong) == 1 {
					_, code, _ = strings.Cut(x.wrong[0], " ")
				}

				d.maker.Do("POST", "/schedules", x.body).Refused(422, code, x.wrong...)
			})
		}

		id := d.made(d.rent(d.today(3), nil))
		d.goTo(d.today(4))
		d.accepter.Do("POST", "/schedules/"+id+"/accept", nil).Refused(409, string(fault.SchedulePast))
	})
}

// An organisation has so many schedules at once and no more; those that are stopped do not count.
func TestThereAreAtMostFiveHundredAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		id := d.made(d.rent(d.today(3), nil))

		d.copies(id, 499)
		d.maker.Do("POST", "/schedules", d.rent(d.today(3), nil)).Refused(409, string(fault.ScheduleLimit))
		d.maker.Do("POST", "/schedules/"+id+"/stop", nil).OK(200)
		d.made(d.rent(d.today(3), nil))
	})
}
