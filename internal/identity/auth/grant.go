package auth

import (
	"context"

	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// mostOperators limits how many operators get a mail about a grant.
const mostOperators = 50

// Grant gives a registered user a role of the platform, or takes it away (user.NoStaff). It is for the command line.
// Every operator and the user get a mail about it: whoever has the command line alone can make an operator, and the
// others learn it. A second call with the same role changes nothing.
func (s *Service) Grant(ctx context.Context, email, role string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error { return s.grant(ctx, tx, email, role) })
}

func (s *Service) grant(ctx context.Context, tx *db.Tx, email, role string) error {
	u, changed, err := user.Grant(ctx, tx, email, role)
	if err != nil || !changed {
		return err
	}

	tx.OnCommit(func() { s.cache.DropUser(u.ID) })

	return s.announceRole(ctx, tx, u)
}

// announceRole queues the mails about the role that a user has from now on.
func (s *Service) announceRole(ctx context.Context, tx *db.Tx, u user.User) error {
	operators, err := user.Operators(ctx, tx, mostOperators)
	if err != nil {
		return err
	}

	people, err := user.BriefsOf(ctx, tx, append(operators, u.ID))
	if err != nil {
		return err
	}

	for id, p := range people {
		if !u.IsAccountSetup && id == u.ID {
			continue // the link that completes the account shows it
		}

		s.mail.Queue(tx, mail.Message{
			Kind: mail.RoleGranted,
			To:   p.Email,
			Data: map[string]string{
				"name":  p.FirstName,
				"who":   people[u.ID].Name(),
				"email": u.Email,
				"what":  roleWords(u.Staff),
				"when":  words.When(tx.Now),
			},
		})
	}

	return nil
}

// roleWords returns what a role of the platform is called in a mail.
func roleWords(role string) string {
	switch role {
	case user.Operator:
		return words.Phrase("operator")
	case user.Staff:
		return words.Phrase("staff")
	}

	return words.Phrase("none")
}
