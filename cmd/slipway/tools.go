package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/app"
	"slipway/internal/identity/user"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
	"slipway/internal/schema"
)

type migrateCommand struct{}

// Run applies the missing migrations.
func (migrateCommand) Run(ctx context.Context, g *globals) (err error) {
	c, err := g.load()
	if err != nil {
		return err
	}

	d, err := openDatabase(ctx, c)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	n, err := d.Migrate(ctx, schema.Files())
	if err != nil {
		return err
	}

	_, err = fmt.Fprintf(g.out, "%d migrations applied; the schema is current\n", n)

	return err
}

type ledgerCommand struct {
	Verify     verifyCommand     `cmd:"" help:"Verify the books: every journal sums to zero; nothing was changed, added or cut off."`
	AcceptHead acceptHeadCommand `cmd:"" help:"After a restored backup: accept the present book in place of the one that was witnessed."`
	Show       showCommand       `cmd:"" help:"Print the postings of a transaction."`
}

type verifyCommand struct{}

// book opens the database, and what the book is compared with.
func (g *globals) book(ctx context.Context) (*db.DB, ledger.Witness, error) {
	c, err := g.deployment()
	if err != nil {
		return nil, ledger.Witness{}, err
	}

	d, err := openDatabase(ctx, c)
	if err != nil {
		return nil, ledger.Witness{}, err
	}

	book, err := app.Book(c, d, slog.New(slog.NewTextHandler(g.out, nil)))
	if err != nil {
		return nil, book, errors.Join(err, d.Close())
	}

	return d, book, nil
}

// Run verifies the books, and returns an error if there is a fault.
func (verifyCommand) Run(ctx context.Context, g *globals) (err error) {
	d, book, err := g.book(ctx)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	r, err := book.Verify(ctx, nil)
	if err != nil {
		return err
	}

	if r.HeadAt.IsZero() {
		fmt.Fprintln(g.out, "no head of the book was kept outside of the database: what was cut off cannot be seen")
	}

	const counts = "%d journals, %d postings, %d links in the chain, assets %v\n"
	fmt.Fprintf(g.out, counts, r.Journals, r.Postings, r.Sealed, r.Assets)

	for _, b := range r.Open {
		fmt.Fprintf(g.out, "under way: %s holds %s base units of %s\n", b.Account, b.Units, b.Asset)
	}

	for _, f := range r.Faults {
		fmt.Fprintln(g.out, "FAULT: "+f)
	}

	if len(r.Faults) > 0 {
		return fmt.Errorf("the books are not sound: %d faults", len(r.Faults))
	}

	_, err = fmt.Fprintln(g.out, "the books are sound")

	return err
}

type acceptHeadCommand struct {
	Yes bool `help:"Confirm. The earlier head is kept too, under a name with the time."`
}

// Run accepts the present head. It is for people who know why the book differs.
func (a acceptHeadCommand) Run(ctx context.Context, g *globals) (err error) {
	if !a.Yes {
		return errors.New("this gives up the proof that nothing was cut off before today: " +
			"confirm with --yes if you know why the book differs")
	}

	d, book, err := g.book(ctx)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	return book.Accept(ctx)
}

type showCommand struct {
	Transaction string `arg:"" help:"Identifier of the transaction."`
}

// Run prints postings with their accounts' names.
func (s showCommand) Run(ctx context.Context, g *globals) (err error) {
	d, err := g.open(ctx)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	lines, err := app.Postings(ctx, d, s.Transaction)
	if err != nil {
		return err
	}

	if len(lines) == 0 {
		return fmt.Errorf("there are no postings of %s", s.Transaction)
	}

	amounts := 0
	for _, l := range lines {
		amounts = max(amounts, len(l.Amount))
	}

	rows := make([][]string, len(lines))
	for i, l := range lines {
		rows[i] = []string{
			l.At.Format(clockLayout),
			l.Kind,
			fmt.Sprintf("%*s %s", amounts, l.Amount, l.Asset),
			l.Name,
			string(l.Account),
		}
	}

	return columns(g.out, "time\tjournal\tamount\tname\taccount", rows)
}

type userCommand struct {
	Add       addUserCommand   `cmd:"" help:"Prepare the account of one of the platform's people, and print the link that completes it."`
	Grant     grantCommand     `cmd:"" help:"Give a registered user a role of the platform, or take it away."`
	TwoFactor twoFactorCommand `cmd:"" help:"Require a second factor of a user, or stop requiring it."`
}

type addUserCommand struct {
	Email     string `arg:"" help:"E-mail address of the person. Completing the account confirms it."`
	FirstName string `arg:"" help:"First name."`
	LastName  string `arg:"" help:"Last name."`
	Role      string `required:"" enum:"staff,operator" help:"staff: may review; operator: may also change networks."`
}

