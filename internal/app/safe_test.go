//go:build !nosandbox

package app_test

import (
	"encoding/hex"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/safecode"
	"slipway/internal/rails/safeservice"
	"slipway/internal/rails/safeservice/safesim"
	"slipway/internal/standards/safe"
)

// vault is a Safe on the chain: two of its three owners sign.
type vault struct {
	h      *apptest.Harness
	c      *apptest.Client
	at     common.Address
	owners []world.Account
	domain safe.Domain
	id     string // of the wallet
	nonce  uint64
}

// newVault makes a Safe with tokens, and stores it as the client's wallet, which is not proven yet.
func newVault(h *apptest.Harness, c *apptest.Client, token world.Token, a world.SafeAccount) *vault {
	h.T.Helper()

	v := &vault{h: h, c: c, owners: []world.Account{c.Payer, h.Account("second owner"), h.Account("third owner")}}
	a.Threshold = 2
	a.Salt = int64(h.World.Chain.Head().Number.Uint64())

	for _, o := range v.owners {
		a.Owners = append(a.Owners, o.Address)
	}

	var err error
	v.at, err = h.World.NewSafe(c.Payer, a)
	require.NoError(h.T, err)
	h.World.Chain.Mine(1)
	require.NoError(h.T, h.World.Mint(token, v.at, apptest.Units(token, 1_000)))
	h.World.Chain.Mine(1)

	version := a.Version
	if version == "" {
		version = safe.V141
	}

	v.domain, err = safe.DomainOf(version, h.World.Chain.ChainID(), v.at)
	require.NoError(h.T, err)

	v.id = c.Do("POST", "/wallets", apptest.Object{
		"address": v.at.Hex(), "network": world.NetworkID, "type": "MULTISIG", "receiver": c.Self,
	}).OK(201).ID()

	return v
}

// text returns the hash of the text that the wallet waits for: what EIP-1271 is asked about.
func (v *vault) text() []byte {
	var w struct {
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}

	v.c.Do("GET", "/wallets/"+v.id, nil).OK(200).Into(&w)

	return accounts.TextHash([]byte(w.Ownership.Message))
}

// message returns what the Safe's owners sign of it.
func (v *vault) message() common.Hash { return v.domain.MessageHash(v.text()) }

// sign makes the confirmation of an owner.
func sign(t testing.TB, by world.Account, hash common.Hash) safe.Confirmation {
	t.Helper()

	c, err := safe.Sign(hash, func(hash []byte) ([]byte, error) { return crypto.Sign(hash, by.Key) })
	require.NoError(t, err)

	return c
}

// verify sends a signature for the text that the wallet waits for.
func (v *vault) verify(signature []byte) apptest.Answer {
	var w struct {
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}

	v.c.Do("GET", "/wallets/"+v.id, nil).OK(200).Into(&w)

	return v.c.Do("POST", "/wallets/"+v.id+"/verify-wallet", apptest.Object{
		"message": w.Ownership.Message, "signedMessage": hexutil.Encode(signature),
	})
}

// prove proves the wallet by the first two owners.
func (v *vault) prove() {
	v.h.T.Helper()

	hash := v.message()
	joined, err := safe.Join([]safe.Confirmation{sign(v.h.T, v.owners[0], hash), sign(v.h.T, v.owners[1], hash)})
	require.NoError(v.h.T, err)
	v.verify(joined).OK(200)
	v.h.RunJobs()
}

// execute carries out a transaction of the Safe, signed by two owners.
func (v *vault) execute(to common.Address, data []byte, operation safe.Operation) *types.Receipt {
	v.h.T.Helper()

	tx := safe.Tx{To: to, Data: data, Operation: operation, Nonce: v.nonce}
	hash := v.domain.TxHash(tx)
	joined, err := safe.Join([]safe.Confirmation{sign(v.h.T, v.owners[0], hash), sign(v.h.T, v.owners[1], hash)})
	require.NoError(v.h.T, err)
	v.nonce++

	return v.h.Send(v.c.Payer, v.at, safe.Execute(tx, joined))
}

// itself has the Safe call itself, as owners change its settings.
func (v *vault) itself(function string, args ...any) {
	v.h.T.Helper()
	v.execute(v.at, safe.Pack(function, args...), safe.Call)
}

// approve has the Safe approve the router.
func (v *vault) approve(token world.Token, units *big.Int) {
	v.h.T.Helper()
	v.execute(token.Address, apptest.Calldata("approve(address,uint256)", v.h.World.Router, units), safe.Call)
}

