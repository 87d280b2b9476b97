package statement

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/directory/network"
	"slipway/internal/identity/brand"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/paper"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// LinkLifetime is how long a link to a document is valid.
const LinkLifetime = 10 * time.Minute

// reuseFor is how long an unchanged statement is reused.
const reuseFor = 5 * time.Minute

// numberTries is how many attempts are made to take a number that other processes take at the same moment.
const numberTries = 10

// Prefixes of identifiers.
const (
	statementPrefix = "sta"
	invoicePrefix   = "ivc"
)

// Deps are the service's dependencies.
type Deps struct {
	DB           *db.DB
	Transactions *transaction.Service
	Keys         *secret.Keyring // signs links
	BaseURL      string          // of links, without a slash at the end
	Issuer       Issuer
	Mark         string               // above every document of a deployment that moves nothing of worth; empty: none
	Book         *bookkeeping.Service // in which the fees have a value
	// Taxes returns how the fees of transactions are taxed, as was fixed with their prices. Those without a price are
	// left out.
	Taxes    func(ctx context.Context, q db.Querier, transactions []string) (map[string]quote.Tax, error)
	Currency string // of the books of customers that have set none, by ISO 4217
	// Downloads limits how often one address may follow links; nil: no limit.
	Downloads *limit.Limiter
}

// Service holds the use cases of documents.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// Document is a finished document.
type Document struct {
	ID   string // of the stored content; empty: it is not stored
	Name string // of the file
	PDF  []byte
}

// SHA256 is the file's digest, in hexadecimal digits.
func (d Document) SHA256() string {
	sum := sha256.Sum256(d.PDF)
	return hex.EncodeToString(sum[:])
}

// source reads everything that a document about the caller's transaction needs.
func (s *Service) source(ctx context.Context, transactionID string) (source, error) {
	t, v, err := s.Transactions.Show(ctx, transactionID)
	if err != nil {
		return source{}, err
	}

	out := source{
		t:       t,
		v:       v,
		network: t.Network,
		issuer:  s.Issuer,
		mark:    s.Mark,
		now:     s.DB.Now().Truncate(time.Millisecond),
	}
	if err := s.customer(ctx, &out, t.Organisation); err != nil {
		return out, err
	}

	n, err := network.ByID(ctx, s.DB, t.Network)
	switch {
	case err == nil:
		out.network = n.Name
	case !fault.Is(err, fault.NotFoundCode): // a network that is no longer offered keeps its identifier
		return out, err
	}

	if out.lines, err = ledger.OfTenant(ctx, s.DB, t.Organisation, t.ID); err != nil {
		return out, fmt.Errorf("postings of %s: %w", t.ID, err)
	}

	return out, nil
}

// customer reads who a document is for.
func (s *Service) customer(ctx context.Context, into *source, org string) (err error) {
	if into.org, err = organisation.ByID(ctx, s.DB, org); err != nil {
		return err
	}

	into.brand, err = brand.Of(ctx, s.DB, org)

	return err
}

// Statement returns a statement of the caller's transaction as it is now. With keep set, it can be fetched by its ID
// for a while. A second call within minutes returns the same one if nothing has changed.
func (s *Service) Statement(ctx context.Context, transactionID string, keep bool) (Document, error) {
	src, err := s.source(ctx, transactionID)
	if err != nil {
		return Document{}, err
	}

	st, err := src.statement()
	if err != nil {
		return Document{}, err
	}

	var key string
	if keep {
		if key, st, err = s.keep(ctx, src.t.Organisation, st); err != nil {
			return Document{}, err
		}
	}

	return s.statementFile(ctx, src.t.Organisation, key, st)
}

func (s *Service) statementFile(ctx context.Context, organisation, key string, st Statement) (Document, error) {
	logo, err := s.logo(ctx, organisation, st.Logo)
	if err != nil {
		return Document{}, err
	}

	pdf, err := Render(st, logo)

	return Document{ID: key, Name: "statement-" + st.Transaction + ".pdf", PDF: pdf}, err
}

// logo returns the picture that a document names, or nil where there is none.
func (s *Service) logo(ctx context.Context, organisation, sha256 string) (*paper.Picture, error) {
	raw, err := brand.Logo(ctx, s.DB, organisation, sha256)
	if err != nil || raw == nil {
		return nil, err
	}

	return paper.NewPicture(raw)
}

// keep stores a statement's content, or returns a recent one with the same content.
func (s *Service) keep(ctx context.Context, organisation string, st Statement) (string, Statement, error) {
	made := st.MadeAt
	st.MadeAt = time.Time{}

	text, err := json.Marshal(st, json.Deterministic(true))
	if err != nil {
		return "", st, fmt.Errorf("encode the statement of %s: %w", st.Transaction, err)
	}

	sum := sha256.Sum256(text)
	r := statementRow{
		Organisation: organisation,
		Transaction:  st.Transaction,
		Digest:       hex.EncodeToString(sum[:]),
		Content:      string(text),
		MadeAt:       db.Micros(made),
	}

	found, err := findStatement(ctx, s.DB, r, made.Add(-reuseFor))
	switch {
	case err == nil:
		st.MadeAt = db.Time(found.MadeAt)
		return found.ID, st, nil
	case !errors.Is(err, db.ErrNone):
		return "", st, fmt.Errorf("find a statement of %s: %w", st.Transaction, err)
	}

	r.ID = id.New(statementPrefix, made)
	st.MadeAt = made
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		insertStatement(tx, r)
		return nil
	})

	return r.ID, st, err
}

