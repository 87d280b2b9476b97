package mail_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	stdmail "net/mail"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/platformtest/parts"
)

// postfix is Postfix with OpenDKIM, set up as docs/how-to/send-mail.md says, which delivers into a folder.
type postfix struct {
	host    string
	port    int
	mailbox string
	record  string // what DNS says of the DKIM key
}

func startPostfix(t *testing.T) postfix {
	t.Helper()
	programs := parts.Need(t, "postfix", "opendkim")

	if os.Getuid() != 0 {
		t.Skip("left out: Postfix starts as root alone")
	}

	dir := parts.Dir(t)
	p := postfix{host: "127.0.0.1", port: parts.Port(t), mailbox: filepath.Join(dir, "mail", "box", "new")}

	signer, record := startOpenDKIM(t, dir, programs[1])
	p.record = record

	for name, owner := range map[string]string{"queue": "root", "data": "postfix", "mail": "postfix"} {
		folder := filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(folder, 0o755))
		require.NoError(t, os.Chown(folder, accountOf(t, owner), -1))
	}

	config := filepath.Join(dir, "postfix")
	require.NoError(t, os.Mkdir(config, 0o755))
	parts.File(t, config, "main.cf", fmt.Sprintf(`compatibility_level = 3.6
queue_directory = %[1]s/queue
data_directory = %[1]s/data
myhostname = relay.pay.example.org
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_milters = inet:%[2]s
milter_default_action = tempfail
virtual_mailbox_domains = example.com
virtual_mailbox_base = %[1]s/mail
virtual_mailbox_maps = static:box/
virtual_uid_maps = static:%[3]d
virtual_gid_maps = static:%[3]d
virtual_minimum_uid = 1
maillog_file = /dev/stdout
`, dir, parts.Address(signer), accountOf(t, "postfix")))
	parts.File(t, config, "master.cf", fmt.Sprintf(`%d inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`, p.port))

	parts.Start(t, p.port, programs[0], "-c", config, "start-fg")

	return p
}

// startOpenDKIM starts the signer of a domain and returns its port and the domain's record in DNS.
func startOpenDKIM(t *testing.T, dir, program string) (port int, record string) {
	t.Helper()

	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	require.NoError(t, err)

	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	file := filepath.Join(dir, "dkim.key")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))

	port = parts.Port(t)
	config := parts.File(t, dir, "opendkim.conf", fmt.Sprintf(`Domain pay.example.org
Selector slipway
KeyFile %s
Mode s
UserID root
RequireSafeKeys no
Socket inet:%d@127.0.0.1
Canonicalization relaxed/relaxed
SignHeaders *,+List-Unsubscribe,+List-Unsubscribe-Post
`, file, port))
	parts.Start(t, port, program, "-f", "-x", config)

	return port, "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(public)
}

func accountOf(t *testing.T, name string) int {
	t.Helper()

	account, err := user.Lookup(name)
	require.NoError(t, err)

	var id int
	_, err = fmt.Sscan(account.Uid, &id)
	require.NoError(t, err)

	return id
}

// arrived waits for the one mail in the mailbox.
func (p postfix) arrived(t *testing.T) string {
	t.Helper()

	var found []string

	require.Eventually(t, func() bool {
		found, _ = filepath.Glob(filepath.Join(p.mailbox, "*"))
		return len(found) == 1
	}, 30*time.Second, 50*time.Millisecond)

	raw, err := os.ReadFile(found[0])
	require.NoError(t, err)

	return string(raw)
}

// A mail that goes through Postfix arrives signed, and the signature covers the headers by which a mail program ends
// such mails with one click (RFC 8058, 4). (W-06)
func TestRealRelaySignsMails(t *testing.T) {
	p := startPostfix(t)

	b := newBox(t, dbtest.SQLite(t), mail.SMTP{Host: p.host, Port: p.port, Security: mail.NoTLS}, false)
	b.news("ada@example.com")
	b.run()

	raw := p.arrived(t)
	m, err := stdmail.ReadMessage(strings.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, "List-Unsubscribe=One-Click", m.Header.Get("List-Unsubscribe-Post"))
	require.Contains(t, m.Header.Get("List-Unsubscribe"), "https://pay.example.org/")

	// a Maildir has the system's line ends, the signature is over those of the wire
	wire := strings.ReplaceAll(raw, "\n", "\r\n")
	checks, err := dkim.VerifyWithOptions(strings.NewReader(wire), &dkim.VerifyOptions{
		LookupTXT: func(domain string) ([]string, error) {
			require.Equal(t, "slipway._domainkey.pay.example.org", domain)
			return []string{p.record}, nil
		},
	})
	require.NoError(t, err)
	require.Len(t, checks, 1)
	require.NoError(t, checks[0].Err)
	require.Equal(t, "pay.example.org", checks[0].Domain)

	var signed []string
	for _, name := range checks[0].HeaderKeys {
		signed = append(signed, strings.ToLower(name))
	}

	require.Subset(t, signed, []string{"from", "to", "subject", "list-unsubscribe", "list-unsubscribe-post"})
}