// guard puts a guard on the chain that refuses every delegate call.
func (v *vault) guard() common.Address {
	v.h.T.Helper()

	creation := safecode.Of(safe.V141).Creation(safecode.DelegateCallGuard)
	at, err := v.h.World.Deploy(v.c.Payer, append(creation, make([]byte, 32)...))
	require.NoError(v.h.T, err)
	v.h.World.Chain.Mine(1)

	return at
}

// draft makes a transaction that the Safe pays.
func (v *vault) draft(amount string) string {
	v.h.T.Helper()

	body := v.c.Body("USDC", v.c.Payment(v.c.Payee, amount))
	body["walletAddress"] = v.at.Hex()

	return v.c.Do("POST", "/transactions", body).OK(201).ID()
}

func (v *vault) ownership() string {
	var w struct {
		Ownership struct {
			Status string `json:"status"`
		} `json:"ownership"`
	}

	v.c.Do("GET", "/wallets/"+v.id, nil).OK(200).Into(&w)

	return w.Ownership.Status
}

// E-11: whatever decides who can move a Safe's tokens is read again before money moves. A change ends the proof: at
// submit, at accept, and before the batch is sent.
func TestAChangedSafeIsRevoked(t *testing.T) {
	changes := map[string]func(v *vault){
		"owner added": func(v *vault) {
			v.itself("addOwnerWithThreshold", common.HexToAddress("0x1234"), big.NewInt(2))
		},
		"threshold": func(v *vault) {
			v.itself("addOwnerWithThreshold", common.HexToAddress("0x1234"), big.NewInt(1))
		},
		"fallback handler": func(v *vault) {
			v.itself("setFallbackHandler", safecode.Of(safe.V130).At(safecode.FallbackHandler))
		},
		"guard": func(v *vault) { v.itself("setGuard", v.guard()) },
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")

		for what, change := range changes {
			v := newVault(h, c, token, world.SafeAccount{})
			v.prove()
			v.approve(token, apptest.Units(token, 1_000))
			accepted := v.draft("10.00")
			waiting := v.draft("11.00")
			draft := v.draft("12.00")
			c.Act(accepted, "submit").OK(200)
			c.Act(accepted, "accept").OK(200)
			c.Act(waiting, "submit").OK(200)

			change(v)
			c.Act(draft, "submit").Refused(422, "WALLET_NOT_VERIFIED")
			require.Equal(t, "REVOKED", v.ownership(), what)
			c.Act(waiting, "accept").Refused(422, "WALLET_NOT_VERIFIED")
			h.Settle()
			c.Ends(accepted, transaction.StatusFailed)
			require.Zero(t, h.Balance(token, c.Payee).Sign(), what)
		}

		h.Oracle()
	})
}

// callView is a call.
type callView struct {
	To   string `json:"to"`
	Data string `json:"data"`
}

// safeView is a SafeTx as tests read it.
type safeView struct {
	Hash          string   `json:"safeTxHash"`
	Status        string   `json:"status"`
	Purposes      []string `json:"purposes"`
	Nonce         string   `json:"nonce"`
	Threshold     int      `json:"threshold"`
	Confirmations int      `json:"confirmations"`
	DomainHash    string   `json:"domainHash"`
	MessageHash   string   `json:"messageHash"`
	Conflicts     []struct {
		Hash string `json:"safeTxHash"`
	} `json:"conflicts"`
	Execution *callView `json:"execution"`
	TypedData struct {
		Message struct {
			To        string `json:"to"`
			Data      string `json:"data"`
			Operation string `json:"operation"`
			SafeTxGas string `json:"safeTxGas"`
			GasPrice  string `json:"gasPrice"`
		} `json:"message"`
	} `json:"typedData"`
	Builder struct {
		Transactions []callView `json:"transactions"`
	} `json:"transactionBuilder"`
}

// asked checks the allowance of a draft, and returns what the owners are asked to sign; nil if nothing.
func (v *vault) asked(id string) *safeView {
	v.h.T.Helper()

	var a struct {
		Sufficient bool      `json:"sufficient"`
		Safe       *safeView `json:"safe"`
	}

	v.c.Act(id, "check-allowance").OK(200).Into(&a)
	require.Equal(v.h.T, a.Sufficient, a.Safe == nil)

	return a.Safe
}

// confirm hands in a confirmation.
func (v *vault) confirm(hash string, raw []byte) apptest.Answer {
	v.h.T.Helper()

	at := "/wallets/" + v.id + "/safe-transactions/" + hash + "/confirmations"

	return v.c.Do("POST", at, apptest.Object{"signature": hexutil.Encode(raw)})
}

// confirmed hands in the confirmation of an owner's key, and returns the SafeTx afterwards.
func (v *vault) confirmed(by world.Account, hash string) (out safeView) {
	v.h.T.Helper()
	v.confirm(hash, sign(v.h.T, by, common.HexToHash(hash)).Bytes()).OK(200).Into(&out)

	return out
}

