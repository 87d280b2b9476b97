package transaction

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/document"
	"slipway/internal/platform/db"
)

// likeAge is the greatest age of a transaction that another one is compared with. One that is open is compared with
// however old it is.
const likeAge = 90 * 24 * time.Hour

// maxAlike limits the records that one remark names.
const maxAlike = 5

// Like is a payment, or a payable, as it is compared with others to see whether the same thing is paid twice.
type Like struct {
	Record    string // identifier of the transaction or payable
	Receiver  string
	Asset     string // currency or token
	Units     string
	Reference string // creditor reference
	Document  string // hash of its bytes
}

// Marks are what payments are looked up by, for those that may be alike: each list without what is empty.
type Marks struct{ Receivers, Units, References, Documents []string }

// MarksOf returns the marks of some payments.
func MarksOf(payments []Like) (of Marks) {
	for _, p := range payments {
		of.Receivers = append(of.Receivers, p.Receiver)
		of.Units = append(of.Units, p.Units)

		if p.Reference != "" {
			of.References = append(of.References, p.Reference)
		}

		if p.Document != "" {
			of.Documents = append(of.Documents, p.Document)
		}
	}

	return of
}

// alike returns in what two payments are alike; empty: in nothing that matters.
func (l Like) alike(other Like) (in []string) {
	if l.Receiver == other.Receiver && l.Asset == other.Asset && l.Units == other.Units {
		in = append(in, "receiver and amount")
	}

	if l.Reference != "" && l.Reference == other.Reference {
		in = append(in, "reference")
	}

	if l.Document != "" && l.Document == other.Document {
		in = append(in, "document")
	}

	return in
}

// lookTwice returns a warning for each payment that seems to be made twice: in another transaction that is open or was
// made within 90 days, by a payable that no transaction pays yet, or by another payment of its own transaction. What
// has failed is not paid, so it is not compared with.
func (s *Service) lookTwice(ctx context.Context, t Transaction) ([]IssueView, error) {
	if t.Type == TypeOnramp {
		return nil, nil
	}

	own, err := likesOf(ctx, s.DB, t)
	if err != nil {
		return nil, err
	}

	others, err := otherLikes(ctx, s.DB, t, own, s.DB.Now().Add(-likeAge))
	if err != nil {
		return nil, err
	}

	if s.Payables.Likes != nil {
		payables, err := s.Payables.Likes(ctx, s.DB, t.Organisation, own)
		if err != nil {
			return nil, err
		}

		others = append(others, payables...)
	}

	var out []IssueView
	for i, p := range t.Payments {
		all := slices.Concat(own[:i], others)
		if issue, found := twice(own[i], all); found {
			issue.Pointer = PaymentAt(p.Position)
			out = append(out, issue)
		}
	}

	return out, nil
}

// twice returns the warning of a payment that is alike others.
func twice(one Like, others []Like) (IssueView, bool) {
	var ways, records []string

	for _, other := range others {
		if in := one.alike(other); len(in) > 0 {
			ways = append(ways, in...)
			records = append(records, other.Record)
		}
	}

	if len(records) == 0 {
		return IssueView{}, false
	}

	slices.Sort(ways)
	slices.SortFunc(records, func(a, b string) int { return cmp.Compare(b, a) }) // the newest first
	records = slices.Compact(records)

	return IssueView{
		Code: fault.PossibleDuplicate,
		Message: "May be paid already, or twice: the same " + strings.Join(
			slices.Compact(ways),
			" and the same ",
		) + " as in others.",
		Severity: "WARNING",
		Related:  records[:min(len(records), maxAlike)],
	}, true
}

// likesOf returns the payments of a transaction in their order.
func likesOf(ctx context.Context, q db.Querier, t Transaction) ([]Like, error) {
	var keys []string
	out := make([]Like, len(t.Payments))

	for i, p := range t.Payments {
		out[i] = Like{
			Record:    t.ID,
			Receiver:  p.Receiver,
			Asset:     t.Token,
			Units:     p.Units.String(),
			Reference: p.Reference,
		}
		if t.Type == TypeFiat {
			out[i].Asset = p.Currency
			out[i].Units = p.FiatUnits.String()
		}

		if p.Document != "" {
			keys = append(keys, p.Document)
		}
	}

	hashes, err := documentHashes(ctx, q, t.Organisation, keys)
	for i, p := range t.Payments {
		out[i].Document = hashes[p.Document]
	}

	return out, err
}

// documentHashes returns the hashes of documents by their keys.
func documentHashes(ctx context.Context, q db.Querier, organisation string, keys []string) (map[string]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}

	known, err := document.Known(ctx, q, organisation, keys)
	out := make(map[string]string, len(known))

	for key, d := range known {
		out[key] = d.SHA256
	}

	return out, err
}
