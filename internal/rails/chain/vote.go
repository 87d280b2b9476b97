package chain

import (
	"slices"
	"time"
)

// Back-off of a node whose word the others or a proof refuted.
const (
	asideFirst = 30 * time.Second
	asideMost  = 10 * time.Minute
)

// enough is how many nodes must say the same before anything is concluded that cannot be taken back: two, or the only
// one.
func (c *Client) enough() int { return min(2, len(c.providers)) }

// vote is what one node said, in a form that can be compared.
type vote[T comparable] struct {
	by   *provider
	said T
}

// count returns what enough nodes said alike, and those who said something else. ok is false while nothing has enough
// votes, and where two answers have: then nobody is a dissenter, since nobody knows who is right.
func count[T comparable](votes []vote[T], enough int) (said T, dissent []*provider, ok bool) {
	byAnswer := map[T]int{}
	for _, v := range votes {
		byAnswer[v.said]++
	}

	winners := 0
	for answer, n := range byAnswer {
		if n >= enough {
			said = answer
			winners = winners + 1
		}
	}

	if winners != 1 {
		var nothing T
		return nothing, nil, false
	}

	for _, v := range votes {
		if v.said != said {
			dissent = append(dissent, v.by)
		}
	}

	return said, dissent, true
}

// refute puts a node aside whose word was refuted: it is asked last until its back-off ends, which doubles each time.
// It stays one voice among others: where two must agree, its next answers count again.
func (c *Client) refute(p *provider, why string) {
	if p == nil {
		return
	}

	now := c.clock.Now()

	p.mu.Lock()

	fresh := p.lies == 0 || now.After(p.asideUntil)
	if fresh {
		p.asideFor = min(max(2*p.asideFor, asideFirst), asideMost)
		p.asideUntil = now.Add(p.asideFor)
	}

	p.lies++
	p.lie = why
	p.mu.Unlock()

	if fresh {
		c.log.Warn("a node was refuted and is put aside", "node", p.name, "for", p.asideFor, "said", why)
	}
}

// aside reports whether a node is put aside at the moment.
func (c *Client) aside(p *provider) bool {
	now := c.clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()

	return now.Before(p.asideUntil)
}

// ranked is the providers, the most trusted first; among equals the configured order holds.
func (c *Client) ranked() []*provider {
	rank := func(p *provider) int {
		if c.aside(p) {
			return 3
		}

		return p.rank()
	}
	out := slices.Clone(c.providers)
	slices.SortStableFunc(out, func(a, b *provider) int { return rank(a) - rank(b) })

	return out
}
