package apiclient_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apiclient"
	"slipway/internal/platform/inprocess"
)

// clientOf returns a client of a handler within the process.
func clientOf(h http.HandlerFunc) *apiclient.Client {
	c := apiclient.New("http://slipway.example")
	c.HTTP = &http.Client{Transport: inprocess.Transport(h)}

	return c
}

func answer(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func TestCallSendsJSONWithSessionAndKey(t *testing.T) {
	c := clientOf(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.JSONEq(t, `{"name": "Alice"}`, string(body))
		require.Equal(t, "POST /receivers", r.Method+" "+r.URL.RequestURI())
		require.Equal(t, "application/json", r.Header.Get("Content-Type"))
		require.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		require.Equal(t, "once", r.Header.Get("Idempotency-Key"))
		answer(w, http.StatusCreated, `{"_id": "rcv_1"}`)
	})
	c.Token = "secret"

	var made struct {
		ID string `json:"_id"`
	}
	body := apiclient.Object{"name": "Alice"}
	require.NoError(t, c.Call(context.Background(), "POST", "/receivers", body, &made, apiclient.Key("once")))
	require.Equal(t, "rcv_1", made.ID)
}

func TestRefusalIsAProblem(t *testing.T) {
	c := clientOf(func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusUnprocessableEntity, `{"status": 422, "code": "VALIDATION_FAILED", "detail": "One field.",
			"errors": [{"pointer": "/email", "code": "REQUIRED", "message": "is required."}]}`)
	})

	err := c.Call(context.Background(), "POST", "/receivers", apiclient.Object{}, nil)

	var p *apiclient.Problem
	require.ErrorAs(t, err, &p)
	require.Equal(t, "422 VALIDATION_FAILED: One field. [/email REQUIRED]", err.Error())
	require.Equal(t, "/email: is required.", p.Errors[0].Pointer+": "+p.Errors[0].Message)
}

func TestSignInKeepsTheSession(t *testing.T) {
	c := clientOf(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/auth/login" {
			answer(w, http.StatusOK, `{"requires_2fa": true, "tempToken": "half"}`)
			return
		}

		answer(w, http.StatusOK, `{"access_token": "whole"}`)
	})
	c.Token = "of an earlier session"

	s, err := c.SignIn(context.Background(), "ada@example.org", "password")
	require.NoError(t, err)
	require.True(t, s.NeedsSecondFactor)
	require.Empty(t, c.Token, "the password alone opens nothing")

	_, err = c.SecondFactor(context.Background(), s.Temp, "123456")
	require.NoError(t, err)
	require.Equal(t, "whole", c.Token)
}

func TestUploadSendsAForm(t *testing.T) {
	c := clientOf(func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		require.NoError(t, err)

		body, err := io.ReadAll(file)
		require.NoError(t, err)
		require.Equal(t, "bill.pdf: %PDF-", header.Filename+": "+string(body))
		require.Equal(t, "token", r.Header.Get("Slipway-Invoice-Token"))
		answer(w, http.StatusOK, `{"documentStorageKey": "doc_1"}`)
	})

	var stored struct {
		Key string `json:"documentStorageKey"`
	}
	guest := apiclient.Header{Name: "Slipway-Invoice-Token", Value: "token"}
	require.NoError(t, c.Upload(context.Background(), "/upload", "bill.pdf", []byte("%PDF-"), &stored, guest))
	require.Equal(t, "doc_1", stored.Key)
}
