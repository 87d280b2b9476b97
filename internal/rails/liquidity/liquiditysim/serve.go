//go:build !nosandbox

package liquiditysim

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"slipway/internal/platform/inprocess"
	"slipway/internal/rails/liquidity"
)

// maxBody limits a request.
const maxBody = 64 << 10

// ServeHTTP serves the requests of the contract.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	how := s.Next()

	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case err != nil:
		refuse(w, http.StatusRequestEntityTooLarge, liquidity.CodeInvalid, "The body is too long.")
	case how == Down:
		refuse(w, http.StatusServiceUnavailable, "DOWN", "The provider is down.")
	case r.URL.Path != liquidity.PathOrders && r.URL.Path != liquidity.PathStatement:
		refuse(w, http.StatusNotFound, "NOT_FOUND", "There is no such path.")

	case r.Header.Get(liquidity.HeaderKeyID) != s.config.KeyID || liquidity.Verify([]byte(s.config.Secret.Reveal()), r, body, s.config.Clock.Now()) != nil:
		refuse(
			w,
			http.StatusUnauthorized,
			liquidity.CodeSignature,
			"The request was not signed with the secret of the key, or not now.",
		)

	case r.URL.Path == liquidity.PathStatement:
		s.serveStatement(w, r)
	case r.Method == http.MethodPost:
		s.servePlace(w, r, body, how)
	case r.Method == http.MethodGet:
		s.serveLook(w, r, how)
	default:
		refuse(w, http.StatusMethodNotAllowed, "METHOD", "Orders are placed by POST and looked at by GET.")
	}
}

func (s *Server) servePlace(w http.ResponseWriter, r *http.Request, body []byte, how Behaviour) {
	var in liquidity.WireOrder
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()

	if err := dec.Decode(&in); err != nil {
		refuse(w, http.StatusUnprocessableEntity, liquidity.CodeInvalid, "The body is not an order.")
		return
	}

	if err := in.Check(); err != nil {
		refuse(w, http.StatusUnprocessableEntity, liquidity.CodeInvalid, err.Error())
		return
	}

	if r.Header.Get(liquidity.HeaderIdempotency) != in.Key {
		refuse(w, http.StatusUnprocessableEntity, liquidity.CodeInvalid, "Idempotency-Key is not the order's key.")
		return
	}

	o, isNew, ok, err := s.place(r.Context(), in, how)
	switch {
	case errors.Is(err, errNoPrice):
		refuse(w, http.StatusServiceUnavailable, "NO_PRICE", "There is no price at the moment.")
		return
	case err != nil:
		refuse(w, http.StatusInternalServerError, "JOURNAL", "The order could not be written down.")
		return
	case !ok:
		refuse(w, http.StatusConflict, liquidity.CodeKeyTaken, "Another order was placed under this key.")
		return
	}

	status := http.StatusOK
	if isNew {
		status = http.StatusCreated
	}

	s.answer(w, r, how, status, o)
}

func (s *Server) serveLook(w http.ResponseWriter, r *http.Request, how Behaviour) {
	o, ok, err := s.look(r.Context(), r.URL.Query().Get("key"), how)

	switch {
	case err != nil:
		refuse(w, http.StatusInternalServerError, "JOURNAL", "The order could not be written down.")
	case !ok:
		refuse(w, http.StatusNotFound, liquidity.CodeNoOrder, "No order was placed under this key.")
	default:
		s.answer(w, r, how, http.StatusOK, o)
	}
}

// answer writes an order's state, or fails as configured.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, how Behaviour, status int, o orderState) {
	switch how {
	case Slow:
		<-r.Context().Done()
		return
	case Drop:
		panic(http.ErrAbortHandler)
	case Normal, Reject, Hold, Down: // o already reflects it
	}

	write(w, status, o.WireResult)
}

func refuse(w http.ResponseWriter, status int, code, detail string) {
	write(w, status, liquidity.WireFault{Code: code, Detail: detail})
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have gone away
}

// Transport returns a transport that calls the server within the process, without a listener. Content and signatures
// are the same.
func (s *Server) Transport() http.RoundTripper { return inprocess.Transport(s) }
