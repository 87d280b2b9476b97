//go:build !nosandbox

package matrix

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"
)

// linkFor makes an invoice link and gives its token; a receiver without identifier is a new one.
func (s *stage) linkFor(o *tenant, email, receiver string) (token, id string) {
	body := fmt.Sprintf(`{"isExistingReceiver":%t,"email":%q`, receiver != "", email)
	if receiver != "" {
		body += fmt.Sprintf(`,"receiverId":%q`, receiver)
	}

	made := s.send(call{
		method: "POST",
		path:   "/payables/generate-invoice-link",
		token:  o.admin,
		body:   body + "}",
	}).is(201)
	_, token, found := strings.Cut(made.text("link"), "#")
	require.True(s.t, found, made.raw)

	return token, made.text("tokenId")
}

// invoiceLink is one for a new receiver, who has said who it is and where to pay to. v gets its token and address.
func (s *stage) invoiceLink(o *tenant, v values) string {
	s.made++
	email := fmt.Sprintf("sender%d@example.org", s.made)
	token, id := s.linkFor(o, email, "")
	v["INVOICETOKEN"] = token
	v["SENDER"] = email
	s.send(call{
		method: "POST",
		path:   "/payables/create-invoice-receiver",
		body: fmt.Sprintf(
			`{"token":%q,"type":"COMPANY","email":%q,"legalName":%q,"address":%[3]q,"countryIsoCode":"DE"}`,
			token,
			email,
			o.mark,
		),
	}).is(200)
	s.account(token)

	return id
}

// account hands in a bank account by a link and gives its identifier.
func (s *stage) account(token string) string {
	return s.send(call{
		method: "POST",
		path:   "/payables/create-invoice-bank-account",
		body: fmt.Sprintf(`{"token":%q,"bankCountry":"DE","currency":"EUR",`+
			`"iban":"DE89370400440532013000","bicSwift":"COBADEFFXXX"}`, token),
	}).is(200).text("_id")
}

// knownLink is one for a receiver that is known already, with an account that was proposed.
func (s *stage) knownLink(o *tenant, v values) string {
	receiver := s.receiver(o)
	token, id := s.linkFor(o, fmt.Sprintf("r%d@example.org", s.made), receiver)
	v["PROPOSAL"] = s.account(token)

	return id
}
