package idv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/remote"
	"slipway/internal/platform/secret"
)

// Limits of one exchange with the provider.
const (
	DefaultTimeout = 15 * time.Second
	maxAnswer      = 1 << 20
)

// ClientConfig configures the address of the provider and the signing of requests.
type ClientConfig struct {
	URL       string      // such as https://api.sumsub.com, without a slash at the end
	AppToken  string      // "sbx:…" in the provider's sandbox
	Secret    secret.Text // secret of the token; never that of the webhooks
	Timeout   time.Duration
	Transport http.RoundTripper // nil: the default
	Clock     *clock.Clock
}

// Client asks the provider. It does not retry; every request may be repeated. It is safe for concurrent use.
type Client struct {
	config ClientConfig
	party  *remote.Party
}

// NewClient returns a client. It does not call the provider.
func NewClient(c ClientConfig) (*Client, error) {
	if !remote.IsAddress(c.URL) || strings.HasSuffix(c.URL, "/") {
		return nil, errors.New(
			"the identity provider's address starts with http:// or https://, names a host, and has no slash at its end",
		)
	}

	if c.Secret == "" || c.AppToken == "" {
		return nil, errors.New("the identity provider needs an app token and its secret")
	}

	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}

	if c.Clock == nil {
		c.Clock = clock.New()
	}

	return &Client{config: c, party: remote.New(c.Timeout, maxAnswer, c.Transport)}, nil
}

// Create creates an applicant. If one with the same ExternalUserID exists, it is returned unchanged, whatever its
// level: the provider answers 409, and Create looks it up. An applicant of another kind with that id is an error.
func (c *Client) Create(ctx context.Context, n New) (Review, error) {
	body := wireNew{
		ExternalUserID: n.ExternalUserID,
		Type:           n.Kind.wire(),
		Email:          n.Email,
		Phone:          n.Phone,
		FixedInfo:      n.Info,
	}
	if n.Kind == Organisation && len(n.Info) > 0 {
		body.FixedInfo = map[string]any{"companyInfo": n.Info}
	}

	if body.Type == "" || n.ExternalUserID == "" || n.LevelName == "" {
		return Review{}, fmt.Errorf(
			"create applicant %.100q: %w: kind, id and level are needed",
			n.ExternalUserID,
			ErrRefused,
		)
	}

	var got wireApplicant
	err := c.exchange(ctx, http.MethodPost, PathApplicants+"?levelName="+url.QueryEscape(n.LevelName), body, &got)

	var f fault
	if errors.As(err, &f) && f.Code == http.StatusConflict {
		got = wireApplicant{}

		err = c.exchange(
			ctx,
			http.MethodGet,
			PathApplicants+"/-;externalUserId="+url.PathEscape(n.ExternalUserID)+"/one",
			nil,
			&got,
		)
	}

	if err != nil {
		return Review{}, fmt.Errorf("create applicant %s: %w", n.ExternalUserID, err)
	}

	r, err := c.read(got)
	if err == nil && (r.ExternalUserID != n.ExternalUserID || r.Kind != n.Kind) {
		err = fmt.Errorf("%w: the answer is of another applicant", ErrUnknown)
	}

	if err != nil {
		return Review{}, fmt.Errorf("create applicant %s: %w", n.ExternalUserID, err)
	}

	return r, nil
}

// Applicant returns an applicant and its review.
func (c *Client) Applicant(ctx context.Context, applicantID string) (Review, error) {
	var got wireApplicant

	err := c.exchange(ctx, http.MethodGet, PathApplicants+"/"+url.PathEscape(applicantID)+"/one", nil, &got)
	if err == nil && got.ID != applicantID {
		err = fmt.Errorf("%w: the answer is of another applicant", ErrUnknown)
	}

	var r Review
	if err == nil {
		r, err = c.read(got)
	}

	if err != nil {
		return Review{}, fmt.Errorf("read applicant %.100s: %w", applicantID, err)
	}

	return r, nil
}

