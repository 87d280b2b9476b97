package transaction

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

// Signatures is what a transaction asks a network before it takes a payer's signature. The chain rail implements it.
type Signatures interface {
	// ChainID returns the network's number.
	ChainID(networkID string) (*big.Int, error)
	// IsValidSignature asks a wallet contract whether a signature is its own (EIP-1271).
	IsValidSignature(
		ctx context.Context,
		networkID string,
		at common.Address,
		hash [32]byte,
		signature []byte,
	) (bool, error)
	// Head returns the height that two nodes have reached.
	Head(ctx context.Context, networkID string) (uint64, error)
	// Limits reads at the newest block what a payer has set on its network's router, and its cap of each token.
	Limits(ctx context.Context, networkID string, payer common.Address, tokens []common.Address) (RouterLimits, error)
	// Words simulates calls at one block and returns the single word that each answers.
	Words(ctx context.Context, networkID string, reads ...Read) ([]*big.Int, error)
}

// Read is a call of a contract that changes nothing.
type Read struct {
	To   common.Address
	Data []byte
}

// Limits of a signature's deadline.
const (
	signedFor      = 24 * time.Hour   // what check-allowance offers
	shortestSigned = 10 * time.Minute // less may pass before the batch is in a block
	longestSigned  = 30 * 24 * time.Hour
	maxSignedBytes = 4096
)

// SignedBody is what a wallet has signed in place of an approval.
type SignedBody struct {
	Manner    string `json:"manner" enum:"PERMIT,AUTHORIZATION,PERMIT2" doc:"as check-allowance has offered it" example:"PERMIT"`
	Deadline  int64  `json:"deadline" minimum:"1" doc:"Unix seconds: the deadline that was signed; 10 minutes to 30 days from now" example:"1795600000"`
	Signature string `json:"signature" maxLength:"8194" doc:"of the typed data: 0x and hexadecimal digits; 65 bytes of a key, or what a wallet contract accepts (EIP-1271)" example:"0x5c1f8c"`
	Intent    string `json:"intent,omitempty" maxLength:"8194" doc:"PERMIT: the signature of the intent besides, for a wallet that requires signed intents" example:"0x5c1f8c"`
}

// IntentBody is the payer's signature of exactly this batch.
type IntentBody struct {
	Deadline  int64  `json:"deadline" minimum:"1" doc:"Unix seconds: the deadline that was signed; 10 minutes to 30 days from now" example:"1795600000"`
	Signature string `json:"signature" maxLength:"8194" doc:"of the intent's typed data: 0x and hexadecimal digits" example:"0x5c1f8c"`
}

// PermitView is what the paying wallet can sign so that nothing has to be approved.
type PermitView struct {
	Manner    string `json:"manner" enum:"PERMIT,AUTHORIZATION,PERMIT2" doc:"PERMIT: EIP-2612; AUTHORIZATION: EIP-3009, names the payees, too; PERMIT2: by Permit2, which the wallet has approved, names the payees, too"`
	Deadline  int64  `json:"deadline" doc:"Unix seconds; send it with the signature" example:"1795600000"`
	TypedData string `json:"typedData" doc:"the second parameter of eth_signTypedData_v4" example:"{\"primaryType\":\"Permit\",\"message\":{\"value\":\"1250500000\"}}"`
	Intent    string `json:"intent,omitempty" doc:"typed data to sign besides: the wallet or the organisation's policy requires signed intents" example:"{\"primaryType\":\"PaymentIntent\",\"message\":{\"deadline\":\"1795600000\"}}"`
}

// Signed is the payer's signature for a transaction, as it was verified.
type Signed struct {
	Manner            contract.Manner
	Units             *big.Int // the debit that was signed
	Deadline          int64    // Unix seconds
	Signature, Intent []byte
	FromBlock         int64 // OWN: the height from which the wallet's own payment is looked for
}

