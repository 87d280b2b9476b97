package safetx

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type byWallet struct {
	ID string `path:"id" maxLength:"64"`
}

type byHashIn struct {
	byWallet
	Hash string `path:"safeTxHash" maxLength:"66" doc:"what the owners sign"`
}

type listIn struct {
	byWallet
	web.Paging
}

type confirmIn struct {
	byHashIn
	Body struct {
		Signature string `json:"signature" maxLength:"8194" example:"0x4d44abdcc39e259238870493c29d26fbe14b0564afe2b25326311ddc397cff8d4014e09a2a296efb2dc0231c622289e015d0cbd469ae67d509675e6112bd0b061f" doc:"0x and one owner's confirmation as Safe's contract reads it: r, s and v of 27 or 28 (eth_signTypedData_v4), 31 or 32 (personal_sign, 4 added to v), 1 (approved on the chain), 0 (a contract's, which follows)"`
	}
}

// Routes registers the operations.
func (s *Service) Routes(api *web.API) {
	operation := func(method, path, id, summary string) web.Operation {
		return web.Operation{
			Method:  method,
			Path:    path,
			ID:      id,
			Summary: summary,
			Tag:     "wallets",
			Access:  web.Tenant,
		}
	}

	account := operation("GET", "/wallets/{id}/safe", "readSafe", "Read the Safe at a wallet's address, as it is now")
	account.Codes = []fault.Code{fault.SafeUnknown, fault.UpstreamFailed}
	web.Register(api, account, s.readAccount)

	list := operation("GET", "/wallets/{id}/safe-transactions", "listSafeTransactions",
		"List what the owners of a Safe were asked to sign, newest first")
	list.Codes = account.Codes
	web.Register(api, list, s.list)

	one := operation("GET", "/wallets/{id}/safe-transactions/{safeTxHash}", "readSafeTransaction",
		"Read what the owners of a Safe are asked to sign")
	one.Codes = account.Codes
	web.Register(api, one, s.readOne)

	confirm := operation("POST", "/wallets/{id}/safe-transactions/{safeTxHash}/confirmations", "confirmSafeTransaction",
		"Hand in an owner's confirmation; it is verified against the chain")
	confirm.Roles = organisation.Writers()

	confirm.Codes = append([]fault.Code{fault.SafeSignature, fault.SafeNotOwner, fault.SafeNonceUsed}, account.Codes...)
	web.Register(api, confirm, s.confirm)
}

func (s *Service) readAccount(ctx context.Context, in *byWallet) (*AccountView, error) {
	w, n, err := s.wallet(ctx, caller.Of(ctx).Organisation, in.ID)
	if err != nil {
		return nil, err
	}

	state, err := s.account(ctx, w)
	if err != nil {
		return nil, err
	}

	return s.accountView(ctx, w, n, state)
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	w, n, err := s.wallet(ctx, caller.Of(ctx).Organisation, in.ID)
	if err != nil {
		return nil, err
	}

	state, err := s.account(ctx, w)
	if err != nil {
		return nil, err
	}

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, p caller.Window) ([]Transaction, int64, error) {
		return page(ctx, q, w, p)
	}, func(t Transaction) string { return t.ID }, func(q db.Querier, rows []Transaction) ([]View, error) {
		return s.views(ctx, q, n, rows, state)
	})
}

func (s *Service) readOne(ctx context.Context, in *byHashIn) (*View, error) {
	w, n, t, err := s.find(ctx, caller.Of(ctx).Organisation, in.ID, in.Hash)
	if err != nil {
		return nil, err
	}

	state, err := s.account(ctx, w)
	if err != nil {
		return nil, err
	}

	return s.view(ctx, s.deps.DB, n, t, state)
}

func (s *Service) confirm(ctx context.Context, in *confirmIn) (*View, error) {
	org := caller.Of(ctx).Organisation

	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.Confirm(ctx, org, in.ID, in.Hash, in.Body.Signature, done)
	})
}

func same(v View) View { return v }
