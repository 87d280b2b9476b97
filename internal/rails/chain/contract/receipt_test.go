//go:build !nosandbox

package contract

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
)

var (
	testRouter = payee(900)
	testToken  = payee(901)
)

// forged makes logs as a router and a token would, for receipts that no honest chain gives.
type forged struct{ logs []*types.Log }

func (f *forged) add(from common.Address, data []byte, topics ...common.Hash) *forged {
	f.logs = append(f.logs, &types.Log{Address: from, Topics: topics, Data: data, Index: uint(len(f.logs))})
	return f
}

func (f *forged) transfer(token, from, to common.Address, amount int64) *forged {
	return f.add(token, word(big.NewInt(amount)), transferTopic, addressTopic(from), addressTopic(to))
}

func (f *forged) failed(number, index int64, reason string) *forged {
	data, err := routerABI.abi.Events["LegFailed"].Inputs.NonIndexed().Pack(big.NewInt(index), []byte(reason))
	if err != nil {
		panic(err)
	}

	return f.add(testRouter, data, legFailedTopic, common.BigToHash(big.NewInt(number)))
}

func (f *forged) executed(number, failed int64) *forged {
	return f.add(testRouter, word(big.NewInt(failed)), batchExecutedTopic, common.BigToHash(big.NewInt(number)),
		addressTopic(payer.address), addressTopic(testToken))
}

func testBatch(amounts ...int64) Batch {
	b := Batch{Payer: payer.address, Token: testToken, Number: big.NewInt(7)}
	for i, amount := range amounts {
		b.Legs = append(b.Legs, Leg{payee(i), big.NewInt(amount)})
	}

	return b
}

func parse(b Batch, f *forged) (Outcome, error) {
	return ParseReceipt(testRouter, b, &types.Receipt{Status: types.ReceiptStatusSuccessful, Logs: f.logs})
}

func TestReceiptProvesNothingWithoutTheTokensLog(t *testing.T) {
	b := testBatch(5, 6)

	for name, f := range map[string]*forged{
		"other token":  new(forged).transfer(testRouter, payer.address, payee(0), 5),
		"other payer":  new(forged).transfer(testToken, stranger.address, payee(0), 5),
		"other payee":  new(forged).transfer(testToken, payer.address, payee(9), 5),
		"other amount": new(forged).transfer(testToken, payer.address, payee(0), 4),
		"after the batch's end": new(forged).transfer(testToken, payer.address, payee(1), 6).executed(7, 0).
			transfer(testToken, payer.address, payee(0), 5),
		"in the batch before": new(forged).transfer(testToken, payer.address, payee(0), 5).executed(6, 0),
	} {
		t.Run(name, func(t *testing.T) {
			if name != "after the batch's end" {
				f.transfer(testToken, payer.address, payee(1), 6).executed(7, 0)
			}

			out, err := parse(b, f)
			require.NoError(t, err)
			require.Equal(t, "UP", statuses(out))
		})
	}
}

// E-07: a leg is paid only by the token's own log of exactly its payer, payee and amount: not by a token that nobody
// listed, not by a transfer of nothing, not by one that a fee has made smaller, not by one to the payer itself; and
// what a token moved while it said no is for a person.
func TestOnlyTheTokensExactTransferPaysALeg(t *testing.T) {
	unlisted := payee(902)
	to := payee(0)
	moved := func(token, from, to common.Address, amount int64) *forged {
		return new(forged).transfer(token, from, to, amount)
	}

	cases := map[string]struct {
		logs   *forged
		status LegStatus
	}{
		"exact":                  {moved(testToken, payer.address, to, 100).executed(7, 0), LegPaid},
		"of an unlisted token":   {moved(unlisted, payer.address, to, 100).executed(7, 0), LegUnclear},
		"of nothing":             {moved(testToken, payer.address, to, 0).executed(7, 0), LegUnclear},
		"less a fee":             {moved(testToken, payer.address, to, 99).executed(7, 0), LegUnclear},
		"to the payer itself":    {moved(testToken, payer.address, payer.address, 100).executed(7, 0), LegUnclear},
		"from somebody else":     {moved(testToken, payee(5), to, 100).executed(7, 0), LegUnclear},
		"false, nothing moved":   {new(forged).failed(7, 0, "").executed(7, 1), LegFailed},
		"false, with a fake log": {moved(unlisted, payer.address, to, 100).failed(7, 0, "").executed(7, 1), LegFailed},
		"false, and the tokens moved": {
			moved(testToken, payer.address, to, 100).failed(7, 0, "").executed(7, 1),
			LegUnclear,
		},
		"after the batch's report": {
			new(forged).executed(7, 0).transfer(testToken, payer.address, to, 100),
			LegUnclear,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := parse(testBatch(100), c.logs)
			require.NoError(t, err)
			require.Equal(t, c.status, out.Legs[0].Status)
		})
	}
}