// Lapsed reports whether it is too late to send what was signed. In the second of the deadline it is: the block that
// takes it is a later one.
func (x Signed) Lapsed(now time.Time) bool { return now.Unix() >= x.Deadline }

// Dead reports whether no block after one of a time, in Unix seconds, can execute what was signed. The contracts still
// take it in the second of the deadline.
func (x Signed) Dead(block uint64) bool { return block > uint64(x.Deadline) }

// Call returns the router's call that carries the signature.
func (x Signed) Call(b contract.Batch) contract.Call {
	c := contract.Call{Batch: b, Manner: x.Manner, Deadline: big.NewInt(x.Deadline), Signature: x.Signature}
	if x.Manner == contract.ByPermit {
		c.Permit = x.Signature
		c.Signature = x.Intent
	}

	return c
}

// Batch returns what the router is told to pay: a leg for each payment, or one leg of the whole debit to the treasury
// when the payments go through banks.
func (t Transaction) Batch(n network.Network, token network.Token) contract.Batch {
	b := contract.Batch{
		Payer:  common.HexToAddress(t.WalletAddress),
		Token:  common.HexToAddress(token.Address),
		Number: big.NewInt(t.Number),
	}

	if t.Type == TypeFiat {
		treasury := t.Treasury
		if treasury == "" { // a draft: submit stores the network's
			treasury = n.WalletAddress
		}

		b.Legs = []contract.Leg{{To: common.HexToAddress(treasury), Amount: t.Debit}}

		return b
	}

	for _, p := range t.Payments {
		b.Legs = append(b.Legs, contract.Leg{To: common.HexToAddress(p.Address), Amount: p.Units})
	}

	return b
}

// signing is a transaction with everything that its payer's signature is made and verified of.
type signing struct {
	t       Transaction
	batch   contract.Batch
	router  common.Address
	chainID *big.Int
	permits network.Permits
	wallet  wallet.Wallet
}

func (s *Service) signing(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
) (x signing, err error) {
	x.t = t
	x.batch = t.Batch(n, token)
	x.router = common.HexToAddress(n.Router())

	if x.chainID, err = s.Signatures.ChainID(n.ID); err != nil {
		return x, err
	}

	if x.permits, err = network.PermitsOf(ctx, s.DB, n.ID, token); err != nil {
		return x, err
	}

	x.wallet, err = s.payingWallet(ctx, t)

	return x, err
}

func (x signing) domain() contract.Domain {
	return contract.Domain{
		Name:     x.permits.Name,
		Version:  x.permits.Version,
		ChainID:  x.chainID,
		Contract: x.batch.Token,
	}
}

// typed returns what the payer signs in a manner.
func (s *Service) typed(ctx context.Context, x signing, m contract.Manner, deadline int64) (contract.TypedData, error) {
	until := big.NewInt(deadline)

	switch m {
	case contract.ByIntent:
		return contract.IntentTypedData(x.chainID, x.router, x.batch, until)
	case contract.ByAuthorization:
		return contract.AuthorizationTypedData(x.domain(), x.router, x.batch, until)
	case contract.ByPermit2:
		return contract.Permit2TypedData(x.chainID, x.router, x.batch, until)
	case contract.ByPermit:
		nonce, err := s.Signatures.Words(ctx, x.t.Network, Read{x.batch.Token, contract.PackNonces(x.batch.Payer)})
		if err != nil {
			return contract.TypedData{}, nodeSilent()
		}

		return contract.PermitTypedData(x.domain(), x.router, x.batch, nonce[0], until)
	default:
		return contract.TypedData{}, fmt.Errorf("nothing is signed for manner %q", m)
	}
}

