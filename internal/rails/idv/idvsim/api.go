//go:build !nosandbox

package idvsim

import (
	"bytes"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/rails/idv"
)

// maxRequest limits a request: a document and its envelope.
const maxRequest = maxDocument + 64<<10

// maxTTL limits the lifetime of an access token.
const maxTTL = 24 * time.Hour

// routes returns the handlers of the API, whose requests are signed, and of the pages.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	at := func(pattern string, f func(w http.ResponseWriter, r *http.Request, body []byte) error) {
		mux.HandleFunc(pattern, s.signed(f))
	}
	at("POST "+idv.PathApplicants, s.apiCreate)
	at("GET "+idv.PathApplicants+"/{id}/one", s.apiApplicant)
	at("GET "+idv.PathApplicants+"/{id}/status", s.apiStatus)
	at("PATCH "+idv.PathApplicants+"/{id}/fixedInfo", s.apiInfo)
	at("PATCH "+idv.PathApplicants+"/{id}/fixedInfo/companyInfo", s.apiInfo)
	at("POST "+idv.PathApplicants+"/{id}/info/idDoc", s.apiDocument)
	at("POST "+idv.PathApplicants+"/{id}/status/pending", s.apiPending)
	at("POST "+idv.PathApplicants+"/{id}/status/testCompleted", s.apiTestCompleted)
	at("POST "+idv.PathApplicants+"/{id}/reset", s.apiReset)
	at("POST "+idv.PathTokens, s.apiToken)
	at("/resources/", func(http.ResponseWriter, *http.Request, []byte) error {
		return refuse(404, 0, "There is no such method.")
	})
	s.pages(mux)

	return mux
}

// signed checks a request's signature over the received bytes, and applies the configured behaviour.
func (s *Server) signed(f func(w http.ResponseWriter, r *http.Request, body []byte) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		how := s.Next()

		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		switch {
		case how == Down:
			fail(w, refuse(503, 0, "The provider is down."))

		case how == Garbled:
			w.Header().Set("Content-Type", "text/html")

			if r.Method == http.MethodGet {
				w.WriteHeader(http.StatusNotFound)
			}

			_, _ = io.WriteString(w, "<html><body>Nothing here.</body></html>")

		case err != nil:
			fail(w, refuse(413, 0, "The request is too long."))
		case !hmac.Equal([]byte(r.Header.Get(idv.HeaderAppToken)), []byte(s.config.AppToken)):
			fail(w, refuse(401, 4001, "The app token is unknown."))
		case idv.VerifyRequest(s.config.Secret, r, body, s.config.Clock.Now()) != nil:
			fail(w, refuse(401, 4003, "Invalid signature"))
		default:
			s.answer(w, r, body, how, f)
		}
	}
}

// answer performs a request and answers, or fails as configured.
func (s *Server) answer(
	w http.ResponseWriter,
	r *http.Request,
	body []byte,
	how Behaviour,
	f func(http.ResponseWriter, *http.Request, []byte) error,
) {
	buffered := &held{ResponseWriter: w}
	if err := f(buffered, r, body); err != nil {
		fail(buffered, err)
	}

	switch how {
	case Slow:
		<-r.Context().Done()
	case Drop:
		panic(http.ErrAbortHandler)
	default:
		buffered.release()
	}
}

// held buffers an answer until it may be sent.
type held struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (h *held) WriteHeader(status int) { h.status = status }

// Write implements http.ResponseWriter.
func (h *held) Write(p []byte) (int, error) { return h.body.Write(p) }

func (h *held) release() {
	if h.status != 0 {
		h.ResponseWriter.WriteHeader(h.status)
	}

	_, _ = h.ResponseWriter.Write(h.body.Bytes()) // the client may have gone away
}

// fail answers with the provider's form of an error.
func fail(w http.ResponseWriter, err error) {
	var no refused
	switch {
	case errors.As(err, &no):
	case errors.Is(err, ErrNotFound):
		no = refused{status: 404, text: "Applicant not found"}
	default:
		no = refused{status: 500, text: "The books could not be written."}
	}

	body := map[string]any{"description": no.text, "code": no.status, "correlationId": "req-" + newID(time.Unix(0, 0))}
	if no.code != 0 {
		body["errorCode"] = no.code
	}

	write(w, no.status, body)
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, v, json.Deterministic(true)) // the client may have gone away
}

