package wallet

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/eip191"
	"slipway/internal/standards/safe"
)

// confirmation is what one owner of a Safe has signed of the text that proves its wallet. Whether the owner still is
// one is asked when it is used.
type confirmation struct {
	Wallet, Organisation string
	Hash                 string // of the SafeMessage
	Owner                string // EIP-55
	Kind                 string // safe.Kind
	Signature            string
	CreatedAt            time.Time
}

var confirmationTable = db.NewTable("wallet_confirmations", (*confirmation).columns).
	OrIgnore("(wallet, message_hash, owner)")

func (x *confirmation) columns(c *db.Columns) {
	c.Text("wallet", &x.Wallet)
	c.Text("message_hash", &x.Hash)
	c.Text("organisation", &x.Organisation)
	c.Text("owner", &x.Owner)
	c.Text("kind", &x.Kind)
	c.Text("signature", &x.Signature)
	c.Time("created_at", &x.CreatedAt)
}

// ConfirmedBy returns the owners of whom a confirmation of a text is kept, whose SafeMessage has the hash, sorted.
func ConfirmedBy(ctx context.Context, q db.Querier, w Wallet, hash common.Hash) ([]string, error) {
	rows, err := confirmationsOf(ctx, q, w, hash)

	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.Owner
	}

	return out, err
}

func confirmationsOf(ctx context.Context, q db.Querier, w Wallet, hash common.Hash) ([]confirmation, error) {
	return confirmationTable.Select(
		ctx,
		q,
		"WHERE wallet = ? AND organisation = ? AND message_hash = ? ORDER BY owner LIMIT 200",
		w.ID,
		w.Organisation,
		hash.Hex(),
	)
}

// part is what some owners of a Safe have signed of a text, and the account that they own.
type part struct {
	account   safe.State
	hash      common.Hash
	confirmed []safe.Confirmation
	standing  map[common.Address]bool // owners that are contracts, who stand behind what is kept of them
}

// partOf reads a signature as what some owners of a Safe have signed of a text; nil if it is anything else. It asks
// owners that are contracts about their confirmations, those that are kept already included: a contract may change its
// mind.
func (s *Service) partOf(ctx context.Context, w Wallet, message string, signature []byte) (*part, error) {
	if w.Type != Multisig || len(signature) == 0 {
		return nil, nil //nolint:nilnil // no part, and no error
	}

	account, ok, err := s.deps.Chain.SafeAt(ctx, w.Network, common.HexToAddress(w.Address))
	if err != nil {
		return nil, s.noAnswer(ctx, w, err)
	}

	asked := eip191.Hash([]byte(message))
	hash := account.MessageHash(asked[:])

	all, err := safe.Split(hash, signature)
	if !ok || err != nil {
		return nil, nil //nolint:nilerr,nilnil // whatever cannot be read is no part
	}

	if _, err := safe.Join(all); err != nil {
		return nil, nil //nolint:nilerr,nilnil // one owner twice
	}

	p := part{account: account, hash: hash, confirmed: all, standing: map[common.Address]bool{}}

	for _, c := range all {
		if !account.Owns(c.Owner) {
			return nil, nil //nolint:nilnil // no part, and no error
		}

		good, err := s.ownerConfirms(ctx, w, p, asked[:], c)
		if err != nil || !good {
			return nil, err
		}
	}

	kept, err := keptOf(ctx, s.deps.DB, w, hash)
	if err != nil {
		return nil, err
	}

	for _, c := range kept {
		if c.Kind == safe.ByContract && account.Owns(c.Owner) {
			if p.standing[c.Owner], err = s.ownerConfirms(ctx, w, p, asked[:], c); err != nil {
				return nil, err
			}
		}
	}

	return &p, nil
}

// ownerConfirms reports whether an owner stands behind a confirmation of a text. A signature by a key needs no
// question; what was approved on the chain is no part of a proof.
func (s *Service) ownerConfirms(
	ctx context.Context,
	w Wallet,
	p part,
	asked []byte,
	c safe.Confirmation,
) (bool, error) {
	if c.Kind != safe.ByContract {
		return c.Kind == safe.ByKey || c.Kind == safe.ByEthSign, nil
	}

	encoded := p.account.EncodeMessage(asked)

	good, err := s.deps.Chain.OwnerConfirms(ctx, w.Network, p.account.Version, c.Owner, encoded, p.hash, c.Data)
	if err != nil {
		return false, s.noAnswer(ctx, w, err)
	}

	return good, nil
}

// keptOf returns the confirmations of a text that are kept.
func keptOf(ctx context.Context, q db.Querier, w Wallet, hash common.Hash) ([]safe.Confirmation, error) {
	rows, err := confirmationsOf(ctx, q, w, hash)
	if err != nil {
		return nil, err
	}

	out := make([]safe.Confirmation, len(rows))
	for i, r := range rows {
		if out[i], err = safe.Parse(hash, common.FromHex(r.Signature)); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// gather keeps what some owners have signed, and returns the signature of all who have signed the text so far, when
// they are enough: only who is an owner now counts. Two owners with keys who come at once are both counted; what a
// contract confirms at the same moment counts with the next. A second call with the same part changes nothing.
func gather(ctx context.Context, tx *db.Tx, w Wallet, p part) (joined []byte, err error) {
	kept, err := keptOf(ctx, tx, w, p.hash)
	if err != nil {
		return nil, err
	}

	all := p.confirmed[:len(p.confirmed):len(p.confirmed)]
	known := map[common.Address]bool{}

	for _, c := range p.confirmed {
		known[c.Owner] = true
	}

	for _, c := range kept {
		if !known[c.Owner] && p.account.Owns(c.Owner) && (c.Kind != safe.ByContract || p.standing[c.Owner]) {
			all = append(all, c)
		}
	}

	for _, c := range p.confirmed {
		if c.Kind == safe.ByContract { // it may confirm in another way than it did before
			if err := forget(tx, w, p.hash, c.Owner); err != nil {
				return nil, err
			}
		}

		confirmationTable.Insert(tx, &confirmation{
			Wallet:       w.ID,
			Organisation: w.Organisation,
			Hash:         p.hash.Hex(),
			Owner:        c.Owner.Hex(),
			Kind:         string(c.Kind),
			Signature:    hexutil.Encode(c.Bytes()),
			CreatedAt:    tx.Now,
		})
		trail.Audit(ctx, tx, w.Organisation, "wallet.confirm", w.ID, c.Owner.Hex())
	}

	if len(all) < p.account.Threshold { // each is of another owner, and stands
		return nil, nil
	}

	return safe.Join(all)
}