// manner returns the best manner in which the wallet can sign, or "" if there is none. An authorization comes first: it
// names the payees and touches no approval. A permit replaces the approval, so it is not offered while other submitted
// transactions rest on that. Permit2 needs an approval of its own.
func (s *Service) manner(ctx context.Context, x signing, r reserved) (contract.Manner, error) {
	takes := func(m contract.Manner) bool {
		list := x.permits.Manners
		if x.wallet.Type == wallet.Multisig && m != contract.ByPermit2 {
			list = x.permits.Wallets
		}

		return slices.Contains(list, string(m))
	}

	switch {
	case takes(contract.ByAuthorization):
		return contract.ByAuthorization, nil
	case takes(contract.ByPermit) && r.permitConflict() == nil:
		return contract.ByPermit, nil
	case !takes(contract.ByPermit2):
		return "", nil
	}

	approved, err := s.Signatures.Words(
		ctx,
		x.t.Network,
		Read{x.batch.Token, contract.Token().PackAllowance(x.batch.Payer, contract.Permit2)},
	)
	if err != nil {
		return "", nodeSilent()
	}

	if approved[0].Cmp(x.batch.Sum()) < 0 {
		return "", nil
	}

	return contract.ByPermit2, nil
}

// offerPermit returns what the wallet can sign in place of the approval calls; nil if there is nothing.
func (s *Service) offerPermit(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
	r reserved,
) (*PermitView, error) {
	if s.Signatures == nil || t.Debit.Sign() == 0 {
		return nil, nil
	}

	x, err := s.signing(ctx, t, n, token)
	if err != nil {
		return nil, err
	}

	m, err := s.manner(ctx, x, r)
	if err != nil || m == "" {
		return nil, err
	}

	deadline := s.DB.Now().Add(signedFor).Unix()
	out := &PermitView{Manner: string(m), Deadline: deadline}

	if out.TypedData, err = s.typedText(ctx, x, m, deadline); err != nil || m != contract.ByPermit {
		return out, err
	}

	required, _, err := s.wantsIntent(ctx, x)
	if err == nil && required {
		out.Intent, err = s.typedText(ctx, x, contract.ByIntent, deadline)
	}

	return out, err
}

func (s *Service) typedText(ctx context.Context, x signing, m contract.Manner, deadline int64) (string, error) {
	typed, err := s.typed(ctx, x, m, deadline)
	if err != nil {
		return "", err
	}

	text, err := json.Marshal(typed)

	return string(text), err
}

// verify checks a signature against the paying wallet before it is stored, and returns it in the form that the router
// takes. It calls the chain.
func (s *Service) verify(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
	m contract.Manner,
	body SignedBody,
) (Signed, error) {
	out := Signed{Manner: m, Units: t.Debit, Deadline: body.Deadline}
	at := "/permit"

	if m == contract.ByIntent {
		at = "/intent"
	}

	var l fault.List

	if s.Signatures == nil {
		l.Add(at, fault.SignatureUnsupported, "is not taken by this deployment: let the wallet approve.")
		return out, l.Err()
	}

	x, err := s.signing(ctx, t, n, token)
	if err != nil {
		return out, err
	}

	s.checkSigned(x, m, body, at, &l)

	if out.Signature = readSigned(body.Signature); out.Signature == nil {
		l.Add(at+"/signature", fault.SignatureMalformed, "is not 0x and an even number of hexadecimal digits.")
	}

	if out.Intent = readSigned(body.Intent); out.Intent == nil && body.Intent != "" {
		l.Add(at+"/intent", fault.SignatureMalformed, "is not 0x and an even number of hexadecimal digits.")
	}

	if err := l.Err(); err != nil {
		return out, err
	}

	if out.Signature, err = s.signedBy(ctx, x, m, body.Deadline, out.Signature, at+"/signature"); err != nil {
		return out, err
	}

	if m != contract.ByPermit {
		out.Intent = []byte{}
		return out, nil
	}

	return s.verifyIntentBesides(ctx, x, out)
}

