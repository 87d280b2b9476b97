package kms

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// Credentials identify the caller to AWS.
type Credentials struct {
	KeyID, Secret string
	Token         string // of temporary credentials; "" for lasting ones
}

// FromFile reads credentials from a file in the form of ~/.aws/credentials, by the profile default. Client reads them
// with each request, so that temporary ones can be renewed under it.
func FromFile(path string) func() (Credentials, error) {
	return func() (Credentials, error) {
		raw, err := os.ReadFile(path)
		if err != nil {
			return Credentials{}, err
		}

		c := parseCredentials(string(raw))
		if c.KeyID == "" || c.Secret == "" {
			return c, fmt.Errorf("%s has no aws_access_key_id and aws_secret_access_key under [default]", path)
		}

		return c, nil
	}
}

func parseCredentials(text string) (c Credentials) {
	inside := false

	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = line == "[default]"
			continue
		}

		name, value, found := strings.Cut(line, "=")
		if !inside || !found {
			continue
		}

		switch value = strings.TrimSpace(value); strings.TrimSpace(name) {
		case "aws_access_key_id":
			c.KeyID = value
		case "aws_secret_access_key":
			c.Secret = value
		case "aws_session_token":
			c.Token = value
		}
	}

	return c
}

const (
	algorithm  = "AWS4-HMAC-SHA256"
	timeFormat = "20060102T150405Z"
)

// scope is what a signature of a request is good for.
type scope struct{ region, service string }

// sign adds the headers X-Amz-Date, X-Amz-Security-Token and Authorization to a request without a query, over all
// headers that it has (AWS Signature Version 4).
func (s scope) sign(r *http.Request, body []byte, c Credentials, now time.Time) {
	r.Header.Set("X-Amz-Date", now.UTC().Format(timeFormat))

	if c.Token != "" {
		r.Header.Set("X-Amz-Security-Token", c.Token)
	}

	names := make([]string, 0, len(r.Header)+1)
	for name := range r.Header {
		names = append(names, strings.ToLower(name))
	}

	names = append(names, "host")
	slices.Sort(names)
	r.Header.Set("Authorization", fmt.Sprintf(
		"%s Credential=%s/%s, SignedHeaders=%s, Signature=%s",
		algorithm,
		c.KeyID,
		s.on(now),
		strings.Join(names, ";"),
		s.signature(r, names, body, c.Secret, now),
	))
}

// on returns the scope of a day.
func (s scope) on(now time.Time) string {
	return strings.Join([]string{now.UTC().Format("20060102"), s.region, s.service, "aws4_request"}, "/")
}

// signature returns the signature of a request over some headers, in sorted lower-case names.
func (s scope) signature(r *http.Request, names []string, body []byte, secret string, now time.Time) string {
	var canonical strings.Builder

	path := r.URL.EscapedPath()
	if path == "" {
		path = "/"
	}

	fmt.Fprintf(&canonical, "%s\n%s\n\n", r.Method, path)

	for _, name := range names {
		value := strings.Join(r.Header.Values(name), ",")
		if name == "host" {
			value = r.Host
			if value == "" {
				value = r.URL.Host
			}
		}

		fmt.Fprintf(&canonical, "%s:%s\n", name, strings.TrimSpace(value))
	}

	fmt.Fprintf(&canonical, "\n%s\n%s", strings.Join(names, ";"), digest(body))

	key := []byte("AWS4" + secret)
	for part := range strings.SplitSeq(s.on(now), "/") {
		key = mac(key, part)
	}

	day := now.UTC().Format(timeFormat)

	return hex.EncodeToString(mac(key, strings.Join([]string{
		algorithm,
		day,
		s.on(now),
		digest([]byte(canonical.String())),
	}, "\n")))
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(text)) // never fails

	return h.Sum(nil)
}

// maxSkew is how far a request's time may be from the server's (AWS: five minutes for this service).
const maxSkew = 5 * time.Minute

// Verify checks the signature of a request as the service does. It is for a server that stands in for it.
func Verify(r *http.Request, body []byte, region string, c Credentials, now time.Time) error {
	at, err := time.Parse(timeFormat, r.Header.Get("X-Amz-Date"))
	if err != nil || at.Sub(now).Abs() > maxSkew {
		return errors.New("the request's time is not now")
	}

	rest, found := strings.CutPrefix(r.Header.Get("Authorization"), algorithm+" Credential=")
	who, signature, cut := strings.Cut(rest, ", SignedHeaders=")
	names, signature, cutAgain := strings.Cut(signature, ", Signature=")
	s := scope{region: region, service: service}

	if !found || !cut || !cutAgain || who != c.KeyID+"/"+s.on(at) || r.Header.Get("X-Amz-Security-Token") != c.Token {
		return errors.New("the credentials are not known here")
	}

	signed := strings.Split(names, ";")
	for _, needed := range []string{"host", "x-amz-date", "x-amz-target"} {
		if !slices.Contains(signed, needed) {
			return fmt.Errorf("the header %s is not signed", needed)
		}
	}

	if !hmac.Equal([]byte(signature), []byte(s.signature(r, signed, body, c.Secret, at))) {
		return errors.New("the signature is not that of the request")
	}

	return nil
}
