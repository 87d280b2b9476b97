package transaction

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/directory/receiver"
	"slipway/internal/identity/comment"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/platformtest"
)

// shownWith is a transaction of n payments as a client sees it.
func shownWith(n int) *View {
	at := time.Date(2026, 11, 22, 1, 2, 3, 456_000_000, time.UTC)
	v := &View{
		ID:               "txn_01jc3v00000000000000000001",
		Type:             TypeCrypto,
		Status:           StatusDraft,
		SettlementStatus: string(SettlementIdle),
		Organisation:     "org_01jc3v00000000000000000001",
		Token:            "USDC",
		WalletAddress:    "0x52908400098527886E0F7030069857D2E4169EE7",
		Fees:             []quote.FeeView{},
		Totals:           TotalsView{TokenDebit: "1250.29", Token: "USDC"},
		Chain:            []Effect{},
		Timeline: []StepView{{
			Status:           string(StatusDraft),
			SettlementStatus: string(SettlementIdle),
			Actor:            "usr_01jc3v00000000000000000001",
			At:               at,
			Version:          1,
		}},
		Comments:       []comment.View{},
		AllowedActions: []string{"update", "submit", "delete"},
		CreatedBy:      "usr_01jc3v00000000000000000001",
		CreatedAt:      at,
		UpdatedAt:      at,
		Version:        1,
	}

	to := ReceiverSnapshot{
		ID:        "rcv_01jc3v00000000000000000001",
		Type:      "INDIVIDUAL",
		FirstName: "Ada",
		LastName:  "Größe \"G\"",
		Email:     "ada@example.com",
		Address:   &receiver.AddressView{City: "Bern"},
	}
	for i := range n {
		v.Payments = append(v.Payments, PaymentView{
			ID:            fmt.Sprintf("%s_%02d", v.ID, i+1),
			Type:          TypeCrypto,
			Status:        "PENDING",
			Amount:        "0.01",
			Reason:        fmt.Sprintf("Invoice 2026-%03d", i),
			Receiver:      SnapshotView(to.text()),
			TokenIsoCode:  "USDC",
			WalletAddress: v.WalletAddress,
			WalletType:    "EOA",
			Network:       "net_sepolia",
			CreatedAt:     at,
			UpdatedAt:     at,
		})
	}

	return v
}

// Every read and every create writes a view: a field that only the library can write would cost a multiple of it.
// Nothing is allocated while nothing is left to the library.
func TestViewIsWrittenWithoutTheLibrary(t *testing.T) {
	v := shownWith(30)
	want, err := json.Marshal(v)
	require.NoError(t, err)
	buffer, err := jsonout.Append(nil, v)
	require.NoError(t, err)
	platformtest.SameAnswer(t, want, buffer)
	require.Zero(t, testing.AllocsPerRun(10, func() { buffer, _ = jsonout.Append(buffer[:0], v) }))
}

func TestPaymentWithoutItsReceiverIsNotShown(t *testing.T) {
	v := shownWith(1)
	v.Payments[0].Receiver = ""
	_, err := jsonout.Marshal(v)
	require.Error(t, err)
}

func BenchmarkView(b *testing.B) {
	for _, n := range []int{3, 30} {
		v := shownWith(n)

		for name, marshal := range map[string]func(v any) ([]byte, error){
			"plan": jsonout.Marshal, "library": func(v any) ([]byte, error) { return json.Marshal(v) },
		} {
			b.Run(fmt.Sprintf("%d payments, %s", n, name), func(b *testing.B) {
				b.ReportAllocs()

				for b.Loop() {
					if _, err := marshal(v); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