// checkSigned notes a manner that the token does not take, and a deadline that is too near or too far.
func (s *Service) checkSigned(x signing, m contract.Manner, body SignedBody, at string, l *fault.List) {
	if m != contract.ByIntent && !slices.Contains(x.permits.Manners, string(m)) {
		l.Add(at+"/manner", fault.SignatureUnsupported, "is not taken by the token's contract on this network.")
	}

	now := s.DB.Now()
	if body.Deadline < now.Add(shortestSigned).Unix() || body.Deadline > now.Add(longestSigned).Unix() {
		l.Add(at+"/deadline", fault.DeadlineOff, "must be 10 minutes to 30 days from now, in Unix seconds.")
	}
}

// readSigned decodes a signature; nil if it is not one.
func readSigned(text string) []byte {
	raw, err := hexutil.Decode(text)
	if err != nil || len(raw) == 0 || len(raw) > maxSignedBytes {
		return nil
	}

	return raw
}

// signedBy verifies one signature of the paying wallet: by its key, or by its contract (EIP-1271). Of an EOA with code
// (EIP-7702) either counts. It returns the signature with v as the router and tokens want it.
func (s *Service) signedBy(
	ctx context.Context,
	x signing,
	m contract.Manner,
	deadline int64,
	signature []byte,
	at string,
) ([]byte, error) {
	typed, err := s.typed(ctx, x, m, deadline)
	if err != nil {
		return nil, err
	}

	digest, err := typed.Digest()
	if err != nil {
		return nil, err
	}

	if plain := slices.Clone(signature); x.wallet.Type == wallet.EOA {
		if len(plain) == 65 && plain[64] < 27 {
			plain[64] += 27
		}

		signer, err := contract.RecoverSigner(digest, plain)
		if err == nil && signer == x.batch.Payer {
			return plain, nil
		}
	}

	code, err := s.Chain.CodeAt(ctx, x.t.Network, x.batch.Payer)
	if err != nil {
		return nil, nodeSilent()
	}

	good := false
	if len(code) > 0 {
		if good, err = s.Signatures.IsValidSignature(ctx, x.t.Network, x.batch.Payer, digest, signature); err != nil {
			return nil, nodeSilent()
		}
	}

	if good {
		return signature, nil
	}

	var l fault.List
	l.Add(at, fault.SignatureMismatch, "is not the paying wallet's, or not of what check-allowance shows now.")

	return nil, l.Err()
}

func nodeSilent() error {
	return fault.New(fault.Unavailable, fault.UpstreamFailed, "The network's node does not answer at the moment.")
}

// Sign stores the payer's signature for a transaction that waits for acceptance, in place of the one that it has. What
// was signed is verified before. A second call with the same signature stores it again.
//
// A permit that is used on the chain in the meantime, by whomever, is no reason against the payment: the router looks
// at the allowance.
func (s *Service) Sign(ctx context.Context, transactionID string, m contract.Manner, body SignedBody) error {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	if t.Status != StatusWaiting {
		return t.NotWaiting()
	}

	n, token, err := s.directory.usable(ctx, s.DB, t.Network, t.Token, true)
	if err != nil {
		return err
	}

	signed, err := s.verify(ctx, t, n, token, m, body)
	if err != nil {
		return err
	}

	return s.Change(ctx, transactionID, func(tx *db.Tx, now Transaction) error {
		if now.Status != StatusWaiting {
			return now.NotWaiting()
		}

		if err := caller.Unchanged(ctx, now.Version); err != nil {
			return err
		}

		if now.Debit.Cmp(signed.Units) != 0 {
			return ChangedMeanwhile(now)
		}

		held, err := reservedElsewhere(ctx, tx, now, tx.Now)
		if err != nil {
			return err
		}

		if m == contract.ByPermit {
			if err := held.permitConflict(); err != nil {
				return err
			}
		}

		if err := setSigned(tx, now.ID, signed); err != nil {
			return err
		}

		raiseVersion(tx, now)
		s.recalled.dropSubmitted(tx, now.ID)
		now.Manner = m
		now.Version++

		return s.record(ctx, tx, now, "signed")
	})
}
