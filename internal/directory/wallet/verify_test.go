//go:build !nosandbox

package wallet_test

import (
	"context"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/standards/eip191"
)

// parallel runs n calls at once and counts their answers.
func parallel(n int, call func(i int) int) map[int]int {
	var wg sync.WaitGroup

	answers := make([]int, n)
	for i := range n {
		wg.Go(func() { answers[i] = call(i) })
	}

	wg.Wait()

	out := map[int]int{}
	for _, a := range answers {
		out[a]++
	}

	return out
}

func events(t *testing.T, q db.Querier, object, kind string) int64 {
	t.Helper()
	n, err := db.Value[int64](
		context.Background(),
		q,
		"SELECT count(*) FROM events WHERE object = ? AND type = ?",
		object,
		kind,
	)
	require.NoError(t, err)

	return n
}

// N-07: fifty right signatures at once are one success, and every caller is told so.
func TestFiftyVerifiesAtOnceRecordOneSuccess(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")
		require.EqualValues(t, 1, events(t, w.DB, id, "wallet.ownership.updated"))
		require.Equal(t, map[int]int{200: 50}, parallel(50, func(int) int {
			return w.Verify(dt.A, id, message, dt.Sign(key, message)).Code
		}))
		require.EqualValues(t, 2, events(t, w.DB, id, "wallet.ownership.updated"))

		x, err := wallet.ByID(context.Background(), w.DB, "org_a", id)
		require.NoError(t, err)
		require.Equal(t, wallet.OwnershipVerified, x.Ownership)
		require.Empty(t, x.Nonce)
	})
}

func TestRepeatedVerifyGivesTheSameAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")
		first := w.Verify(dt.A, id, message, dt.Sign(key, message)).Status(200)
		w.Chain.Err = errors.New("the node is not asked again")
		w.Advance(time.Hour)
		require.Equal(t, first.Raw, w.Verify(dt.A, id, message, dt.Sign(key, message)).Status(200).Raw)

		other, _ := w.Key()
		w.Verify(dt.A, id, message, dt.Sign(other, message)).Refused(409, fault.WalletVerified, "")
		w.Verify(dt.A, id, message+" ", dt.Sign(key, message)).Refused(409, fault.WalletVerified, "")
		w.Do(dt.A, "POST", "/wallets/"+id+"/challenge", "").Refused(409, fault.WalletVerified, "")
	})
}

// a signature made for one wallet, organisation or network is worth nothing for another.
func TestSignatureServesOneWalletOnly(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		mine := w.Wallet(dt.A, address)
		text := mine.Text("ownership.message")
		sig := dt.Sign(key, text)
		otherOrg := w.Wallet(dt.B, address)
		otherNet := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_base","receiver":"`+w.Self(dt.A)+`"}`,
		).Status(201)

		otherWallet := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_ethereum","receiver":"`+w.Receiver(dt.A, "P")+`"}`,
		).Status(201)
		for token, a := range map[string]*dt.Answer{dt.B: otherOrg, dt.A: otherNet, dt.A + " ": otherWallet} {
			token = strings.TrimSpace(token)
			w.Verify(token, a.Text("_id"), text, sig).Refused(422, fault.ChallengeMismatch, "/message")

			w.Verify(token, a.Text("_id"), a.Text("ownership.message"), sig).Refused(
				422,
				fault.SignatureMismatch,
				"/signedMessage",
			)

			require.Equal(t, "FAILED", w.Do(token, "GET", "/wallets/"+a.Text("_id"), "").Text("ownership.status"))
		}

		w.Verify(dt.A, mine.Text("_id"), text, sig).Status(200)
	})
}