// carryOut sends the call that a SafeTx shows when enough owners have confirmed.
func (v *vault) carryOut(s safeView) {
	v.h.T.Helper()
	require.Equal(v.h.T, "AWAITING_EXECUTION", s.Status)
	require.NotNil(v.h.T, s.Execution)
	v.h.Send(v.c.Payer, common.HexToAddress(s.Execution.To), common.FromHex(s.Execution.Data))
	v.nonce++
}

// A Safe pays from end to end: its owners prove the wallet, confirm one SafeTx that check-allowance gives and keeps,
// somebody carries it out, and the payment is made.
func TestASafePays(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")

		for _, version := range []string{safe.V130, safe.V141, safe.V150} {
			v := newVault(h, c, token, world.SafeAccount{Version: version})
			v.prove()
			require.Equal(t, "VERIFIED", v.ownership())

			id := v.draft("10.00")
			s := v.asked(id)
			require.Equal(t, s, v.asked(id), "asked again, the same")
			require.Equal(t, []string{"APPROVE"}, s.Purposes)
			require.Equal(t, "0", s.TypedData.Message.Operation)
			require.Equal(t, "0", s.TypedData.Message.SafeTxGas)
			require.Equal(t, "0", s.TypedData.Message.GasPrice)
			require.Equal(t, 2, s.Threshold)

			tx := safe.Tx{To: token.Address, Data: common.FromHex(s.TypedData.Message.Data)}
			require.Equal(t, v.domain.TxHash(tx).Hex(), s.Hash)
			require.Equal(t, v.domain.Hash().Hex(), s.DomainHash)
			require.Equal(t, tx.Hash().Hex(), s.MessageHash)

			one := v.confirmed(v.owners[0], s.Hash)
			require.Equal(t, "AWAITING_CONFIRMATIONS", one.Status)
			require.Equal(t, one, v.confirmed(v.owners[0], s.Hash), "one owner twice is one confirmation")
			require.Nil(t, one.Execution)
			v.carryOut(v.confirmed(v.owners[2], s.Hash))

			require.Nil(t, v.asked(id))
			c.Act(id, "submit").OK(200)
			c.Act(id, "accept").OK(200)
			h.Settle()
			c.Ends(id, transaction.StatusCompleted)
		}

		require.Equal(t, apptest.Units(token, 30), h.Balance(token, c.Payee))
		h.Oracle()
	})
}

// A confirmation is judged by the Safe's owners on the chain and by nothing that its sender says: the four forms of
// Safe count, whatever else is refused.
func TestOnlyOwnersConfirm(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		nested := newVault(h, c, token, world.SafeAccount{})
		s := nested.asked(nested.draft("10.00"))
		hash := common.HexToHash(s.Hash)

		stranger := h.Account("a stranger")
		nested.confirm(
			s.Hash,
			sign(t, stranger, hash).Bytes(),
		).Refused(
			422,
			"SAFE_NOT_OWNER",
			"/signature SAFE_NOT_OWNER",
		)

		high := sign(t, nested.owners[0], hash).Bytes()
		n := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(high[32:64]))
		copy(high[32:64], common.LeftPadBytes(n.Bytes(), 32))
		high[64] ^= 7 // 27 and 28 change places
		nested.confirm(s.Hash, high).Refused(422, "SAFE_SIGNATURE_INVALID", "/signature SAFE_SIGNATURE_INVALID")
		nested.confirm(s.Hash, []byte{1, 2}).Refused(422, "SAFE_SIGNATURE_INVALID", "/signature SAFE_SIGNATURE_INVALID")
		nested.confirm(s.Hash, safe.Approved(nested.owners[1].Address).Bytes()).
			Refused(422, "SAFE_SIGNATURE_INVALID", "/signature SAFE_SIGNATURE_INVALID")

		// by personal_sign, with 4 added to v
		text, err := crypto.Sign(accounts.TextHash(hash[:]), nested.owners[0].Key)
		require.NoError(t, err)
		text[64] += 31

		var v safeView
		nested.confirm(s.Hash, text).OK(200).Into(&v)
		require.Equal(t, 1, v.Confirmations)

		// approved on the chain
		h.Fund(nested.owners[1])
		h.Send(nested.owners[1], nested.at, safe.Pack("approveHash", hash))
		nested.confirm(s.Hash, safe.Approved(nested.owners[1].Address).Bytes()).OK(200).Into(&v)
		require.Equal(t, 2, v.Confirmations)

		// another organisation sees none of it
		other := h.Client("Eve")
		other.Do("GET", "/wallets/"+nested.id+"/safe-transactions/"+s.Hash, nil).Refused(404, "NOT_FOUND")
		other.Do("POST", "/wallets/"+nested.id+"/safe-transactions/"+s.Hash+"/confirmations",
			apptest.Object{"signature": hexutil.Encode(text)}).Refused(404, "NOT_FOUND")
	})
}

