//go:build !nosandbox

package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"

	slipway "slipway-client"

	"slipway/internal/app/apptest"
)

// sent is one request as its row shows it: nothing stands in it that the row does not have.
type sent struct {
	by   string         // the access token; "": nobody
	path string         // with the identifiers of records
	body apptest.Object // nil: none
	file *slipway.File  // in the form of a browser; nil: none
}

// shape is what a row says of an operation.
type shape struct {
	access string
	takes  map[string]bool
	gives  string
}

func (s *stage) shapeOf(r row) shape {
	out := shape{takes: map[string]bool{}}

	for _, part := range strings.Split(r.want, "; ") {
		word, rest, _ := strings.Cut(part, " ")

		switch word {
		case "takes":
			for _, name := range strings.Split(rest, ", ") {
				s.addTaken(out.takes, name)
			}

		case "gives":
			out.gives = rest
		default:
			out.access = word
		}
	}

	return out
}

// addTaken adds a name, or those of all fields of a record that somebody can write.
func (s *stage) addTaken(to map[string]bool, name string) {
	if s.rows[name] == nil {
		to[name] = true
		return
	}

	for _, r := range s.rows[name] {
		if r.part(2) != "_id" {
			to[r.part(2)] = true
		}
	}
}

var braces = regexp.MustCompile(`\{[A-Za-z]+\}`)

// checkEndpoint sends the requests of an operation as its row shows them: who may call it, that it takes these names
// and needs no other, and that it answers with what the row says.
func (s *stage) checkEndpoint(r row) error {
	method, path, _ := strings.Cut(r.rest(), " ")
	shape := s.shapeOf(r)

	requests, ok := s.exchanges()[r.rest()]
	if !ok {
		return errors.New("no test sends it")
	}

	if err := s.checkAccess(shape.access, method, path); err != nil {
		return err
	}

	sentNames := map[string]bool{}
	shown := 0

	for _, q := range requests() {
		for _, name := range q.names() {
			if !shape.takes[name] {
				return fmt.Errorf("the row shows no %s", name)
			}

			sentNames[name] = true
		}

		n, err := s.exchange(shape, method, q)
		if err != nil {
			return err
		}

		shown += n
	}

	if shown == 0 {
		return errors.New("no answer held a record")
	}

	for name := range shape.takes {
		if !sentNames[name] {
			return fmt.Errorf("%s was sent in no request", name)
		}
	}

	return nil
}

// names are those that a request holds; those of the query begin with a question mark.
func (q sent) names() (out []string) {
	for name := range q.body {
		out = append(out, name)
	}

	if q.file != nil {
		out = append(out, "form")
	}

	_, query, _ := strings.Cut(q.path, "?")
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		name, _, _ := strings.Cut(pair, "=")
		out = append(out, "?"+name)
	}

	return out
}

// exchange sends a request, looks at the answer, and returns how many records it shows.
func (s *stage) exchange(shape shape, method string, q sent) (int, error) {
	if (shape.access == "public" || shape.access == "link") && q.by != "" {
		return 0, errors.New("the request carries credentials")
	}

	var body any

	switch {
	case q.file != nil:
		body = *q.file
	case q.body != nil:
		body = q.body
	}

	a := s.h.Do(s.h.App, method, q.path, q.by, body)
	if a.Status < 200 || a.Status > 299 {
		return 0, fmt.Errorf("%s %s %v: %d %s", method, q.path, q.body, a.Status, a.Raw)
	}

	return s.checkAnswer(shape.gives, a)
}

// checkAnswer looks for what a row says of an answer.
func (s *stage) checkAnswer(gives string, a apptest.Answer) (int, error) {
	var v any

	if gives == "anything" {
		return 1, nil
	}

	if err := json.Unmarshal([]byte(a.Raw), &v); err != nil {
		return 0, fmt.Errorf("%w: %.200s", err, a.Raw)
	}

	if of, ok := strings.CutPrefix(gives, "page of "); ok {
		page, _ := v.(object)
		if err := s.hasKinds("page_total: number, total: number", page); err != nil {
			return 0, err
		}

		gives = "list of " + of
		v = page["results"]
	}

	of, ok := strings.CutPrefix(gives, "list of ")
	if !ok {
		return 1, s.isGiven(gives, v)
	}

	list, ok := v.([]any)
	if !ok {
		return 0, fmt.Errorf("%.200v is no list", v)
	}

	for _, x := range list {
		if err := s.isGiven(of, x); err != nil {
			return 0, err
		}
	}

	return len(list), nil
}

func (s *stage) isGiven(gives string, v any) error {
	switch {
	case gives == "object", gives == "text":
		return s.isKind(gives, v, ofAnswer)
	case gives == "PDF":
		return s.isPDF(v)
	case s.rows[gives] != nil:
		return s.isRecord(gives, v, ofAnswer)
	}

	o, ok := v.(object)
	if !ok {
		return fmt.Errorf("%.200v is no object", v)
	}

	return s.hasKinds(gives, o)
}

// hasKinds looks for members with their kinds: "secret: text, enabled: boolean".
func (s *stage) hasKinds(members string, o object) error {
	for _, member := range strings.Split(members, ", ") {
		name, kind, _ := strings.Cut(member, ": ")
		if o[name] == nil {
			return fmt.Errorf("%s is not there: %.300v", name, o)
		}

		if err := s.isKind(kind, o[name], ofAnswer); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}

	return nil
}

// isPDF follows the link of a document.
func (s *stage) isPDF(v any) error {
	o, _ := v.(object)
	address, _ := o["url"].(string)

	at := strings.Index(address, "/downloads/")
	if at < 0 {
		return fmt.Errorf("there is no link: %v", v)
	}

	a := s.h.Do(s.h.App, "GET", address[at:], "", nil)
	if a.Status != http.StatusOK || !strings.HasPrefix(a.Raw, "%PDF-") {
		return fmt.Errorf("it is no PDF: %d %.100q", a.Status, a.Raw)
	}

	return nil
}

// checkAccess calls without credentials; completing an account with a token that nobody was sent.
func (s *stage) checkAccess(access, method, path string) error {
	path = braces.ReplaceAllString(path, "nobody")

	var body any

	switch path {
	case "/users/complete":
		body = apptest.Object{"token": "nobody", "password": "nobody", "firstName": "No", "lastName": "Body"}
	case "/users/complete/info":
		path += "?token=nobody"
	}

	a := s.h.Do(s.h.App, method, path, "", body)
	refused := a.Status == http.StatusUnauthorized

	switch {
	case access == "link" && a.Status != http.StatusGone:
		return fmt.Errorf("with an unknown token it answers %d", a.Status)
	case access == "bearer" && !refused:
		return fmt.Errorf("without credentials it answers %d", a.Status)
	case access == "public" && refused:
		return errors.New("it needs credentials")
	}

	return nil
}
