package sso

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// The names of SCIM (RFC 7643, RFC 7644).
const (
	scimUser  = "urn:ietf:params:scim:schemas:core:2.0:User"
	scimList  = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
	scimError = "urn:ietf:params:scim:api:messages:2.0:Error"
	scimType  = "application/scim+json"

	maxSCIMBody = 64 << 10
	maxSCIMPage = 200
)

// TokenView is what a directory calls with. It is shown once.
type TokenView struct {
	Token string `json:"token" doc:"for Authorization: Bearer; shown once"`
	URL   string `json:"url" doc:"what the directory calls" example:"https://pay.example.org/scim/v2"`
}

func (s *Service) scimRoutes(api *web.API) {
	token := web.Operation{
		Method:        "POST",
		Path:          "/organisations/{id}/sign-on/scim-token",
		ID:            "makeScimToken",
		Tag:           "organisations",
		Access:        web.Bearer,
		PeopleOnly:    true,
		StepUp:        true,
		NoIdempotency: true,
		Status:        201,
		Summary:       "Make a token for the directory",
		Description: "For admins. By it the directory says, at /scim/v2/Users, who has left: SCIM 2.0 as Entra ID and " +
			"Okta send it. The token before stops working.",
		Codes: []fault.Code{fault.RoleRequired},
	}
	web.Register(api, token, s.handleNewToken)

	token.Method = "DELETE"
	token.ID = "deleteScimToken"
	token.NoIdempotency = false
	token.Status = 0
	token.Summary = "End the directory's token"
	token.Description = "For admins. What it has ended stays so."
	web.Register(api, token, s.handleDropToken)

	mount := func(method, path string, h func(ctx context.Context, r *http.Request, orgID string) (int, any, error)) {
		api.Mount(method, "/scim/v2"+path, web.Public, s.scim(h))
	}
	mount("GET", "/Users", s.scimFind)
	mount("POST", "/Users", s.scimCreate)
	mount("GET", "/Users/{person}", s.scimRead)
	mount("PUT", "/Users/{person}", s.scimReplace)
	mount("PATCH", "/Users/{person}", s.scimPatch)
	mount("DELETE", "/Users/{person}", s.scimDelete)
	mount("GET", "/ServiceProviderConfig", s.scimConfig)
}

func (s *Service) handleNewToken(ctx context.Context, in *byOrganisation) (*TokenView, error) {
	var v TokenView

	err := s.newToken(ctx, in.ID, func(_ *db.Tx, token string) error {
		v = TokenView{Token: token, URL: s.BaseURL + "/scim/v2"}
		return nil
	})

	return &v, err
}

func (s *Service) handleDropToken(ctx context.Context, in *byOrganisation) (*web.Empty, error) {
	return onceEmpty(ctx, func(done func(*db.Tx) error) error { return s.dropToken(ctx, in.ID, done) })
}

// scim answers a directory: by its token, in the protocol's own form.
func (s *Service) scim(
	h func(ctx context.Context, r *http.Request, orgID string) (int, any, error),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		r.Body = http.MaxBytesReader(w, r.Body, maxSCIMBody)

		var (
			status int
			body   any
		)

		err := s.Auth.CountToken(ctx)
		if err == nil {
			var orgID string

			token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			if orgID, err = s.directoryOf(ctx, token); err == nil {
				status, body, err = h(ctx, r, orgID)
			}
		}

		if err != nil {
			status, body = scimRefusal(err)
		}

		w.Header().Set("Content-Type", scimType)
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(status)

		if body != nil {
			_ = json.NewEncoder(w).Encode(body) // the connection is gone
		}
	}
}

// scimRefusal returns a refusal as RFC 7644 (3.12) writes it. What is no refusal is ours, and says nothing.
func scimRefusal(err error) (int, any) {
	status := http.StatusInternalServerError
	kind := ""
	detail := "Something failed on our side. Try again."

	f, refused := fault.As(err)

	switch {
	case db.IsUnique(err, "scim_people"):
		status = http.StatusConflict
		kind = "uniqueness"
		detail = "There is a user with this userName already."
	case refused && f.Kind == fault.Invalid:
		status = http.StatusBadRequest
		kind = "invalidValue"
		detail = f.Detail
	case refused:
		status = web.StatusOf(f)
		detail = f.Detail
	}

	out := map[string]any{"schemas": []string{scimError}, "status": strconv.Itoa(status), "detail": detail}
	if kind != "" {
		out["scimType"] = kind
	}

	return status, out
}

