package signer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// JSON-RPC error codes, besides chain.CodeLimit.
const (
	codeMalformed = -32600
	codeMethod    = -32601
	codeInternal  = -32603
	codeRefused   = -32010 // our own: the policy does not allow it
)

// maxRequest limits a request: nodes accept transactions of 128 KiB, encoded as hexadecimal digits.
const maxRequest = 300 << 10

// Error is the reason why a request was not signed.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the reason.
func (e *Error) Error() string { return e.Message }

// question is a request of account_signTransaction.
type question struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params []struct {
		From                 common.Address  `json:"from"`
		To                   *common.Address `json:"to"`
		Gas                  hexutil.Uint64  `json:"gas"`
		Nonce                hexutil.Uint64  `json:"nonce"`
		Value                *hexutil.Big    `json:"value"`
		ChainID              *hexutil.Big    `json:"chainId"`
		MaxFeePerGas         *hexutil.Big    `json:"maxFeePerGas"`
		MaxPriorityFeePerGas *hexutil.Big    `json:"maxPriorityFeePerGas"`
		Input                hexutil.Bytes   `json:"input"`
	} `json:"params"`
}

type reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

type signedTx struct {
	Raw hexutil.Bytes `json:"raw"`
}

// Handler serves account_signTransaction over JSON-RPC, one call per request. It logs every refusal.
func (s *Signer) Handler(log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q question

		out := reply{Version: "2.0", ID: json.RawMessage("null")}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&q); err != nil {
			out.Error = &Error{Code: codeMalformed, Message: "the request cannot be read"}
		} else {
			out.ID = q.ID
			out.Result, out.Error = s.answer(r.Context(), q, log)
		}

		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out) // the client may have gone away
	})
}

func (s *Signer) answer(ctx context.Context, q question, log *slog.Logger) (any, *Error) {
	if q.Method != "account_signTransaction" {
		return nil, &Error{Code: codeMethod, Message: "method not found"}
	}

	if len(q.Params) != 1 {
		return nil, &Error{Code: codeMalformed, Message: "one call signs exactly one transaction"}
	}

	p := q.Params[0]
	if p.To == nil || p.Value == nil || p.ChainID == nil || p.MaxFeePerGas == nil || p.MaxPriorityFeePerGas == nil ||
		p.From != s.Address() {
		return nil, &Error{Code: codeMalformed, Message: "the transaction lacks a field, or belongs to another signer"}
	}

	signed, err := s.Sign(ctx, types.NewTx(&types.DynamicFeeTx{
		ChainID:   p.ChainID.ToInt(),
		Nonce:     uint64(p.Nonce),
		To:        p.To,
		Value:     p.Value.ToInt(),
		Data:      p.Input,
		Gas:       uint64(p.Gas),
		GasFeeCap: p.MaxFeePerGas.ToInt(),
		GasTipCap: p.MaxPriorityFeePerGas.ToInt(),
	}))

	var refusal *Error
	switch {
	case errors.As(err, &refusal):
		log.Error(
			"refused to sign",
			"chain",
			(*big.Int)(p.ChainID),
			"nonce",
			uint64(p.Nonce),
			"to",
			p.To,
			"reason",
			refusal.Message,
		)

		return nil, refusal

	case err != nil:
		log.Error("could not sign", "error", err)
		return nil, &Error{Code: codeInternal, Message: "the signer cannot sign at the moment"}
	}

	raw, err := signed.MarshalBinary()
	if err != nil {
		return nil, &Error{Code: codeInternal, Message: "the signer cannot sign at the moment"}
	}

	return signedTx{Raw: raw}, nil
}

// Serve listens on a Unix socket until ctx ends. Only the socket's owner and group may connect. It replaces a socket
// left behind by a killed process.
func (s *Signer) Serve(ctx context.Context, socket string, log *slog.Logger) error {
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("replace the socket: %w", err)
	}

	listener, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", socket, err)
	}

	//nolint:gosec // only the service is in the signer's group
	if err := os.Chmod(socket, 0o660); err != nil {
		return errors.Join(err, listener.Close())
	}

	server := &http.Server{
		Handler:           s.Handler(log),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    8 << 10,
	}

	stop := context.AfterFunc(ctx, func() { _ = server.Shutdown(context.WithoutCancel(ctx)) })
	defer stop()
	log.Info("signing", "socket", socket, "address", s.Address())

	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}

	return nil
}
