package setup

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"slipway/internal/app"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/config"
	"slipway/internal/platform/remote"
)

// proxies says by which way requests leave.
func (d *doctor) proxies() {
	ignored := d.config.IgnoredProxies()

	switch {
	case len(ignored) > 0:
		d.say("proxy", Watch, "none, although the environment names one in "+strings.Join(ignored, ", "),
			"set outgoing.proxy to environment, or take the variables away")
	case d.config.Outgoing.Proxy == "none":
		d.say("proxy", Fine, "none: requests leave directly", "")
	default:
		d.say("proxy", Fine, "as the environment says", "")
	}
}

// buckets does in each bucket what the service does there: it writes an object, reads it back and removes it. The
// witness also lists its objects.
func (d *doctor) buckets(ctx context.Context) {
	look := func(part, store string, b config.Bucket, uses func(context.Context, *blob.S3) error) {
		if store != "s3" {
			return
		}

		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()

		s3, err := blob.OpenS3(app.BucketOf(b))
		if err == nil {
			err = uses(ctx, s3)
		}

		d.check(part+", bucket", "takes objects, and gives them back", err,
			"look at the bucket, its key's rights, and the way there")
	}

	look("witness", d.config.Witness.Store, d.config.Witness.S3, func(ctx context.Context, s3 *blob.S3) error {
		_, err := s3.ListKeys(ctx, "check-")
		return errors.Join(s3.Check(ctx), err)
	})
	look("documents", d.config.Documents.Store, d.config.Documents.S3, func(ctx context.Context, s3 *blob.S3) error {
		return s3.Check(ctx)
	})
}

// providers looks whether something answers at the address of each outside party that the service asks only when a
// person or a payment needs it. It shows them no key, and what they answer does not count.
func (d *doctor) providers(ctx context.Context) {
	look := func(part, address, setting string) {
		if address == "" {
			return
		}

		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()

		d.check(part, "answers", answersHead(ctx, address), "look at the way there, and at "+setting)
	}

	look("identity verification", d.config.IDV.BaseURL, "idv.base_url")

	if d.config.BankAccounts.Provider == "ibansuite" {
		look("IBAN Suite", d.config.BankAccounts.URL, "bank_accounts.url")
	}

	for _, l := range d.config.AllLiquidity() {
		if l.Provider == "http" {
			look("liquidity "+l.ID, l.URL, "the provider's url")
		}
	}

	for _, n := range d.config.Networks {
		look("network "+n.ID+", Safe's service", n.SafeServiceURL, "safe_service_url")
	}
}

// reachable reports whether something listens at the address of a signer process, or behind the proxy that the service
// reaches it by. It asks for nothing: all that such a process can be asked for is a signature.
func reachable(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("its address cannot be read")
	}

	by, err := http.ProxyFromEnvironment(&http.Request{URL: u})
	if err != nil {
		return fmt.Errorf("the environment's proxy: %w", err)
	}

	if by != nil {
		if err := answersHead(ctx, address); err != nil {
			return fmt.Errorf("the process that signs: %w", err)
		}

		return nil
	}

	network, at := "tcp", u.Host

	switch {
	case u.Scheme == "" || u.Scheme == "unix":
		network, at = "unix", u.Path
	case u.Port() == "" && u.Scheme == "https":
		at = net.JoinHostPort(u.Hostname(), "443")
	case u.Port() == "":
		at = net.JoinHostPort(u.Hostname(), "80")
	}

	dialer := net.Dialer{Timeout: checkTimeout}

	conn, err := dialer.DialContext(ctx, network, at)
	if err != nil {
		return fmt.Errorf("the process that signs does not answer: %w", err)
	}

	return conn.Close()
}

// answersHead reports whether an address answers a request without content, whatever the answer.
func answersHead(ctx context.Context, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, address, http.NoBody)
	if err != nil {
		return errors.New("its address cannot be read")
	}

	_, _, err = remote.New(checkTimeout, 1<<10, nil).Exchange(r)
	if err != nil {
		return fmt.Errorf("it does not answer: %w", err)
	}

	return nil
}
