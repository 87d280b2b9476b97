//go:build !nosandbox

package idvsim

import (
	"bytes"
	_ "embed" // the page's template and style
	"errors"
	"fmt"
	"html/template"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/rails/idv"
)

//go:embed widget.html
var widgetHTML string

//go:embed widget.css
var widgetCSS []byte

var page = template.Must(template.New("widget").Funcs(template.FuncMap{
	"when": func(t time.Time) string { return t.UTC().Format("2 Jan 15:04:05") },
	"kind": func(value string) string {
		for _, c := range slices.Concat(documentTypes(idv.User), documentTypes(idv.Organisation)) {
			if c.Value == value {
				return c.Label
			}
		}

		return value
	},
	"size": func(n int) string { return fmt.Sprintf("%d kB", (n+1023)/1024) },
}).Parse(widgetHTML))

// policy: the pages run no script, load nothing from other origins, and cannot be framed
const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'"

// pages serves the widget, and a list of all applicants for the tester. They work without scripts.
func (s *Server) pages(mux *http.ServeMux) {
	own := http.NewCrossOriginProtection() // other origins cannot post here
	at := func(pattern string, f http.HandlerFunc) { mux.Handle(pattern, own.Handler(f)) }
	at("GET /{$}", s.list)
	at("GET /widget.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(widgetCSS)
	})
	at("POST /open", s.open)
	at("GET /widget", func(w http.ResponseWriter, r *http.Request) { s.show(w, r.URL.Query().Get("token"), nil) })

	for step, do := range map[string]func(id string, f *multipart.Form) error{
		"info":     s.stepInfo,
		"document": s.stepDocument,
		"submit":   s.stepSubmit,
		"outcome":  s.stepOutcome,
		"travel":   s.stepTravel,
		"webhook":  s.stepWebhook,
	} {
		at("POST /widget/"+step, s.step(do))
	}
}

// view is the data of a page.
type view struct {
	Token, Problem           string
	A                        Applicant
	Fields                   []field
	Types, Outcomes, Ways    []choice
	Travel                   string
	Levels                   []string
	Editable, CanSubmit      bool
	Company                  bool
	Webhooks                 []Webhook
	Applicants               []Applicant // for the list
	Expired                  bool
	State, StateText, Advice string
}

// field is one input field.
type field struct{ Name, Label, Value, Hint, Autocomplete string }

// fields are the inputs of the widget besides documents.
func (a applicant) fields() []field {
	of := a.Info

	list := []field{
		{Name: "firstName", Label: "First name", Autocomplete: "given-name"},
		{Name: "lastName", Label: "Last name", Autocomplete: "family-name"},
		{
			Name:         "dob",
			Label:        "Date of birth",
			Hint:         "1985-06-30",
			Autocomplete: "bday",
		},
		{Name: "country", Label: "Country", Hint: "three letters, such as CHE"},
	}
	if a.Kind == idv.Organisation {
		of = a.company()
		list = []field{
			{Name: "companyName", Label: "Name of the company", Autocomplete: "organization"},
			{Name: "registrationNumber", Label: "Registration number"},
			{Name: "country", Label: "Country", Hint: "three letters, such as CHE"},
		}
	}

	for i := range list {
		list[i].Value, _ = of[list[i].Name].(string)
	}

	return list
}

// show writes the widget's page, with the error of the last step.
func (s *Server) show(w http.ResponseWriter, accessToken string, problem error) {
	v := view{Token: accessToken, Outcomes: outcomes(), Ways: ways()}
	status := http.StatusOK

	id, err := s.opened(accessToken)
	if err == nil {
		err = s.alone(func() error { s.fill(&v, id); return nil })
	}

	if err == nil {
		v.Webhooks, err = s.Webhooks(id)
	}

	var no refused
	switch {
	case errors.Is(err, ErrToken):
		v.Expired = true
		status = http.StatusUnauthorized
	case err != nil:
		http.Error(w, "the books cannot be read", http.StatusInternalServerError)
		return
	case errors.As(problem, &no):
		v.Problem = no.text
		status = http.StatusUnprocessableEntity
	case problem != nil:
		v.Problem = "It could not be written down. Try again."
		status = http.StatusInternalServerError
	}

	render(w, status, v)
}

// fill reads an applicant for the page. Call it only inside alone.
func (s *Server) fill(v *view, id string) {
	a := s.applicants[id]
	v.A = a.view()
	v.Fields = a.fields()
	v.Types = documentTypes(a.Kind)
	v.Travel = string(s.travel)
	v.Company = a.Kind == idv.Organisation
	v.Editable = a.mayChange() == nil
	v.CanSubmit = v.Editable && a.complete() == nil

	v.State, v.StateText, v.Advice = a.words()
	for name, kind := range s.config.Levels {
		if kind == a.Kind && name != a.Level {
			v.Levels = append(v.Levels, name)
		}
	}
}