// Invoice returns the operator's invoice for the fees of the caller's transaction. The first call creates it; every
// further call returns the same one.
func (s *Service) Invoice(ctx context.Context, transactionID string) (Document, error) {
	src, err := s.source(ctx, transactionID)
	if err != nil {
		return Document{}, err
	}

	r, err := s.invoiceOf(ctx, &src)
	if err != nil {
		return Document{}, fmt.Errorf("invoice of %s: %w", src.t.ID, err)
	}

	return s.invoiceFile(ctx, r)
}

func (s *Service) invoiceOf(ctx context.Context, src *source) (invoiceRow, error) {
	r := invoiceRow{Organisation: src.t.Organisation, Kind: string(KindInvoice), Transaction: src.t.ID}

	return s.issued(ctx, r, func() (v Invoice, _ map[string]time.Time, err error) {
		if err := s.rates(ctx, src, false); err != nil {
			return v, nil, fmt.Errorf("reference rates: %w", err)
		}

		v, err = src.invoice()

		return v, nil, err
	})
}

// CreditNote returns the credit note for what was given back of the fees of the caller's transaction. The first call
// creates it, and the invoice that it corrects if there is none yet; every further call returns the same one.
func (s *Service) CreditNote(ctx context.Context, transactionID string) (Document, error) {
	src, err := s.source(ctx, transactionID)
	if err != nil {
		return Document{}, err
	}

	r := invoiceRow{Organisation: src.t.Organisation, Kind: string(KindCreditNote), Transaction: src.t.ID}

	r, err = s.issued(ctx, r, func() (v Invoice, _ map[string]time.Time, err error) {
		if back, err := income(
			src.lines,
			true,
		); err == nil &&
			len(back) == 0 { // then the invoice gets no number either
			return v, nil, src.nothingGivenBack()
		}

		of, err := s.invoiceOf(ctx, &src)
		if err != nil {
			return v, nil, err
		}

		corrected, err := of.invoice()
		if err != nil {
			return v, nil, err
		}

		if err := s.rates(ctx, &src, true); err != nil {
			return v, nil, fmt.Errorf("reference rates: %w", err)
		}

		v, err = src.creditNote(corrected)

		return v, nil, err
	})
	if err != nil {
		return Document{}, fmt.Errorf("credit note of %s: %w", src.t.ID, err)
	}

	return s.invoiceFile(ctx, r)
}

// issued returns the stored document of a kind and a subject, or makes it. The journals that a collective invoice has,
// with their days, are in no other one.
func (s *Service) issued(
	ctx context.Context,
	of invoiceRow,
	content func() (Invoice, map[string]time.Time, error),
) (invoiceRow, error) {
	r, err := findInvoice(ctx, s.DB, of)

	for tries := 0; errors.Is(err, db.ErrNone) ||
		db.Overtaken(err, "invoices", "collected_journals") && tries < numberTries; tries++ {
		v, journals, refusal := content()
		if refusal == nil {
			r, err = s.issue(ctx, of, v, journals)
			continue
		}

		if r, err = findInvoice(ctx, s.DB, of); err != nil { // else another call was first, and has taken the fees
			return r, refusal
		}
	}

	return r, err
}

// issue stores a new document under the next number of its year. Concurrent calls wait for each other: the number is
// read and taken in one serialisable transaction, so none is used twice and none is skipped.
func (s *Service) issue(
	ctx context.Context,
	of invoiceRow,
	v Invoice,
	journals map[string]time.Time,
) (invoiceRow, error) {
	var r invoiceRow

	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		var err error
		if r, err = findInvoice(ctx, tx, of); !errors.Is(err, db.ErrNone) {
			return err // another call was first
		}

		v := v
		v.IssuedAt = tx.Now.Truncate(time.Millisecond)
		year := int64(v.IssuedAt.UTC().Year())

		last, err := lastNumber(ctx, tx, year)
		if err != nil {
			return fmt.Errorf("last invoice of %d: %w", year, err)
		}

		v.Number = invoiceNumber(year, last+1)

		text, err := json.Marshal(v, json.Deterministic(true))
		if err != nil {
			return fmt.Errorf("encode invoice %s: %w", v.Number, err)
		}

		r = of
		r.ID = id.New(invoicePrefix, tx.Now)
		r.Year = year
		r.Number = last + 1
		r.Content = string(text)
		r.IssuedAt = db.Micros(tx.Now)
		insertInvoice(tx, r)

		for _, journal := range slices.Sorted(maps.Keys(journals)) {
			insertCollected(tx, r, journal, journals[journal])
		}

		trail.Audit(ctx, tx, r.Organisation, "invoice.issued", cmp.Or(r.Transaction, r.Month), v.Number)

		return nil
	})

	return r, err
}

// invoice returns the content.
func (r invoiceRow) invoice() (v Invoice, err error) {
	if err := json.Unmarshal([]byte(r.Content), &v); err != nil {
		return v, fmt.Errorf("content of invoice %s: %w", r.ID, err)
	}

	return v, nil
}

func (s *Service) invoiceFile(ctx context.Context, r invoiceRow) (Document, error) {
	v, err := r.invoice()
	if err != nil {
		return Document{}, err
	}

	logo, err := s.logo(ctx, r.Organisation, v.Logo)
	if err != nil {
		return Document{}, err
	}

	pdf, err := RenderInvoice(v, logo)

	return Document{ID: r.ID, Name: v.fileName(), PDF: pdf}, err
}

// Forget removes statements whose links have expired, at most limit of them. The housekeeping job calls it.
func (s *Service) Forget(ctx context.Context, limit int) error {
	before := s.DB.Now().Add(-reuseFor - LinkLifetime)
	return s.DB.Write(ctx, func(tx *db.Tx) error { return forgetStatements(tx, before, limit) })
}