func read(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return refuse(400, 0, "The body cannot be read.")
	}

	return nil
}

// wireApplicant is an applicant in an answer of the API.
type wireApplicant struct {
	ID             string         `json:"id"`
	CreatedAt      string         `json:"createdAt"`
	ClientID       string         `json:"clientId"`
	InspectionID   string         `json:"inspectionId"`
	ExternalUserID string         `json:"externalUserId"`
	FixedInfo      map[string]any `json:"fixedInfo,omitempty"`
	Email          string         `json:"email,omitempty"`
	Phone          string         `json:"phone,omitempty"`
	Review         wireReview     `json:"review"`
	Type           string         `json:"type"`
}

// wireReview is the state of the review.
type wireReview struct {
	ReviewID     string  `json:"reviewId"`
	AttemptID    string  `json:"attemptId"`
	AttemptCnt   int     `json:"attemptCnt"`
	LevelName    string  `json:"levelName"`
	CreateDate   string  `json:"createDate"`
	ReviewDate   string  `json:"reviewDate,omitempty"`
	ReviewResult *result `json:"reviewResult,omitempty"`
	ReviewStatus string  `json:"reviewStatus"`
}

const wireTime = "2006-01-02 15:04:05"

func (a applicant) wire() wireApplicant {
	return wireApplicant{
		ID:             a.ID,
		CreatedAt:      a.CreatedAt.Format(wireTime),
		ClientID:       clientID,
		InspectionID:   a.InspectionID,
		ExternalUserID: a.ExternalUserID,
		FixedInfo:      a.Info,
		Email:          a.Email,
		Phone:          a.Phone,
		Review:         a.wireReview(),
		Type:           wireKind(a.Kind),
	}
}

func (a applicant) wireReview() wireReview {
	v := wireReview{
		ReviewID:     a.InspectionID,
		AttemptID:    fmt.Sprintf("%s-%d", a.ID, a.Attempts),
		AttemptCnt:   a.Attempts,
		LevelName:    a.Level,
		CreateDate:   a.StartedAt.Format(wireTime + "-0700"),
		ReviewResult: a.result(),
		ReviewStatus: a.Status,
	}
	if a.ReviewedAt != nil {
		v.ReviewDate = a.ReviewedAt.Format(wireTime + "-0700")
	}

	return v
}

// byPath returns the applicant in a path: by its id, or as -;externalUserId=….
func (s *Server) byPath(r *http.Request) (applicant, error) {
	ref := r.PathValue("id")
	external, ok := strings.CutPrefix(ref, "-;externalUserId=")

	var out applicant
	err := s.alone(func() error {
		if ok {
			ref = s.users[external]
		}

		a, known := s.applicants[ref]
		if !known {
			return ErrNotFound
		}

		out = a

		return nil
	})

	return out, err
}

type createBody struct {
	ExternalUserID string         `json:"externalUserId"`
	Type           string         `json:"type"`
	Email          string         `json:"email"`
	Phone          string         `json:"phone"`
	FixedInfo      map[string]any `json:"fixedInfo"`
}

func (s *Server) apiCreate(w http.ResponseWriter, r *http.Request, body []byte) error {
	var in createBody
	if err := read(body, &in); err != nil {
		return err
	}

	kind, ok := s.config.Levels[r.URL.Query().Get("levelName")]
	switch {
	case !ok:
		return refuse(400, 0, "Level '%.100s' is not found", r.URL.Query().Get("levelName"))
	case in.Type != "" && in.Type != wireKind(kind):
		return refuse(400, 0, "Applicants at this level are of type %s.", wireKind(kind))
	case in.ExternalUserID == "" || len(in.ExternalUserID) > maxField:
		return refuse(400, 0, "externalUserId is missing or too long.")
	}

	var made applicant

	err := s.alone(func() error {
		if there, taken := s.users[in.ExternalUserID]; taken {
			return refuse(409, 0, "Applicant with external user id '%s' already exists: %s", in.ExternalUserID, there)
		}

		var hooks []webhook
		made, hooks = s.newApplicant(kind, r.URL.Query().Get("levelName"), in)

		return s.keep(entry{Applicant: &made, Webhooks: hooks})
	})
	if err != nil {
		return err
	}

	write(w, http.StatusCreated, made.wire())

	return nil
}

