// Package kms signs with a key that never leaves AWS's key management service (spec ECC_SECG_P256K1, algorithm
// ECDSA_SHA_256), by its HTTP API. The signer process uses it in place of a key file.
//
// What it promises: Open reads the public key once, and refuses a key that is not enabled for signing on this curve. A
// signature is asked for a digest alone; who may ask for what is the signer process's policy and the key's own.
//
// What it does not promise: that an error means that nothing was signed. The service may have signed and the answer got
// lost. That is harmless, since the signer's journal allows one content for one nonce.
//
// Read kms.go, then sigv4.go (how requests are signed). kmssim is a server with books that stands in for the service.
package kms

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/remote"
)

const (
	service   = "kms"
	spec      = "ECC_SECG_P256K1" // AWS's name of the curve secp256k1
	signing   = "ECDSA_SHA_256"   // over a digest that is given: any hash of 32 bytes
	usage     = "SIGN_VERIFY"
	maxAnswer = 64 << 10
	timeout   = 10 * time.Second
)

// Object identifiers of RFC 5480 and SEC 2.
var (
	oidPublicKey = asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	oidSecp256k1 = asn1.ObjectIdentifier{1, 3, 132, 0, 10}
)

// Config names a key and who asks for it.
type Config struct {
	Region      string
	Key         string // id, ARN or alias
	Endpoint    string // "": the region's public one
	Credentials func() (Credentials, error)
	Clock       *clock.Clock
	Transport   http.RoundTripper // nil: the network
}

// Key is one key of the service. It is safe for concurrent use.
type Key struct {
	config Config
	party  *remote.Party
	public *ecdsa.PublicKey
}

// Open reads the key's public part.
func Open(ctx context.Context, c Config) (*Key, error) {
	if c.Endpoint == "" {
		c.Endpoint = "https://kms." + c.Region + ".amazonaws.com"
	}

	u, err := url.Parse(c.Endpoint)
	if err != nil || c.Region == "" || c.Key == "" || c.Credentials == nil || u.Host == "" {
		return nil, errors.New("a key of the service needs its region, its id and credentials")
	}

	k := &Key{config: c, party: remote.New(timeout, maxAnswer, c.Transport)}

	var out struct {
		PublicKey         []byte
		KeySpec           string
		KeyUsage          string
		SigningAlgorithms []string
	}
	if err := k.call(ctx, "GetPublicKey", map[string]any{"KeyId": c.Key}, &out); err != nil {
		return nil, fmt.Errorf("public key of %s: %w", c.Key, err)
	}

	if out.KeySpec != spec || out.KeyUsage != usage || !slices.Contains(out.SigningAlgorithms, signing) {
		return nil, fmt.Errorf(
			"the key %s is %s for %s: it has to be %s for %s",
			c.Key,
			out.KeySpec,
			out.KeyUsage,
			spec,
			usage,
		)
	}

	if k.public, err = parsePublic(out.PublicKey); err != nil {
		return nil, fmt.Errorf("public key of %s: %w", c.Key, err)
	}

	return k, nil
}

// Public returns the key's public part, as read at the start.
func (k *Key) Public() *ecdsa.PublicKey { return k.public }

// Sign asks for a signature of a digest. An error proves nothing.
func (k *Key) Sign(ctx context.Context, digest [32]byte) (r, s *big.Int, err error) {
	var out struct{ Signature []byte }

	err = k.call(ctx, "Sign", map[string]any{
		"KeyId":            k.config.Key,
		"Message":          digest[:],
		"MessageType":      "DIGEST",
		"SigningAlgorithm": signing,
	}, &out)
	if err != nil {
		return nil, nil, err
	}

	return ParseSignature(out.Signature)
}

// ParseSignature reads a signature as ASN.1 DER (RFC 3279, Ecdsa-Sig-Value), without anything behind it.
func ParseSignature(der []byte) (r, s *big.Int, err error) {
	var v struct{ R, S *big.Int }

	rest, err := asn1.Unmarshal(der, &v)
	if err != nil || len(rest) > 0 {
		return nil, nil, errors.Join(errors.New("the signature is not in DER"), err)
	}

	return v.R, v.S, nil
}

// parsePublic reads a SubjectPublicKeyInfo (RFC 5480) on secp256k1, which Go's own reader does not know.
func parsePublic(der []byte) (*ecdsa.PublicKey, error) {
	var info struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}

	rest, err := asn1.Unmarshal(der, &info)
	if err != nil || len(rest) > 0 {
		return nil, errors.Join(errors.New("it is no SubjectPublicKeyInfo"), err)
	}

	var curve asn1.ObjectIdentifier
	if _, err := asn1.Unmarshal(info.Algorithm.Parameters.FullBytes, &curve); err != nil ||
		!info.Algorithm.Algorithm.Equal(oidPublicKey) || !curve.Equal(oidSecp256k1) {
		return nil, errors.New("it is no key on the curve secp256k1")
	}

	return crypto.UnmarshalPubkey(info.Key.RightAlign())
}

// call carries out one operation.
func (k *Key) call(ctx context.Context, operation string, in, out any) error {
	credentials, err := k.config.Credentials()
	if err != nil {
		return fmt.Errorf("credentials: %w", err)
	}

	body, err := json.Marshal(in)
	if err != nil {
		return err
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, k.config.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}

	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Target", "TrentService."+operation)
	scope{region: k.config.Region, service: service}.sign(r, body, credentials, k.config.Clock.Now())

	status, answer, err := k.party.Exchange(r)
	if err != nil {
		return err
	}

	if status != http.StatusOK {
		var fault struct {
			Type    string `json:"__type"`
			Message string `json:"message"`
		}

		_ = json.Unmarshal(answer, &fault) // without one the status has to do

		return fmt.Errorf("the key service answers %d %.100s %.300s", status, fault.Type, fault.Message)
	}

	return json.Unmarshal(answer, out)
}
