package chain

import (
	"slices"
	"time"
)

// Back-off of a node that other nodes or a proof refuted.
const (
	asideFirst = 30 * time.Second
	asideMost  = 10 * time.Minute
)

// enough returns how many nodes must agree before an irreversible conclusion: two, or the only one.
func (c *Client) enough() int { return min(2, len(c.providers)) }

// vote is the answer of one node, in a form that can be compared.
type vote[T comparable] struct {
	by    *provider
	value T
}

// count returns the answer that enough nodes share, and the nodes that disagree. ok is false if no answer has enough
// votes, or if two answers have: then nobody is listed as disagreeing, since it is unknown who is right.
func count[T comparable](votes []vote[T], enough int) (value T, dissent []*provider, ok bool) {
	byAnswer := map[T]int{}
	for _, v := range votes {
		byAnswer[v.value]++
	}

	winners := 0
	for answer, n := range byAnswer {
		if n >= enough {
			value = answer
			winners = winners + 1
		}
	}

	if winners != 1 {
		var nothing T
		return nothing, nil, false
	}

	for _, v := range votes {
		if v.value != value {
			dissent = append(dissent, v.by)
		}
	}

	return value, dissent, true
}

// refute demotes a node whose answer was refuted: it is asked last until its back-off ends, which doubles each time.
// Its votes still count.
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
		c.log.Warn("a node was refuted and is asked last", "node", p.name, "for", p.asideFor, "said", why)
	}
}

// aside reports whether a node is demoted at the moment.
func (c *Client) aside(p *provider) bool {
	now := c.clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()

	return now.Before(p.asideUntil)
}

// ranked returns the providers, best first; equal ones in the configured order.
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