// newApplicant creates an applicant with its webhook. Call it only inside alone.
func (s *Server) newApplicant(kind idv.Kind, level string, in createBody) (applicant, []webhook) {
	now := s.now()
	a := applicant{
		ID:             newID(now),
		InspectionID:   newID(now),
		ExternalUserID: in.ExternalUserID,
		Kind:           kind,
		Level:          level,
		Email:          in.Email,
		Phone:          in.Phone,
		Info:           in.FixedInfo,
		Status:         idv.StatusInit,
		CreatedAt:      now,
		StartedAt:      now,
	}

	return a, s.webhooksFor(&a, idv.ApplicantCreated, nil)
}

func (s *Server) apiApplicant(w http.ResponseWriter, r *http.Request, _ []byte) error {
	a, err := s.byPath(r)
	if err == nil {
		write(w, http.StatusOK, a.wire())
	}

	return err
}

func (s *Server) apiStatus(w http.ResponseWriter, r *http.Request, _ []byte) error {
	a, err := s.byPath(r)
	if err == nil {
		write(w, http.StatusOK, a.wireReview())
	}

	return err
}

// apiInfo handles both PATCH requests: of a person's fixedInfo, and of an organisation's companyInfo. The wrong one is
// refused.
func (s *Server) apiInfo(w http.ResponseWriter, r *http.Request, body []byte) error {
	var fields map[string]any
	if err := read(body, &fields); err != nil {
		return err
	}

	a, err := s.byPath(r)
	if err != nil {
		return err
	}

	if ofCompany := strings.HasSuffix(r.URL.Path, "/companyInfo"); ofCompany != (a.Kind == idv.Organisation) {
		return refuse(400, 0, "This is not how an applicant of type %s is changed.", wireKind(a.Kind))
	}

	if _, err := s.setInfo(a.ID, fields); err != nil {
		return err
	}

	return s.apiApplicant(w, r, nil)
}

func (s *Server) apiPending(w http.ResponseWriter, r *http.Request, _ []byte) error {
	a, err := s.byPath(r)
	if err != nil {
		return err
	}

	if _, err := s.submit(a.ID); err != nil {
		return err
	}

	write(w, http.StatusOK, map[string]int{"ok": 1})

	return nil
}

// apiTestCompleted simulates an outcome, as in the provider's own sandbox.
func (s *Server) apiTestCompleted(w http.ResponseWriter, r *http.Request, body []byte) error {
	var in struct {
		ReviewAnswer      string   `json:"reviewAnswer"`
		ReviewRejectType  string   `json:"reviewRejectType"`
		RejectLabels      []string `json:"rejectLabels"`
		ModerationComment string   `json:"moderationComment"`
	}
	if err := read(body, &in); err != nil {
		return err
	}

	v := Verdict{Labels: in.RejectLabels, Comment: in.ModerationComment}
	switch {
	case in.ReviewAnswer == idv.Green:
		v.Outcome = Approve
	case in.ReviewAnswer == idv.Red && in.ReviewRejectType == idv.Final:
		v.Outcome = Final
	case in.ReviewAnswer == idv.Red:
		v.Outcome = Retry
	default:
		return refuse(400, 0, "reviewAnswer is GREEN or RED.")
	}

	return s.apiDecide(w, r, v)
}

func (s *Server) apiReset(w http.ResponseWriter, r *http.Request, _ []byte) error {
	return s.apiDecide(w, r, Verdict{Outcome: Reset})
}

func (s *Server) apiDecide(w http.ResponseWriter, r *http.Request, v Verdict) error {
	a, err := s.byPath(r)
	if err != nil {
		return err
	}

	if _, err := s.Decide(a.ID, v); err != nil {
		return err
	}

	write(w, http.StatusOK, map[string]int{"ok": 1})

	return nil
}