// scimIn is a user as directories send him. What is not read here may be there.
type scimIn struct {
	UserName   string `json:"userName"`
	ExternalID string `json:"externalId"`
	Name       struct {
		Given  string `json:"givenName"`
		Family string `json:"familyName"`
	} `json:"name"`
	Active any `json:"active"`
}

// readSCIM reads a body.
func readSCIM(r *http.Request, into any) error {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return fault.New(fault.TooLarge, fault.BodyTooLarge, "The body is longer than %d kB.", maxSCIMBody>>10)
	}

	if json.Unmarshal(raw, into) != nil {
		return fault.New(fault.Malformed, fault.BodyMalformed, "The body is no JSON of SCIM.")
	}

	return nil
}

func (in scimIn) person() (person, error) {
	p := person{
		UserName:   in.UserName,
		ExternalID: in.ExternalID,
		Given:      in.Name.Given,
		Family:     in.Name.Family,
		Active:     true,
	}

	if in.Active == nil {
		return p, nil
	}

	var err error
	p.Active, err = scimBool(in.Active)

	return p, err
}

// scimBool reads a truth value: Entra ID sends "True" and "False" as texts.
func scimBool(v any) (bool, error) {
	switch x := v.(type) {
	case bool:
		return x, nil
	case string:
		if strings.EqualFold(x, "true") || strings.EqualFold(x, "false") {
			return strings.EqualFold(x, "true"), nil
		}
	}

	return false, fault.New(fault.Invalid, fault.FormatInvalid, "active must be true or false.")
}

func (s *Service) scimCreate(ctx context.Context, r *http.Request, orgID string) (int, any, error) {
	var in scimIn
	if err := readSCIM(r, &in); err != nil {
		return 0, nil, err
	}

	p, err := in.person()
	if err == nil {
		p, err = s.put(ctx, orgID, "", p)
	}

	return http.StatusCreated, s.scimView(p), err
}

func (s *Service) scimReplace(ctx context.Context, r *http.Request, orgID string) (int, any, error) {
	var in scimIn
	if err := readSCIM(r, &in); err != nil {
		return 0, nil, err
	}

	p, err := in.person()
	if err == nil {
		p, err = s.put(ctx, orgID, chi.URLParam(r, "person"), p)
	}

	return http.StatusOK, s.scimView(p), err
}

// scimPatch changes some of a person (RFC 7644, 3.5.2). Okta sends replace without a path and an object; Entra ID sends
// Replace with the path active and a text. What is not kept here is passed over, as the RFC lets a server do.
func (s *Service) scimPatch(ctx context.Context, r *http.Request, orgID string) (int, any, error) {
	var in struct {
		Operations []struct {
			Op    string `json:"op"`
			Path  string `json:"path"`
			Value any    `json:"value"`
		} `json:"Operations"`
	}

	if err := readSCIM(r, &in); err != nil {
		return 0, nil, err
	}

	set := map[string]any{}

	for _, o := range in.Operations {
		op := strings.ToLower(o.Op)
		if op != "replace" && op != "add" && op != "remove" {
			return 0, nil, fault.New(fault.Invalid, fault.FormatInvalid, "op must be add, remove or replace.")
		}

		if object, ok := o.Value.(map[string]any); ok && o.Path == "" && op != "remove" {
			flatten(set, "", object)
		} else if op != "remove" {
			set[strings.ToLower(o.Path)] = o.Value
		}
	}

	active, given := set["active"]
	on := false

	if given {
		var err error
		if on, err = scimBool(active); err != nil {
			return 0, nil, err
		}
	}

	p, err := s.update(ctx, orgID, chi.URLParam(r, "person"), func(p *person) {
		if given {
			p.Active = on
		}

		replace(&p.UserName, set["username"])
		replace(&p.ExternalID, set["externalid"])
		replace(&p.Given, set["name.givenname"])
		replace(&p.Family, set["name.familyname"])
	})

	return http.StatusOK, s.scimView(p), err
}