// An owner may itself be a Safe: its owners sign a SafeMessage over the bytes whose hash is signed here. What they sign
// stands behind the other signatures when the transaction is carried out.
func TestAnOwnerMayBeASafe(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		outer := newVault(h, c, token, world.SafeAccount{})
		nested := newVault(h, c, token, world.SafeAccount{Owners: []common.Address{outer.at}})

		for n, signers := range [][2]int{{0, 1}, {1, 2}} {
			id := nested.draft([]string{"10.00", "500.00"}[n])
			s := nested.asked(id)
			tx := safe.Tx{To: token.Address, Data: common.FromHex(s.TypedData.Message.Data), Nonce: nested.nonce}
			message := outer.domain.MessageHash(nested.domain.Encode(tx))

			joined, err := safe.Join([]safe.Confirmation{
				sign(t, outer.owners[signers[0]], message),
				sign(t, outer.owners[signers[1]], message),
			})
			require.NoError(t, err)

			of := func(data []byte) []byte {
				return safe.Confirmation{Owner: outer.at, Kind: safe.ByContract, Data: data}.Bytes()
			}

			nested.confirm(
				s.Hash,
				of(joined[:65]),
			).Refused(
				422,
				"SAFE_SIGNATURE_INVALID",
				"/signature SAFE_SIGNATURE_INVALID",
			)
			nested.confirm(s.Hash, of(joined)).OK(200)
			nested.carryOut(nested.confirmed(nested.owners[2], s.Hash))
			require.Nil(t, nested.asked(id))
		}
	})
}

// The traps of a Safe's transaction, each on the real contracts.

// With a safeTxGas, a transaction that fails uses up its nonce and what was signed for it. Ours has none: it fails as a
// whole, and can be carried out later.
func TestASafesTransactionThatFailsKeepsItsNonce(t *testing.T) {
	apptest.EachWith(t, apptest.Config{}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDT") // it wants its allowance at zero before it is set
		v := newVault(h, c, token, world.SafeAccount{})
		v.prove()

		body := c.Body("USDT", c.Payment(c.Payee, "10.00"))
		body["walletAddress"] = v.at.Hex()
		id := c.Do("POST", "/transactions", body).OK(201).ID()
		s := v.asked(id)
		require.Equal(t, []string{"APPROVE"}, s.Purposes)
		v.confirmed(v.owners[0], s.Hash)
		ready := v.confirmed(v.owners[1], s.Hash)

		// in between somebody else has the Safe approve: nonce 0 is used, ours is closed, and asking again leads on
		v.approve(token, big.NewInt(1))

		var closed safeView
		c.Do("GET", "/wallets/"+v.id+"/safe-transactions/"+s.Hash, nil).OK(200).Into(&closed)
		require.Equal(t, "CLOSED", closed.Status)
		require.Nil(t, closed.Execution)
		v.confirm(s.Hash, sign(t, v.owners[2], common.HexToHash(s.Hash)).Bytes()).Refused(409, "SAFE_NONCE_USED")
		require.NotEmpty(t, ready.Execution)

		// now the token wants two calls: one batch of calls alone, never of delegate calls
		batch := v.asked(id)
		require.Equal(t, []string{"RESET_TO_ZERO", "APPROVE"}, batch.Purposes)
		require.Equal(t, "1", batch.Nonce)
		require.Equal(t, "1", batch.TypedData.Message.Operation)
		code, err := h.Eth.CodeAt(t.Context(), common.HexToAddress(batch.TypedData.Message.To), nil)
		require.NoError(t, err)
		require.True(t, safe.IsBatcher(code))
		plain, err := h.Eth.CodeAt(t.Context(), safecode.Of(safe.V141).At(safecode.MultiSend), nil)
		require.NoError(t, err)
		require.False(t, safe.IsBatcher(plain), "a plain MultiSend carries out delegate calls")
		require.Len(t, batch.Builder.Transactions, 2)

		// a single approve by the owners would fail here; without safeTxGas it uses up nothing
		alone := safe.Tx{To: token.Address, Data: common.FromHex(s.TypedData.Message.Data), Nonce: 1}
		require.Error(t, v.try(alone), "the whole call reverts")
		v.confirmed(v.owners[0], batch.Hash)
		v.carryOut(v.confirmed(v.owners[1], batch.Hash))
		require.Nil(t, v.asked(id))
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		h.Oracle()
	})
}

