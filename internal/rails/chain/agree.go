package chain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// ErrDisagree means that nodes contradict each other about one block, or that too few answer. Nothing may be concluded.
var ErrDisagree = errors.New("the network's nodes do not agree")

// tooFewError means that too few nodes answered: it is an ErrDisagree and an ErrUnreachable, in the words of what
// happened.
type tooFewError struct {
	wanted, answered, nodes int
	about                   string
	cause                   error
}

// Error says how many nodes answered, and what the others said.
func (e *tooFewError) Error() string {
	out := fmt.Sprintf("%d of %d nodes answer about %s, and %d must", e.answered, e.nodes, e.about, e.wanted)
	if e.cause == nil {
		return out
	}

	return out + ": " + e.cause.Error()
}

// Is reports whether the error is one of those that callers know.
func (e *tooFewError) Is(target error) bool { return target == ErrDisagree || target == ErrUnreachable }

// Unwrap returns why the others did not answer.
func (e *tooFewError) Unwrap() error { return e.cause }

// tooFew returns the error for a question that too few nodes answered, with what the others said.
func (c *Client) tooFew(about string, answered int, errs ...error) error {
	return &tooFewError{
		wanted:   c.enough(),
		answered: answered,
		nodes:    len(c.providers),
		about:    about,
		cause:    errors.Join(errs...),
	}
}

// latest is the newest block, as a reference in calls.
const latest = "latest"

// question returns the calls of one question about a block.
type question func(ref string) []call

// nodeAnswer is the answer of one node to a question.
type nodeAnswer struct {
	block   common.Hash // zero: of its newest block
	answers []answer
	err     error
}

// agree asks as many nodes as must agree about the newest block, and returns the answers that they share. If they
// differ, all nodes are asked about the newest block that enough of them have. A node that contradicts enough others
// about the same block is demoted. ErrDisagree, ErrBehind and ErrUnreachable mean that nothing is known: retry later.
func (c *Client) agree(ctx context.Context, q question) ([]answer, error) {
	ranked := c.ranked()[:c.enough()]

	for _, p := range ranked {
		if c.bears(p, &p.batches, maxCallsPerBatch) < uint64(len(q(latest))) {
			return c.agreeAt(ctx, q) // in several requests there would be several newest blocks
		}
	}

	out := c.askAll(ctx, ranked, func(*provider) []call { return q(latest) })
	votes := make([]vote[string], 0, len(out))

	for i, s := range out {
		if words, ok := s.fingerprint(); ok {
			votes = append(votes, vote[string]{by: ranked[i], value: words})
		}
	}

	if _, _, ok := count(votes, c.enough()); ok {
		return out[0].answers, nil
	}

	if len(c.providers) == 1 {
		return out[0].answers, out[0].err // its own error, or answers of which one is an error
	}

	return c.agreeAt(ctx, q)
}

// agreeAt asks all nodes about one block that enough of them have.
func (c *Client) agreeAt(ctx context.Context, q question) ([]answer, error) {
	nodes, number, err := c.commonBlock(ctx)
	if err != nil {
		return nil, err
	}

	_, answers, err := c.agreeOnBlock(ctx, nodes, number, q)

	return answers, err
}

// agreeOnBlock asks some nodes about one block, and returns the block and the answers that enough of them share.
func (c *Client) agreeOnBlock(
	ctx context.Context,
	nodes []*provider,
	number uint64,
	q question,
) (Block, []answer, error) {
	out := c.askAll(ctx, nodes, func(*provider) []call {
		return append([]call{blockCall(numberRef(number))}, q(numberRef(number))...)
	})

	var votes []vote[string]

	byWords := map[string]nodeAnswer{}
	headers := map[string]Block{}
	blocks := map[*provider]common.Hash{}

	var errs []error

	for i, s := range out {
		if s.err != nil {
			errs = append(errs, s.err)
			continue
		}

		b, ok, err := s.answers[0].block()
		if err != nil || !ok || b.Number != number {
			errs = append(errs, err)
			continue
		}

		s.block = b.Hash
		s.answers = s.answers[1:]

		words, ok := s.fingerprint()
		if !ok {
			errs = append(errs, s.failed())
			continue
		}

		votes = append(votes, vote[string]{by: nodes[i], value: words})
		byWords[words] = s
		headers[words] = b
		blocks[nodes[i]] = b.Hash
	}

	if len(votes) < c.enough() {
		return Block{}, nil, c.tooFew(fmt.Sprintf("block %d", number), len(votes), errs...)
	}

	words, dissent, ok := count(votes, c.enough())
	if !ok {
		return Block{}, nil, fmt.Errorf("%w about block %d: %d answers", ErrDisagree, number, len(votes))
	}

	for _, p := range dissent {
		if blocks[p] == byWords[words].block { // otherwise it may only see another branch
			c.refute(p, fmt.Sprintf("it contradicted the others about block %d", number))
		}
	}

	return headers[words], byWords[words].answers, nil
}

