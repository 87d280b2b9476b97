package mailbox_test

import (
	"net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/standards/mailbox"
)

func TestAddressesAreKeptInOneForm(t *testing.T) {
	for written, want := range map[string]string{
		"ada@example.org":                      "ada@example.org",
		" Ada.L+x@Example.ORG\n":               "Ada.L+x@Example.ORG",
		"ada\u200b@exam\u00adple.org":          "ada@example.org",
		"buch@müller.example":                  "buch@xn--mller-kva.example",
		"buch@MU\u0308LLER.example":            "buch@xn--mller-kva.example",
		"buch@xn--mller-kva.example":           "buch@xn--mller-kva.example",
		"a@例え。テスト":                             "a@xn--r8jz45g.xn--zckzah",
		"a@straße.example":                     "a@xn--strae-oqa.example",
		"o'neill@ex-ample.co.uk":               "o'neill@ex-ample.co.uk",
		"a@1.example":                          "a@1.example",
		"x@" + strings.Repeat("a", 63) + ".de": "x@" + strings.Repeat("a", 63) + ".de",
	} {
		got, err := mailbox.Parse(written)
		require.NoError(t, err, written)
		require.Equal(t, want, got)
	}
}

func TestAddressesThatCannotBe(t *testing.T) {
	for written, want := range map[string]error{
		"":                                mailbox.ErrForm,
		"ada":                             mailbox.ErrForm,
		"@example.org":                    mailbox.ErrForm,
		strings.Repeat("a", 65) + "@b.de": mailbox.ErrForm,
		"a@" + strings.Repeat("b.", 125) + "example":                           mailbox.ErrHost,
		strings.Repeat("a", 60) + "@" + strings.Repeat("bcd.", 50) + "example": mailbox.ErrForm,
		"jörg@example.org":                     mailbox.ErrLocal,
		"a b@example.org":                      mailbox.ErrLocal,
		`"a"@example.org`:                      mailbox.ErrLocal,
		"a..b@example.org":                     mailbox.ErrLocal,
		".a@example.org":                       mailbox.ErrLocal,
		"Ada <ada@example.org>":                mailbox.ErrLocal,
		"a@b@example.org":                      mailbox.ErrLocal,
		"x@[127.0.0.1]":                        mailbox.ErrHost,
		"x@[IPv6:::1]":                         mailbox.ErrHost,
		"x@127.0.0.1":                          mailbox.ErrHost,
		"x@ex_ample.org":                       mailbox.ErrHost,
		"x@-example.org":                       mailbox.ErrHost,
		"x@example-.org":                       mailbox.ErrHost,
		"x@example..org":                       mailbox.ErrHost,
		"x@.example.org":                       mailbox.ErrHost,
		"x@example.org.":                       mailbox.ErrHost,
		"x@example":                            mailbox.ErrHost,
		"x@exa mple.org":                       mailbox.ErrHost,
		"x@example.org\nBcc:y":                 mailbox.ErrHost,
		"x@xn--zzzzzzzz.example":               mailbox.ErrHost,
		"x@" + strings.Repeat("a", 64) + ".de": mailbox.ErrHost,
	} {
		got, err := mailbox.Parse(written)
		require.ErrorIs(t, err, want, "%q was read as %q", written, got)
		require.Equal(t, strings.TrimSpace(written), mailbox.Normal(written))
	}
}

func TestAddressesAreComparedInOneForm(t *testing.T) {
	require.Equal(t, mailbox.Key("Buch@MÜLLER.example "), mailbox.Key("buch@XN--mller-kva.example"))
	require.NotEqual(t, mailbox.Key("buch@müller.example"), mailbox.Key("buch@muller.example"))
}

// A domain is shown as it was written, and a false friend as what it is.
func TestAddressesAreShownAsPeopleReadThem(t *testing.T) {
	for stored, want := range map[string]string{
		"ada@Example.org":            "ada@Example.org",
		"buch@xn--mller-kva.example": "buch@müller.example",
		"a@xn--r8jz45g.xn--zckzah":   "a@例え.テスト",
		"a@xn--80ak6aa92e.com":       "a@xn--80ak6aa92e.com", // аррӏе, all of it Cyrillic
		"a@xn--pple-43d.com":         "a@xn--pple-43d.com",   // its first letter alone
		"a@xn--e1afmkfd.xn--p1ai":    "a@пример.рф",
		"a@xn--zzzzzzzz.example":     "a@xn--zzzzzzzz.example",
		"no address":                 "no address",
	} {
		require.Equal(t, want, mailbox.Show(stored))
	}
}

// What was read reads back, can stand in a mail's header, and is shown as something that is read as the same.
func TestReadAddressReadsBack(t *testing.T) {
	letters := []rune("ab1.-@_ üßΣ例аб\u200b[")

	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom(letters), 1, 12, -1).Draw(t, "local") + "@" +
			rapid.StringOfN(rapid.SampledFrom(letters), 1, 20, -1).Draw(t, "domain") + ".example"

		a, err := mailbox.Parse(s)
		if err != nil {
			return
		}

		if again, err := mailbox.Parse(a); err != nil || again != a {
			t.Fatalf("%q was read as %q, and that as %q, %v", s, a, again, err)
		}

		if p, err := mail.ParseAddress(a); err != nil || p.Address != a {
			t.Fatalf("%q cannot stand in a header: %v", a, err)
		}

		if again, err := mailbox.Parse(mailbox.Show(a)); err != nil || again != a {
			t.Fatalf("%q is shown as %q, and that is read as %q, %v", a, mailbox.Show(a), again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("buch@müller.example")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := mailbox.Parse(s)
		if again, err2 := mailbox.Parse(a); err == nil && (err2 != nil || again != a || len(a) > mailbox.MaxLength) {
			t.Fatalf("%q was read as %q, and that as %q, %v", s, a, again, err2)
		}
	})
}
