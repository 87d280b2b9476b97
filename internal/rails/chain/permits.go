package chain

import (
	"context"
	"crypto/ecdsa"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/rails/chain/contract"
)

// TokenPermits tells how a token takes signatures in place of approvals.
type TokenPermits struct {
	Domain  contract.Domain   // whose signatures the token verifies; of Permit2 alone it says nothing
	Manners []contract.Manner // ByAuthorization, ByPermit, ByPermit2
	Wallets []contract.Manner // those of the first two that take a wallet contract's signature, too
}

// TokenPermits finds out how a token takes signatures, by trying: a signature of a key that was made for it must pass,
// and one of another key must not. Names and versions prove nothing, and some tokens answer any call with success. Two
// nodes must agree on every answer. An error means that nothing is known; a token without permits is none.
func (c *Client) TokenPermits(ctx context.Context, token, router common.Address) (TokenPermits, error) {
	var out TokenPermits

	domain, ok, err := c.tokenDomain(ctx, token)
	if err != nil {
		return out, err
	}

	if ok {
		out.Domain = domain

		for _, m := range []contract.Manner{contract.ByAuthorization, contract.ByPermit} {
			for _, bytesForm := range []bool{false, true} {
				works, err := c.takes(ctx, domain, router, m, bytesForm)
				if err != nil {
					return out, fmt.Errorf("try %s of %s: %w", m, token, err)
				}

				switch {
				case works && bytesForm:
					out.Wallets = append(out.Wallets, m)
				case works:
					out.Manners = append(out.Manners, m)
				}
			}
		}
	}

	has, err := c.hasPermit2(ctx)
	if err != nil {
		return out, err
	}

	if has {
		out.Manners = append(out.Manners, contract.ByPermit2)
	}

	return out, nil
}

// tokenDomain returns the domain whose separator the token shows. ok is false if it shows none, or one of another form.
func (c *Client) tokenDomain(ctx context.Context, token common.Address) (d contract.Domain, ok bool, err error) {
	separator, err := c.answer(ctx, CallMsg{To: token, Data: contract.Selector("DOMAIN_SEPARATOR()")})
	if err != nil || len(separator) != common.HashLength {
		return d, false, err
	}

	name, err := c.text(ctx, token, "name()")
	if err != nil {
		return d, false, err
	}

	version, err := c.text(ctx, token, "version()")
	if err != nil {
		return d, false, err
	}

	for _, v := range []string{version, "1", "2", ""} {
		d = contract.Domain{Name: name, Version: v, ChainID: c.ChainID(), Contract: token}

		hash, err := d.Separator()
		if err == nil && hash == common.BytesToHash(separator) {
			return d, true, nil
		}
	}

	return d, false, nil
}

// text asks a contract for a text; "" if it has no such function.
func (c *Client) text(ctx context.Context, at common.Address, function string) (string, error) {
	out, err := c.answer(ctx, CallMsg{To: at, Data: contract.Selector(function)})
	if err != nil {
		return "", err
	}

	return contract.Text(out), nil
}

// answer returns what a call returns, or nothing if it reverts.
func (c *Client) answer(ctx context.Context, m CallMsg) ([]byte, error) {
	out, err := c.Call(ctx, m)
	if err != nil && Classify(err) == Reverts {
		return nil, nil
	}

	return out, err
}

// takes reports whether a token accepts the signature of a key and refuses that of another. Nothing is moved or
// approved: the calls are only simulated, for an owner who has nothing.
func (c *Client) takes(
	ctx context.Context,
	domain contract.Domain,
	router common.Address,
	m contract.Manner,
	bytesForm bool,
) (bool, error) {
	owner, err := crypto.GenerateKey()
	if err != nil {
		return false, err
	}

	other, err := crypto.GenerateKey()
	if err != nil {
		return false, err
	}

	for _, try := range []struct {
		key  *ecdsa.PrivateKey
		want bool
	}{{owner, true}, {other, false}} {
		data, err := contract.TryPermit(domain, router, crypto.PubkeyToAddress(owner.PublicKey), try.key, m, bytesForm)
		if err != nil {
			return false, err
		}

		_, err = c.Call(ctx, CallMsg{From: router, To: domain.Contract, Data: data})
		if err != nil && Classify(err) != Reverts {
			return false, err
		}

		if (err == nil) != try.want {
			return false, nil
		}
	}

	return true, nil
}

// hasPermit2 reports whether the chain has Permit2 at its address.
func (c *Client) hasPermit2(ctx context.Context) (bool, error) {
	code, err := c.CodeAt(ctx, contract.Permit2)
	if err != nil || len(code) == 0 {
		return false, err
	}

	separator, err := c.answer(ctx, CallMsg{To: contract.Permit2, Data: contract.Selector("DOMAIN_SEPARATOR()")})
	if err != nil {
		return false, err
	}

	want, err := contract.Permit2Domain(c.ChainID()).Separator()

	return err == nil && common.BytesToHash(separator) == want && len(separator) == common.HashLength, err
}
