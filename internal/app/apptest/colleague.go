//go:build !nosandbox

package apptest

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
)

// Colleague brings another person into a client's organisation, with a userType and roles, and gives him with
// everything of the organisation's that payments need.
func (c *Client) Colleague(name, userType string, roles ...string) *Client {
	c.h.T.Helper()
	h := c.h
	n := *c
	n.Email = strings.ToLower(name) + "@colleague.example.org"

	var in struct {
		Token string `json:"token"`
	}
	c.Do("POST", "/organisations/"+c.Org+"/invitations", Object{
		"email": n.Email,
		"roles": []string{"viewer"},
	}).OK(201).Into(&in)
	h.Do(h.App, "POST", "/auth/register-with-organisation", "", Object{
		"firstName":       name,
		"lastName":        "Muster",
		"email":           n.Email,
		"password":        Password,
		"invitationToken": in.Token,
	}).OK(200)
	n.Login()
	n.User = h.Do(h.App, "GET", "/users/me", n.Token, nil).OK(200).ID()

	var all struct {
		Results []struct {
			ID   string `json:"_id"`
			User struct {
				ID string `json:"_id"`
			} `json:"user"`
		} `json:"results"`
	}
	c.Do("GET", "/organisations/"+c.Org+"/members", nil).OK(200).Into(&all)

	n.Member = ""
	for _, m := range all.Results {
		if m.User.ID == n.User {
			n.Member = m.ID
		}
	}

	require.NotEmpty(h.T, n.Member)
	c.Do("PATCH", "/organisations/"+c.Org+"/members/"+n.Member, Object{"userType": userType, "roles": roles}).OK(200)

	return &n
}

// Mails returns the texts of the mails to an address, newest first.
func (c *Client) Mails(to string) []string {
	c.h.T.Helper()

	var list struct {
		Results []struct {
			Text string `json:"text"`
		} `json:"results"`
	}

	c.h.Do(c.h.App, "GET", "/sandbox/mails?recipient="+url.QueryEscape(to), "", nil).OK(200).Into(&list)

	var out []string
	for _, m := range list.Results {
		out = append(out, m.Text)
	}

	return out
}

var invitationLink = regexp.MustCompile(`/account/join#(it_[A-Za-z0-9]+)`)

// InvitationToken is the token of the newest mail to an address, which is an invitation.
func (c *Client) InvitationToken(to string) string {
	c.h.T.Helper()

	mails := c.Mails(to)
	require.NotEmpty(c.h.T, mails)

	found := invitationLink.FindStringSubmatch(mails[0])
	require.NotNil(c.h.T, found, mails[0])

	return found[1]
}
