//go:build !nosandbox

package ebics_test

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/bank/ebics"
)

// The padding of X9.23 has one to sixteen bytes, and only its last one is read.
func TestEncryptionPads(t *testing.T) {
	key := bytes.Repeat([]byte{7}, 16)

	for n := range 40 {
		content := bytes.Repeat([]byte{'x'}, n)
		sealed, err := ebics.Encrypt(key, content)
		require.NoError(t, err)
		require.Len(t, sealed, n+16-n%16)

		back, err := ebics.Decrypt(key, sealed)
		require.NoError(t, err)
		require.Equal(t, content, back)
	}

	for _, wrong := range [][]byte{nil, make([]byte, 15), make([]byte, 16)} {
		_, err := ebics.Decrypt(key, wrong)
		require.Error(t, err)
	}

	_, err := ebics.Decrypt(key[:8], make([]byte, 16))
	require.ErrorContains(t, err, "8 bytes")
}

// A few bytes that unpack to gigabytes are stopped at the limit.
func TestABombIsStopped(t *testing.T) {
	packed, err := ebics.Compress(make([]byte, 4<<20))
	require.NoError(t, err)
	require.Less(t, len(packed), 10_000)

	_, err = ebics.Inflate(packed, 1<<20)
	require.ErrorIs(t, err, ebics.ErrTooLarge)

	back, err := ebics.Inflate(packed, 4<<20)
	require.NoError(t, err)
	require.Len(t, back, 4<<20)
}

// Line ends are not signed, so that a bank that changes them finds the same hash.
func TestLineEndsAreNotSigned(t *testing.T) {
	require.Equal(t, ebics.OrderDigest([]byte("ab")), ebics.OrderDigest([]byte("\r\na\x1a\nb\r")))
	require.NotEqual(t, ebics.OrderDigest([]byte("ab")), ebics.OrderDigest([]byte("a b")))
}

// XML of others has no document type, and no more levels and elements than it needs.
func TestHostileXMLIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"document type": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
		"bare type":     `<!DOCTYPE a><a/>`,
		"entity":        `<a>&b;</a>`,
		"depth":         strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100),
		"elements":      "<a>" + strings.Repeat("<b/>", 300_000) + "</a>",
		"half":          "<a><b></a>",
		"nothing":       "",
	} {
		_, err := ebics.Parse([]byte(text))
		require.Error(t, err, name)
	}
}

// A005 is read, and signs the same content.
func TestBothSignatureProceduresAreRead(t *testing.T) {
	keys, err := shortKeys()
	require.NoError(t, err)

	key := keys.Signature.Private
	require.Error(t, ebics.VerifyOrder("A004", &key.PublicKey, []byte("x"), nil))

	for _, procedure := range []string{ebics.A005, ebics.A006} {
		require.Error(t, ebics.VerifyOrder(procedure, &key.PublicKey, []byte("x"), make([]byte, 256)))
	}

	value, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, ebics.OrderDigest([]byte("x")))
	require.NoError(t, err)
	require.NoError(t, ebics.VerifyOrder(ebics.A005, &key.PublicKey, []byte("x\n"), value))
	require.Error(t, ebics.VerifyOrder(ebics.A005, &key.PublicKey, []byte("y"), value))
}

// The hash of a bank's bare key is over its exponent and modulus in hexadecimal, without leading zeros.
func TestHashOfARealBanksKey(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "ebics/node/HPB_response_data.xml"))
	if err != nil {
		t.Skip("no hash is compared with a bank's: this needs the folder SLIPWAY_FIXTURES")
	}

	var data struct {
		Key struct {
			Modulus  string `xml:"PubKeyValue>RSAKeyValue>Modulus"`
			Exponent string `xml:"PubKeyValue>RSAKeyValue>Exponent"`
		} `xml:"EncryptionPubKeyInfo"`
	}
	require.NoError(t, xml.Unmarshal(text, &data))

	modulus, err := base64.StdEncoding.DecodeString(data.Key.Modulus)
	require.NoError(t, err)

	p := ebics.PublicKey{Key: &rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: 65537}}

	sum := p.Hash(ebics.H004)
	require.Equal(t, sha256.Sum256([]byte("10001 "+strings.TrimLeft(hex.EncodeToString(modulus), "0"))), sum)
	require.Len(t, p.HashText(ebics.H004), 32*3-1)
	require.True(t, p.SameHash(ebics.H004, p.HashText(ebics.H004)))
	require.True(t, p.SameHash(ebics.H004, hex.EncodeToString(sum[:])))
	require.False(t, p.SameHash(ebics.H004, hex.EncodeToString(sum[:31])))
}

// What a person writes in the configuration is read, and its errors name the word.
func TestOrdersAreRead(t *testing.T) {
	for text, want := range map[string]ebics.Version{
		"service=EOP scope=CH container=ZIP message=camt.053 version=08": ebics.H005,
		"service=SCT scope=AT option=VOI message=pain.001 variant=001":   ebics.H005,
		"C53":                          ebics.H004,
		"FDL camt.xxx.cfonb120.stm FR": ebics.H004,
		"HAC":                          "",
	} {
		o, err := ebics.ParseOrder(text, false)
		require.NoError(t, err)
		require.Equal(t, text, o.String())
		require.Equal(t, want, o.Version())
	}

	for text, problem := range map[string]string{
		"":                             "empty",
		"c53":                          "c53",
		"C53 FR":                       "nothing may follow",
		"FUL":                          "file format",
		"service=EOP":                  "message",
		"service=eop message=camt.053": "service=eop",
		"service=EOP service=EOP message=camt.053": "once",
		"service=EOP message=camt.053 Scope=CH":    "Scope=CH",
	} {
		_, err := ebics.ParseOrder(text, true)
		require.ErrorContains(t, err, problem, text)
	}
}

// The protocol's verdicts, by the forms that banks are known to use.
func TestFates(t *testing.T) {
	e := func(action, reason string) ebics.Event {
		return ebics.Event{Action: action, Reason: reason, OrderID: "A001", Partner: "PARTNER1"}
	}

	for want, lists := range map[ebics.Fate][][]ebics.Event{
		ebics.FateUnknown: {
			nil,
			{e("FILE_DOWNLOAD", "TS01")},
			{e("FILE_UPLOAD", "TA01")},
			{{Action: "ORDER_HAC_FINAL_POS", OrderID: "A002"}},
			{{Action: "ORDER_HAC_FINAL_POS", OrderID: "A001", Partner: "ELSE"}},
			{{Action: "ORDER_HAC_FINAL_POS", OrderID: "A001", User: "ELSE"}},
		},
		ebics.FateArrived: {
			{e("FILE_UPLOAD", "TS01")},
			{e("FILE_UPLOAD", "TS01"), e("ES_VERIFICATION", "DS01"), e("ORDER_HAC_FINAL_POS", "")},
			{e("ORDER_HAC_FINAL", "DS05")},
		},
		ebics.FateRefused: {
			{e("FILE_UPLOAD", "TS01"), e("ORDER_HAC_FINAL_NEG", "DS0B")},
			{e("ORDER_HAC_FINAL", "DS04")},
		},
		ebics.FateUnclear: {{e("ORDER_HAC_FINAL_NEG", "DS0B"), e("ORDER_HAC_FINAL_POS", "")}},
	} {
		for _, events := range lists {
			require.Equal(t, want, ebics.Find(events, ebics.Subscriber{Partner: "PARTNER1", User: "USER1"}, time.Time{},
				func(e ebics.Event) bool { return e.OrderID == "A001" }), "%v", events)
		}
	}
}
