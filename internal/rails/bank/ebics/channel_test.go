//go:build !nosandbox

package ebics_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/bank/ebicssim"
)

// silent is an observer that keeps nothing.
type silent struct{}

func (silent) HandedOver(context.Context, *db.Tx, bank.Payout) error { return nil }

func (silent) Booked(context.Context, *db.Tx, bank.Payout, bank.Entry) error { return nil }

func (silent) Rejected(context.Context, *db.Tx, bank.Payout, bank.Reason) error { return nil }

func (silent) Held(context.Context, *db.Tx, bank.Payout, string) error { return nil }

func (silent) Returned(context.Context, *db.Tx, bank.Payout, bank.Return) error { return nil }

func (silent) PayeeChecked(context.Context, *db.Tx, bank.Payout, bank.PayeeCheck) error { return nil }

func (silent) Corrected(context.Context, *db.Tx, bank.Payout, bank.Corrected) error { return nil }

func (silent) Credited(context.Context, *db.Tx, []bank.Entry) error { return nil }

func (silent) Debited(context.Context, *db.Tx, []bank.Entry) error { return nil }

func (silent) Withdrawn(context.Context, *db.Tx, []bank.Entry) (bool, error) { return true, nil }

var house = []bank.HouseAccount{{
	ID:       "eur",
	Currency: "EUR",
	Country:  "DE",
	IBAN:     "DE89370400440532013000",
	BIC:      "SLWYDEF0XXX",
	Holder:   "Slipway Test",
	BankName: "Bank",
	Rails:    []string{"SEPA"},
}}

// line is a house that pays over EBICS: a rail, a database, a bank, and the wire between.
type line struct {
	*desk
	d    *db.DB
	rail *bank.Rail
}

// newLine sets a contract up. Small segments make uploads of several.
func newLine(t *testing.T, d *db.DB, v ebics.Version, segment int) *line {
	t.Helper()
	l := &line{desk: ready(t, v), d: d}
	require.NoError(t, ebics.AddReady(t.Context(), d, subscriber, v, l.Keys, l.Bank))
	l.rail = railOver(t, d, v, l.wire, "https://ebics.bank.example/", t.TempDir(), segment)

	return l
}

// railOver opens the rail of the house over a connection.
func railOver(
	t *testing.T, d *db.DB, v ebics.Version, over http.RoundTripper, url, folder string, segment int,
) *bank.Rail {
	t.Helper()

	contract, err := ebics.NewContract(ebics.ContractConfig{
		DB:          d,
		URL:         url,
		Subscriber:  subscriber,
		Transport:   over,
		SegmentSize: segment,
	})
	require.NoError(t, err)

	ch, err := ebics.NewChannel(contract, ebics.ChannelConfig{
		Accounts:  house,
		Payments:  map[string]ebics.Order{"": payments(v)},
		Downloads: []ebics.Order{statements(v)},
	})
	require.NoError(t, err)

	r, err := bank.New(bank.Config{
		DB:       d,
		Observer: silent{},
		Accounts: house,
		Channel:  ch,
		Archive:  filepath.Join(folder, "archive"),
	})
	require.NoError(t, err)

	return r
}

// plan plans one payout to a key.
func plan(t *testing.T, d *db.DB, r *bank.Rail, key string) {
	t.Helper()

	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		return r.Plan(tx, bank.Payout{
			Key:        key,
			Object:     "txn_1",
			From:       "eur",
			Rail:       "SEPA",
			Amount:     money.FromUnits(bank.Asset("EUR"), big.NewInt(1250)),
			Charges:    "SHA",
			Creditor:   bank.Party{Name: "Alice", Town: "Wien", Country: "AT"},
			Account:    bank.AccountIDs{IBAN: "AT611904300234573201", Country: "AT"},
			Remittance: "Invoice 1",
		})
	}))
}

// work lets the rail work for half an hour of its clock, and longer than it asks a bank. Errors are the bank's.
func (l *line) work() {
	for range 8 {
		_ = l.rail.Work(context.Background())
		l.d.Clock().Advance(5 * time.Minute)
	}
}

