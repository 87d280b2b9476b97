package faultrpc

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// hashOf returns the hash of a raw transaction, as a node that accepted it answers.
func hashOf(raw string) json.RawMessage {
	return quote(crypto.Keccak256Hash(common.FromHex(raw)).Hex())
}