// commonBlock returns the newest block that enough nodes have, and those nodes. It returns ErrBehind if that block is
// older than a node may lag.
func (c *Client) commonBlock(ctx context.Context) (nodes []*provider, number uint64, err error) {
	type at struct {
		p    *provider
		head uint64
	}

	var (
		heads []at
		errs  []error
	)
	for i, s := range c.askAll(ctx, c.providers, func(*provider) []call { return []call{blockCall(latest)} }) {
		if s.err != nil {
			errs = append(errs, s.err)
			continue
		}

		b, ok, err := s.answers[0].block()
		if err != nil || !ok {
			errs = append(errs, err)
			continue
		}

		heads = append(heads, at{p: c.providers[i], head: b.Number})
	}

	if len(heads) < c.enough() {
		return nil, 0, c.tooFew("their newest block", len(heads), errs...)
	}

	slices.SortFunc(heads, func(a, b at) int { return cmp.Compare(b.head, a.head) })

	best := heads[0].head
	if len(heads) > 2 {
		best = heads[1].head // the head of a single node does not count
	}

	number = heads[c.enough()-1].head
	if number+c.maxLag < best {
		return nil, 0, fmt.Errorf("%w: one is at block %d, the next at %d", ErrBehind, best, number)
	}

	for _, h := range heads {
		if h.head >= number {
			nodes = append(nodes, h.p)
		}
	}

	return nodes, number, nil
}

// askAll asks several nodes at the same time.
func (c *Client) askAll(ctx context.Context, nodes []*provider, calls func(p *provider) []call) []nodeAnswer {
	out := make([]nodeAnswer, len(nodes))

	var wg sync.WaitGroup
	for i, p := range nodes {
		wg.Go(func() { out[i].answers, out[i].err = c.askOne(ctx, p, calls(p)) })
	}

	wg.Wait()

	return out
}

// fingerprint returns a node's answers in a form that can be compared. A call that reverts is an answer, whatever its
// text; any other error is none.
func (s nodeAnswer) fingerprint() (string, bool) {
	if s.err != nil {
		return "", false
	}

	out := []string{s.block.Hex()}

	for _, a := range s.answers {
		switch {
		case a.err == nil:
			out = append(out, strings.ToLower(string(a.result)))
		case Classify(a.err) == Reverts:
			out = append(out, string(Reverts))
		default:
			return "", false
		}
	}

	return strings.Join(out, "\n"), true
}

// failed returns the error of the first call that was not answered; a revert is an answer.
func (s nodeAnswer) failed() error {
	for _, a := range s.answers {
		if a.err != nil && Classify(a.err) != Reverts {
			return a.err
		}
	}

	return s.err
}

// Call simulates a call at the newest block and returns the result on which two nodes agree, or that of the only node.
// An error that Classify calls Reverts is their answer; any other means that nothing is known.
func (c *Client) Call(ctx context.Context, m CallMsg) ([]byte, error) {
	out, err := c.Calls(ctx, m)
	if err != nil {
		return nil, err
	}

	return out[0], nil
}

// Calls simulates several calls at one block: see Call. The first one that reverts is the error of all.
func (c *Client) Calls(ctx context.Context, messages ...CallMsg) ([][]byte, error) {
	answers, err := c.agree(ctx, func(ref string) []call {
		calls := make([]call, len(messages))
		for i, m := range messages {
			calls[i] = call{"eth_call", []any{m.wire(), ref}}
		}

		return calls
	})
	if err != nil {
		return nil, err
	}

	out := make([][]byte, len(answers))
	for i, a := range answers {
		var b hexutil.Bytes
		if err := a.into(&b); err != nil {
			return nil, err
		}

		out[i] = b
	}

	return out, nil
}

// Would simulates a call on one node and returns its error. Use it only for what people see.
func (c *Client) Would(ctx context.Context, m CallMsg) error {
	var out json.RawMessage
	return c.one(ctx, &out, "eth_call", m.wire(), latest)
}