func replace(to *string, v any) {
	if s, ok := v.(string); ok {
		*to = s
	}
}

// flatten adds the members of an object, one level deep, by their paths in lower case.
func flatten(set map[string]any, prefix string, object map[string]any) {
	for name, v := range object {
		if inner, ok := v.(map[string]any); ok && prefix == "" {
			flatten(set, strings.ToLower(name)+".", inner)
			continue
		}

		set[prefix+strings.ToLower(name)] = v
	}
}

func (s *Service) scimRead(ctx context.Context, r *http.Request, orgID string) (int, any, error) {
	p, err := personByID(ctx, s.DB, orgID, chi.URLParam(r, "person"))
	return http.StatusOK, s.scimView(p), err
}

// scimDelete switches a person off and keeps him: what was said of him stays true.
func (s *Service) scimDelete(ctx context.Context, r *http.Request, orgID string) (int, any, error) {
	_, err := s.update(ctx, orgID, chi.URLParam(r, "person"), func(p *person) { p.Active = false })
	return http.StatusNoContent, nil, err
}

// scimFilter is the one form of filter that directories send before they write.
var scimFilter = regexp.MustCompile(`(?i)^\s*(userName|externalId)\s+eq\s+"([^"]*)"\s*$`)

func (s *Service) scimFind(ctx context.Context, r *http.Request, orgID string) (int, any, error) {
	q := r.URL.Query()
	column := ""
	value := ""

	if f := q.Get("filter"); f != "" {
		m := scimFilter.FindStringSubmatch(f)
		if m == nil {
			return 0, nil, fault.New(
				fault.Invalid,
				fault.FormatInvalid,
				`filter must be userName eq "…" or externalId eq "…".`,
			)
		}

		column = "external_id"
		value = m[2]

		if strings.EqualFold(m[1], "userName") {
			column = "user_key"
			value = user.Key(m[2])
		}
	}

	start := max(number(q.Get("startIndex"), 1, maxPeople), 1)
	limit := number(q.Get("count"), maxSCIMPage, maxSCIMPage)

	all, total, err := peopleOf(ctx, s.DB, orgID, column, value, start-1, limit)
	views := make([]any, len(all))

	for i, p := range all {
		views[i] = s.scimView(p)
	}

	return http.StatusOK, map[string]any{
		"schemas":      []string{scimList},
		"totalResults": total,
		"startIndex":   start,
		"itemsPerPage": len(views),
		"Resources":    views,
	}, err
}

// number reads a number of a query, at most most; otherwise what stands for one that was left out.
func number(s string, otherwise, most int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return otherwise
	}

	return min(n, most)
}

func (s *Service) scimConfig(context.Context, *http.Request, string) (int, any, error) {
	no := map[string]any{"supported": false}

	return http.StatusOK, map[string]any{
		"schemas":        []string{"urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"},
		"patch":          map[string]any{"supported": true},
		"bulk":           map[string]any{"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
		"filter":         map[string]any{"supported": true, "maxResults": maxSCIMPage},
		"changePassword": no,
		"sort":           no,
		"etag":           no,
		"authenticationSchemes": []any{map[string]any{
			"type": "oauthbearertoken", "name": "Bearer", "description": "The token that an admin has made.",
		}},
	}, nil
}

// scimView returns a person in the protocol's form.
func (s *Service) scimView(p person) any {
	v := map[string]any{
		"schemas":  []string{scimUser},
		"id":       p.ID,
		"userName": p.UserName,
		"active":   p.Active,
		"name":     map[string]any{"givenName": p.Given, "familyName": p.Family},
		"emails":   []any{map[string]any{"value": p.UserName, "type": "work", "primary": true}},
		"meta": map[string]any{
			"resourceType": "User",
			"created":      user.Shown(p.CreatedAt).Format(time.RFC3339),
			"lastModified": user.Shown(p.UpdatedAt).Format(time.RFC3339),
			"location":     s.BaseURL + "/scim/v2/Users/" + p.ID,
		},
	}

	if p.ExternalID != "" {
		v["externalId"] = p.ExternalID
	}

	return v
}
