//go:build !nosandbox

// Package kmssim stands in for AWS's key management service: a server with keys of its own and books of what it signed.
//
// What it promises: it checks the signature of each request (SigV4) and signs with the right key, half of the time with
// s in the upper half, as the service does. What it has signed stands in its books, also where the answer was lost. It
// can be made to misbehave.
package kmssim

import (
	"crypto/ecdsa"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/chain/kms"
)

// Manner is how the server behaves.
type Manner string

// What the server can be made to do, until it is told otherwise.
const (
	Honest     Manner = ""
	Throttled  Manner = "throttled"    // it refuses for now
	Disabled   Manner = "disabled"     // the key was switched off
	Lost       Manner = "lost"         // it signs, and the answer never arrives whole
	OtherKey   Manner = "another key"  // it signs with a key that nobody asked for
	Garbage    Manner = "garbage"      // the signature is no DER
	OtherCurve Manner = "other curve"  // the key is one of NIST's curve
	Encrypting Manner = "for ciphers"  // the key is not for signing
	OtherSpec  Manner = "other answer" // it answers with HTML
)

// Signed is one line of the books.
type Signed struct {
	Key    string
	Digest [32]byte
	High   bool // s was in the upper half
}

// Server is the service.
type Server struct {
	region      string
	credentials kms.Credentials
	clock       *clock.Clock

	mu     sync.Mutex
	keys   map[string]*ecdsa.PrivateKey
	other  *ecdsa.PrivateKey
	manner Manner
	books  []Signed
}

// New returns a service of one region that knows one caller.
func New(region string, c kms.Credentials, cl *clock.Clock) (*Server, error) {
	other, err := crypto.GenerateKey()

	return &Server{
		region:      region,
		credentials: c,
		clock:       cl,
		keys:        map[string]*ecdsa.PrivateKey{},
		other:       other,
	}, err
}

// AddKey puts a key under a name.
func (s *Server) AddKey(name string, key *ecdsa.PrivateKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[name] = key
}

// Behave sets the manner.
func (s *Server) Behave(m Manner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manner = m
}

// Books returns what was signed.
func (s *Server) Books() []Signed {
	s.mu.Lock()
	defer s.mu.Unlock()

	return append([]Signed(nil), s.books...)
}

// maxBody limits a request.
const maxBody = 16 << 10

// ServeHTTP serves GetPublicKey and Sign.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, http.StatusBadRequest, "ValidationException", "the body is too long")
		return
	}

	if err := kms.Verify(r, body, s.region, s.credentials, s.clock.Now()); err != nil {
		refuse(w, http.StatusBadRequest, "InvalidSignatureException", err.Error())
		return
	}

	var in struct {
		KeyID            string `json:"KeyId"`
		Message          []byte
		MessageType      string
		SigningAlgorithm string
	}
	if err := json.Unmarshal(body, &in); err != nil {
		refuse(w, http.StatusBadRequest, "SerializationException", "")
		return
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	key := s.keys[in.KeyID]

	switch operation, _ := strings.CutPrefix(r.Header.Get("X-Amz-Target"), "TrentService."); {
	case key == nil:
		refuse(w, http.StatusBadRequest, "NotFoundException", "there is no key "+in.KeyID)
	case s.manner == Throttled:
		refuse(w, http.StatusBadRequest, "ThrottlingException", "You have exceeded the rate at which you may call KMS.")
	case s.manner == Disabled:
		refuse(w, http.StatusBadRequest, "DisabledException", in.KeyID+" is disabled.")
	case s.manner == OtherSpec:
		_, _ = io.WriteString(w, "<html></html>")
	case operation == "GetPublicKey":
		s.public(w, key)
	case operation == "Sign" && in.MessageType == "DIGEST" && in.SigningAlgorithm == "ECDSA_SHA_256" &&
		len(in.Message) == 32:
		s.sign(w, in.KeyID, key, [32]byte(in.Message))
	default:
		refuse(w, http.StatusBadRequest, "ValidationException", "")
	}
}

func (s *Server) public(w http.ResponseWriter, key *ecdsa.PrivateKey) {
	curve := asn1.ObjectIdentifier{1, 3, 132, 0, 10}
	spec := "ECC_SECG_P256K1"
	usage := "SIGN_VERIFY"

	switch s.manner {
	case OtherCurve:
		curve = asn1.ObjectIdentifier{1, 2, 840, 10045, 3, 1, 7}
	case Encrypting:
		usage = "KEY_AGREEMENT"
	default:
	}

	parameters, _ := asn1.Marshal(curve)
	der, _ := asn1.Marshal(struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}{
		pkix.AlgorithmIdentifier{
			Algorithm:  asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1},
			Parameters: asn1.RawValue{FullBytes: parameters},
		},
		asn1.BitString{Bytes: crypto.FromECDSAPub(&key.PublicKey)},
	})

	answer(w, map[string]any{
		"PublicKey":         der,
		"KeySpec":           spec,
		"KeyUsage":          usage,
		"SigningAlgorithms": []string{"ECDSA_SHA_256"},
	})
}

func (s *Server) sign(w http.ResponseWriter, name string, key *ecdsa.PrivateKey, digest [32]byte) {
	if s.manner == OtherKey {
		key = s.other
	}

	signature, err := crypto.Sign(digest[:], key)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "KMSInternalException", "")
		return
	}

	r := new(big.Int).SetBytes(signature[:32])
	v := new(big.Int).SetBytes(signature[32:64])

	high := digest[31]&1 == 1 // half of all signatures, as with a service that does not know EIP-2
	if high {
		v.Sub(crypto.S256().Params().N, v)
	}

	s.books = append(s.books, Signed{Key: name, Digest: digest, High: high})

	if s.manner == Lost {
		w.Header().Set("Content-Length", "500")
		_, _ = io.WriteString(w, "{") // the rest never comes

		return
	}

	der, _ := asn1.Marshal(struct{ R, S *big.Int }{r, v})
	if s.manner == Garbage {
		der = append(der, 0)
	}

	answer(w, map[string]any{"KeyId": name, "Signature": der, "SigningAlgorithm": "ECDSA_SHA_256"})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	_ = json.NewEncoder(w).Encode(v) // the caller may have gone away
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.WriteHeader(status)
	answer(w, map[string]string{"__type": kind, "message": message})
}
