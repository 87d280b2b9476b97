// Package dns reads what the owner of a domain has published in it (RFC 1035, TXT), by which he proves that it is his.
package dns

import (
	"context"
	"errors"
	"net"
	"time"
)

// timeout limits one question.
const timeout = 10 * time.Second

// Resolver reads the texts of a name. A name without any has none, and no error; an error means that nothing is known.
type Resolver interface {
	Texts(ctx context.Context, name string) ([]string, error)
}

// Live asks the resolver of the machine.
type Live struct{}

// Texts asks for the TXT records of a name.
func (Live) Texts(ctx context.Context, name string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	texts, err := net.DefaultResolver.LookupTXT(ctx, name+".") // the dot: no search list of the machine counts

	var answer *net.DNSError
	if errors.As(err, &answer) && answer.IsNotFound {
		return nil, nil
	}

	return texts, err
}