// once checks what must hold whatever happened: at most one order is at the bank; a payout counts as handed over only
// with one, and else it is held, or was never announced. It returns which.
func (l *line) once(key string) bank.State {
	l.t.Helper()

	s, err := l.rail.Status(context.Background(), l.d, key)
	require.NoError(l.t, err)

	n := len(l.host.Orders())
	require.LessOrEqual(l.t, n, 1, "orders at the bank")

	paid, err := l.bank.Executions(context.Background())
	require.NoError(l.t, err)
	require.Len(l.t, paid, n)

	for _, times := range paid {
		require.Equal(l.t, 1, times)
	}

	switch s.State {
	case bank.Filed: // the bank has accepted no order yet, and the file waits for it
		require.Zero(l.t, n)
		return bank.Filed
	case bank.HandedOver, bank.Accepted, bank.Booked:
		require.Equal(l.t, 1, n, "it is %s, and the bank has no order", s.State)
		return bank.HandedOver
	case bank.Held:
		return bank.Held
	}

	require.Fail(l.t, "neither at the bank nor held", "%s %s", s.State, s.Reason)

	return s.State
}

const payKey = "transaction/txn_1/payout/1"

// A payout goes out by EBICS, and the bank's reports come in, once each.
func TestAPayoutGoesByEBICS(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			l := newLine(t, d, v, 0)
			plan(t, d, l.rail, payKey)
			require.NoError(t, l.rail.Work(t.Context()))
			require.NoError(t, l.rail.Work(t.Context()))
			require.Equal(t, bank.HandedOver, l.once(payKey))

			inbox, err := l.rail.Inbox(t.Context(), d, "", "", 10)
			require.NoError(t, err)
			require.NotEmpty(t, inbox)
			require.Equal(t, "pain.002", inbox[0].Kind)

			before := len(l.wire.requests)
			require.NoError(t, l.rail.Work(t.Context()))
			require.Len(t, l.wire.requests, before+1, "one question for reports, and nothing else")
		})
	})
}

// F-13: whatever the bank does at any step, once or again and again, there is one order at the bank, or
// people decide. What the bank had completely is found.
func TestOneOrderWhateverTheBankDoes(t *testing.T) {
	kinds := []ebicssim.LieKind{
		ebicssim.LieDeaf, ebicssim.LieSilent, ebicssim.LieTwice, ebicssim.LieStale, ebicssim.LieOtherOrder,
		ebicssim.LieOtherOrderID, ebicssim.LieWrongSignature, ebicssim.LieUnsigned, ebicssim.LieForgets,
		ebicssim.LieCutAnswer,
	}

	both(t, func(t *testing.T, v ebics.Version) {
		for _, segment := range []int{0, 200} {
			for _, phase := range []string{"Initialisation", "Transfer"} {
				if segment > 0 && (phase == "Initialisation" || v == ebics.H004) {
					continue // the announcement is the same, and so are segments
				}

				for _, kind := range kinds {
					for _, times := range []int{1, 40} {
						t.Run(fmt.Sprintf("%d %s %s %d", segment, phase, kind, times), func(t *testing.T) {
							l := newLine(t, dbtest.SQLite(t), v, segment)
							plan(t, l.d, l.rail, payKey)

							for range times {
								// only the order itself: reports and the protocol are asked for honestly
								l.host.Lie(ebicssim.Lie{Kind: kind, Phase: phase, At: 700, Order: orderMark(v, phase)})
							}

							// no report of the bank helps: the protocol has to
							require.NoError(t, l.bank.Control(t.Context(), banksim.Control{Op: "silence"}))
							l.work()
							state := l.once(payKey)

							if state == bank.Filed {
								require.Equal(t, 40, times, "it is tried again")
							}

							if len(l.host.Orders()) == 1 && kind != ebicssim.LieOtherOrderID {
								require.Equal(t, bank.HandedOver, state, "the bank has it, and its protocol says so")
							}
						})
					}
				}
			}
		}
	})
}

// orderMark is what a request of the upload has and a request of a download does not.
func orderMark(v ebics.Version, phase string) string {
	switch {
	case phase == "Transfer":
		return "<OrderData>"
	case v == ebics.H004:
		return "<OrderType>CCT<"
	}

	return "<AdminOrderType>BTU<"
}

