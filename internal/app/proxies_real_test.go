//go:build !nosandbox

package app_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"mime/multipart"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/platformtest/parts"
)

// certificate writes a certificate for this machine with its key, as one file, and returns its path and who trusts it.
func certificate(t *testing.T, dir string) (file string, trust *x509.CertPool) {
	t.Helper()

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)

	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "pay.example.org"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)

	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	trust = x509.NewCertPool()
	require.True(t, trust.AppendCertsFromPEM(block))

	block = append(block, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})...)

	return parts.File(t, dir, "both.pem", string(block)), trust
}

// proxies are set up as docs/how-to/put-a-proxy-in-front.md says.
var proxies = map[string]func(t *testing.T, dir, upstream, certificate string, port int){
	"nginx": func(t *testing.T, dir, upstream, certificate string, port int) {
		program := parts.Need(t, "nginx")[0]
		config := parts.File(t, dir, "nginx.conf", fmt.Sprintf(`daemon off;
pid %[1]s/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path %[1]s/body;
  proxy_temp_path %[1]s/proxy;
  fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  server {
    listen 127.0.0.1:%[2]d ssl http2;
    ssl_certificate %[3]s;
    ssl_certificate_key %[3]s;
    client_max_body_size 20m;
    location / {
      proxy_pass http://%[4]s;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`, dir, port, certificate, upstream))
		parts.Start(t, port, program, "-c", config, "-p", dir)
	},
	"haproxy": func(t *testing.T, dir, upstream, certificate string, port int) {
		program := parts.Need(t, "haproxy")[0]
		config := parts.File(t, dir, "haproxy.cfg", fmt.Sprintf(`defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend people
  bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
  option forwardfor
  default_backend slipway
backend slipway
  retry-on conn-failure
  server one %s
`, port, certificate, upstream))
		parts.Start(t, port, program, "-db", "-f", config)
	},
}

// Behind a real proxy people speak HTTP/2, large documents arrive, the caller's own address counts and not one that it
// claims, and a restart of the service is over when it is back. (Z-08)
func TestBehindRealProxies(t *testing.T) {
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			parts.Need(t, name)

			h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))
			ada := h.Client("Ada")

			h.Environ = append(h.Environ, "SLIPWAY_HTTP__TRUSTED_PROXIES=127.0.0.1")
			behind := h.Start()
			upstream, stop := serveApp(t, behind, "127.0.0.1:0")
			dir := parts.Dir(t)
			file, trust := certificate(t, dir)
			port := parts.Port(t)
			start(t, dir, upstream, file, port)

			from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.7.7.7")}}

			people := &http.Client{Transport: &http.Transport{
				DialContext:       from.DialContext,
				TLSClientConfig:   &tls.Config{RootCAs: trust},
				ForceAttemptHTTP2: true,
			}}
			defer people.CloseIdleConnections()

			ask := func(method, path, contentType string, body io.Reader) (*http.Response, []byte) {
				r, err := http.NewRequestWithContext(t.Context(), method, "https://"+parts.Address(port)+path, body)
				require.NoError(t, err)
				r.Header.Set("Authorization", "Bearer "+ada.Token)
				r.Header.Set("Content-Type", contentType)
				r.Header.Set("X-Forwarded-For", "203.0.113.9")
				answer, err := people.Do(r)
				require.NoError(t, err)
				content, err := io.ReadAll(answer.Body)
				require.NoError(t, err)
				require.NoError(t, answer.Body.Close())

				return answer, content
			}

			answer, content := ask("GET", "/users/me", "", nil)
			require.Equal(t, 200, answer.StatusCode, string(content))
			require.Equal(t, 2, answer.ProtoMajor)

			answer, content = ask(
				"PATCH",
				"/users/me",
				"application/json",
				bytes.NewReader([]byte(`{"firstName":"Augusta"}`)),
			)
			require.Equal(t, 200, answer.StatusCode, string(content))
			require.EqualValues(t, 1, h.Count("SELECT count(*) FROM audit_log WHERE source = '127.7.7.7'"))
			require.Zero(t, h.Count("SELECT count(*) FROM audit_log WHERE source = '203.0.113.9'"))

			contentType, form := uploadForm(t, bill+string(make([]byte, 8<<20)))
			answer, content = ask("POST", "/payables/upload", contentType, form)
			require.Contains(t, []int{201, 422}, answer.StatusCode, string(content))

			contentType, form = uploadForm(t, string(make([]byte, 19<<20)))
			answer, content = ask("POST", "/payables/upload", contentType, form)
			require.Equal(t, 413, answer.StatusCode)
			require.Contains(t, string(content), "requestId", "the service's own refusal")

			stop()
			answer, _ = ask("GET", "/users/me", "", nil)
			require.GreaterOrEqual(t, answer.StatusCode, 502)

			_, stop = serveApp(t, behind, upstream)
			defer stop()
			require.Eventually(t, func() bool {
				answer, _ := ask("GET", "/users/me", "", nil)
				return answer.StatusCode == 200
			}, crowdPatience, 50*time.Millisecond)
		})
	}
}

// serveApp serves an app at an address until stop is called.
func serveApp(t *testing.T, a *app.App, address string) (listens string, stop func()) {
	t.Helper()

	l, err := net.Listen("tcp", address)
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)

	go func() { ended <- a.Serve(ctx, l) }()

	return l.Addr().String(), func() {
		cancel()
		require.NoError(t, <-ended)
	}
}

// uploadForm is the form by which a browser uploads a document.
func uploadForm(t *testing.T, content string) (contentType string, form io.Reader) {
	t.Helper()

	var body bytes.Buffer

	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "bill.pdf")
	require.NoError(t, err)
	_, err = io.WriteString(part, content)
	require.NoError(t, err)
	require.NoError(t, w.Close())

	return w.FormDataContentType(), &body
}
