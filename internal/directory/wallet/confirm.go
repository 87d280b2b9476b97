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

// confirmation is what one owner of a Safe has signed of the text that proves its wallet. Whether the owner still is one is
// asked when it is used.
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
}

// partOf reads a signature as what some owners of a Safe have signed of a text; nil if it is anything else. Of owners that
// are contracts nothing is kept: their confirmation comes together with the others'.
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

	for _, c := range all {
		if c.Kind != safe.ByKey && c.Kind != safe.ByEthSign || !account.Owns(c.Owner) {
			return nil, nil //nolint:nilnil // no part, and no error
		}
	}

	if _, err := safe.Join(all); err != nil {
		return nil, nil //nolint:nilerr,nilnil // one owner twice
	}

	return &part{account, hash, all}, nil
}

// gather keeps what some owners have signed, and returns the signature of all who have signed the text so far, when they
// are enough: only who is an owner now counts. Two owners who come at once are both counted. A second call with the same
// part changes nothing.
func gather(ctx context.Context, tx *db.Tx, w Wallet, p part) (joined []byte, err error) {
	kept, err := confirmationsOf(ctx, tx, w, p.hash)
	if err != nil {
		return nil, err
	}

	all := p.confirmed[:len(p.confirmed):len(p.confirmed)]
	known := map[common.Address]bool{}

	for _, c := range p.confirmed {
		known[c.Owner] = true
	}

	for _, k := range kept {
		c, err := safe.Parse(p.hash, common.FromHex(k.Signature))
		if err != nil {
			return nil, err
		}

		if !known[c.Owner] && p.account.Owns(c.Owner) {
			all = append(all, c)
		}
	}

	for _, c := range p.confirmed {
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

	if !p.account.Enough(all) {
		return nil, nil
	}

	return safe.Join(all)
}