// apiToken returns an access token for the widget. It creates an applicant for an unknown external id, as the provider
// does.
func (s *Server) apiToken(w http.ResponseWriter, _ *http.Request, body []byte) error {
	var in struct {
		UserID    string `json:"userId"`
		LevelName string `json:"levelName"`
		TTLInSecs int64  `json:"ttlInSecs"`
	}
	if err := read(body, &in); err != nil {
		return err
	}

	kind, ok := s.config.Levels[in.LevelName]

	ttl := time.Duration(in.TTLInSecs) * time.Second
	switch {
	case !ok:
		return refuse(400, 0, "Level '%.100s' is not found", in.LevelName)
	case in.UserID == "" || len(in.UserID) > maxField:
		return refuse(400, 0, "userId is missing or too long.")
	case in.TTLInSecs <= 0 || in.TTLInSecs > int64(maxTTL/time.Second):
		return refuse(400, 0, "ttlInSecs is not between 1 and %d.", int64(maxTTL/time.Second))
	}

	var text string

	err := s.alone(func() error {
		var e entry

		a, known := s.applicants[s.users[in.UserID]]
		switch {
		case !known:
			a, e.Webhooks = s.newApplicant(kind, in.LevelName, createBody{ExternalUserID: in.UserID})
			e.Applicant = &a
		case a.Kind != kind:
			return refuse(400, 0, "The applicant is of type %s.", wireKind(a.Kind))
		}

		text = s.newToken(&e, a.ID, ttl)

		return s.keep(e)
	})
	if err != nil {
		return err
	}

	write(w, http.StatusOK, map[string]string{"token": text, "userId": in.UserID})

	return nil
}

// apiDocument accepts a document in two parts: metadata as JSON, and the file.
func (s *Server) apiDocument(w http.ResponseWriter, r *http.Request, body []byte) error {
	a, err := s.byPath(r)
	if err != nil {
		return err
	}

	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return refuse(400, 0, "A document comes as multipart/form-data.")
	}

	form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(maxRequest)
	if err != nil {
		return refuse(400, 0, "The body cannot be read.")
	}

	defer func() { _ = form.RemoveAll() }()

	var meta struct {
		IDDocType string `json:"idDocType"`
		Country   string `json:"country"`
	}
	if err := read([]byte(strings.Join(form.Value["metadata"], "")), &meta); err != nil {
		return err
	}

	u := upload{Type: meta.IDDocType, Country: meta.Country}
	if u.FileName, u.Content, err = fileOf(form, "content"); err != nil {
		return err
	}

	if _, err := s.addDocument(a.ID, u); err != nil {
		return err
	}

	write(w, http.StatusOK, map[string]any{"idDocType": u.Type, "country": u.Country})

	return nil
}

// fileOf returns the only file in a form's field.
func fileOf(form *multipart.Form, field string) (name string, content []byte, err error) {
	files := form.File[field]
	if len(files) != 1 {
		return "", nil, refuse(400, codeEmpty, "Choose one file.")
	}

	f, err := files[0].Open()
	if err != nil {
		return "", nil, err
	}

	defer func() { _ = f.Close() }()
	content, err = io.ReadAll(io.LimitReader(f, maxDocument+1))

	return files[0].Filename, content, err
}

// sampleDocument is a picture of one dot: enough for a document that nobody checks.
func sampleDocument() []byte {
	raw, _ := base64.StdEncoding.DecodeString(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==",
	)

	return raw
}

// Complete adds what is missing and submits, as a person does on the widget.
func (s *Server) Complete(ref string) (Applicant, error) {
	a, err := s.Applicant(ref)
	if err != nil {
		return a, err
	}

	if a.Kind == idv.Organisation && a.Name == "" {
		if a, err = s.setInfo(a.ID, map[string]any{
			"companyName":        "Sample Company",
			"registrationNumber": "CHE-000.000.000",
			"country":            "CHE",
		}); err != nil {
			return a, err
		}
	}

	if len(a.Documents) == 0 {
		if a, err = s.addDocument(a.ID, upload{
			Type:     documentTypes(a.Kind)[0].Value,
			Country:  "CHE",
			FileName: "sample.png",
			Content:  sampleDocument(),
		}); err != nil {
			return a, err
		}
	}

	return s.submit(a.ID)
}
