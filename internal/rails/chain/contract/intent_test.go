//go:build !nosandbox

package contract

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/stretchr/testify/require"
)

var farFuture = big.NewInt(1 << 40)

func signIntent(t *testing.T, w *world, who account, b Batch, deadline *big.Int) []byte {
	t.Helper()
	digest, err := IntentDigest(w.id, w.router, b, deadline)
	require.NoError(t, err)

	return sign(t, who, digest)
}

func sign(t *testing.T, who account, digest common.Hash) []byte {
	t.Helper()
	sig, err := crypto.Sign(digest[:], who.key)
	require.NoError(t, err)
	sig[64] += 27

	return sig
}

// encodeIntent is Encode of a call by intent.
func encodeIntent(b Batch, deadline *big.Int, signature []byte) ([]byte, error) {
	return Call{Batch: b, Manner: ByIntent, Deadline: deadline, Signature: signature}.Encode()
}

func (w *world) payByIntent(b Batch, signer account) Outcome {
	w.t.Helper()
	data, err := encodeIntent(b, farFuture, signIntent(w.t, w, signer, b, farFuture))
	require.NoError(w.t, err)

	return w.outcome(b, w.must(operator, w.router, data))
}

func (w *world) refusedIntent(b Batch, signer account, deadline *big.Int) string {
	w.t.Helper()
	data, err := encodeIntent(b, deadline, signIntent(w.t, w, signer, b, deadline))
	require.NoError(w.t, err)

	return w.refused(operator, w.router, data)
}

func TestIntentPaysWhatThePayerSigned(t *testing.T) { // X-01 X-11
	w := newWorld(t)

	for _, n := range []int{1, 2, 32} {
		b := w.batch(w.token, n)
		out := w.payByIntent(b, payer)
		require.Len(t, out.Legs, n)

		for _, leg := range out.Legs {
			require.Equal(t, LegPaid, leg.Status)
		}

		require.Equal(t, "batch "+b.Number.String()+" was executed before", w.refusedIntent(b, payer, farFuture))
	}
}

// Every field is bound: a signature for one intent pays no other, on no other router and no other chain.
func TestIntentSignatureBindsEveryField(t *testing.T) { // X-02 X-11
	w := newWorld(t)
	signed := w.batch(w.token, 2)
	sig := signIntent(t, w, payer, signed, farFuture)
	otherToken := w.hostile()

	changes := map[string]func(b *Batch, deadline *big.Int){
		"payer":    func(b *Batch, _ *big.Int) { b.Payer = stranger.address },
		"token":    func(b *Batch, _ *big.Int) { b.Token = otherToken },
		"number":   func(b *Batch, _ *big.Int) { b.Number = big.NewInt(77) },
		"payee":    func(b *Batch, _ *big.Int) { b.Legs[1].To = stranger.address },
		"amount":   func(b *Batch, _ *big.Int) { b.Legs[1].Amount = big.NewInt(999) },
		"order":    func(b *Batch, _ *big.Int) { b.Legs[0], b.Legs[1] = b.Legs[1], b.Legs[0] },
		"fewer":    func(b *Batch, _ *big.Int) { b.Legs = b.Legs[:1] },
		"more":     func(b *Batch, _ *big.Int) { b.Legs = append(b.Legs, b.Legs[0]) },
		"deadline": func(_ *Batch, d *big.Int) { d.Add(d, big.NewInt(1)) },
	}
	for name, change := range changes {
		b := signed
		deadline := new(big.Int).Set(farFuture)

		b.Legs = append([]Leg{}, signed.Legs...)
		change(&b, deadline)
		data, err := encodeIntent(b, deadline, sig)
		require.NoError(t, err)
		require.Contains(t, w.refused(operator, w.router, data), "the signature is not that of payer", name)
	}

	data, err := encodeIntent(signed, farFuture, sig)
	require.NoError(t, err)
	require.Contains(
		t,
		w.refused(operator, w.deployRouter(), data),
		"the signature is not that of payer",
		"other router",
	)

	elsewhere, err := IntentDigest(big.NewInt(1), w.router, signed, farFuture)
	require.NoError(t, err)
	data, err = encodeIntent(signed, farFuture, sign(t, payer, elsewhere))
	require.NoError(t, err)
	require.Contains(t, w.refused(operator, w.router, data), "the signature is not that of payer", "other chain")
	require.Equal(t, "PP", statuses(w.payByIntent(signed, payer)))
}

func TestIntentExpires(t *testing.T) {
	w := newWorld(t)
	deadline := big.NewInt(w.now().Unix() + 3600)
	require.Contains(t, w.refusedIntent(w.batch(w.token, 1), payer, big.NewInt(w.now().Unix()-1)), "expired")

	w.pass(3601e9)

	require.Contains(
		t,
		w.refusedIntent(w.batch(w.token, 1), payer, deadline),
		"expired at Unix time "+deadline.String(),
	)
}