// Run prepares the account. It needs no mail: the link is printed, and whoever has it sets the password.
func (c addUserCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		p := user.Person{Email: c.Email, FirstName: c.FirstName, LastName: c.LastName}

		page, err := a.Auth.Prepare(ctx, p, c.Role)
		if err != nil {
			return err
		}

		const prepared = "%s is prepared as %s and must set up a second factor. The account is completed at\n  %s\n"
		_, err = fmt.Fprintf(g.out, prepared, c.Email, c.Role, page)

		return err
	})
}

type grantCommand struct {
	Email string `arg:"" help:"E-mail address of the user."`
	Role  string `arg:"" enum:"staff,operator,none" help:"staff: may review; operator: may also change networks; none: no role."`
}

// Run changes the role. All operators get a mail about it, and a new one cannot be the second person for a day.
func (c grantCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		role := c.Role
		if role == "none" {
			role = user.NoStaff
		}

		if err := a.Auth.Grant(ctx, c.Email, role); err != nil {
			return err
		}

		_, err := fmt.Fprintf(g.out, "%s is now %s\n", c.Email, c.Role)

		return err
	})
}

type twoFactorCommand struct {
	Email    string `arg:"" help:"E-mail address of the user."`
	Required string `arg:"" enum:"required,optional" help:"required: without one, the user can only set one up."`
}

// Run changes the requirement. Tokens in use follow within seconds.
func (c twoFactorCommand) Run(ctx context.Context, g *globals) (err error) {
	d, err := g.open(ctx)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.Close()) }()

	err = d.Write(ctx, func(tx *db.Tx) error {
		_, err := user.RequireTwoFactor(ctx, tx, c.Email, c.Required == "required")
		return err
	})
	if err != nil {
		return err
	}

	_, err = fmt.Fprintf(g.out, "a second factor of %s is now %s\n", c.Email, c.Required)

	return err
}

type keyCommand struct {
	New  newKeyCommand  `cmd:"" help:"Create a key in an encrypted file (Ethereum keystore, version 3)."`
	Seal sealKeyCommand `cmd:"" help:"Print a new key for security.keyring, which seals secrets at rest."`

	Reseal resealCommand `cmd:"" help:"Seal everything that older keys have sealed with the current key."`
}

type newKeyCommand struct {
	File         string `arg:"" help:"File to write; it must not exist."`
	PasswordFile string `required:"" type:"existingfile" help:"File whose first line is the password."`
}

type sealKeyCommand struct {
	ID string `arg:"" help:"Name of the key, stored with everything it seals: letters, digits and dashes, such as k2."`
}

// Run prints the key. Put it in front of the older ones; the service seals anew what they have sealed.
func (c sealKeyCommand) Run(g *globals) error {
	key := secret.NewKey(c.ID)
	if _, err := secret.ParseKeyring(key); err != nil {
		return err
	}

	_, err := fmt.Fprintln(g.out, key.Reveal())

	return err
}

type resealCommand struct{}

// Run seals anew what older keys have sealed, as the service does in the background. When it finds nothing more,
// nothing that is stored needs the older keys, and a start without them is accepted.
func (resealCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		all := 0

		err := a.Reseal(ctx, func(place string, n int) {
			all += n
			if n > 0 {
				_, _ = fmt.Fprintf(g.out, "%s: %d\n", place, n)
			}
		})
		if err != nil {
			return err
		}

		_, err = fmt.Fprintf(g.out, "%d were sealed with older keys; all is sealed with %s\n", all, a.Keys.Current())

		return err
	})
}

// minPassword is the least length of the password of a key that moves money.
const minPassword = 16

// Run writes the file and prints the address, which needs gas money and the operator's role in the router.
func (c newKeyCommand) Run(g *globals) error {
	raw, err := os.ReadFile(c.PasswordFile)
	if err != nil {
		return err
	}

	password := strings.TrimRight(string(raw), "\r\n")
	if len(password) < minPassword {
		return fmt.Errorf("the password needs at least %d characters", minPassword)
	}

	if _, err := os.Stat(c.File); err == nil {
		return fmt.Errorf("%s exists", c.File)
	}

	key, err := crypto.GenerateKey()
	if err != nil {
		return err
	}

	if err := chain.WriteKeystore(c.File, password, key); err != nil {
		return err
	}

	_, err = fmt.Fprintf(g.out, "operator address %s\n", crypto.PubkeyToAddress(key.PublicKey).Hex())

	return err
}

type configCommand struct {
	TOML bool `name:"toml" help:"Print a TOML file with every setting instead."`
}

// Run prints the settings; secrets are never printed.
func (c configCommand) Run(g *globals) error {
	if c.TOML {
		return config.WriteTOML(g.out)
	}

	loaded, err := g.load()
	if err != nil {
		return err
	}

	return config.WriteTable(g.out, loaded)
}

type openapiCommand struct{}

// Run prints the document of this build, as /openapi.json serves it.
func (openapiCommand) Run(ctx context.Context, g *globals) error {
	doc, err := app.OpenAPI(ctx)
	if err != nil {
		return err
	}

	_, err = g.out.Write(doc)

	return err
}