// one writing of a signature is accepted.
func TestMalleableAndMalformedSignaturesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")
		good := common.FromHex(dt.Sign(key, message))
		high := append([]byte(nil), good...)
		new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(good[32:64])).FillBytes(high[32:64])
		high[64] = 27 + (1 - (good[64] - 27))
		who, err := crypto.SigToPub(hash(message), append(append([]byte(nil), high[:64]...), high[64]-27))
		require.NoError(t, err)
		require.Equal(t, address, crypto.PubkeyToAddress(*who).Hex(), "the test's other writing is of the same key")

		wrongV := append(append([]byte(nil), good[:64]...), 29)
		for name, sig := range map[string]string{
			"high s":   hexed(high),
			"v 29":     hexed(wrongV),
			"64 bytes": hexed(good[:64]),
			"66 bytes": hexed(append(good[:65:65], 0)),
			"no 0x":    hex.EncodeToString(good),
			"odd":      hexed(good)[:131],
			"zeros":    hexed(make([]byte, 65)),
			"words":    "0xhello",
			"only 0x":  "0x",
		} {
			r := w.Verify(dt.A, id, message, sig).Refused(422, fault.SignatureMalformed, "/signedMessage")
			require.NotNil(t, r, name)
		}

		suffix := strings.Repeat("6492", 16)
		w.Verify(dt.A, id, message, hexed(good)+suffix).Refused(422, fault.SignatureUnsupported, "/signedMessage")
		require.Equal(t, "PENDING", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.status"))

		low := append(append([]byte(nil), good[:64]...), good[64]-27)
		w.Verify(dt.A, id, message, hexed(low)).Status(200)
	})
}

func hexed(b []byte) string { return "0x" + hex.EncodeToString(b) }

func hash(message string) []byte {
	h := eip191.Hash([]byte(message))
	return h[:]
}

func TestTextExpiresAfterFifteenMinutes(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")
		w.Advance(wallet.ChallengeLifetime)

		for range 2 {
			w.Verify(dt.A, id, message, dt.Sign(key, message)).Refused(410, fault.ChallengeExpired, "")
		}

		require.Equal(t, "EXPIRED", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.status"))
		require.EqualValues(t, 2, events(t, w.DB, id, "wallet.ownership.updated"), "the end is noted once")
		require.Zero(t, w.Chain.Calls, "no node is asked about an expired text")
		next := w.Do(dt.A, "POST", "/wallets/"+id+"/challenge", "").Status(200)
		require.Equal(t, "PENDING", next.Text("ownership.status"))
		require.NotEqual(t, message, next.Text("ownership.message"))
		w.Verify(dt.A, id, message, dt.Sign(key, message)).Refused(422, fault.ChallengeMismatch, "/message")
		w.Verify(dt.A, id, next.Text("ownership.message"), dt.Sign(key, next.Text("ownership.message"))).Status(200)
	})
}

func TestFiveWrongSignaturesReplaceTheText(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		thief, _ := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")

		message := a.Text("ownership.message")
		for i := range 5 {
			require.Equal(t, message, w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.message"), "attempt %d", i)
			w.Verify(dt.A, id, message, dt.Sign(thief, message)).Refused(422, fault.SignatureMismatch, "/signedMessage")
		}

		w.Verify(dt.A, id, message, dt.Sign(key, message)).Refused(422, fault.ChallengeMismatch, "/message")
		next := w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.message")
		require.NotEqual(t, message, next)
		w.Verify(dt.A, id, next, dt.Sign(thief, next)).Refused(422, fault.SignatureMismatch, "/signedMessage")
		w.Verify(dt.A, id, next, dt.Sign(key, next)).Status(200)
	})
}

func TestMessageMustBeTheStoredBytes(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")

		message := a.Text("ownership.message")
		for _, m := range []string{message + "\n", strings.ReplaceAll(message, "\n", "\r\n"), strings.ToLower(message), message[:len(message)-1], "hello"} {
			w.Verify(dt.A, id, m, dt.Sign(key, m)).Refused(422, fault.ChallengeMismatch, "/message")
		}

		w.Do(dt.A, "POST", "/wallets/"+id+"/verify-wallet", `{}`).Refused(422, fault.Required, "/message").Refused(
			422,
			fault.Required,
			"/signedMessage",
		)
		require.Equal(t, "PENDING", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.status"))
	})
}

