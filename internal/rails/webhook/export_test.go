package webhook

import (
	"context"
	"net"
	"syscall"
)

// NewWithLookup returns a sender whose names are found by lookup. All addresses of a name are tried, as a dialer does.
// judged hears what the guard says of each; nobody answers at those that it admits, and nothing leaves the machine.
func NewWithLookup(
	g Guard,
	lookup func(ctx context.Context, host string) ([]string, error),
	judged func(address string, refused bool),
) *Sender {
	control := g.Control()

	dialer := &net.Dialer{
		Timeout: dialTimeout,
		Control: func(network, address string, c syscall.RawConn) error {
			err := control(network, address, c)
			judged(address, err != nil)

			if err == nil {
				err = syscall.ECONNREFUSED
			}

			return err
		},
	}

	return withTransport(transportOver(func(ctx context.Context, network, address string) (c net.Conn, err error) {
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
	}))
}
