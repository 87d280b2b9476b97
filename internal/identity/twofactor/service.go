package twofactor

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/otp"
)

// Service holds the use cases of second factors. Each runs in the caller's transaction: the code is used up together
// with what it is for.
//
// A wrong code must stay counted, so the transaction that counted it commits. Check therefore returns the
// refusal apart from errors, and the caller answers with it after the commit.
type Service struct {
	db      *db.DB
	keyring *secret.Keyring
}

// New returns the service.
func New(d *db.DB, k *secret.Keyring) *Service { return &Service{db: d, keyring: k} }

// Generate stores and returns a new secret for a person. The secret in use stays in use until the new one is verified.
// An earlier secret that was not verified is deleted.
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

// Verify puts the generated secret in use if the code belongs to it, and returns new recovery codes. Earlier recovery
// codes end. Wrong codes are not counted: the caller knows the secret.
func (s *Service) Verify(ctx context.Context, tx *db.Tx, user, code string) (recoveryCodes []string, err error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return nil, err
	}

	if len(f.openPending) == 0 || !tx.Now.Before(f.pendingUntil) {
		return nil, fault.New(fault.Conflict, fault.TwoFactorNotBegun,
			"Generate a secret first; it waits %d minutes to be verified.", int(PendingLifetime.Minutes()))
	}

	step, ok := otp.Usual(f.openPending).Match(text.Compact(code), tx.Now, skew, 0)
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

// Check checks a code of the person's app, or a recovery code, and uses it up. refused is the answer to a wrong code
// and must not undo the transaction, which has counted the code.
func (s *Service) Check(ctx context.Context, tx *db.Tx, user, code string) (refused, err error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return nil, err
	}

	if !f.on() {
		return notOn(), nil
	}

	return s.tryCode(ctx, tx, f, code)
}

// tryCode checks a code and stores the factor.
func (s *Service) tryCode(ctx context.Context, tx *db.Tx, f *factor, code string) (refused, err error) {
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

// tooMany returns the refusal during a pause, and publishes how long the pause lasts.
func tooMany(ctx context.Context, wait time.Duration) error {
	limit.Publish(ctx, limit.Quota{Limit: freeFailures, Reset: wait, RetryAfter: wait})

	return fault.New(fault.TooMany, fault.TooManyAttempts,
		"There were too many wrong codes. Wait, or use a recovery code.")
}

// TurnOn switches the second factor on for a person who proves it otherwise than by an app, and returns recovery codes.
// Where it is on already, it changes nothing and returns none.
func (s *Service) TurnOn(ctx context.Context, tx *db.Tx, user string) (recoveryCodes []string, err error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil || f.on() {
		return nil, err
	}

	codes := newRecoveryCodes()
	f.openRecovery = digests(codes)
	f.changedOthers = true
	f.enabledAt = tx.Now
	f.failures = 0
	f.blockedUntil = time.Time{}
	trail.Audit(ctx, tx, "", "two_factor.enabled", user, "")

	return codes, f.store(tx, s.keyring)
}

// HasApp reports whether an authenticator app is a second factor of the person.
func (s *Service) HasApp(ctx context.Context, tx *db.Tx, user string) (bool, error) {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return false, err
	}

	return f.on() && len(f.openSecret) > 0, nil
}

// Disable switches the second factor off, and deletes the secret and the recovery codes. The caller has checked a proof
// of it in the same transaction. A factor that is off is refused.
func (s *Service) Disable(ctx context.Context, tx *db.Tx, user string) error {
	return s.switchOff(ctx, tx, user, "two_factor.disabled", "")
}

// Remove switches a person's second factor off without a code, and deletes the secret and the recovery codes. Two of
// the platform's people have checked the person's identity. A factor that is off is refused.
func (s *Service) Remove(ctx context.Context, tx *db.Tx, user string) error {
	return s.switchOff(ctx, tx, user, "two_factor.removed", "by the platform")
}

func (s *Service) switchOff(ctx context.Context, tx *db.Tx, user, action, detail string) error {
	f, err := load(ctx, tx, s.keyring, user)
	if err != nil {
		return err
	}

	if !f.on() {
		return notOn()
	}

	f.clear()
	trail.Audit(ctx, tx, "", action, user, detail)

	return f.store(tx, s.keyring)
}

// clear deletes the secrets and switches the factor off.
func (f *factor) clear() {
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

// Rotate seals factors of older keys with the current key, at most limit, and returns how many. Once it returns 0, the
// older keys are not needed here any more. A factor that is used at the same time is sealed by that use.
func (s *Service) Rotate(ctx context.Context, limit int) (int, error) {
	people, err := sealedWithOther(ctx, s.db, s.keyring.Current(), limit)
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