// UpdateInfo changes the data of an applicant: the fields of fixedInfo for a person, of companyInfo for an
// organisation. Other fields stay unchanged. It does not start a new review.
func (c *Client) UpdateInfo(ctx context.Context, kind Kind, applicantID string, info map[string]any) error {
	path := PathApplicants + "/" + url.PathEscape(applicantID) + "/fixedInfo"
	if kind == Organisation {
		path += "/companyInfo"
	}

	if err := c.exchange(ctx, http.MethodPatch, path, info, nil); err != nil {
		return fmt.Errorf("update applicant %.100s: %w", applicantID, err)
	}

	return nil
}

// Token returns an access token for the widget. The provider accepts ttl in seconds and does not return when the token
// expires: ExpiresAt is computed from the time before the request.
func (c *Client) Token(ctx context.Context, externalUserID, levelName string, ttl time.Duration) (Token, error) {
	asked := c.config.Clock.Now()
	seconds := int64(ttl / time.Second)

	var got wireToken

	err := c.exchange(ctx, http.MethodPost, PathTokens, wireTokenAsk{
		UserID:     externalUserID,
		LevelName:  levelName,
		TTLSeconds: seconds,
	}, &got)
	if err == nil && (got.Token == "" || got.UserID != externalUserID) {
		err = fmt.Errorf("%w: the answer is not a token of this applicant", ErrUnknown)
	}

	if err != nil {
		return Token{}, fmt.Errorf("access token for %.100s: %w", externalUserID, err)
	}

	return Token{Value: got.Token, ExpiresAt: asked.Add(time.Duration(seconds) * time.Second)}, nil
}

// read returns an applicant from a complete answer; for any other answer it returns ErrUnknown.
func (c *Client) read(w wireApplicant) (Review, error) {
	r, err := w.review()
	if err != nil {
		return Review{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}

	if w.SandboxMode == nil { // the token decides the mode, and its prefix shows it
		r.Sandbox = strings.HasPrefix(c.config.AppToken, "sbx:") || strings.HasPrefix(c.config.AppToken, "tst:")
	}

	return r, nil
}

// exchange sends one signed request and decodes its answer into out, unless out is nil. Only an answer of the provider
// itself gives an error other than ErrUnknown.
func (c *Client) exchange(ctx context.Context, method, target string, in, out any) error {
	var body []byte // the same bytes are signed and sent
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
	}

	req, err := http.NewRequestWithContext(ctx, method, c.config.URL+target, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}

	stamp := strconv.FormatInt(c.config.Clock.Now().Unix(), 10)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(HeaderAppToken, c.config.AppToken)
	req.Header.Set(HeaderTimestamp, stamp)
	req.Header.Set(HeaderSignature, SignRequest(c.config.Secret, stamp, method, req.URL.RequestURI(), body))

	status, raw, err := c.party.Exchange(req)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}

	if status != http.StatusOK && status != http.StatusCreated {
		return refusal(status, raw)
	}

	if out == nil {
		return nil
	}

	if err := read(raw, out); err != nil {
		return fmt.Errorf("%w: the answer cannot be read", ErrUnknown)
	}

	return nil
}

// fault is the provider's error answer. Its code repeats the status, which a proxy's page does not.
type fault struct {
	Code        int    `json:"code"`
	Description string `json:"description"`
}

// Error returns code and text.
func (f fault) Error() string { return fmt.Sprintf("HTTP status %d: %.200q", f.Code, f.Description) }

// refusal classifies an error answer. A status alone proves nothing: proxies also answer 404 and 403.
func refusal(status int, raw []byte) error {
	var f fault
	if status >= 500 || status == http.StatusTooManyRequests || read(raw, &f) != nil || f.Code != status {
		return fmt.Errorf("%w: HTTP status %d", ErrUnknown, status)
	}

	if status == http.StatusNotFound {
		return ErrNotFound
	}

	return fmt.Errorf("%w: %w", ErrRefused, f)
}