func TestReceiptTellsEqualLegsApart(t *testing.T) {
	b := testBatch(5, 5, 5)
	b.Legs[1].To = payee(0)
	b.Legs[2].To = payee(0)
	f := new(forged).failed(7, 0, "").transfer(testToken, payer.address, payee(0), 5).
		transfer(testToken, payer.address, payee(0), 5).executed(7, 1)
	out, err := parse(b, f)
	require.NoError(t, err)
	require.Equal(t, "FPP", statuses(out))
	require.Equal(t, []uint{1, 2}, []uint{out.Legs[1].LogIndex, out.Legs[2].LogIndex})
}

func TestReceiptThatContradictsItselfIsRefused(t *testing.T) {
	paid := func() *forged { return new(forged).transfer(testToken, payer.address, payee(0), 5) }
	wrongPayer := paid().add(testRouter, word(new(big.Int)), batchExecutedTopic, common.BigToHash(big.NewInt(7)),
		addressTopic(stranger.address), addressTopic(testToken))
	removed := paid().executed(7, 0)
	removed.logs[0].Removed = true
	shortData := paid().executed(7, 0)
	shortData.logs[1].Data = nil

	noReason := paid().add(testRouter, nil, legFailedTopic, common.BigToHash(big.NewInt(7))).executed(7, 1)
	for want, f := range map[string]*forged{
		"does not report this batch":                               paid(),
		"the batch is reported twice":                              paid().executed(7, 0).executed(7, 0),
		"the number was used for another payer or token":           wrongPayer,
		"a leg is reported that the batch does not have":           paid().executed(7, 2),
		"leg 1 is reported that the batch does not have":           paid().failed(7, 1, "").executed(7, 0),
		"leg 0: LegFailed and BatchExecuted contradict each other": paid().executed(7, 1),
		"leg 0 is reported twice":                                  paid().failed(7, 0, "").failed(7, 0, "").executed(7, 1),
		"removed by a reorganisation":                              removed,
		"malformed":                                                shortData,
		"decode LegFailed":                                         noReason,
	} {
		t.Run(want, func(t *testing.T) {
			_, err := parse(testBatch(5), f)
			require.ErrorContains(t, err, want)
		})
	}

	_, err := parse(testBatch(5), paid().failed(7, 0, "").executed(7, 0))
	require.ErrorContains(t, err, "contradict")
	foreign := paid().executed(7, 0)
	foreign.logs[1].Address = stranger.address
	_, err = parse(testBatch(5), foreign)
	require.ErrorContains(t, err, "does not report this batch", "an event of another contract counts for nothing")
}

func TestRevertedReceiptIsReverted(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 1)
	out := w.outcome(b, w.send(stranger, &w.router, w.encode(b), plentyOfGas))
	require.True(t, out.Reverted)
	require.Empty(t, out.Legs)

	_, err := ParseReceipt(w.router, b, &types.Receipt{Logs: []*types.Log{{}}})
	require.Error(t, err)

	_, err = ParseReceipt(w.router, Batch{}, &types.Receipt{})
	require.Error(t, err)
}

// One transaction may carry several batches (an operator that is a contract); each reads its own part only.
func TestReceiptOfSeveralBatchesIsToldApart(t *testing.T) {
	f := new(forged).failed(6, 0, "").executed(6, 1).
		transfer(testToken, payer.address, payee(0), 5).executed(7, 0).
		failed(8, 0, "").executed(8, 1)

	b := testBatch(5)
	for number, want := range map[int64]string{6: "F", 7: "P", 8: "F"} {
		b.Number = big.NewInt(number)
		out, err := parse(b, f)
		require.NoError(t, err)
		require.Equal(t, want, statuses(out))
	}
}
