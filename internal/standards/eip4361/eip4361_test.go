package eip4361_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/standards/eip191"
	"slipway/internal/standards/eip4361"
)

func fixture(t *testing.T, name string, into any) {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	raw, err := os.ReadFile(filepath.Join(dir, "evm_signatures", "siwe", name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	require.NoError(t, json.Unmarshal(raw, into))
}

type fields struct {
	Domain, Address, Statement, URI, Nonce, IssuedAt, ExpirationTime, NotBefore, Signature, Time string
	RequestID                                                                                    *string
	ChainID                                                                                      any
	Resources                                                                                    []string
}

func (f fields) message() eip4361.Message {
	id, _ := f.ChainID.(float64)

	return eip4361.Message{
		Domain:         f.Domain,
		Address:        f.Address,
		Statement:      f.Statement,
		URI:            f.URI,
		Nonce:          f.Nonce,
		IssuedAt:       f.IssuedAt,
		ExpirationTime: f.ExpirationTime,
		NotBefore:      f.NotBefore,
		RequestID:      f.RequestID,
		ChainID:        uint64(id),
		Resources:      f.Resources,
	}
}

func TestWritesTheCorpus(t *testing.T) {
	var corpus map[string]struct {
		Message string
		Fields  fields
	}
	fixture(t, "parsing_positive.json", &corpus)
	require.NotEmpty(t, corpus)

	for name, c := range corpus {
		m := c.Fields.message()
		require.NoError(t, m.Check(), name)
		require.Equal(t, c.Message, m.String(), name)
	}
}

func TestRefusesTheNegativeCorpus(t *testing.T) {
	var objects map[string]fields
	fixture(t, "parsing_negative_objects.json", &objects)

	for name, f := range objects {
		if name == "missing version" || name == "missing chainId" || name == "not a valid chainId" {
			continue // this type always writes version 1, and a chain id is a number by its type
		}

		require.Error(t, f.message().Check(), name)
	}
}

// The corpus's signatures are over texts that String makes; the negative ones fail by time, domain or key, which
// callers compare.
func TestSignedCorpus(t *testing.T) {
	var good, bad map[string]fields
	fixture(t, "verification_positive.json", &good)
	fixture(t, "verification_negative.json", &bad)

	for name, f := range good {
		require.NoError(t, f.message().Check(), name)
		who, err := eip191.Recover([]byte(f.message().String()), common.FromHex(f.Signature))
		require.NoError(t, err, name)
		require.Equal(t, f.Address, who.Hex(), name)
	}

	require.Error(t, bad["invalid issuedAt"].message().Check())
	f := bad["wrong signature"]
	who, err := eip191.Recover([]byte(f.message().String()), common.FromHex(f.Signature))
	require.True(t, err != nil || who.Hex() != f.Address)
}

// The text as the standard has it, and contents that nobody could read out of it again.
func TestWritesWhatOthersCanRead(t *testing.T) {
	id := "wlt_1"
	m := eip4361.Message{
		Domain:         "pay.example",
		Address:        "0x9D85ca56217D2bb651b00f15e694EB7E713637D4",
		Statement:      "Prove it.",
		URI:            "https://pay.example/wallets/wlt_1",
		ChainID:        1,
		Nonce:          "abcdefgh12345678",
		IssuedAt:       eip4361.Time(time.Unix(0, 0)),
		ExpirationTime: eip4361.Time(time.Unix(900, 0)),
		RequestID:      &id,
	}
	require.NoError(t, m.Check())
	require.Equal(t, strings.Join([]string{
		"pay.example wants you to sign in with your Ethereum account:",
		"0x9D85ca56217D2bb651b00f15e694EB7E713637D4",
		"",
		"Prove it.",
		"",
		"URI: https://pay.example/wallets/wlt_1",
		"Version: 1",
		"Chain ID: 1",
		"Nonce: abcdefgh12345678",
		"Issued At: 1970-01-01T00:00:00.000Z",
		"Expiration Time: 1970-01-01T00:15:00.000Z",
		"Request ID: wlt_1",
	}, "\n"), m.String())

	for name, spoil := range map[string]func(m *eip4361.Message){
		"scheme with a blank":    func(m *eip4361.Message) { m.Scheme = "ht tp" },
		"domain with a path":     func(m *eip4361.Message) { m.Domain = "pay.example/x" },
		"lower case address":     func(m *eip4361.Message) { m.Address = strings.ToLower(m.Address) },
		"statement of two lines": func(m *eip4361.Message) { m.Statement = "Prove it.\nTwice." },
		"accented statement":     func(m *eip4361.Message) { m.Statement = "Prouvé." },
		"URI without a scheme":   func(m *eip4361.Message) { m.URI = "pay.example" },
		"short nonce":            func(m *eip4361.Message) { m.Nonce = "abc1234" },
		"nonce of two lines":     func(m *eip4361.Message) { m.Nonce += "\nNonce: abcdefgh12345678" },
		"day without a time":     func(m *eip4361.Message) { m.IssuedAt = "1970-01-01" },
		"end without a day":      func(m *eip4361.Message) { m.ExpirationTime = "00:15" },
		"beginning in words":     func(m *eip4361.Message) { m.NotBefore = "now" },
		"resource with a blank":  func(m *eip4361.Message) { m.Resources = []string{"https://a.b/c d"} },
		"request of two lines": func(m *eip4361.Message) {
			two := "a\nb"
			m.RequestID = &two
		},
	} {
		bad := m
		spoil(&bad)
		require.Error(t, bad.Check(), name)
	}
}
