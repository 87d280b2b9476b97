package sso

import (
	"slices"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/identity/organisation"
	"slipway/internal/rails/openid"
)

// Rules say which roles a person has by what the provider says of him.
type Rules struct {
	Claim string `json:"claim"` // by its name or its path, such as groups or realm_access/roles; "": no claim counts
	Map   []Rule `json:"map"`
	// Admit lets in whom no rule fits, with Default. false: he is not let in.
	Admit   bool     `json:"admit"`
	Default []string `json:"default"`
}

// Rule gives roles to whoever has a value in the claim.
type Rule struct {
	Value string   `json:"value"`
	Roles []string `json:"roles"`
}

// follows reports whether roles are the provider's to say at each sign-in. Without a rule they are given once.
func (r Rules) follows() bool { return len(r.Map) > 0 }

// roles returns the roles of a person, sorted, and whether he is let in. It refuses to judge by a claim that the
// provider has left out because it was too long: he would lose roles that he has.
func (r Rules) roles(c openid.Claims) (roles []string, in bool, err error) {
	if r.follows() && c.LeftOut(r.Claim) {
		return nil, false, fault.New(
			fault.Forbidden,
			fault.SignOnRefused,
			"The provider leaves out the claim %q, because the person is in too many groups. Let it send the groups of "+
				"this application alone, or roles of the application.",
			r.Claim,
		)
	}

	have := c.Values(r.Claim)

	for _, rule := range r.Map {
		if slices.Contains(have, rule.Value) {
			roles = append(roles, rule.Roles...)
			in = true
		}
	}

	if !in && r.Admit {
		roles = append(roles, r.Default...)
		in = true
	}

	slices.Sort(roles)

	return slices.Compact(roles), in, nil
}

// check adds to l what is wrong with the rules and returns them as they are stored.
func (r Rules) check(l *fault.List) Rules {
	r.Claim = line(l, "/claim", r.Claim, false)
	r.Default = organisation.CheckRoles(l, "/defaultRoles", r.Default)

	if r.Claim == "" && len(r.Map) > 0 {
		l.Add("/claim", fault.Required, "is required beside rules.")
	}

	out := make([]Rule, len(r.Map))
	for i, rule := range r.Map {
		at := "/rules/" + strconv.Itoa(i)
		out[i] = Rule{
			Value: line(l, at+"/value", rule.Value, true),
			Roles: organisation.CheckRoles(l, at+"/roles", rule.Roles),
		}
	}

	r.Map = out

	return r
}

// line returns a line of text without spaces around it, and adds to l what is wrong with it.
func line(l *fault.List, pointer, s string, required bool) string {
	s = strings.TrimSpace(s)

	switch {
	case s == "" && required:
		l.Add(pointer, fault.Required, "is required.")
	case len(s) > maxText:
		l.Add(pointer, fault.TooLong, "may have at most %d characters.", maxText)
	case !text.OneLine(s):
		l.Add(pointer, fault.FormatInvalid, "must be one line of visible characters.")
	}

	return s
}
