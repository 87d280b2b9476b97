//go:build !nosandbox

package banksim

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/iso20022/pacs"
	"slipway/internal/standards/iso20022/pain"
)

// collected is what a reader of statements was given.
type collected struct {
	headers []camt.Header
	entries []camt.Entry
	totals  []camt.Totals
}

func (c *collected) Statement(h camt.Header) error { c.headers = append(c.headers, h); return nil }
func (c *collected) Entry(e camt.Entry) error      { c.entries = append(c.entries, e); return nil }
func (c *collected) End(t camt.Totals) error       { c.totals = append(c.totals, t); return nil }

// What our writer writes for each service, this bank understands with a reader of its own, and what it answers our
// reader understands: two programs that share no code agree on every amount and identification.
func TestTheBankAndWeUnderstandEachOther(t *testing.T) {
	gb := pain.Agent{SortCode: "999999"}

	for _, c := range []struct {
		service       pain.Service
		house         Account
		debtor        pain.Account
		agent, toBank pain.Agent
		to            pain.Account
		currency      string
	}{
		{pain.SEPA, testAccounts[0], pain.Account{IBAN: testAccounts[0].IBAN}, pain.Agent{BIC: "SLWYDEF0XXX"}, pain.Agent{}, pain.Account{IBAN: iban(plainEnding)}, "EUR"},
		{pain.SEPAInstant, testAccounts[0], pain.Account{IBAN: testAccounts[0].IBAN}, pain.Agent{BIC: "SLWYDEF0XXX"}, pain.Agent{BIC: "SLWYDEF0XXX"}, pain.Account{IBAN: iban(plainEnding)}, "EUR"},
		{
			pain.UK,
			Account{
				ID:            "gbp",
				Currency:      "GBP",
				Country:       "GB",
				AccountNumber: "12345678",
				SortCode:      "999999",
				BIC:           "SLWYGBL0XXX",
				Opening:       "500.00",
			},
			pain.Account{Number: "12345678"},
			pain.Agent{SortCode: "999999", BIC: "SLWYGBL0XXX"},
			gb,
			pain.Account{Number: "55779911"},
			"GBP",
		},
		{
			pain.CHAPS,
			Account{
				ID:            "gbp",
				Currency:      "GBP",
				Country:       "GB",
				AccountNumber: "12345678",
				SortCode:      "999999",
				BIC:           "SLWYGBL0XXX",
				Opening:       "500.00",
			},
			pain.Account{Number: "12345678"},
			pain.Agent{SortCode: "999999", BIC: "SLWYGBL0XXX"},
			gb,
			pain.Account{Number: "55779911"},
			"GBP",
		},
		{
			pain.ACH, testAccounts[1],
			pain.Account{Number: "000123456789", Type: "CACC"},
			pain.Agent{ABA: "123456780", BIC: "SLWYUSN0XXX"},
			pain.Agent{ABA: "021000021"},
			pain.Account{Number: "998877", Type: "CACC"},
			"USD",
		},
		{
			pain.Wire, testAccounts[1],
			pain.Account{Number: "000123456789"},
			pain.Agent{ABA: "123456780", BIC: "SLWYUSN0XXX"},
			pain.Agent{ABA: "021000021", Name: "Bank", Address: pain.Address{Town: "New York", Country: "US"}},
			pain.Account{Number: "998877"},
			"USD",
		},
		{
			pain.India,
			Account{
				ID:            "inr",
				Currency:      "INR",
				Country:       "IN",
				AccountNumber: "00012345678901",
				IFSC:          "SLWY0000001",
				BIC:           "SLWYINB0XXX",
				Opening:       "500.00",
			},
			pain.Account{Number: "00012345678901"},
			pain.Agent{IFSC: "SLWY0000001", BIC: "SLWYINB0XXX"},
			pain.Agent{IFSC: "HDFC0000123"},
			pain.Account{Number: "50100012345678"},
			"INR",
		},
		{
			pain.SWIFT,
			Account{
				ID:       "aed",
				Currency: "AED",
				Country:  "AE",
				IBAN:     "AE120990000123456789012",
				BIC:      "SLWYAEA0XXX",
				Opening:  "500.00",
			},
			pain.Account{IBAN: "AE120990000123456789012"},
			pain.Agent{BIC: "SLWYAEA0XXX"},
			pain.Agent{BIC: "SLWYSGS0XXX"},
			pain.Account{Number: "12345678901"},
			"AED",
		},
	} {
		t.Run(string(c.service), func(t *testing.T) {
			d := open(t)
			folder := t.TempDir()
			require.NoError(t, d.Bank.Close())
			b, err := New(Config{Folder: folder, Accounts: []Account{c.house}, Clock: d.clock, AtOnce: true})
			require.NoError(t, err)
			d.Bank = b
			t.Cleanup(func() { _ = b.Close() })
			address := pain.Address{
				Street:   "Main Street",
				Building: "1",
				PostCode: "10001",
				Town:     "Town",
				Country:  "US",
			}
			raw, _, err := pain.Render(pain.Initiation{
				MsgID:           "M1",
				CreatedAt:       d.clock.Now(),
				InitiatingParty: pain.Party{Name: "Slipway"},
				Blocks: []pain.Block{{
					PmtInfID:      "M1-O",
					Debtor:        pain.Party{Name: "Slipway", Address: address},
					DebtorAccount: c.debtor,
					DebtorAgent:   c.agent,
					Service:       c.service,
					ExecutionDate: "2026-11-23",
					Charges:       pain.SHA,
					SingleBooking: true,
					Transfers: []pain.Transfer{{
						InstrID:         "I1",
						EndToEndID:      "E1",
						UETR:            "97ed4827-7b6f-4491-a06f-b548d5a7512d",
						Amount:          "123.45",
						Currency:        c.currency,
						Creditor:        pain.Party{Name: "Müller & Söhne", Address: address},
						CreditorAccount: c.to,
						CreditorAgent:   c.toBank,
						Purpose:         "GDDS",
						Remittance:      "Invoice 2026-117",
					}},
				}},
			})
			require.NoError(t, err, "%v", err)
			d.send(string(raw))
			files, err := d.Files(context.Background())
			require.NoError(t, err)
			require.Equal(t, "ACCEPTED", files[0].Outcome, "%+v\n%s", files, raw)
			require.Equal(t, "EXECUTED", d.payment("E1").State, "%+v\n%s", d.payment("E1"), raw)
			d.control(Control{Op: "statement"})

			var got collected
			for _, answer := range d.fetch() {
				if !strings.Contains(answer, "camt.") {
					require.NotContains(t, answer, "RJCT")
					continue
				}

				require.NoError(t, camt.Read(bytes.NewReader([]byte(answer)), iso20022.Limits{}, &got))
			}

			require.Len(t, got.entries, 2, "advised, and in the statement")

			for _, e := range got.entries {
				require.Equal(t, got.entries[0].AcctSvcrRef, e.AcctSvcrRef)
				require.Equal(t, camt.Booked, e.Status)
				require.False(t, e.Credit)
				require.Equal(t, "E1", e.Details[0].EndToEndID)
				require.Equal(t, "97ed4827-7b6f-4491-a06f-b548d5a7512d", e.Details[0].UETR)
				require.Equal(t, "123.45", fmt.Sprint(e.Details[0].Amount.Value))
				require.Contains(t, []string{c.house.IBAN, c.house.AccountNumber}, e.Account.ID())
			}

			for _, x := range got.totals {
				require.Empty(t, x.Findings)
			}

			balance, err := d.BalanceText(context.Background(), c.house.ID)
			require.NoError(t, err)
			closing, found := got.headers[len(got.headers)-1].Balance("CLBD")
			require.True(t, found)
			require.Equal(t, balance, fmt.Sprint(closing.Amount.Value))
			d.sound()
		})
	}
}

