package twofactor

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/otp"
)

// Service holds the use cases of second factors. Each runs in the caller's transaction, since a code belongs to what
// it is for.
//
// A wrong code is a refusal that must be stored: the transaction that counted it commits. So Check and the others
// give the refusal apart from errors, and the caller answers with it after the commit.
type Service struct {
	db      *db.DB
	keyring *secret.Keyring
}

// New makes the service.
func New(d *db.DB, k *secret.Keyring) *Service { return &Service{db: d, keyring: k} }

// Generate returns a new secret to a person. The one in use, if there is one, stays in use until the new one is
// verified; an earlier one that was not verified is forgotten.
func (s *Service) Generate(ctx context.Context, tx *db.Tx, user string) (otp.Key, error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return otp.Key{}, err
	}

	key := otp.NewKey()
	f.openPending = key.Secret
	f.pendingUntil = tx.Now.Add(PendingLifetime)
	f.changedSecret = true
	trail.Audit(ctx, tx, "", "two_factor.generated", user, "")

	return key, f.store(tx, s.keyring)
}

// Verify puts the generated secret in use when the code is of it, and returns new recovery codes; earlier ones end.
// Wrong codes are not counted: the caller knows the secret.
func (s *Service) Verify(ctx context.Context, tx *db.Tx, user, code string) (recoveryCodes []string, err error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return nil, err
	}

	if len(f.openPending) == 0 || !tx.Now.Before(f.pendingUntil) {
		return nil, fault.New(fault.Conflict, fault.TwoFactorNotBegun,
			"Generate a secret first; it waits %d minutes to be verified.", int(PendingLifetime.Minutes()))
	}

	step, ok := otp.Usual(f.openPending).Match(code, tx.Now, skew, 0)
	if !ok {
		return nil, codeInvalid()
	}

	codes := newRecoveryCodes()
	f.openSecret = f.openPending
	f.openPending = nil
	f.openRecovery = digests(codes)
	f.changedSecret = true
	f.changedOthers = true
	f.enabledAt = tx.Now
	f.pendingUntil = time.Time{}
	f.lastStep = step
	f.failures = 0
	f.blockedUntil = time.Time{}
	trail.Audit(ctx, tx, "", "two_factor.enabled", user, "")

	return codes, f.store(tx, s.keyring)
}

// Check looks at a code of the person's app, or a recovery code, and uses it up. refused is for the caller of the
// operation and must not end the transaction: it was counted.
func (s *Service) Check(ctx context.Context, tx *db.Tx, user, code string) (refused, err error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return nil, err
	}

	if !f.on() {
		return notOn(), nil
	}

	return s.look(ctx, tx, f, code)
}

func (s *Service) look(ctx context.Context, tx *db.Tx, f *factor, code string) (refused, err error) {
	switch f.try(code, tx.Now) {
	case blocked:
		return tooMany(ctx, f.blockedUntil.Sub(tx.Now)), nil
	case wrong:
		refused = codeInvalid()
		trail.Audit(ctx, tx, "", "two_factor.wrong_code", f.user, "")
	case recovery:
		trail.Audit(ctx, tx, "", "two_factor.recovery_code_used", f.user, "")
	case right:
	}

	return refused, f.store(tx, s.keyring)
}

// tooMany refuses for a while and says how long.
func tooMany(ctx context.Context, wait time.Duration) error {
	limit.Publish(ctx, limit.Quota{Limit: freeFailures, Reset: wait, RetryAfter: wait})

	return fault.New(fault.TooMany, fault.TooManyAttempts,
		"There were too many wrong codes. Wait, or use a recovery code.")
}

// Disable switches the second factor off for whoever gives a code. Secret and recovery codes are forgotten. refused
// is as with Check.
func (s *Service) Disable(ctx context.Context, tx *db.Tx, user, code string) (refused, err error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return nil, err
	}

	if !f.on() {
		return notOn(), nil
	}

	version := f.version
	if refused, err = s.look(ctx, tx, f, code); refused != nil || err != nil {
		return refused, err
	}

	f.forget()
	f.version = max(f.version, version+1)
	trail.Audit(ctx, tx, "", "two_factor.disabled", user, "")

	return nil, f.store(tx, s.keyring)
}

// Remove switches a person's second factor off without a code: two of the platform's people have made sure who he is.
// Secret and recovery codes are forgotten. One that is off is refused.
func (s *Service) Remove(ctx context.Context, tx *db.Tx, user string) error {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return err
	}

	if !f.on() {
		return notOn()
	}

	f.forget()
	trail.Audit(ctx, tx, "", "two_factor.removed", user, "by the platform")

	return f.store(tx, s.keyring)
}

// forget takes everything out of a factor that opens anything.
func (f *factor) forget() {
	f.openSecret = nil
	f.openPending = nil
	f.openRecovery = nil
	f.changedSecret = true
	f.changedOthers = true
	f.enabledAt = time.Time{}
	f.pendingUntil = time.Time{}
	f.failures = 0
	f.blockedUntil = time.Time{}
}

// Rotate seals factors of older keys with the current one, at most limit, and says how many it did. When it gives 0
// the older keys are needed no more here. A factor that is used meanwhile is sealed by that use.
func (s *Service) Rotate(ctx context.Context, limit int) (int, error) {
	people, err := sealedOtherwise(ctx, s.db, s.keyring.Current(), limit)
	for _, user := range people {
		err := s.db.Write(ctx, func(tx *db.Tx) error {
			f, err := load(ctx, tx, s.keyring, user)
			if err != nil || f.version == 0 {
				return err
			}

			return f.store(tx, s.keyring)
		})
		if err != nil && !errors.Is(err, db.ErrStale) {
			return 0, err
		}
	}

	return len(people), err
}
