//go:build !nosandbox

package ebics_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/bank/ebicssim"
)

// wire is a connection to the simulated bank in this process. It keeps what was said.
type wire struct {
	host *ebicssim.Host

	mu       sync.Mutex
	requests [][]byte
	answers  [][]byte

	// one request of an upload breaks: which, after how many bytes, and whether on the way there or back
	breakIn, breakAt int
	breakAnswer      bool
}

// breaks reports whether a request is the one that breaks. It counts those of uploads.
func (w *wire) breaks(text []byte) bool {
	if w.breakIn < 0 ||
		!bytes.Contains(text, []byte("<OrderData>")) && !bytes.Contains(text, []byte("<SignatureData ")) {
		return false
	}

	w.breakIn--

	return w.breakIn < 0
}

// RoundTrip lets the bank answer.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}

	w.mu.Lock()
	defer w.mu.Unlock()

	w.requests = append(w.requests, text)

	broke := w.breaks(text)
	if broke && !w.breakAnswer && w.breakAt < len(text) {
		// What a server does with a request that is shorter than it was announced: nothing.
		return nil, errors.New("the connection broke while the request was sent")
	}

	out, ok := w.host.Answer(r.Context(), text)
	w.answers = append(w.answers, out)

	if broke {
		out = out[:min(len(out), w.breakAt)]
		ok = false
	}

	body := io.Reader(bytes.NewReader(out))
	if !ok {
		body = io.MultiReader(body, broken{})
	}

	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body), Request: r}, nil
}

// broken is a connection that breaks.
type broken struct{}

// Read fails.
func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// desk is a client, its bank, and the wire between.
type desk struct {
	*ebics.Client
	t    *testing.T
	host *ebicssim.Host
	bank *banksim.Bank
	wire *wire
	// texts are all documents that the client built, also those that are encrypted
	texts [][]byte
}

var subscriber = ebics.Subscriber{Host: "SLIPBANK", Partner: "PARTNER1", User: "USER1"}

var shortKeys = sync.OnceValues(func() (*ebics.Keys, error) {
	return ebics.NewShortKeys("Slipway Test", clock.New().Now())
})

// bankKeys are two keys of the bank that all tests share.
var bankKeys = sync.OnceValues(func() (*ebics.Keys, error) { return ebics.NewShortKeys("Bank", clock.New().Now()) })

// bankKey returns the two, and then new ones.
func bankKey() func() (*rsa.PrivateKey, error) {
	n := 0

	return func() (*rsa.PrivateKey, error) {
		k, err := bankKeys()
		if err != nil {
			return nil, err
		}

		n++
		if n > 2 {
			return rsa.GenerateKey(rand.Reader, 2048)
		}

		return []*rsa.PrivateKey{k.Authentication.Private, k.Encryption.Private}[n%2], nil
	}
}

var accounts = []banksim.Account{{
	ID:       "eur",
	Currency: "EUR",
	Country:  "DE",
	Holder:   "Slipway Test",
	IBAN:     "DE89370400440532013000",
	BIC:      "SLWYDEF0XXX",
	Opening:  "10000.00",
}}

// newDesk opens a bank with one subscriber that has sent nothing yet.
func newDesk(t *testing.T, v ebics.Version, change ...func(*ebicssim.Config)) *desk {
	t.Helper()

	c := clock.New()

	bank, err := banksim.New(banksim.Config{Folder: t.TempDir(), Accounts: accounts, Clock: c, AtOnce: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bank.Close()) })

	config := ebicssim.Config{
		Engine: bank,
		Folder: t.TempDir(),
		Host:   subscriber.Host,
		Users:  []string{"PARTNER1/USER1", "PARTNER1/USER2"},
		Clock:  c,
		NewKey: bankKey(),
	}
	for _, f := range change {
		f(&config)
	}

	host, err := ebicssim.New(config)
	require.NoError(t, err)

	keys, err := shortKeys()
	require.NoError(t, err)

	d := &desk{t: t, host: host, bank: bank, wire: &wire{host: host, breakIn: -1}}
	d.Client = &ebics.Client{
		URL:        "https://ebics.bank.example/",
		Version:    v,
		Subscriber: subscriber,
		Keys:       keys,
		Party:      ebics.NewParty(d.wire),
		Now:        c.Now,
		Trace:      func(text []byte) { d.texts = append(d.texts, text) },
	}

	return d
}

