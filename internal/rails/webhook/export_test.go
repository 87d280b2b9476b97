package webhook

import (
	"context"
	"net"
)

// NewWithLookup returns a sender whose names are found by lookup. All addresses of a name are tried, as a dialer does.
func NewWithLookup(g Guard, lookup func(ctx context.Context, host string) ([]string, error)) *Sender {
	dialer := &net.Dialer{Timeout: dialTimeout, Control: g.control()}

	return withDial(func(ctx context.Context, network, address string) (c net.Conn, err error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}

		addresses, err := lookup(ctx, host)
		if err != nil {
			return nil, err
		}

		for _, a := range addresses {
			if c, err = dialer.DialContext(ctx, network, net.JoinHostPort(a, port)); err == nil {
				return c, nil
			}
		}

		return nil, err
	})
}
