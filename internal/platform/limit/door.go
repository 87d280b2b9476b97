package limit

import (
	"net/netip"
	"time"

	"slipway/internal/platform/secret"
)

// Door lets strangers in, of whom nothing is known but the network that they come from. While they are few, they come
// in freely, and no network takes more than its share of what is free for all: a few addresses close it to nobody else.
// While they are many, each brings a proof of work, and has no limit of others' making.
//
// It is safe for concurrent use; a nil door lets everybody in.
type Door struct {
	networks *Limiter
	all      *Meter
	work     *Work
}

// networkShare is the part of what is free that one network has.
const networkShare = 8

// doorNetworks is how many networks a door remembers.
const doorNetworks = 20_000

// NewDoor returns a door through which free may come in without work, or nil for a rate that limits nothing. The keys
// sign what is asked; processes that share them take each other's proofs.
func NewDoor(free Rate, purpose string, keys *secret.Keyring) *Door {
	if !free.On() {
		return nil
	}

	one := Rate{Events: max(free.Events/networkShare, 1), Per: free.Per, Burst: free.Burst / networkShare}

	return &Door{networks: New(one, doorNetworks), all: NewMeter(free), work: newWork(keys, purpose, free)}
}

// Enter reports whether somebody may come in freely, and counts him.
func (d *Door) Enter(source string, now time.Time) bool {
	if d == nil {
		return true
	}

	own := d.networks.Meter(NetworkKey(source), now)
	if !d.all.Left(now).OK || !own.Take(now).OK {
		return false
	}

	if !d.all.Take(now).OK { // another has just come in
		own.Return(now)
		return false
	}

	return true
}

// Leave takes back that somebody has come in freely, because it does not count after all.
func (d *Door) Leave(source string, now time.Time) {
	if d != nil {
		d.networks.Return(NetworkKey(source), now)
		d.all.Return(now)
	}
}

// Pay reports whether somebody brings the proof of what he was asked. A proof is good once.
func (d *Door) Pay(source, proof string, now time.Time) bool {
	return d == nil || proof != "" && d.work.take(NetworkKey(source), proof, now)
}

// Ask returns what somebody has to prove to come in. It is good for two minutes, from the same network.
func (d *Door) Ask(source string, now time.Time) (challenge string) {
	return d.work.ask(NetworkKey(source), now)
}

// Ahead returns what somebody has to prove if he cannot come in freely at the moment, and "" if he can. It counts
// nothing.
func (d *Door) Ahead(source string, now time.Time) (challenge string) {
	if d == nil || d.all.Left(now).OK && d.networks.Left(NetworkKey(source), now).OK {
		return ""
	}

	return d.Ask(source, now)
}

// NetworkKey returns the network of an address, as far as addresses are handed out together: the /24 of an IPv4
// address, and the /48 that a site gets of IPv6 (RFC 6177). Whoever has a few hundred addresses at one provider has
// them there.
func NetworkKey(source string) string {
	addr, err := netip.ParseAddr(source)
	if err != nil {
		return source
	}

	addr = addr.Unmap().WithZone("")
	size := 48

	if addr.Is4() {
		size = 24
	}

	p, err := addr.Prefix(size)
	if err != nil {
		return source
	}

	return p.String()
}
