package statement

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// linkContext is what links are signed for. A signature of this service for another purpose opens nothing here.
const linkContext = "document-link"

// Link is an address from which anyone who has it can fetch a document for a while.
type Link struct {
	URL       string
	ExpiresAt time.Time
}

// link makes a link. It contains the identifier of the stored content, which reveals neither tenant nor transaction,
// the expiry time, and the signature of both: id.seconds.key.signature.
func (s *Service) link(d Document) Link {
	expires := s.DB.Now().Add(LinkLifetime).Truncate(time.Second)
	message := d.ID + "." + strconv.FormatInt(expires.Unix(), 10)
	key, mac := s.Keys.Sign(linkContext, message)

	return Link{
		URL:       s.BaseURL + "/downloads/" + message + "." + key + "." + base64.RawURLEncoding.EncodeToString(mac),
		ExpiresAt: expires,
	}
}

// Follow returns the document that a link leads to. A link that was changed and one to something that is gone are
// refused alike.
func (s *Service) Follow(ctx context.Context, token string) (Document, error) {
	invalid := fault.New(
		fault.NotFound,
		fault.DownloadInvalid,
		"This is no link of this service, or not the whole of it.",
	)

	parts := strings.Split(token, ".")
	if len(parts) != 4 {
		return Document{}, invalid
	}

	mac, err := base64.RawURLEncoding.Strict().DecodeString(parts[3])
	if err != nil || !s.Keys.Verify(parts[2], linkContext, parts[0]+"."+parts[1], mac) {
		return Document{}, invalid
	}

	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return Document{}, invalid
	}

	if !s.DB.Now().Before(time.Unix(seconds, 0)) {
		return Document{}, fault.New(
			fault.Gone,
			fault.DownloadOutdated,
			"The link was good until %s. Ask for a new one.",
			time.Unix(seconds, 0).UTC().Format(time.RFC3339),
		)
	}

	d, err := s.stored(ctx, parts[0])
	if errors.Is(err, db.ErrNone) {
		return Document{}, invalid
	}

	return d, err
}

// stored renders a document from its stored content.
func (s *Service) stored(ctx context.Context, key string) (Document, error) {
	if id.Valid(invoicePrefix, key) {
		r, err := invoiceByID(ctx, s.DB, key)
		if err != nil {
			return Document{}, err
		}

		return s.invoiceFile(ctx, r)
	}

	r, err := statementByID(ctx, s.DB, key)
	if err != nil {
		return Document{}, err
	}

	var st Statement
	if err := json.Unmarshal([]byte(r.Content), &st); err != nil {
		return Document{}, fmt.Errorf("content of statement %s: %w", r.ID, err)
	}

	st.MadeAt = db.Time(r.MadeAt)

	return s.statementFile(ctx, r.Organisation, r.ID, st)
}
