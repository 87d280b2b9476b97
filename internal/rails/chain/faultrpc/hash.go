package faultrpc

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// hashOf is the hash of a raw transaction: what a node answers that took it.
func hashOf(raw string) json.RawMessage {
	return quote(crypto.Keccak256Hash(common.FromHex(raw)).Hex())
}
