package server

import (
	"net"
	"net/netip"
	"slices"

	"slipway/internal/platform/limit"
)

const (
	// spareConnections are reserved for requests about the service's health. Such a request comes and is answered at
	// once: a spare connection is closed only after this many newer ones have come.
	spareConnections = 64
	// shareOfOne is the part of all connections that one address may have.
	shareOfOne = 4
	// looked is how many connections are examined to find one to close. During an attack most of them are the
	// attacker's.
	looked = 64
	// lookedAgain is how often another one is looked for when a request has come on the one that was found.
	lookedAgain = 8
)

// listener passes every new connection to the HTTP library, with or without a place.
type listener struct {
	net.Listener
	server *Server
}

// Accept blocks until the next connection.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}

	return l.server.admit(c), nil
}

// admit assigns a connection its place. Without a place it becomes a spare one, and the oldest spare one is closed for
// it.
func (s *Server) admit(raw net.Conn) *Conn {
	c := &Conn{Conn: raw, server: s}

	s.mu.Lock()

	holders := 0
	if key, ok := s.keyOf(raw.RemoteAddr()); ok {
		c.share, holders = s.shares.Hold(key)
	}

	victim := s.place(c, holders)
	s.mu.Unlock()

	if victim != nil {
		_ = victim.Close() // whoever waits there for its client sees the end of the connection
	}

	return c
}

// place puts a connection among the others, or among the spare ones. It returns the connection to close, or nil if
// there is none.
func (s *Server) place(c *Conn, holders int) (victim *Conn) {
	full := len(s.conns) >= s.config.Connections
	if holders <= max(1, s.config.Connections/shareOfOne) {
		if full {
			victim = s.makeRoom(holders)
		}

		if victim != nil {
			delete(s.conns, victim)
		}

		if victim != nil || !full {
			s.conns[c] = struct{}{}
			return victim
		}
	}

	c.spare = true
	victim = s.spares[s.oldest]
	s.spares[s.oldest] = c
	s.oldest = (s.oldest + 1) % spareConnections

	return victim
}

// makeRoom finds a connection that waits for its client, from the address that has most among those examined and more
// than holders. It looks again if a request comes on the one it has found.
func (s *Server) makeRoom(holders int) *Conn {
	for range lookedAgain {
		found := s.waitingOfMost(holders)
		if found == nil || found.evict() {
			return found
		}
	}

	return nil
}

// waitingOfMost is makeRoom's look at the connections.
func (s *Server) waitingOfMost(holders int) *Conn {
	var found *Conn
	most := holders

	n := 0
	for c := range s.conns {
		if n++; n > looked {
			break
		}

		if c.share == nil || c.state.Load() == working {
			continue
		}

		if has := s.shares.Holders(c.share); has > most {
			found = c
			most = has
		}
	}

	return found
}

// leave returns the place of a connection.
func (s *Server) leave(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()

	delete(s.conns, c)

	if i := slices.Index(s.spares[:], c); c.spare && i >= 0 {
		s.spares[i] = nil
	}

	if c.share != nil {
		s.shares.Release(c.share)
	}
}

// keyOf returns what connections from an address are counted by; ok is false for a trusted proxy and for a connection
// without an address.
func (s *Server) keyOf(a net.Addr) (key string, ok bool) {
	addr, err := netip.ParseAddr(hostOf(a))
	if err != nil {
		return "", false
	}

	addr = addr.Unmap()
	if slices.ContainsFunc(s.config.Trusted, func(p netip.Prefix) bool { return p.Contains(addr) }) {
		return "", false
	}

	return limit.SourceKey(addr.String()), true
}

// hostOf returns an address without its port.
func hostOf(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}

	return host
}
