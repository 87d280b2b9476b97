package safe

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TypedData is what a wallet is given to show and sign (eth_signTypedData_v4). Its fields stand in the order in which
// they are hashed.
type TypedData struct {
	Types       map[string][]Field `json:"types"`
	PrimaryType string             `json:"primaryType" enum:"SafeTx,SafeMessage"`
	Domain      TypedDomain        `json:"domain"`
	Message     TypedMessage       `json:"message"`
}

// Field is one field of a type.
type Field struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// TypedDomain is the account and its chain.
type TypedDomain struct {
	ChainID string         `json:"chainId,omitempty" doc:"left out before version 1.3.0, whose signatures are good on every chain"`
	Account common.Address `json:"verifyingContract"`
}

// TypedMessage is a SafeTx, or a SafeMessage, of which it has the message alone.
type TypedMessage struct {
	To             *common.Address `json:"to,omitempty"`
	Value          string          `json:"value,omitempty"`
	Data           hexutil.Bytes   `json:"data,omitempty"`
	Operation      *Operation      `json:"operation,omitempty"`
	SafeTxGas      string          `json:"safeTxGas,omitempty"`
	BaseGas        string          `json:"baseGas,omitempty"`
	GasPrice       string          `json:"gasPrice,omitempty"`
	GasToken       *common.Address `json:"gasToken,omitempty"`
	RefundReceiver *common.Address `json:"refundReceiver,omitempty"`
	Nonce          string          `json:"nonce,omitempty"`
	Message        hexutil.Bytes   `json:"message,omitempty"`
}

func (d Domain) typed(primary string, fields []Field, m TypedMessage) TypedData {
	domain := []Field{{"verifyingContract", "address"}}
	td := TypedDomain{Account: d.Account}

	if d.Chain != nil {
		domain = append([]Field{{"chainId", "uint256"}}, domain...)
		td.ChainID = d.Chain.String()
	}

	return TypedData{
		Types:       map[string][]Field{"EIP712Domain": domain, primary: fields},
		PrimaryType: primary,
		Domain:      td,
		Message:     m,
	}
}

// TypedTx returns the typed data of a transaction.
func (d Domain) TypedTx(t Tx) TypedData {
	fields := []Field{
		{"to", "address"},
		{"value", "uint256"},
		{"data", "bytes"},
		{"operation", "uint8"},
		{"safeTxGas", "uint256"},
		{"baseGas", "uint256"},
		{"gasPrice", "uint256"},
		{"gasToken", "address"},
		{"refundReceiver", "address"},
		{"nonce", "uint256"},
	}

	return d.typed("SafeTx", fields, TypedMessage{
		To:             &t.To,
		Value:          "0",
		Data:           t.Data,
		Operation:      &t.Operation,
		SafeTxGas:      "0",
		BaseGas:        "0",
		GasPrice:       "0",
		GasToken:       &common.Address{},
		RefundReceiver: &common.Address{},
		Nonce:          strconv.FormatUint(t.Nonce, 10),
	})
}

// TypedMessage returns the typed data of a message.
func (d Domain) TypedMessage(message []byte) TypedData {
	return d.typed("SafeMessage", []Field{{"message", "bytes"}}, TypedMessage{Message: message})
}