// A safeTxGas that is not zero makes a Safe swallow a failure: the call of execTransaction goes through, the approval
// was not given, and the nonce is used up with every signature that was given for it. With zero the whole call reverts
// and the nonce stays. That is why ours has zero, and why what is signed here can have nothing else.
func TestASafeTxGasBurnsTheNonce(t *testing.T) {
	apptest.EachWith(t, apptest.Config{}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDT")

		for _, version := range []string{safe.V141, safe.V150} {
			v := newVault(h, c, token, world.SafeAccount{Version: version})
			v.approve(token, big.NewInt(1)) // from now on a second approval has to begin at zero
			failing := apptest.Calldata("approve(address,uint256)", h.World.Router, big.NewInt(2))

			require.Error(t, v.try(safe.Tx{To: token.Address, Data: failing, Nonce: 1}))
			require.EqualValues(t, 1, v.chainNonce(), "with zero nothing is used up")

			receipt := h.Send(c.Payer, v.at, v.withGas(token.Address, failing, 100_000))
			require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status, "the failure is swallowed")
			require.EqualValues(t, 2, v.chainNonce(), "and the nonce is gone")

			answer, err := h.Eth.CallContract(t.Context(), ethereum.CallMsg{
				To:   &token.Address,
				Data: apptest.Calldata("allowance(address,address)", v.at, h.World.Router),
			}, nil)
			require.NoError(t, err)
			require.Equal(t, big.NewInt(1), new(big.Int).SetBytes(answer), "nothing was approved")
		}
	})
}

// withGas returns the call of execTransaction with a safeTxGas, signed by two owners over the contract's own hash.
func (v *vault) withGas(to common.Address, data []byte, gas int64) []byte {
	v.h.T.Helper()

	none := common.Address{}
	zero := new(big.Int)
	fields := []any{to, zero, data, uint8(safe.Call), big.NewInt(gas), zero, zero, none, none}

	hash, err := v.h.Eth.CallContract(v.h.T.Context(), ethereum.CallMsg{
		To:   &v.at,
		Data: safe.Pack("getTransactionHash", append(fields[:9:9], new(big.Int).SetUint64(v.chainNonce()))...),
	}, nil)
	require.NoError(v.h.T, err)

	joined, err := safe.Join([]safe.Confirmation{
		sign(v.h.T, v.owners[0], common.BytesToHash(hash)),
		sign(v.h.T, v.owners[1], common.BytesToHash(hash)),
	})
	require.NoError(v.h.T, err)

	return safe.Pack("execTransaction", append(fields[:9:9], joined)...)
}

// chainNonce reads the Safe's nonce.
func (v *vault) chainNonce() uint64 {
	v.h.T.Helper()

	out, err := v.h.Eth.CallContract(v.h.T.Context(), ethereum.CallMsg{To: &v.at, Data: safe.Pack("nonce")}, nil)
	require.NoError(v.h.T, err)

	return new(big.Int).SetBytes(out).Uint64()
}

// try simulates a transaction of the Safe with two signatures.
func (v *vault) try(tx safe.Tx) error {
	hash := v.domain.TxHash(tx)
	joined, err := safe.Join([]safe.Confirmation{sign(v.h.T, v.owners[0], hash), sign(v.h.T, v.owners[1], hash)})
	require.NoError(v.h.T, err)

	_, err = v.h.Eth.CallContract(v.h.T.Context(), ethereum.CallMsg{
		From: v.c.Payer.Address,
		To:   &v.at,
		Data: safe.Execute(tx, joined),
	}, nil)

	return err
}

// A guard that refuses delegate calls refuses batches: then the owners are asked for one call after the other. What was
// approved and then spent by something else is asked for again.
func TestAGuardThatRefusesBatches(t *testing.T) {
	apptest.EachWith(t, apptest.Config{}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDT")
		v := newVault(h, c, token, world.SafeAccount{})
		v.itself("setGuard", v.guard())
		v.prove()
		v.approve(token, big.NewInt(1))

		body := c.Body("USDT", c.Payment(c.Payee, "10.00"))
		body["walletAddress"] = v.at.Hex()
		id := c.Do("POST", "/transactions", body).OK(201).ID()

		for _, purpose := range []string{"RESET_TO_ZERO", "APPROVE"} {
			s := v.asked(id)
			require.Equal(t, []string{purpose}, s.Purposes)
			require.Equal(t, "0", s.TypedData.Message.Operation)
			v.confirmed(v.owners[0], s.Hash)
			v.carryOut(v.confirmed(v.owners[1], s.Hash))
		}

		require.Nil(t, v.asked(id))

		// the allowance is taken away before submit
		v.approve(token, new(big.Int))
		c.Act(id, "submit").Refused(422, "ALLOWANCE_INSUFFICIENT")
		require.Equal(t, []string{"APPROVE"}, v.asked(id).Purposes)
	})
}

