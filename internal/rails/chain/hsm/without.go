//go:build !pkcs11

package hsm

import (
	"context"
	"crypto/ecdsa"
	"math/big"
)

// Key is a key in a module. This build has none.
type Key struct{}

// Open always returns ErrNotBuilt.
func Open(Config) (*Key, error) { return nil, ErrNotBuilt }

// Public returns nil.
func (*Key) Public() *ecdsa.PublicKey { return nil }

// Sign always returns ErrNotBuilt.
func (*Key) Sign(context.Context, [32]byte) (r, s *big.Int, err error) { return nil, nil, ErrNotBuilt }

// Close does nothing.
func (*Key) Close() error { return nil }
