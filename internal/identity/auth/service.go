package auth

import (
	"context"
	"maps"

	"github.com/alexedwards/argon2id"

	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/passkey"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/words"
)

// Config is what auth needs from the rest of the program.
type Config struct {
	DB            *db.DB
	Organisations *organisation.Service
	Users         *user.Service
	Factors       *twofactor.Service
	Passkeys      *passkey.Service
	Mail          *mail.Outbox
	Jobs          *jobs.Runner
	Approvals     *approval.Service // two operators decide on recoveries; nil: a lost second factor stays lost
	Cache         *Cache            // shared with the services that change users and members
	Hash          *argon2id.Params  // nil: Params(). Tests use cheaper ones
	Limits        Limits            // zero: none
	Keys          *secret.Keyring   // sign what strangers are asked to prove; needed where limits are set
	BaseURL       string            // begins every link in a mail; a request's Host header is never used
	ConsoleURL    string            // where people work; empty: BaseURL
	RealMoney     bool              // API clients move real money; the prefix of their secrets shows it
	MustConfirm   bool              // nobody signs in before the address is confirmed

	OperatorsProve bool // the platform's people decide nothing at a terminal without a second factor
}

// Service holds the use cases of signing in.
type Service struct {
	config     Config
	db         *db.DB
	orgs       *organisation.Service
	users      *user.Service
	factors    *twofactor.Service
	passkeys   *passkey.Service
	mail       *mail.Outbox
	cache      *Cache
	hasher     *hasher
	limits     *limits
	common     blockList
	staffMails *limit.Limiter
	scopes     func() []string // every scope that an API client can have
	governs    Governs         // nil: no provider is required anywhere
}

// New returns the service and registers its jobs.
func New(c Config) *Service {
	if c.Cache == nil {
		c.Cache = NewCache()
	}

	if c.Hash == nil {
		p := Params()
		c.Hash = &p
	}

	s := &Service{
		config:     c,
		db:         c.DB,
		orgs:       c.Organisations,
		users:      c.Users,
		factors:    c.Factors,
		passkeys:   c.Passkeys,
		mail:       c.Mail,
		cache:      c.Cache,
		hasher:     newHasher(*c.Hash),
		limits:     newLimits(c.Limits, c.DB.Clock(), c.Keys),
		staffMails: limit.New(staffMailRate, maxKeys),
		common:     newBlockList(),
	}
	c.Jobs.Handle(jobForgot, s.sendReset)

	if c.Approvals != nil {
		c.Approvals.Handle(approval.Recovery, approval.Handler{
			Roles:   []string{user.Operator},
			Decided: s.recoveryDecided,
		})
	}

	return s
}

// alarm queues a mail to a person about a change of the account, with the time and the caller's address.
func (s *Service) alarm(ctx context.Context, tx *db.Tx, userID string, kind mail.Kind, data map[string]string) error {
	u, err := user.ByID(ctx, tx, userID)
	if err != nil {
		return err
	}

	all := map[string]string{"name": u.FirstName, "when": words.When(tx.Now), "source": caller.RequestOf(ctx).Source}
	maps.Copy(all, data)

	s.mail.Queue(tx, mail.Message{Kind: kind, To: u.Email, Data: all})

	return nil
}

func personOf(u user.User) user.Person {
	return user.Person{FirstName: u.FirstName, LastName: u.LastName, Email: u.Email}
}

// ForgetExpired deletes tokens and sessions long past their end, at most limit of each kind, and returns how many. The
// housekeeping job calls it.
func (s *Service) ForgetExpired(ctx context.Context, limit int) (int64, error) {
	var n int64
	err := s.db.Write(ctx, func(tx *db.Tx) (err error) {
		if n, err = forgetExpired(tx, limit); err != nil {
			return err
		}

		m, err := passkey.ForgetChallenges(tx, tx.Now, limit)
		n += m

		return err
	})

	return n, err
}
