package observe

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

var handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Request-Id", "req_1")
	w.WriteHeader(http.StatusTeapot)
})

func attributes(s sdktrace.ReadOnlySpan) map[string]string {
	out := map[string]string{}
	for _, kv := range s.Attributes() {
		out[string(kv.Key)] = kv.Value.String()
	}

	return out
}

func TestTracingThatIsOffIsNotThere(t *testing.T) {
	off, err := NewTracing(context.Background(), TraceConfig{})
	require.NoError(t, err)

	for _, tracing := range []*Tracing{off, nil} {
		require.False(t, tracing.On())

		w := httptest.NewRecorder()
		h := tracing.Trace(handler)
		require.IsType(t, handler, h)

		h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		require.Equal(t, http.StatusTeapot, w.Code)

		ctx, end := tracing.Span(context.Background(), "x")
		require.Equal(t, context.Background(), ctx)

		end(errors.New("x"))
		tracing.Inject(ctx, http.Header{})
		require.NoError(t, tracing.Close(ctx))
	}
}

func TestSpanFollowsTheCallersTraceAndShowsNoSecret(t *testing.T) { // I-06
	recorder := tracetest.NewSpanRecorder()
	tracing := tracingTo(recorder, TraceConfig{Service: "slipway", Version: "1"})
	out := http.Header{}
	h := tracing.Trace(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := tracing.Span(r.Context(), "step")
		tracing.Inject(ctx, out)
		end(errors.New("password=canary-7 failed"))
		handler(w, r)
	}))
	token := "inv_" + strings.Repeat("Canary7", 7)
	r := httptest.NewRequest("GET", "/invoices/"+token+"/pay?token=canary-7", nil)
	r.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	h.ServeHTTP(httptest.NewRecorder(), r)

	spans := recorder.Ended()
	require.Len(t, spans, 2)
	step := spans[0]
	request := spans[1]
	require.Equal(t, "GET /invoices/{}/pay", request.Name())
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", request.SpanContext().TraceID().String())
	require.Equal(t, "b7ad6b7169203331", request.Parent().SpanID().String())
	require.Equal(t, request.SpanContext().SpanID(), step.Parent().SpanID())
	require.Contains(t, out.Get("traceparent"), step.SpanContext().SpanID().String())
	got := attributes(request)
	require.Equal(t, "req_1", got["request.id"])
	require.Equal(t, "418", got["http.response.status_code"])
	require.Equal(t, "/invoices/inv_[redacted]/pay", got["url.path"])

	for _, s := range spans {
		for k, v := range attributes(s) {
			require.NotContains(t, strings.ToLower(v), "canary", k)
		}

		require.NotContains(t, strings.ToLower(s.Name()+s.Status().Description), "canary")
	}

	v, _ := request.Resource().Set().Value(attribute.Key("service.name"))
	require.Equal(t, "slipway", v.AsString())
}

// A link that opens a document by itself stands in no span: not in its name, and in no attribute of any library.
func TestSpansShowNoLink(t *testing.T) { // I-06
	recorder := tracetest.NewSpanRecorder()
	h := tracingTo(recorder, TraceConfig{Service: "slipway", Version: "1"}).Trace(handler)

	const link = "doc_01kaj3w8r8q2m5x9v7t4b6c1dn.1795855800.k1.3q2-7wCANARYAAABBBBCCCCDDDDEEEEFFFFGGGG"
	for _, path := range []string{"/downloads/" + link, "/i/" + link + "/confirm", "/receivers/rcv_01kaj3w8r8q2m5x9v7t4b6c1dn"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}

	spans := recorder.Ended()
	require.Len(t, spans, 3)
	require.Equal(t, "/downloads/[redacted]", attributes(spans[0])["url.path"])
	require.Equal(t, "/i/[redacted]/confirm", attributes(spans[1])["url.path"])
	require.Equal(
		t,
		"/receivers/rcv_01kaj3w8r8q2m5x9v7t4b6c1dn",
		attributes(spans[2])["url.path"],
		"an id is no secret",
	)

	for _, s := range spans {
		require.NotContains(t, s.Name(), "CANARY")

		for k, v := range attributes(s) {
			require.NotContains(t, v, "CANARY", k)
		}
	}
}

func TestSpansReachTheCollector(t *testing.T) {
	var posts atomic.Int64

	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.URL.Path == "/v1/traces" && len(body) > 0 {
			posts.Add(1)
		}
	}))
	defer collector.Close()
	tracing, err := NewTracing(context.Background(), TraceConfig{Endpoint: collector.URL + "/", Service: "slipway"})
	require.NoError(t, err)
	_, end := tracing.Span(context.Background(), "x")
	end(nil)

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(t, tracing.Close(ctx))
	require.EqualValues(t, 1, posts.Load())
}