// A confirmation counts while its owner is one. Who was removed confirms nothing, and what he has confirmed does not
// carry anything out.
func TestARemovedOwnerDoesNotCount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		v := newVault(h, c, token, world.SafeAccount{})
		id := v.draft("10.00")
		v.nonce = 0
		s := v.asked(id)
		v.confirmed(v.owners[2], s.Hash)

		// nonce 0 is used for the removal, so the owners are asked anew
		before := v.owners[1].Address

		all := v.state().Owners
		for i, o := range all {
			if o == v.owners[2].Address && i > 0 {
				before = all[i-1]
			} else if o == v.owners[2].Address {
				before = common.HexToAddress("0x1")
			}
		}

		v.itself("removeOwner", before, v.owners[2].Address, big.NewInt(2))
		again := v.asked(id)
		require.NotEqual(t, s.Hash, again.Hash)
		v.confirm(again.Hash, sign(t, v.owners[2], common.HexToHash(again.Hash)).Bytes()).Refused(422, "SAFE_NOT_OWNER")
		require.Equal(t, 0, v.asked(id).Confirmations)
	})
}

// state reads the Safe's owners in the contract's own order.
func (v *vault) state() (out struct{ Owners []common.Address }) {
	v.h.T.Helper()

	raw, err := v.h.Eth.CallContract(v.h.T.Context(), ethereum.CallMsg{To: &v.at, Data: safe.Pack("getOwners")}, nil)
	require.NoError(v.h.T, err)

	for at := 64; at+32 <= len(raw); at += 32 {
		out.Owners = append(out.Owners, common.BytesToAddress(raw[at:at+32]))
	}

	return out
}

// Owners prove a wallet whatever the order of their signatures; a Safe without fallback handler, which answers no
// question of EIP-1271, is proven by its owners all the same, and so is one whose owners have signed on the chain. One
// owner twice, one of a threshold of two, or signatures for another Safe prove nothing.
func TestASafesOwnersProveIt(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")

		for _, a := range []world.SafeAccount{{}, {NoHandler: true}, {Version: safe.V111}, {Version: safe.V130}, {Version: safe.V150}} {
			v := newVault(h, c, token, a)
			hash := v.message()
			one, two := sign(t, v.owners[0], hash).Bytes(), sign(t, v.owners[1], hash).Bytes()
			v.verify(one).OK(200)
			require.Equal(t, "PENDING", v.ownership(), "one of two proves nothing")
			v.verify(append(common.CopyBytes(one), one...)).Refused(422, "SIGNATURE_MISMATCH")

			elsewhere := v.domain
			elsewhere.Account = c.Payer.Address
			other := elsewhere.MessageHash(v.text())
			v.verify(append(sign(t, v.owners[0], other).Bytes(), sign(t, v.owners[1], other).Bytes()...)).
				Refused(422, "SIGNATURE_MISMATCH")

			if v.owners[0].Address.Cmp(v.owners[1].Address) < 0 {
				one, two = two, one
			}

			v.verify(append(common.CopyBytes(one), two...)).OK(200)
			require.Equal(t, "VERIFIED", v.ownership())
		}

		v := newVault(h, c, token, world.SafeAccount{})
		lib := safecode.Of(safe.V141).At(safecode.SignMessageLib)
		v.verify(nil).Refused(422, "SIGNATURE_MISMATCH")
		v.execute(lib, safe.Pack("signMessage", v.text()), safe.DelegateCall)
		v.verify(nil).OK(200)
	})
}

// Owners who do not meet sign one after the other: what each has signed is kept, nobody has to carry it around, and the
// one who makes them enough proves the wallet. Who is no owner any more does not count, and a stranger's is a wrong
// signature.
func TestOwnersProveASafeOneAfterTheOther(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		v := newVault(h, c, h.World.Token("USDC"), world.SafeAccount{})
		hash := v.message()
		confirmed := func() []string {
			var a struct {
				Ownership struct {
					ConfirmedBy []string `json:"confirmedBy"`
				} `json:"ownershipMessage"`
			}

			c.Do("GET", "/wallets/"+v.id+"/safe", nil).OK(200).Into(&a)

			return a.Ownership.ConfirmedBy
		}

		require.Empty(t, confirmed())
		v.verify(sign(t, h.Account("a stranger"), hash).Bytes()).Refused(422, "SIGNATURE_MISMATCH")

		third := sign(t, v.owners[2], hash).Bytes()
		v.verify(third).OK(200)
		v.verify(third).OK(200)
		require.Equal(t, []string{v.owners[2].Address.Hex()}, confirmed())

		// the third owner leaves: the Safe is another one, and his signature counts no more
		v.swap(v.owners[2].Address, common.HexToAddress("0x1234"))
		v.verify(sign(t, v.owners[0], hash).Bytes()).OK(200)
		require.NotEqual(t, "VERIFIED", v.ownership())

		second := sign(t, v.owners[1], hash).Bytes()
		v.verify(second).OK(200)
		require.Equal(t, "VERIFIED", v.ownership())
		require.EqualValues(t, 3, h.Count("SELECT count(*) FROM wallet_confirmations WHERE wallet = ?", v.id))
	})
}

