package chain

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Signer holds a key or asks another process that does. Signing the same transaction twice may give different bytes;
// the sender stores the first result and never asks again for the same attempt. The result is checked: see checkSigned.
type Signer interface {
	Address() common.Address
	SignTx(ctx context.Context, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error)
}

// Refusal means that a signer has understood the request and did not sign. Any other error of a signer proves nothing:
// it may have signed.
type Refusal struct {
	Reason string
	Later  bool // it may sign the same transaction later, for example if one of its limits is used up
}

// Error returns the signer's reason.
func (r *Refusal) Error() string { return "the signer refuses: " + r.Reason }

// KeySigner signs with a key in this process's memory, for the sandbox and tests.
type KeySigner struct {
	key     *ecdsa.PrivateKey
	address common.Address
}

// NewKeySigner returns a signer for a key.
func NewKeySigner(key *ecdsa.PrivateKey) *KeySigner {
	return &KeySigner{key: key, address: crypto.PubkeyToAddress(key.PublicKey)}
}

// Address returns the address of the key.
func (s *KeySigner) Address() common.Address { return s.address }

// SignTx signs. The same transaction always gives the same bytes (RFC 6979).
func (s *KeySigner) SignTx(_ context.Context, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error) {
	return types.SignTx(tx, types.LatestSignerForChainID(chainID), s.key)
}

// OpenKeystore reads an encrypted key file in go-ethereum's format (Web3 Secret Storage) and decrypts it once. The
// file's own parameters decide how long that takes: light ones about 0.1 s, standard ones over a second and much
// memory.
func OpenKeystore(path, password string) (*KeySigner, error) {
	blob, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read key file: %w", err)
	}

	key, err := keystore.DecryptKey(blob, password)
	if err != nil {
		return nil, fmt.Errorf("unlock key file %s: %w", path, err)
	}

	return NewKeySigner(key.PrivateKey), nil
}

// WriteKeystore stores a key as an encrypted file that only its owner may read. It refuses to replace a file.
func WriteKeystore(path, password string, key *ecdsa.PrivateKey) error {
	k := &keystore.Key{Address: crypto.PubkeyToAddress(key.PublicKey), PrivateKey: key}
	_, _ = rand.Read(k.Id[:]) // crypto/rand never fails since Go 1.24
	k.Id[6] = k.Id[6]&0x0f | 0x40
	k.Id[8] = k.Id[8]&0x3f | 0x80 // RFC 9562, version 4

	blob, err := keystore.EncryptKey(k, password, keystore.LightScryptN, keystore.LightScryptP)
	if err != nil {
		return fmt.Errorf("encrypt key: %w", err)
	}

	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write key file: %w", err)
	}

	_, err = f.Write(blob)

	return errors.Join(err, f.Sync(), f.Close())
}

// CodeLimit is the JSON-RPC error code of a signer whose limit is used up (EIP-1474: limit exceeded).
const CodeLimit = -32005

// RemoteSigner asks another process over JSON-RPC (account_signTransaction, as clef and its successors implement it),
// so that this process holds no key. The other process checks by itself what it signs.
type RemoteSigner struct {
	address common.Address
	p       *provider
}

// NewRemoteSigner returns a signer that asks the process at url, or behind a Unix socket's path, to sign for an
// address. It does not call it yet.
func NewRemoteSigner(url string, address common.Address) (*RemoteSigner, error) {
	c := ClientConfig{Timeout: 30 * time.Second, MaxAnswer: 1 << 20}
	if socket, ok := strings.CutPrefix(url, "unix:"); ok || filepath.IsAbs(url) {
		socket = strings.TrimPrefix(socket, "//")
		dialer := new(net.Dialer)

		c.Transport = &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, "unix", socket)
			},
			IdleConnTimeout: 30 * time.Second,
		}

		url = "http://signer/"
	}

	p, err := newProvider(url, c)
	if err != nil {
		return nil, fmt.Errorf("remote signer: %w", err)
	}

	return &RemoteSigner{address: address, p: p}, nil
}

// Address returns the address that the other process signs for.
func (s *RemoteSigner) Address() common.Address { return s.address }

// SignTx asks the other process.
func (s *RemoteSigner) SignTx(
	ctx context.Context,
	tx *types.Transaction,
	chainID *big.Int,
) (*types.Transaction, error) {
	args := map[string]any{
		"from":                 s.address,
		"to":                   tx.To(),
		"gas":                  hexutil.Uint64(tx.Gas()),
		"value":                (*hexutil.Big)(tx.Value()),
		"nonce":                hexutil.Uint64(tx.Nonce()),
		"input":                hexutil.Bytes(tx.Data()),
		"chainId":              (*hexutil.Big)(chainID),
		"maxFeePerGas":         (*hexutil.Big)(tx.GasFeeCap()),
		"maxPriorityFeePerGas": (*hexutil.Big)(tx.GasTipCap()),
	}

	answers, err := s.p.batch(ctx, []call{{"account_signTransaction", []any{args}}})
	if err != nil {
		return nil, fmt.Errorf("remote signer: %w", err)
	}

	var out struct {
		Raw hexutil.Bytes   `json:"raw"`
		Tx  json.RawMessage `json:"tx"`
	}
	if err := answers[0].into(&out); err != nil {
		var refused *NodeError
		// these codes mean that it did not examine the request
		if errors.As(err, &refused) && !(refused.Code <= -32600 && refused.Code >= -32700) {
			return nil, &Refusal{Reason: fmt.Sprintf("%.300s", refused.Message), Later: refused.Code == CodeLimit}
		}

		return nil, fmt.Errorf("remote signer: %w", err)
	}

	signed := new(types.Transaction)
	if err := signed.UnmarshalBinary(out.Raw); err != nil {
		return nil, fmt.Errorf("remote signer: its transaction cannot be read: %w", err)
	}

	return signed, nil
}

// errSigned means that a signer returned another transaction than requested.
var errSigned = errors.New("the signer returned another transaction than requested")

// sign asks the signer and refuses anything but this transaction, signed by this address.
func sign(ctx context.Context, s Signer, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error) {
	signed, err := s.SignTx(ctx, tx, chainID)
	if err != nil {
		return nil, err
	}

	return signed, checkSigned(s.Address(), tx, signed, chainID)
}

func checkSigned(from common.Address, asked, got *types.Transaction, chainID *big.Int) error {
	sender, err := types.Sender(types.LatestSignerForChainID(chainID), got)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errSigned, err)
	case sender != from:
		return fmt.Errorf("%w: signed by %s", errSigned, sender)

	case got.Type() != asked.Type(), got.Nonce() != asked.Nonce(), got.Gas() != asked.Gas(),
		got.To() == nil, asked.To() == nil, *got.To() != *asked.To(), got.Value().Cmp(asked.Value()) != 0,
		!bytes.Equal(got.Data(), asked.Data()), got.GasFeeCap().Cmp(asked.GasFeeCap()) != 0,
		got.GasTipCap().Cmp(asked.GasTipCap()) != 0, len(got.AccessList()) != 0:
		return errSigned
	}

	return nil
}