// F-13: the wire breaks at each request of an upload, while the request is on its way and while the answer is: at its
// first and last bytes and between. That no other byte differs is shown elsewhere: a bank acts on no part of a request
// (TestAPartOfARequestIsNoRequest), a client on no part of an answer (TestEveryByteOfAnAnswerCounts).
func TestOneOrderWhereverTheWireBreaks(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		for _, segment := range []int{0, 200} {
			for request := range 4 {
				if segment == 0 && request > 1 {
					continue // there is one segment
				}

				for _, at := range []int{0, 1, 500, 1 << 20} {
					for _, answer := range []bool{false, true} {
						t.Run(
							fmt.Sprintf("%d request %d at %d answer %t", segment, request, at, answer),
							func(t *testing.T) {
								l := newLine(t, dbtest.SQLite(t), v, segment)
								plan(t, l.d, l.rail, payKey)

								l.wire.breakIn = request
								l.wire.breakAt = at
								l.wire.breakAnswer = answer

								l.work()
								require.Equal(t, bank.HandedOver, l.once(payKey))
							},
						)
					}
				}
			}
		}
	})
}

// A bank acts on no part of a request, wherever it ends.
func TestAPartOfARequestIsNoRequest(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		d := ready(t, v)
		_, err := d.upload(payFile("M1"))
		require.NoError(t, err)

		other := ready(t, v) // the same keys
		for _, text := range d.wire.requests[len(d.wire.requests)-2:] {
			for n := range text {
				out, ok := other.host.Answer(t.Context(), text[:n])
				require.True(t, ok)
				require.NotContains(t, string(out), "[EBICS_OK]")
			}
		}

		require.Empty(t, other.host.Orders())
	})
}

// The customer protocol is silent, or cannot be had: people decide, and nothing is sent again.
func TestSilenceIsHeld(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			l := newLine(t, d, v, 0)
			plan(t, d, l.rail, payKey)
			require.NoError(t, l.bank.Control(t.Context(), banksim.Control{Op: "silence"}))

			l.host.Lie(
				ebicssim.Lie{Kind: ebicssim.LieSilent, Phase: "Transfer", Order: "<OrderData>"}, // the bank has it
			)

			for range 200 {
				l.host.Lie(ebicssim.Lie{Kind: ebicssim.LieDeaf, Order: ">HAC<"})
			}

			l.work()
			require.Len(t, l.host.Orders(), 1)
			require.Equal(t, bank.Held, l.once(payKey))

			s, err := l.rail.Status(t.Context(), d, payKey)
			require.NoError(t, err)
			require.Equal(t, bank.HoldUnknown, s.Reason.Code)
		})
	})
}

// A refusal of the bank waits for people with the bank's reason, and is not sent again.
func TestARefusalIsHeldWithItsReason(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			l := newLine(t, d, v, 0)
			plan(t, d, l.rail, payKey)
			l.host.Deny("091302", "EBICS_ACCOUNT_AUTHORISATION_FAILED")

			l.work()
			require.Empty(t, l.host.Orders())
			require.Equal(t, bank.Held, l.once(payKey))

			s, err := l.rail.Status(t.Context(), d, payKey)
			require.NoError(t, err)
			require.Contains(t, s.Reason.Text, "091302")
			require.Contains(t, s.Reason.Text, "the user may not use this account")
		})
	})
}

// New keys of the bank stop payments until people have accepted them: nothing is sent to a key that nobody compared.
func TestNewKeysOfTheBankWaitForPeople(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		l := newLine(t, dbtest.SQLite(t), v, 0)
		plan(t, l.d, l.rail, payKey)
		require.NoError(t, l.host.NewKeys())

		for range 3 {
			err := l.rail.Work(t.Context())
			require.Error(t, err)
		}

		require.Empty(t, l.host.Orders())
	})
}

// The child process of the kill tests finds its world in these.
const (
	childDatabase = "SLIPWAY_TEST_EBICS_DATABASE"
	childURL      = "SLIPWAY_TEST_EBICS_URL"
	childFolder   = "SLIPWAY_TEST_EBICS_FOLDER"
	childSegment  = 200
)

