package effect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/effect"
)

func TestAKeyIsReadAsItWasWritten(t *testing.T) {
	for text, k := range map[string]effect.Key{
		"transaction/txn_1/batch":              effect.BatchOf("txn_1"),
		"transaction/txn_1/convert/EUR":        effect.ConversionOf("txn_1", "EUR"),
		"transaction/txn_1/payout/0":           effect.PayoutOf("txn_1", 0),
		"transaction/txn_1/payout/29/3":        effect.PayoutOf("txn_1", 29).Nth(3),
		"transaction/txn_1/tokens":             effect.DeliveryOf("txn_1"),
		"transaction/txn_1/tokens/2":           effect.DeliveryOf("txn_1").Nth(2),
		"transaction/txn_1/refund/4":           effect.RefundOf("txn_1", 4),
		"transaction/txn_1/refund/all/2":       effect.RefundAll("txn_1").Nth(2),
		"transaction/txn_1/return/ent_1.2":     effect.ReturnOf("txn_1", "ent_1/2"),
		"transaction/txn_1/return/ent_1.2/5":   effect.ReturnOf("txn_1", "ent_1/2").Nth(5),
		"deposit/ent_1/refund/1":               effect.SendBackOf("ent_1", 1),
		"deposit/ent_1/2/refund/12":            effect.SendBackOf("ent_1/2", 12),
		"deposit/ent_1/refund/x/refund/2":      effect.SendBackOf("ent_1/refund/x", 2),
		"transaction/txn_1/convert/CHF/2":      effect.ConversionOf("txn_1", "CHF").Nth(2),
		"transaction/txn_1/payout/0/922337203": effect.PayoutOf("txn_1", 0).Nth(922337203),
	} {
		require.Equal(t, text, k.String())

		read, ok := effect.Parse(text)
		require.True(t, ok, text)
		require.Equal(t, k, read)
	}

	require.Equal(
		t,
		effect.PayoutOf("t", 3).String(),
		effect.PayoutOf("t", 3).Nth(1).String(),
		"the first is shown by nothing",
	)
	require.Equal(t, effect.PayoutOf("t", 3), effect.PayoutOf("t", 3).Nth(7).First())
}

func TestWhatIsNoKeyIsNotRead(t *testing.T) {
	for _, text := range []string{
		"", "transaction", "transaction/", "transaction/txn_1", "transaction//batch", "transaction/txn_1/hold",
		"transaction/txn_1/payout", "transaction/txn_1/payout/0/x", "transaction/txn_1/payout/0/1",
		"transaction/txn_1/payout/0/-2", "transaction/txn_1/payout/0/2/3", "transaction/txn_1/batch/gas",
		"transaction/txn_1/refund", "transaction/txn_1/refund/", "transaction/txn_1/sendback", "deposit/ent_1",
		"deposit/refund/1", "deposit//refund/1", "deposit/ent_1/refund/", "deposit/ent_1/refund/+1",
		"deposit/ent_1/refund/-1", "filler/snd_1", "treasury/n/0x1", "entry/ent_1",
		"transaction/txn_1/payout/0/99999999999999999999",
	} {
		_, ok := effect.Parse(text)
		require.False(t, ok, text)
	}
}

func TestEachWordIsExplainedOnce(t *testing.T) {
	seen := map[effect.Word]bool{}

	for _, w := range effect.Words() {
		require.False(t, seen[w.Word], w.Word)
		require.NotEmpty(t, w.Form+w.Does+w.By+w.Proof)
		seen[w.Word] = true
	}

	require.Len(t, seen, 7)
}

func TestAKeyNamesAPayment(t *testing.T) {
	position, err := effect.PayoutOf("txn_1", 12).Position()
	require.NoError(t, err)
	require.Equal(t, 12, position)

	for _, k := range []effect.Key{effect.RefundAll("txn_1"), effect.DeliveryOf("txn_1"), effect.PayoutOf("txn_1", -1)} {
		_, err := k.Position()
		require.ErrorContains(t, err, "names no payment")
	}
}

func TestTheTreasurySendsThreeKinds(t *testing.T) {
	for _, k := range []effect.Key{
		effect.DeliveryOf("t"), effect.RefundOf("t", 0), effect.RefundAll("t"), effect.ReturnOf("t", "e"),
	} {
		require.True(t, k.ByTreasury(), k.String())
	}

	for _, k := range []effect.Key{
		effect.BatchOf("t"), effect.PayoutOf("t", 0), effect.ConversionOf("t", "EUR"), effect.SendBackOf("e", 1), {},
	} {
		require.False(t, k.ByTreasury(), k.String())
	}
}
