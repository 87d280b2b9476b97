package openid

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

// google is an issuer at which private people have addresses of companies, too.
const google = "https://accounts.google.com"

// Claims is what a provider says of a person.
type Claims struct {
	Issuer, Subject string
	Raw             map[string]any // all of it
}

func readClaims(t *oidc.IDToken) (Claims, error) {
	c := Claims{Issuer: t.Issuer, Subject: t.Subject, Raw: map[string]any{}}
	if err := t.Claims(&c.Raw); err != nil {
		return c, refuse(Unreadable, "The token's claims cannot be read.")
	}

	if c.Issuer == Host(google) { // the old form of the same issuer
		c.Issuer = google
	}

	return c, nil
}

// Text returns a claim that is a text, or "".
func (c Claims) Text(name string) string {
	s, _ := c.Raw[name].(string)
	return strings.TrimSpace(s)
}

// Values returns the texts of a claim: one, or a list of them. Numbers and truth values are none. A name with slashes
// leads into objects, such as realm_access/roles, unless the provider has a claim of that very name.
func (c Claims) Values(name string) []string {
	value, ok := c.find(name)
	if !ok {
		return nil
	}

	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string

		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}

		return out
	default:
		return nil
	}
}

// find returns a claim by its name or its path.
func (c Claims) find(name string) (value any, ok bool) {
	if value, ok = c.Raw[name]; ok || !strings.Contains(name, "/") {
		return value, ok
	}

	value = c.Raw

	for _, part := range strings.Split(name, "/") {
		object, isObject := value.(map[string]any)
		if !isObject {
			return nil, false
		}

		if value, ok = object[part]; !ok {
			return nil, false
		}
	}

	return value, true
}

// has reports whether all of some claims are there, or left out on purpose.
func (c Claims) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, ok := c.find(name)
		return name != "" && !ok && !c.LeftOut(name)
	})
}

// LeftOut reports whether the provider has a claim and does not send it, because it is too long: Microsoft names where
// it could be asked for (_claim_names), or says that there are groups (hasgroups).
func (c Claims) LeftOut(name string) bool {
	names, _ := c.Raw["_claim_names"].(map[string]any)
	_, named := names[name]

	return named || name == "groups" && truth(c.Raw["hasgroups"]) == yes
}

// said is what a provider says about something that is true or not.
type said int

const (
	nothing said = iota
	yes
	no
)

// truth reads a truth value as providers write it: also as a text, or as 1 and 0.
func truth(v any) said {
	switch fmt.Sprint(v) {
	case fmt.Sprint(nil):
		return nothing
	case "true", "True", "1":
		return yes
	default:
		return no
	}
}

// EmailVerified reports what the provider says of the address: that the person has proven it (verified), or that he has
// not (denied). Microsoft says neither, or says it of the domain's owner (xms_edov).
func (c Claims) EmailVerified() (verified, denied bool) {
	standard := truth(c.Raw["email_verified"])
	microsoft := truth(c.Raw["xms_edov"])

	return standard == yes || standard == nothing && microsoft == yes, standard == no || microsoft == no
}

// OfOrganisation reports whether an account belongs to the organisation of a domain. At Google private people have
// accounts with addresses of companies, also of those that they have left; those of a company have the claim hd.
func (c Claims) OfOrganisation(domains []string) bool {
	return c.Issuer != google || slices.Contains(domains, strings.ToLower(c.Text("hd")))
}

// countKeys returns how many keys a set has.
func countKeys(r io.Reader) (int, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}

	err := json.NewDecoder(r).Decode(&set)

	return len(set.Keys), err
}