// TestChildProcess is not a test of its own: it is the process that the kill tests let die.
func TestChildProcess(t *testing.T) {
	address := os.Getenv(childDatabase)
	if address == "" {
		t.Skip("runs as the child of another test")
	}

	d, err := db.Open(t.Context(), db.Config{URL: address, Clock: clock.New(), Keys: dbtest.Keys(t)})
	require.NoError(t, err)

	r := railOver(t, d, ebics.H005, nil, os.Getenv(childURL), os.Getenv(childFolder), childSegment)
	require.NoError(t, r.Work(t.Context()))
	require.NoError(t, d.Close())
}

// P-01 over EBICS: the process is killed, up to three times in a row, at each place between "selected" and "handed
// over". The bank has one order, of the bytes that were stored first.
func TestAKillAtAnyPlaceLeavesOneOrder(t *testing.T) {
	for _, point := range []string{
		"bank.rows_selected", "bank.bytes_saved", "bank.upload_half", "bank.staged", "bank.uploaded_unrenamed",
		"ebics.announced_unsaved", "ebics.segment_unsaved", "ebics.last_marked", "ebics.last_unsaved",
		"bank.renamed_unmarked", "bank.arrived",
	} {
		t.Run(point, func(t *testing.T) {
			for name, address := range map[string]func(t *testing.T) string{
				"sqlite":   func(t *testing.T) string { return "sqlite:" + dbtest.SQLiteFile(t) },
				"postgres": func(t *testing.T) string { return dbtest.PostgresURL(t) },
			} {
				t.Run(name, func(t *testing.T) { killed(t, point, address(t), 0) })
			}
		})
	}
}

// D-01, P-01 over EBICS: killed after a file of the bank was stored, and before the bank was told, the file is offered
// again. It counts once.
func TestAKillBeforeTheReceiptImportsOnce(t *testing.T) {
	for name, address := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + dbtest.SQLiteFile(t) },
		"postgres": func(t *testing.T) string { return dbtest.PostgresURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			l := killed(t, "ebics.stored_unacknowledged", address(t), 1)

			inbox, err := l.rail.Inbox(t.Context(), l.d, "", "", 100)
			require.NoError(t, err)

			seen := map[string]bool{}
			for _, f := range inbox {
				require.False(t, seen[f.Hash], f.Name)
				seen[f.Hash] = true
			}

			require.NotEmpty(t, seen)

			d := l.Client
			err = d.Download(t.Context(), statements(ebics.H005), func([]byte) error { return nil })
			require.ErrorIs(t, err, ebics.ErrNoData, "all was acknowledged")
		})
	}
}

// killed pays, after some rounds of work, with a child that is killed at a place.
func killed(t *testing.T, point, address string, rounds int) *line {
	t.Helper()

	d, err := db.Open(t.Context(), db.Config{URL: address, Clock: clock.New(), Keys: dbtest.Keys(t)})
	require.NoError(t, err)

	t.Cleanup(func() { require.NoError(t, d.Close()) })

	l := newLine(t, d, ebics.H005, childSegment)
	plan(t, d, l.rail, payKey)

	for range rounds {
		require.NoError(t, l.rail.Work(t.Context()))
	}

	server := httptest.NewServer(l.host)
	defer server.Close()

	dies := func() bool {
		cmd := exec.Command(os.Args[0], "-test.run=^TestChildProcess$", "-test.timeout=60s")

		cmd.Env = append(os.Environ(), childDatabase+"="+address, childURL+"="+server.URL, childFolder+"="+t.TempDir(),
			failpoint.Variable+"="+point)

		output, err := cmd.CombinedOutput()
		if err == nil {
			return false
		}

		exit, is := err.(*exec.ExitError) //nolint:errorlint // of this command
		require.True(t, is, string(output))
		require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), string(output))

		return true
	}

	require.True(t, dies(), "it must die at the place once")

	for range 2 {
		dies()
	}

	l.work()
	require.Equal(t, bank.HandedOver, l.once(payKey))

	return l
}
