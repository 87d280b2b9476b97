package safe

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TypedTx is a SafeTx as a wallet is given it to show and sign (eth_signTypedData_v4). No field of it may be null: some
// wallets would hash it.
type TypedTx struct {
	Types       TxTypes     `json:"types" doc:"the fields of each type, in the order in which they are hashed"`
	PrimaryType string      `json:"primaryType" enum:"SafeTx" doc:"which type is signed"`
	Domain      TypedDomain `json:"domain" doc:"whose signature is meant: the Safe and its chain"`
	Message     TxMessage   `json:"message" doc:"what is confirmed"`
}

// TypedMessage is a SafeMessage as a wallet is given it.
type TypedMessage struct {
	Types       MessageTypes `json:"types" doc:"the fields of each type, in the order in which they are hashed"`
	PrimaryType string       `json:"primaryType" enum:"SafeMessage" doc:"which type is signed"`
	Domain      TypedDomain  `json:"domain" doc:"whose signature is meant: the Safe and its chain"`
	Message     Content      `json:"message" doc:"what is confirmed"`
}

// Content is the one field of a SafeMessage.
type Content struct {
	Message string `json:"message" doc:"the bytes that are confirmed"`
}

// TxTypes are the types of a TypedTx.
type TxTypes struct {
	Domain []Field `json:"EIP712Domain" nullable:"false" doc:"of the domain"`
	Tx     []Field `json:"SafeTx" nullable:"false" doc:"of the message"`
}

// MessageTypes are the types of a TypedMessage.
type MessageTypes struct {
	Domain  []Field `json:"EIP712Domain" nullable:"false" doc:"of the domain"`
	Message []Field `json:"SafeMessage" nullable:"false" doc:"of the message"`
}

// Field is one field of a type.
type Field struct {
	Name string `json:"name" doc:"of the field"`
	Type string `json:"type" doc:"its type in Solidity"`
}

// TypedDomain is the account and its chain.
type TypedDomain struct {
	ChainID string `json:"chainId,omitempty" doc:"null before version 1.3.0, whose signatures are good on every chain; then EIP712Domain does not have it"`
	Account string `json:"verifyingContract" doc:"address of the Safe"`
}

// TxMessage is the fields of a SafeTx.
type TxMessage struct {
	To             string `json:"to" doc:"address of the contract that is called"`
	Value          string `json:"value" doc:"always 0"`
	Data           string `json:"data" doc:"calldata"`
	Operation      string `json:"operation" doc:"0: a call; 1: a delegate call, of a batch"`
	SafeTxGas      string `json:"safeTxGas" doc:"always 0: a transaction that fails keeps its nonce"`
	BaseGas        string `json:"baseGas" doc:"always 0"`
	GasPrice       string `json:"gasPrice" doc:"always 0: the Safe pays nobody"`
	GasToken       string `json:"gasToken" doc:"always the zero address"`
	RefundReceiver string `json:"refundReceiver" doc:"always the zero address"`
	Nonce          string `json:"nonce" doc:"of the Safe"`
}

// typed returns the domain as typed data, and the fields of its type.
func (d Domain) typed() (TypedDomain, []Field) {
	domain := TypedDomain{Account: d.Account.Hex()}
	fields := []Field{{"verifyingContract", "address"}}

	if d.Chain != nil {
		domain.ChainID = d.Chain.String()

		fields = append([]Field{{"chainId", "uint256"}}, fields...)
	}

	return domain, fields
}

// TypedTx returns the typed data of a transaction.
func (d Domain) TypedTx(t Tx) TypedTx {
	none := common.Address{}.Hex()
	domain, fields := d.typed()

	return TypedTx{
		Types: TxTypes{Domain: fields, Tx: []Field{
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
		}},
		PrimaryType: "SafeTx",
		Domain:      domain,
		Message: TxMessage{
			To:             t.To.Hex(),
			Value:          "0",
			Data:           hexutil.Encode(t.Data),
			Operation:      strconv.Itoa(int(t.Operation)),
			SafeTxGas:      "0",
			BaseGas:        "0",
			GasPrice:       "0",
			GasToken:       none,
			RefundReceiver: none,
			Nonce:          strconv.FormatUint(t.Nonce, 10),
		},
	}
}

// TypedMessage returns the typed data of a message.
func (d Domain) TypedMessage(message []byte) TypedMessage {
	domain, fields := d.typed()

	return TypedMessage{
		Types:       MessageTypes{Domain: fields, Message: []Field{{"message", "bytes"}}},
		PrimaryType: "SafeMessage",
		Domain:      domain,
		Message:     Content{Message: hexutil.Encode(message)},
	}
}