func TestContractWalletsAnswerForThemselves(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		self := w.Self(dt.A)
		add := func(kind, network string) (string, string) {
			a := w.Do(
				dt.A,
				"POST",
				"/wallets",
				`{"address":"`+address+`","network":"`+network+`","receiver":"`+self+`","type":"`+kind+`"}`,
			).Status(201)

			return a.Text("_id"), a.Text("ownership.message")
		}
		id, message := add("MULTISIG", "net_ethereum")
		// no contract there: a key does not do
		w.Verify(dt.A, id, message, dt.Sign(key, message)).Refused(422, fault.SignatureMismatch, "/signedMessage")
		w.Chain.Code[common.HexToAddress(address)] = []byte{1}
		// the contract says no
		w.Verify(dt.A, id, message, dt.Sign(key, message)).Refused(422, fault.SignatureMismatch, "/signedMessage")
		asked := false
		w.Chain.Valid = func(a common.Address, h [32]byte, sig []byte) bool {
			asked = a.Hex() == address && h == eip191.Hash([]byte(message)) && len(sig) == 0
			return asked
		}
		// a Safe's message signed on chain
		require.Equal(t, "VERIFIED", w.Verify(dt.A, id, message, "0x").Status(200).Text("ownership.status"))
		require.True(t, asked)
		w.Chain.Valid = nil
		id, message = add("EOA", "net_base")

		w.Chain.Code[common.HexToAddress(address)] = append([]byte{0xef, 0x01, 0x00}, make([]byte, 20)...)
		require.Equal(
			t,
			"VERIFIED",
			w.Verify(dt.A, id, message, dt.Sign(key, message)).Status(200).Text("ownership.status"),
			"EIP-7702: the key still signs",
		)
	})
}

// E-11: a contract's proof is asked for again, and ends when the contract says no; a silent node ends nothing; a key's
// proof is lasting, whatever code its address carries, and asks nobody.
func TestAContractsProofHoldsWhileTheContractSaysSo(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		at := common.HexToAddress(address)
		self := w.Self(dt.A)
		add := func(kind, network string) (id, message string) {
			a := w.Do(
				dt.A,
				"POST",
				"/wallets",
				`{"address":"`+address+`","network":"`+network+`","receiver":"`+self+`","type":"`+kind+`"}`,
			).Status(201)

			return a.Text("_id"), a.Text("ownership.message")
		}
		holds := func(id string) error {
			x, err := wallet.ByID(t.Context(), w.DB, "org_a", id)
			require.NoError(t, err)
			return w.Wallets.ProofHolds(t.Context(), x)
		}

		// an EOA by its delegate (EIP-7702)
		for kind, network := range map[string]string{"MULTISIG": "net_ethereum", "EOA": "net_base"} {
			id, message := add(kind, network)
			w.Chain.Code[at] = []byte{1}
			w.Chain.Valid = func(common.Address, [32]byte, []byte) bool { return true }
			w.Verify(dt.A, id, message, "0x0102").Status(200)
			require.NoError(t, holds(id))

			w.Chain.Err = errors.New("no answer")
			require.True(t, fault.Is(holds(id), fault.UpstreamFailed))
			w.Chain.Err = nil
			require.Equal(t, "VERIFIED", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.status"))

			w.Chain.Valid = nil // the owners changed
			require.True(t, fault.Is(holds(id), fault.WalletNotVerified))
			require.Equal(t, "REVOKED", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("ownership.status"))
			require.NoError(t, holds(id), "what is not VERIFIED is the gate's")
		}

		other, otherAddress := w.Key()
		a := w.Wallet(dt.A, otherAddress)
		w.Verify(
			dt.A,
			a.Text("_id"),
			a.Text("ownership.message"),
			dt.Sign(other, a.Text("ownership.message")),
		).Status(200)

		w.Chain.Code[common.HexToAddress(otherAddress)] = append([]byte{0xef, 0x01, 0x00}, make([]byte, 20)...)
		before := w.Chain.Calls
		require.NoError(t, holds(a.Text("_id")))
		require.Equal(t, before, w.Chain.Calls)
	})
}

func TestSilentNodeChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")
		w.Chain.Err = errors.New("connection refused to 10.0.0.7")
		r := w.Verify(dt.A, id, message, dt.Sign(key, message)).Refused(503, fault.UpstreamFailed, "")
		require.NotContains(t, r.Raw, "10.0.0.7")

		w.Chain.Err = nil
		require.Equal(t, a.Raw, w.Do(dt.A, "GET", "/wallets/"+id, "").Raw)

		w.Verify(dt.A, id, message, dt.Sign(key, message)).Status(200)
	})
}

func TestRevokedWalletNeedsANewProof(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")

		w.Do(dt.Staff, "POST", "/wallets/"+id+"/revoke", `{"reason":"too early"}`).Refused(
			409,
			fault.WalletNotVerified,
			"",
		)

		sig := dt.Sign(key, message)
		w.Verify(dt.A, id, message, sig).Status(200)

		require.Equal(
			t,
			"REVOKED",
			w.Do(dt.Staff, "POST", "/wallets/"+id+"/revoke", `{"reason":"owners changed"}`).Status(200).Text(
				"ownership.status",
			),
		)

		w.Verify(dt.A, id, message, sig).Refused(422, fault.ChallengeMismatch, "/message")
		next := w.Do(dt.A, "POST", "/wallets/"+id+"/challenge", "").Status(200).Text("ownership.message")
		w.Verify(dt.A, id, next, dt.Sign(key, next)).Status(200)
	})
}

func TestIdempotencyKeyReplaysAVerify(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		body := `{"address":"` + address + `","network":"net_ethereum","receiver":"` + w.Self(dt.A) + `"}`
		first := w.Do(dt.A, "POST", "/wallets", body, "Idempotency-Key", "k1").Status(201)
		again := w.Do(dt.A, "POST", "/wallets", body, "Idempotency-Key", "k1").Status(201)
		require.Equal(t, first.Raw, again.Raw)
		require.Equal(t, []string{"true"}, again.Head["Idempotent-Replayed"])
	})
}

func TestTablesAllowWhatTheyListAndNothingElse(t *testing.T) {
	own := map[string]string{
		"PENDING":  "PENDING VERIFIED FAILED EXPIRED",
		"VERIFIED": "REVOKED",
		"FAILED":   "FAILED VERIFIED EXPIRED PENDING",
		"EXPIRED":  "PENDING",
		"REVOKED":  "PENDING",
	}
	for _, from := range wallet.OwnershipMoves.States() {
		for _, to := range wallet.OwnershipMoves.States() {
			require.Equal(
				t,
				strings.Contains(" "+own[string(from)]+" ", " "+string(to)+" "),
				wallet.OwnershipMoves.Allows(from, to),
				"%s to %s",
				from,
				to,
			)
		}
	}

	analysis := map[string]string{
		"PENDING":     "PENDING IN_PROGRESS",
		"IN_PROGRESS": "PENDING IN_PROGRESS APPROVED REVIEW REJECTED ERROR",
		"APPROVED":    "PENDING EXPIRED REJECTED",
		"REVIEW":      "PENDING APPROVED REJECTED",
		"REJECTED":    "PENDING",
		"ERROR":       "PENDING IN_PROGRESS",
		"EXPIRED":     "PENDING IN_PROGRESS",
	}
	for _, from := range wallet.AnalysisMoves.States() {
		for _, to := range wallet.AnalysisMoves.States() {
			require.Equal(
				t,
				strings.Contains(" "+analysis[string(from)]+" ", " "+string(to)+" "),
				wallet.AnalysisMoves.Allows(from, to),
				"%s to %s",
				from,
				to,
			)
		}
	}
}