// What an owner that is a contract has signed of the text is kept like a key's signature, and counts while the contract
// stands behind it.
func TestAnOwnerThatIsASafeProvesItToo(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		outer := newVault(h, c, token, world.SafeAccount{})

		for _, changed := range []bool{false, true} {
			v := newVault(h, c, token, world.SafeAccount{Owners: []common.Address{outer.at}})
			inner := outer.domain.MessageHash(v.domain.EncodeMessage(v.text()))

			joined, err := safe.Join([]safe.Confirmation{
				sign(t, outer.owners[0], inner),
				sign(t, outer.owners[1], inner),
			})
			require.NoError(t, err)

			of := func(data []byte) []byte {
				return safe.Confirmation{Owner: outer.at, Kind: safe.ByContract, Data: data}.Bytes()
			}

			v.verify(of(joined[:65])).Refused(422, "SIGNATURE_MISMATCH")
			v.verify(of(joined)).OK(200)
			require.NotEqual(t, "VERIFIED", v.ownership())

			if changed { // the outer Safe has other owners before it counts
				outer.swap(outer.owners[0].Address, common.HexToAddress("0x1234"))
			}

			v.verify(sign(t, v.owners[2], v.message()).Bytes()).OK(200)

			if changed {
				require.NotEqual(t, "VERIFIED", v.ownership(), "the contract stands behind it no more")
				continue
			}

			require.Equal(t, "VERIFIED", v.ownership())
		}
	})
}

// swap puts another owner in the place of one.
func (v *vault) swap(old, new common.Address) {
	v.h.T.Helper()

	before := common.HexToAddress("0x1")
	for _, o := range v.state().Owners {
		if o == old {
			break
		}

		before = o
	}

	v.itself("swapOwner", before, old, new)
}

// A new module moves tokens without the owners. It is told, and where the organisation wants a second person, nothing
// is paid until one has looked. (E-11)
func TestANewModuleIsToldAndHeld(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		v := newVault(h, c, token, world.SafeAccount{})
		v.prove()
		v.approve(token, apptest.Units(token, 1_000))
		first, second := v.draft("10.00"), v.draft("11.00")
		c.Act(first, "submit").OK(200)
		v.itself("enableModule", h.World.Router)
		c.Act(first, "accept").OK(200)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM audit_log WHERE action = 'wallet.safe.module'"))
		h.Settle()
		c.Ends(first, transaction.StatusCompleted)

		h.Exec("UPDATE organisations SET payee_approval = TRUE WHERE id = ?", c.Org)
		v.itself("enableModule", token.Address)
		c.Act(second, "submit").Refused(422, "PAYEE_NOT_APPROVED")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM approvals WHERE object = ?", v.id))
		require.Equal(t, "VERIFIED", v.ownership())
	})
}

