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

func TestReadsTheCorpusAndWritesItBack(t *testing.T) {
	var corpus map[string]struct {
		Message string
		Fields  fields
	}
	fixture(t, "parsing_positive.json", &corpus)
	require.NotEmpty(t, corpus)

	for name, c := range corpus {
		got, err := eip4361.Parse(c.Message)
		require.NoError(t, err, name)
		require.Equal(t, c.Fields.message(), got, name)
		require.Equal(t, c.Message, got.String(), name)
	}
}

func TestRefusesTheNegativeCorpus(t *testing.T) {
	var texts map[string]string
	fixture(t, "parsing_negative.json", &texts)
	require.NotEmpty(t, texts)

	for name, s := range texts {
		_, err := eip4361.Parse(s)
		require.Error(t, err, name)
	}

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

func TestRefusesWhatIsNearlyRight(t *testing.T) {
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
	s := m.String()
	got, err := eip4361.Parse(s)
	require.NoError(t, err)
	require.Equal(t, m, got)

	for name, bad := range map[string]string{
		"line feed at the end": s + "\n",
		"carriage return":      strings.ReplaceAll(s, "\n", "\r\n"),
		"space at the end":     s + " ",
		"other greeting":       strings.Replace(s, "wants you", "Wants you", 1),
		"chain id with zero":   strings.Replace(s, "Chain ID: 1", "Chain ID: 01", 1),
		"version 2":            strings.Replace(s, "Version: 1", "Version: 2", 1),
		"short nonce":          strings.Replace(s, "abcdefgh12345678", "abc1234", 1),
		"lower case address":   strings.Replace(s, m.Address, strings.ToLower(m.Address), 1),
		"two statements":       strings.Replace(s, "Prove it.", "Prove it.\nTwice.", 1),
		"empty statement":      strings.Replace(s, "Prove it.", "", 1),
		"doubled nonce":        strings.Replace(s, "\nNonce:", "\nNonce: abcdefgh12345678\nNonce:", 1),
		"domain with a path":   strings.Replace(s, "pay.example wants", "pay.example/x wants", 1),
		"too long":             s + strings.Repeat("x", 9000),
		"empty":                "",
		"accented statement":   strings.Replace(s, "Prove it.", "Prouvé.", 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := eip4361.Parse(bad)
			require.Error(t, err)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(
		"service.org wants you to sign in with your Ethereum account:\n0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\n\nI accept\n\nURI: https://service.org/login\nVersion: 1\nChain ID: 1\nNonce: 32891757\nIssued At: 2021-09-30T16:25:24.000Z\nRequest ID: \nResources:\n- https://a.b/c",
	)

	f.Fuzz(func(t *testing.T, s string) {
		m, err := eip4361.Parse(s)
		if err == nil && m.String() != s {
			t.Fatalf("%q was read as %q", s, m.String())
		}
	})
}
