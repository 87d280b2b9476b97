package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/standards/safe"
)

// magicLegacy is the positive answer of isValidSignature(bytes,bytes), which a Safe before 1.5.0 asks its owners.
var magicLegacy = common.RightPadBytes([]byte{0x20, 0xc1, 0x3b, 0x0b}, 32)

// SafeAt reads a Safe at the newest block on which two nodes agree, or which the only node has. ok is false if there is
// no Safe of published code at the address. An error means that nothing is known: retry later.
func (c *Client) SafeAt(ctx context.Context, at common.Address) (s safe.State, ok bool, err error) {
	proxy, err := c.CodeAt(ctx, at)
	if err != nil || !safe.IsProxy(proxy) {
		return s, false, err
	}

	singleton, err := c.storageAddress(ctx, at, safe.SlotSingleton)
	if err != nil {
		return s, false, err
	}

	code, err := c.CodeAt(ctx, singleton)
	if err != nil {
		return s, false, err
	}

	version, ok := safe.Recognise(proxy, code)
	if !ok {
		return s, false, nil
	}

	s = safe.State{Address: at, Version: version, Singleton: singleton}

	return s, true, c.readSafe(ctx, &s)
}

// readSafe reads everything that decides about a Safe at one block. Its singleton is among it, so an account that was
// moved to another singleton meanwhile is an error and not a mixture.
func (c *Client) readSafe(ctx context.Context, s *safe.State) error {
	slots := []common.Hash{safe.SlotSingleton, safe.SlotFallbackHandler, safe.SlotGuard, safe.SlotModuleGuard}
	reads := safe.Reads()

	answers, err := c.agree(ctx, func(ref string) []call {
		var calls []call
		for _, slot := range slots {
			calls = append(calls, storageCall(s.Address, slot, ref))
		}

		for _, data := range reads {
			calls = append(calls, call{"eth_call", []any{CallMsg{To: s.Address, Data: data}.wire(), ref}})
		}

		return calls
	})
	if err != nil {
		return err
	}

	var singleton common.Address
	for i, into := range []*common.Address{&singleton, &s.Handler, &s.Guard, &s.ModuleGuard} {
		if *into, err = answers[i].storedAddress(); err != nil {
			return err
		}
	}

	if singleton != s.Singleton {
		return fmt.Errorf("%w: the Safe %s has just changed its singleton", ErrDisagree, s.Address)
	}

	results := make([][]byte, len(reads))
	for i := range reads {
		var b hexutil.Bytes
		if err := answers[len(slots)+i].into(&b); err != nil {
			return err
		}

		results[i] = b
	}

	return s.Read(results)
}

func storageCall(at common.Address, slot common.Hash, ref string) call {
	return call{"eth_getStorageAt", []any{at, slot, ref}}
}

// storedAddress decodes the address in a word of storage.
func (a answer) storedAddress() (common.Address, error) {
	var word hexutil.Bytes
	if err := a.into(&word); err != nil {
		return common.Address{}, err
	}

	return common.BytesToAddress(word), nil
}

func (c *Client) storageAddress(ctx context.Context, at common.Address, slot common.Hash) (common.Address, error) {
	answers, err := c.agree(ctx, func(ref string) []call { return []call{storageCall(at, slot, ref)} })
	if err != nil {
		return common.Address{}, err
	}

	return answers[0].storedAddress()
}

// OwnerConfirms asks an owner that is a contract whether it confirms what a Safe is to do: encoded are the bytes whose
// hash the owners sign. Up to 1.4.1 a Safe asks for the bytes themselves, later for their hash (EIP-1271).
func (c *Client) OwnerConfirms(
	ctx context.Context,
	version string,
	owner common.Address,
	encoded []byte,
	hash common.Hash,
	signature []byte,
) (bool, error) {
	if version == safe.V150 {
		return c.IsValidSignature1271(ctx, owner, hash, signature)
	}

	out, reverts, err := c.callOrRevert(ctx, CallMsg{
		To:   owner,
		Data: safe.Pack("isValidSignature", encoded, signature),
		Gas:  gas1271,
	})
	if err != nil || reverts {
		return false, err
	}

	return len(out) == 32 && common.BytesToHash(out) == common.BytesToHash(magicLegacy), nil
}

// SafeSays reads a word that a Safe answers, such as what it has approved; zero where it reverts or answers nothing.
func (c *Client) SafeSays(ctx context.Context, at common.Address, data []byte) (common.Hash, error) {
	out, reverts, err := c.callOrRevert(ctx, CallMsg{To: at, Data: data, Gas: gas1271})
	if err != nil || reverts || len(out) != 32 {
		return common.Hash{}, err
	}

	return common.BytesToHash(out), nil
}

// Refuses reports whether a call would revert: both nodes say so.
func (c *Client) Refuses(ctx context.Context, m CallMsg) (bool, error) {
	_, reverts, err := c.callOrRevert(ctx, m)
	return reverts, err
}

// callOrRevert is Call where a revert is an answer.
func (c *Client) callOrRevert(ctx context.Context, m CallMsg) (out []byte, reverts bool, err error) {
	out, err = c.Call(ctx, m)

	var n *NodeError
	if errors.As(err, &n) && Classify(n) == Reverts {
		return nil, true, nil
	}

	return out, false, err
}
