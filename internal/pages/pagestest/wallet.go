// Package pagestest puts beside the pages of a browser what people have there: wallets.
package pagestest

import (
	"crypto/ecdsa"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/go-json-experiment/json"

	"slipway/internal/platform/browsertest"
)

//go:embed wallets.js
var script string

// Errors of wallets (EIP-1193, EIP-3085).
const (
	Refused      = 4001
	UnknownChain = 4902
	wrongCall    = -32602
)

// Send sends a call of a wallet's account to a chain, and returns its hash.
type Send func(to common.Address, data []byte) (common.Hash, error)

// Wallet is a wallet of a person, beside a page. It holds one key, and misbehaves as a test says. Its fields are set
// before Install; what After calls may set them, too.
type Wallet struct {
	Key     *ecdsa.PrivateKey
	Shows   common.Address    // the account that it lets the page see
	Chain   uint64            // the one that it is on
	Chains  map[uint64]Send   // those that it knows
	Stays   bool              // on its chain, whatever it is asked
	After   map[string]func() // runs when a method was answered
	Refuses map[string]int    // the error that a method is answered with

	// Dial connects to the node of a chain that a page asks to add. It returns the chain that the node names.
	Dial func(url string) (chain uint64, send Send, err error)

	mu    sync.Mutex
	calls []string // methods, in the order in which it was asked
	sent  int
}

// NewWallet returns a wallet with a key. It is on Ethereum, and knows no chain.
func NewWallet(key *ecdsa.PrivateKey) *Wallet {
	return &Wallet{
		Key:     key,
		Shows:   crypto.PubkeyToAddress(key.PublicKey),
		Chain:   1,
		Chains:  map[uint64]Send{},
		After:   map[string]func(){},
		Refuses: map[string]int{},
	}
}

// Install puts wallets beside a page, under their names. Scripts run before theirs. Call it before the page is opened.
func Install(p *browsertest.Page, all map[string]*Wallet, scripts ...string) {
	names, _ := json.Marshal(slices.Sorted(maps.Keys(all)))
	scripts = append(scripts, fmt.Sprintf("const WALLETS = %s;", names), script)

	p.Beside(strings.Join(scripts, "\n"), func(text string) string {
		var call struct {
			Wallet string `json:"wallet"`
			Method string `json:"method"`
			Params []any  `json:"params"`
		}
		if err := json.Unmarshal([]byte(text), &call); err != nil {
			return err.Error()
		}

		result, code, message := all[call.Wallet].answer(call.Method, call.Params)

		out := object{"result": result}
		if code != 0 {
			out = object{"error": object{"code": code, "message": message}}
		}

		raw, _ := json.Marshal(out)

		return string(raw)
	})
}

type object = map[string]any

// Asked returns the methods that the wallet was asked, and forgets them.
func (w *Wallet) Asked() []string {
	w.mu.Lock()
	defer w.mu.Unlock()

	out := w.calls
	w.calls = nil

	return out
}

// Sends returns how many calls the wallet has sent.
func (w *Wallet) Sends() int {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.sent
}

// answer answers a call. code is not 0 for an error.
func (w *Wallet) answer(method string, params []any) (result any, code int, message string) {
	w.mu.Lock()
	defer w.mu.Unlock()

	w.calls = append(w.calls, method)
	if code, ok := w.Refuses[method]; ok {
		return nil, code, "no"
	}

	defer func() {
		if then := w.After[method]; then != nil {
			then()
		}
	}()

	switch method {
	case "eth_requestAccounts", "eth_accounts":
		return []string{strings.ToLower(w.Shows.Hex())}, 0, ""

	case "eth_chainId":
		return fmt.Sprintf("0x%x", w.Chain), 0, ""

	case "wallet_switchEthereumChain":
		return w.goTo(params)

	case "wallet_addEthereumChain":
		return w.add(params)

	case "personal_sign":
		return w.sign(accounts.TextHash(common.FromHex(text(params, 0)))), 0, ""

	case "eth_signTypedData_v4":
		return w.signTyped(text(params, 1)), 0, ""

	case "eth_sendTransaction":
		return w.send(params)
	}

	return nil, wrongCall, "unknown method " + method
}

func text(params []any, i int) string {
	s, _ := params[i].(string)
	return s
}

// goTo goes to a chain that the wallet knows (EIP-3326).
func (w *Wallet) goTo(params []any) (result any, code int, message string) {
	record, _ := params[0].(object)
	number, _ := record["chainId"].(string)
	chain, _ := strconv.ParseUint(number, 0, 64)

	if w.Stays {
		return nil, 0, ""
	}

	if w.Chains[chain] == nil {
		return nil, UnknownChain, "unknown chain"
	}

	w.Chain = chain

	return nil, 0, ""
}

// add learns a chain, if the node of its record answers and is on it, and goes there (EIP-3085).
func (w *Wallet) add(params []any) (result any, code int, message string) {
	record, _ := params[0].(object)
	urls, _ := record["rpcUrls"].([]any)

	if len(urls) == 0 || w.Dial == nil {
		return nil, wrongCall, "no node"
	}

	chain, send, err := w.Dial(text(urls, 0))
	if err != nil {
		return nil, wrongCall, err.Error()
	}

	if record["chainId"] != fmt.Sprintf("0x%x", chain) {
		return nil, wrongCall, "the node is on another chain"
	}

	w.Chains[chain] = send

	return w.goTo(params)
}

func (w *Wallet) sign(hash []byte) string {
	signature, err := crypto.Sign(hash, w.Key)
	if err != nil {
		return err.Error()
	}

	signature[64] += 27

	return "0x" + hex.EncodeToString(signature)
}

// signTyped signs typed data (EIP-712).
func (w *Wallet) signTyped(data string) string {
	var typed apitypes.TypedData
	if err := json.Unmarshal([]byte(data), &typed); err != nil {
		return err.Error()
	}

	hash, _, err := apitypes.TypedDataAndHash(typed)
	if err != nil {
		return err.Error()
	}

	return w.sign(hash)
}

// send signs and sends a call, if it names the chain and the account that the wallet has at this moment.
func (w *Wallet) send(params []any) (result any, code int, message string) {
	call, _ := params[0].(object)
	if call["chainId"] != fmt.Sprintf("0x%x", w.Chain) || w.Chains[w.Chain] == nil {
		return nil, wrongCall, "another chain"
	}

	from, _ := call["from"].(string)
	if common.HexToAddress(from) != crypto.PubkeyToAddress(w.Key.PublicKey) {
		return nil, wrongCall, "another account"
	}

	to, _ := call["to"].(string)
	data, _ := call["data"].(string)
	w.sent++

	hash, err := w.Chains[w.Chain](common.HexToAddress(to), common.FromHex(data))
	if err != nil {
		return nil, wrongCall, err.Error()
	}

	return hash.Hex(), 0, ""
}