// ready opens a bank that has activated the subscriber, whose keys the client has.
func ready(t *testing.T, v ebics.Version, change ...func(*ebicssim.Config)) *desk {
	t.Helper()
	d := newDesk(t, v, change...)
	require.NoError(t, d.SendINI(t.Context()))
	require.NoError(t, d.SendHIA(t.Context()))
	require.NoError(t, d.host.Ready("PARTNER1/USER1"))

	keys, err := d.FetchBankKeys(t.Context())
	require.NoError(t, err)
	d.Bank = keys

	return d
}

// payments is the order for a payment file in a version.
func payments(v ebics.Version) ebics.Order {
	text := "CCT"
	if v == ebics.H005 {
		text = "service=SCT scope=DE message=pain.001"
	}

	o, err := ebics.ParseOrder(text, true)
	if err != nil {
		panic(err)
	}

	o.FileName = "pay.xml"
	if v == ebics.H004 {
		o.FileName = ""
	}

	return o
}

// upload drives an upload as the channel does without any trouble.
func (d *desk) upload(content []byte) (orderID string, err error) {
	d.t.Helper()
	p, err := d.Prepare(payments(d.Version), content)
	require.NoError(d.t, err)

	transaction, orderID, err := d.Begin(context.Background(), p)
	if err != nil {
		return "", err
	}

	for n := range p.Segments {
		if _, err = d.Send(context.Background(), p, transaction, n+1); err != nil {
			return orderID, err
		}
	}

	return orderID, nil
}

// both runs a test in both versions.
func both(t *testing.T, test func(t *testing.T, v ebics.Version)) {
	t.Helper()

	for _, v := range []ebics.Version{ebics.H005, ebics.H004} {
		t.Run(string(v), func(t *testing.T) { test(t, v) })
	}
}

// schemas holds documents against the published schemas. It skips where these are not at hand.
func schemas(t *testing.T, v ebics.Version, texts ...[]byte) {
	t.Helper()

	fixtures := os.Getenv("SLIPWAY_FIXTURES")
	if _, err := exec.LookPath("xmllint"); err != nil || fixtures == "" {
		t.Skip("nothing is held against the schemas of EBICS: this needs xmllint and the folder SLIPWAY_FIXTURES")
	}

	folder := filepath.Join(fixtures, "ebics/xsd", strings.ToLower(string(v)))
	kinds := map[string]int{}

	for i, text := range texts {
		var root struct{ XMLName xml.Name }
		require.NoError(t, xml.Unmarshal(text, &root))

		var schema string
		switch space := root.XMLName.Space; {
		case strings.HasPrefix(space, "urn:org:ebics:") && strings.HasSuffix(root.XMLName.Local, "OrderData"):
			schema = "ebics_orders_" + string(v) + ".xsd"
		case strings.HasPrefix(space, "urn:org:ebics:"):
			schema = "ebics_" + string(v) + ".xsd"
		case space == "http://www.ebics.org/H000":
			schema = "ebics_hev.xsd"
		case space == "http://www.ebics.org/S001":
			schema = "ebics_signature.xsd"
		case space == "http://www.ebics.org/S002":
			schema = "ebics_signature_S002.xsd"
		default:
			require.Fail(t, "no schema", root.XMLName)
		}

		file := filepath.Join(t.TempDir(), "x.xml")
		require.NoError(t, os.WriteFile(file, text, 0o600))

		out, err := exec.Command("xmllint", "--noout", "--nonet", "--schema", filepath.Join(folder, schema), file).
			CombinedOutput()
		require.NoError(t, err, "document %d: %s\n%s", i, out, text)

		kinds[root.XMLName.Local]++
	}

	t.Logf("valid: %v", kinds)
}