// words returns how to present the review: a colour, a heading, and what to do.
func (a applicant) words() (state, heading, advice string) {
	switch {
	case checking(a.Status):
		return "busy", "Being checked", "We have everything. There is nothing to do until the check is done."
	case a.Status == idv.StatusOnHold:
		return "busy", "On hold", "The check takes longer. You may hand in further documents."
	case a.Answer == idv.Green:
		return "good", "Approved", "Everything is in order. You may close this page."
	case a.Answer == idv.Red && a.RejectType == idv.Final:
		return "bad", "Rejected", "This decision is final."
	case a.Answer == idv.Red:
		return "bad", "Something was not right", "Hand in better documents, then submit again."
	}

	return "open", "Documents are needed", "Fill in the data, hand in a document, then submit."
}

func render(w http.ResponseWriter, status int, v view) {
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}

	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer") // the address contains the access token
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// list shows all applicants, for a tester without a token.
func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	all, err := s.Applicants()
	if err != nil {
		http.Error(w, "the books cannot be read", http.StatusInternalServerError)
		return
	}

	render(w, http.StatusOK, view{Applicants: all[:min(len(all), maxListed)]})
}

// maxListed limits the tester's list.
const maxListed = 100

// open gives the tester a token for an applicant's widget.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	text, err := s.Open(r.PostFormValue("applicant"))
	if err != nil {
		http.Error(w, "there is no such applicant", http.StatusNotFound)
		return
	}

	http.Redirect(w, r, "/widget?token="+url.QueryEscape(text), http.StatusSeeOther)
}

// step performs one action for the applicant of the form's token, then shows the page again.
func (s *Server) step(do func(id string, f *multipart.Form) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxRequest)

		form, err := formOf(r)
		if err != nil {
			http.Error(w, "the form cannot be read, or the file is larger than 10 MB", http.StatusBadRequest)
			return
		}

		defer func() { _ = form.RemoveAll() }()
		accessToken := value(form, "token")

		id, err := s.opened(accessToken)
		if err == nil {
			err = do(id, form)
		}

		if err != nil {
			s.show(w, accessToken, err)
			return
		}

		// a reload repeats nothing
		http.Redirect(w, r, "/widget?token="+url.QueryEscape(accessToken), http.StatusSeeOther)
	}
}

// formOf parses a form, with files or without.
func formOf(r *http.Request) (*multipart.Form, error) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		err := r.ParseMultipartForm(maxRequest) //nolint:gosec // the body is a http.MaxBytesReader
		return r.MultipartForm, err
	}

	err := r.ParseForm()

	return &multipart.Form{Value: r.PostForm}, err
}

func value(f *multipart.Form, name string) string {
	return strings.TrimSpace(strings.Join(f.Value[name], ""))
}

func (s *Server) stepInfo(id string, f *multipart.Form) error {
	_, err := s.change(id, func(a *applicant) ([]webhook, error) {
		if err := a.mayChange(); err != nil {
			return nil, err
		}

		given := map[string]any{}
		for _, x := range a.fields() {
			text := value(f, x.Name)
			if text == "" || len(text) > maxField {
				return nil, refuse(400, 0, "%s: fill it in, with at most %d letters.", x.Label, maxField)
			}

			given[x.Name] = text
		}

		a.setInfo(given)

		return nil, nil
	})

	return err
}

func (s *Server) stepDocument(id string, f *multipart.Form) error {
	u := upload{Type: value(f, "type"), Country: strings.ToUpper(value(f, "country"))}

	var err error
	if u.FileName, u.Content, err = fileOf(f, "file"); err != nil {
		return err
	}

	_, err = s.addDocument(id, u)

	return err
}

func (s *Server) stepSubmit(id string, _ *multipart.Form) error {
	_, err := s.submit(id)
	return err
}

func (s *Server) stepOutcome(id string, f *multipart.Form) error {
	_, err := s.Decide(id, Verdict{
		Outcome: Outcome(value(f, "outcome")),
		Comment: value(f, "comment"),
		Level:   value(f, "level"),
	})

	return err
}

func (s *Server) stepTravel(_ string, f *multipart.Form) error {
	return s.SetTravel(Travel(value(f, "travel")))
}

// stepWebhook sends one of the applicant's webhooks now.
func (s *Server) stepWebhook(id string, f *multipart.Form) error {
	n, err := strconv.Atoi(value(f, "number"))
	if err != nil {
		return refuse(400, 0, "That is no webhook's number.")
	}

	hooks, err := s.Webhooks(id)
	for _, w := range hooks {
		if w.Number == n {
			return s.Send(n)
		}
	}

	if err == nil {
		err = refuse(404, 0, "There is no webhook %d.", n)
	}

	return err
}
