package auth

import (
	"cmp"
	"context"
	"time"

	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// expiryNotice is how long before its end the owner of an API client is told; of a client that is to live for less than
// four weeks, a quarter of that before.
const expiryNotice = 7 * 24 * time.Hour

// An API client has at most one event of each kind, in this order: its sequence tells which one.
const (
	clientExpiring int64 = iota + 1
	clientExpired
)

// clientNotice is the content of an API client's events.
type clientNotice struct {
	ID        string    `json:"clientId"`
	Name      string    `json:"name"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// NoticeExpiry tells of API clients that end soon, by an event and a mail to their owner, and of those that have ended,
// by an event; at most most of them. It returns how many. A job calls it; a second call tells nothing twice.
func (s *Service) NoticeExpiry(ctx context.Context, most int) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		due, err := clientsToTell(ctx, tx, most)
		if err != nil {
			return err
		}

		for _, c := range due {
			if err := s.noticeExpiry(ctx, tx, c); err != nil {
				return err
			}
		}

		n = len(due)

		return nil
	})

	return n, err
}

// noticeExpiry tells of one client. Whoever was not told before the end, for instance since nothing ran, is told of the
// end alone.
func (s *Service) noticeExpiry(ctx context.Context, tx *db.Tx, c client) error {
	if tx.Now.Before(c.expires) {
		writeNotice(tx, c, c.expires)

		if err := s.mailExpiry(ctx, tx, c); err != nil {
			return err
		}

		return tellClient(ctx, tx, c, "api_client.expiring", clientExpiring)
	}

	writeNotice(tx, c, time.Time{})

	return tellClient(ctx, tx, c, "api_client.expired", clientExpired)
}

// tellClient writes an event about a client, and the line of the audit log.
func tellClient(ctx context.Context, tx *db.Tx, c client, kind string, sequence int64) error {
	trail.Audit(ctx, tx, c.organisation, kind, c.id, "")

	return trail.Event(tx, kind, c.organisation, c.id, sequence, clientNotice{c.id, c.name, user.Shown(c.expires)})
}

// mailExpiry mails the owner of a client that it ends soon.
func (s *Service) mailExpiry(ctx context.Context, tx *db.Tx, c client) error {
	u, err := user.ByID(ctx, tx, c.user)
	if err != nil || !u.IsActive {
		return err
	}

	o, err := organisation.ByID(ctx, tx, c.organisation)
	if err != nil {
		return err
	}

	s.mail.Queue(tx, mail.Message{
		Kind: mail.KeyExpires,
		To:   u.Email,
		Data: map[string]string{
			"name":         u.FirstName,
			"client":       c.id,
			"label":        cmp.Or(c.name, "without a name"),
			"organisation": o.Name,
			"when":         words.When(c.expires),
		},
	})

	return nil
}