// The transaction service of Safe is a notice board: what owners leave there is taken after it was verified like
// anything else, and what they confirm here is shown there. A board that lies, lags, forgets or does not answer changes
// nothing but the time.
func TestATransactionServiceIsANoticeBoard(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		own := clock.New()
		board, service := beside(h, safeservice.Config{Clock: own})

		c := h.Client("Ada")
		v := newVault(h, c, h.World.Token("USDC"), world.SafeAccount{})
		board.Know(v.domain, v.owners[0].Address, v.owners[1].Address, v.owners[2].Address)
		id := v.draft("10.00")
		s := v.asked(id)
		hash := common.HexToHash(s.Hash)
		round := func() int {
			t.Helper()
			require.NoError(t, h.App.Safes.Sync(t.Context()))

			return v.asked(id).Confirmations
		}

		require.Zero(t, round(), "the board does not know it, and nobody has signed: nobody can propose")
		_, err := service.Confirmations(t.Context(), s.Hash)
		require.ErrorIs(t, err, safeservice.ErrUnknown)

		v.confirmed(v.owners[0], s.Hash)
		require.Equal(t, 1, round())
		shown, err := service.Confirmations(t.Context(), s.Hash)
		require.NoError(t, err)
		require.Len(t, shown, 1, "proposed in the name of the owner")

		// lies: a stranger, an owner's signature over something else, bytes that are none
		board.Lie(
			hexutil.Encode(sign(t, h.Account("a stranger"), hash).Bytes()),
			hexutil.Encode(sign(t, v.owners[1], common.Hash{1}).Bytes()),
			hexutil.Encode(safe.Approved(v.owners[1].Address).Bytes()),
			"0x12", "nonsense",
		)
		require.Equal(t, 1, round())
		board.Lie()

		// another owner signs in Safe's application; the board shows it late, and forgets it again
		require.NoError(t, service.Confirm(t.Context(), s.Hash, hexutil.Encode(sign(t, v.owners[1], hash).Bytes())))
		board.Lag(1)
		require.Equal(t, 1, round())
		require.Equal(t, 2, round())
		board.Reorganise(1)
		require.Equal(t, 2, round(), "what was verified counts, whatever the board shows")
		shown, err = service.Confirmations(t.Context(), s.Hash)
		require.NoError(t, err)
		require.Len(t, shown, 2, "and is shown there again")

		restsWithout(t, board, own, round)

		require.ErrorIs(t, service.Confirm(t.Context(), s.Hash, "0x12"), safeservice.ErrRefused) // 422
		require.ErrorIs(t, service.Confirm(t.Context(), common.Hash{2}.Hex(), "0x12"), safeservice.ErrUnknown)

		var last safeView
		c.Do("GET", "/wallets/"+v.id+"/safe-transactions/"+s.Hash, nil).OK(200).Into(&last)
		v.carryOut(last)
		require.Nil(t, v.asked(id))
	})
}

// beside restarts the service beside a board of its own, and returns the board and the client of it.
func beside(h *apptest.Harness, c safeservice.Config) (*safesim.Server, *safeservice.Client) {
	h.T.Helper()

	board := safesim.New()
	c.URL = "https://board.example/dev"
	c.Key = safesim.Key
	c.Transport = board

	service, err := safeservice.NewClient(c)
	require.NoError(h.T, err)
	h.Tune(func(o *app.Outside) { o.SafeBoards = map[string]*safeservice.Client{world.NetworkID: service} })
	h.Restart()

	return board, service
}

// A delegate is a key that an owner has let propose: what the owners are asked to sign is on the board before the first
// of them has signed. It has no power: its signature is no confirmation, here or there, and the owners' alone carry it
// out.
func TestADelegateProposesAndConfirmsNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		delegate := h.Account("the delegate")
		key := secret.Text(hex.EncodeToString(crypto.FromECDSA(delegate.Key)))
		board, service := beside(h, safeservice.Config{Delegate: key})

		c := h.Client("Ada")
		v := newVault(h, c, h.World.Token("USDC"), world.SafeAccount{})
		board.Know(v.domain, v.owners[0].Address, v.owners[1].Address, v.owners[2].Address)
		id := v.draft("10.00")
		s := v.asked(id)

		require.NoError(t, h.App.Safes.Sync(t.Context()))
		_, err := service.Confirmations(t.Context(), s.Hash)
		require.ErrorIs(t, err, safeservice.ErrUnknown, "no owner has let it propose yet")

		board.Delegate(delegate.Address)
		require.NoError(t, h.App.Safes.Sync(t.Context()))
		shown, err := service.Confirmations(t.Context(), s.Hash)
		require.NoError(t, err, "it is on the board")
		require.Empty(t, shown, "and nobody has confirmed it")
		require.Zero(t, v.asked(id).Confirmations)
		v.confirm(s.Hash, sign(t, delegate, common.HexToHash(s.Hash)).Bytes()).Refused(422, "SAFE_NOT_OWNER")

		v.confirmed(v.owners[0], s.Hash)
		require.NoError(t, h.App.Safes.Sync(t.Context()))
		shown, err = service.Confirmations(t.Context(), s.Hash)
		require.NoError(t, err)
		require.Len(t, shown, 1)
		v.carryOut(v.confirmed(v.owners[1], s.Hash))
		require.Nil(t, v.asked(id))
	})
}

// restsWithout breaks the board: it is asked no more for a while, longer each time.
func restsWithout(t *testing.T, board *safesim.Server, own *clock.Clock, round func() int) {
	t.Helper()

	for _, status := range []int{429, 503} {
		board.Break(status)
		require.Equal(t, 2, round())

		asked := board.Asked()

		require.Equal(t, 2, round())
		require.Equal(t, asked, board.Asked(), "it rests")
		board.Break(0)
		own.Advance(time.Hour)
	}
}