// The router and RecoverSigner refuse the same malformed and malleable signatures.
func TestMalleableSignaturesAreRefused(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 1)
	good := signIntent(t, w, payer, b, farFuture)
	digest, err := IntentDigest(w.id, w.router, b, farFuture)
	require.NoError(t, err)
	signer, err := RecoverSigner(digest, good)
	require.NoError(t, err)
	require.Equal(t, payer.address, signer)

	highS := append([]byte{}, good...)
	s := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(good[32:64]))
	s.FillBytes(highS[32:64])
	highS[64] = 27 + 28 - good[64]
	lowV := append([]byte{}, good...)
	lowV[64] -= 27
	zero := make([]byte, 65)
	zero[64] = 27

	bad := map[string][]byte{
		"high s":      highS,
		"v of 0 or 1": lowV,
		"empty":       {},
		"short":       good[:64],
		"long":        append(append([]byte{}, good...), 0),
		"zero":        zero,
	}
	for name, sig := range bad {
		data, err := encodeIntent(b, farFuture, sig)
		require.NoError(t, err)
		require.Contains(t, w.refused(operator, w.router, data), "the signature is not that of payer", name)
		_, err = RecoverSigner(digest, sig)
		require.Error(t, err, name)
	}

	require.Contains(t, w.refusedIntent(b, stranger, farFuture), "the signature is not that of payer")
}

// A batch whose payer is the zero address must not be opened by a signature that recovers to nobody.
func TestZeroPayerIsNobody(t *testing.T) {
	w := newWorld(t)
	packed, err := PackLegs(w.batch(w.token, 1).Legs)
	require.NoError(t, err)
	zero := make([]byte, 65)
	zero[64] = 27
	data := routerABI.PackPayWithIntent(common.Address{}, w.token, big.NewInt(5), packed, farFuture, zero)
	require.Contains(t, w.refused(operator, w.router, data), "the signature is not that of payer")
}

func TestWalletContractSignsByEIP1271(t *testing.T) {
	w := newWorld(t)
	walletABI := SampleOf("TestWallet1271")
	wallet := w.deploy(deployer, append(SampleOf("TestWallet1271").Code, walletABI.Pack("", payer.address)...))
	w.must(deployer, w.token, tokenABI.Pack("mint", wallet, fortune))
	w.must(payer, wallet, walletABI.Pack("execute", w.token, tokenABI.Pack("approve", w.router, unlimited)))
	w.must(payer, wallet, walletABI.Pack("execute", w.router, routerABI.PackSetSignedIntentsOnly(true)))

	b := w.batch(w.token, 3)
	b.Payer = wallet
	require.Contains(t, w.refused(operator, w.router, w.encode(b)), "requires its signature")
	require.Contains(t, w.refusedIntent(b, stranger, farFuture), "the signature is not that of payer")
	require.Equal(t, "PPP", statuses(w.payByIntent(b, payer)))

	// A contract that does not know EIP-1271 signs nothing.
	b = w.batch(w.token, 1)
	b.Payer = w.token
	require.Contains(t, w.refusedIntent(b, payer, farFuture), "the signature is not that of payer")
}

// Three independent writers of the same digest: ours, the router's view, and a wallet's reading of the typed data.
func TestIntentDigestIsWhatWalletsSign(t *testing.T) { // X-11 K-06
	w := newWorld(t)

	for _, n := range []int{1, 5, 32} {
		b := w.batch(w.token, n)
		ours, err := IntentDigest(w.id, w.router, b, farFuture)
		require.NoError(t, err)

		packed, err := PackLegs(b.Legs)
		require.NoError(t, err)
		onChain, err := w.call(
			stranger,
			w.router,
			routerABI.PackIntentDigest(b.Payer, b.Token, b.Number, packed, farFuture),
		)
		require.NoError(t, err)
		require.Equal(t, ours[:], onChain)

		data, err := IntentTypedData(w.id, w.router, b, farFuture)
		require.NoError(t, err)
		text, err := json.Marshal(data)
		require.NoError(t, err)

		var typed apitypes.TypedData
		require.NoError(t, json.Unmarshal(text, &typed))
		wallets, _, err := apitypes.TypedDataAndHash(typed)
		require.NoError(t, err)
		require.Equal(t, ours[:], wallets)
	}
}

func TestIntentDigestRefusesWhatCannotBePaid(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 1)
	_, err := IntentDigest(w.id, w.router, Batch{}, farFuture)
	require.Error(t, err)

	_, err = IntentDigest(nil, w.router, b, farFuture)
	require.Error(t, err)

	_, err = IntentDigest(w.id, w.router, b, big.NewInt(-1))
	require.Error(t, err)

	_, err = encodeIntent(b, nil, nil)
	require.Error(t, err)
}
