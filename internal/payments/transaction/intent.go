package transaction

import (
	"context"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/rails/chain/contract"
)

// A wallet may want every batch signed, whatever it has approved: then the router pays only what was signed, payee by
// payee. So may its organisation's policy.

// IntentView is what the paying wallet signs so that exactly this batch is paid.
type IntentView struct {
	Required  bool   `json:"required" doc:"the wallet has set on the router that nothing is paid without, or the organisation's policy wants it"`
	Deadline  int64  `json:"deadline" doc:"Unix seconds; send it with the signature"`
	TypedData string `json:"typedData" doc:"the second parameter of eth_signTypedData_v4"`
}

// intentRequired asks the router whether the wallet wants every batch signed.
func (s *Service) intentRequired(ctx context.Context, x signing) (bool, error) {
	if s.Signatures == nil {
		return false, nil
	}

	required, err := s.Signatures.Words(ctx, x.t.Network, Read{
		To:   x.router,
		Data: contract.Router().PackSignedIntentsOnly(x.batch.Payer),
	})
	if err != nil {
		return false, nodeSilent()
	}

	return required[0].Sign() != 0, nil
}

// checkIntent refuses to accept without the wallet's signature of the batch where the wallet has set on the router that
// it is needed. The router decides in the end; this warns the person early, so a reading may be intentAge old.
func (s *Service) checkIntent(ctx context.Context, t Transaction) error {
	if s.Signatures == nil || t.Manner != "" || t.WalletAddress == "" || t.Type == TypeOnramp {
		return nil // what was signed was compared with the wallet's rule
	}

	key := t.Network + "/" + t.WalletAddress

	required, known := s.payers.intents.Find(key)
	if !known {
		n, err := network.ByID(ctx, s.DB, t.Network)
		if err != nil {
			return err
		}

		x := signing{t: t, router: common.HexToAddress(n.Router())}
		x.batch.Payer = common.HexToAddress(t.WalletAddress)

		if required, err = s.intentRequired(ctx, x); err != nil {
			return err
		}

		s.payers.intents.Keep(key, required)
	}

	if !required {
		return nil
	}

	return intentMissing("/intent", false)
}

// Intent returns what the wallet signs so that exactly this batch is paid, and whether it must.
func (s *Service) Intent(ctx context.Context, transactionID string) (IntentView, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return IntentView{}, err
	}

	if t.Status != StatusWaiting {
		return IntentView{}, t.NotWaiting()
	}

	if s.Signatures == nil || t.WalletAddress == "" || t.Type == TypeOnramp {
		return IntentView{}, fault.New(fault.Conflict, fault.TxNotForType, "No wallet pays this transaction.")
	}

	n, token, err := s.directory.usable(ctx, s.DB, t.Network, t.Token, true)
	if err != nil {
		return IntentView{}, err
	}

	x, err := s.signing(ctx, t, n, token)
	if err != nil {
		return IntentView{}, err
	}

	v := IntentView{Deadline: s.DB.Now().Add(signedFor).Unix()}
	if v.Required, _, err = s.wantsIntent(ctx, x); err != nil {
		return v, err
	}

	v.TypedData, err = s.typedText(ctx, x, contract.ByIntent, v.Deadline)

	return v, err
}

// verifyIntentBesides verifies the intent that accompanies a permit, or refuses its absence where the wallet requires
// it, or its organisation's policy does: a permit names no payees.
func (s *Service) verifyIntentBesides(ctx context.Context, x signing, out Signed) (Signed, error) {
	const at = "/permit/intent"

	if out.Intent == nil {
		required, byPolicy, err := s.wantsIntent(ctx, x)
		if err == nil && required {
			err = intentMissing(at, byPolicy)
		}

		out.Intent = []byte{}

		return out, err
	}

	var err error
	out.Intent, err = s.signedBy(ctx, x, contract.ByIntent, out.Deadline, out.Intent, at)

	return out, err
}