// Every kind of answer in both versions can be read by our reader, with its returns, references and charges.
func TestOurReaderUnderstandsEveryAnswer(t *testing.T) {
	for _, version := range []Version{V02, V08} {
		d := open(t)
		d.control(Control{Op: "format", Kind: string(version)})
		d.send(orderText("M1", pay{"E4", "100.00", iban("004")}, pay{"E9", "100.00", iban("009")}))

		for _, k := range append(Kinds(), Exact) {
			d.deposit(Deposit{
				Currency:      "EUR",
				Amount:        "99.01",
				Sender:        "Bob",
				SenderAccount: iban("111"),
				Reference:     "RF18539007547034",
				Kind:          k,
			})
		}

		d.clock.Advance(time.Hour)
		d.work()
		d.clock.Advance(day)
		d.work()

		var got collected
		for _, answer := range d.fetch() {
			if strings.Contains(answer, "camt.") {
				require.NoError(t, camt.Read(strings.NewReader(answer), iso20022.Limits{}, &got))
			}
		}

		returned := 0
		charged := 0

		referred := 0
		for _, e := range got.entries {
			for _, x := range e.Details {
				if x.Return != nil {
					returned++
				}

				charged += len(x.Charges)
				referred += len(x.StructuredRefs)
			}
		}

		require.Equal(t, 4, returned, "two returns, in advice and statement")
		require.Equal(t, 4, charged, "a return's and a deposit's fee, each twice")
		require.Positive(t, referred)

		for _, x := range got.totals {
			require.Empty(t, x.Findings)
		}
	}
}

// What the bank reports on each ending, our readers give the meaning that the ending has.
func TestOurReaderUnderstandsReports(t *testing.T) {
	d := open(t)
	d.control(Control{Op: "pacs_on"})

	var list []pay
	for _, end := range []string{plainEnding, "002", "003", "004", "005", "006", "007", "008", "009"} {
		list = append(list, pay{"E" + end, "100.00", iban(end)})
	}

	d.send(orderText("M1", list...))
	d.clock.Advance(25 * time.Hour)
	d.work()
	meaning := map[string]pain.Meaning{}
	reason := map[string]string{}

	back := map[string]string{}
	for _, answer := range d.fetch() {
		switch {
		case strings.Contains(answer, "pain.002"):
			require.NoError(t, pain.Read002(strings.NewReader(answer), iso20022.Limits{}, func(s pain.Status) error {
				require.Equal(t, "M1", s.OriginalMsgID)

				if s.Level == pain.TransactionLevel {
					meaning[s.OriginalEndToEnd] = s.Meaning
					for _, r := range s.Reasons {
						reason[s.OriginalEndToEnd] = r.Code
					}
				}

				return nil
			}))

		case strings.Contains(answer, "pacs.004"):
			require.NoError(t, pacs.Read004(strings.NewReader(answer), iso20022.Limits{}, func(r pacs.Return) error {
				back[r.OriginalEndToEndID] = r.Returned.Value
				return nil
			}))
		}
	}

	require.Equal(t, map[string]pain.Meaning{
		"E100": pain.UnderWay,
		"E002": pain.Rejected,
		"E003": pain.Rejected,
		"E004": pain.UnderWay,
		"E005": pain.PendingAt,
		"E006": pain.PendingAt,
		"E008": pain.Rejected,
		"E009": pain.UnderWay,
	}, meaning, "of 007 nothing is ever said")
	require.Equal(t, map[string]string{"E002": "AC04", "E003": "AC01", "E006": "RR04", "E008": "AB05"}, reason)
	require.Equal(t, map[string]string{"E004": "100.00", "E009": "85.00"}, back)
	d.sound()
}
