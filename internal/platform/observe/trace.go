package observe

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"slipway/internal/platform/secret"
)

// TraceConfig is where traces go.
type TraceConfig struct {
	Endpoint string // of an OTLP/HTTP collector, such as http://localhost:4318; empty: no tracing
	Service  string // name of this service in the traces
	Version  string
	Log      *slog.Logger // called about spans that could not be sent
}

// Tracing sends spans to a collector, or does nothing at all. A nil *Tracing does nothing, too.
type Tracing struct {
	provider   *sdktrace.TracerProvider
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
}

// NewTracing prepares tracing. It opens no connection: a collector that is not there delays nothing, and only its spans
// are lost.
func NewTracing(ctx context.Context, c TraceConfig) (*Tracing, error) {
	if c.Endpoint == "" {
		return &Tracing{}, nil
	}

	address := strings.TrimSuffix(c.Endpoint, "/")
	if !strings.HasSuffix(address, "/v1/traces") {
		address += "/v1/traces"
	}

	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address))
	if err != nil {
		return nil, fmt.Errorf("trace exporter: %w", err)
	}

	if c.Log != nil {
		otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { c.Log.Warn("traces", "error", err) }))
	}

	return tracingTo(sdktrace.NewBatchSpanProcessor(exporter), c), nil
}

func tracingTo(p sdktrace.SpanProcessor, c TraceConfig) *Tracing {
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithSpanProcessor(p),
		sdktrace.WithResource(
			resource.NewSchemaless(
				attribute.String("service.name", c.Service),
				attribute.String("service.version", c.Version),
			),
		),
	)

	return &Tracing{
		provider: provider, tracer: provider.Tracer("slipway"),
		propagator: propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}),
	}
}

// On reports whether spans are made.
func (t *Tracing) On() bool { return t != nil && t.provider != nil }

// Trace makes a span of each request, as a child of the caller's (W3C Trace Context). If tracing is off it returns the
// handler itself, which costs nothing. The span has the request id and no query; ids and tokens in the path are left
// out.
func (t *Tracing) Trace(next http.Handler) http.Handler {
	if !t.On() {
		return next
	}

	return otelhttp.NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		span := trace.SpanFromContext(r.Context())

		span.SetAttributes(attribute.String("url.path", secret.Path(Redact(r.URL.Path))))
		defer func() {
			if id := w.Header().Get("X-Request-Id"); id != "" {
				span.SetAttributes(attribute.String("request.id", id))
			}
		}()
		next.ServeHTTP(w, r)
	}), "", otelhttp.WithTracerProvider(t.provider), otelhttp.WithPropagators(t.propagator),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string {
			return r.Method + " " + shape(r.URL.Path)
		}))
}

// word is a part of a path that is a name of ours and not an id.
var word = regexp.MustCompile(`^[a-z][a-z.-]{0,30}$`)

// shape is a path with everything that varies taken out, so that spans of one operation share a name.
func shape(path string) string {
	parts := strings.SplitN(path, "/", 10)
	for i, p := range parts {
		if p != "" && !word.MatchString(p) {
			parts[i] = "{}"
		}
	}

	return strings.Join(parts, "/")
}

// Span begins a step within ctx, such as "settlement.step". The caller ends it with the step's error, or nil. If
// tracing is off, it does nothing.
func (t *Tracing) Span(ctx context.Context, name string) (context.Context, func(err error)) {
	if !t.On() {
		return ctx, func(error) {}
	}

	ctx, span := t.tracer.Start(ctx, name)

	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, Redact(err.Error()))
		}

		span.End()
	}
}

// Inject adds the current trace to the headers of an outgoing request.
func (t *Tracing) Inject(ctx context.Context, h http.Header) {
	if t.On() {
		t.propagator.Inject(ctx, propagation.HeaderCarrier(h))
	}
}

// Close sends the remaining spans. ctx limits how long that may take.
func (t *Tracing) Close(ctx context.Context) error {
	if !t.On() {
		return nil
	}

	return t.provider.Shutdown(ctx)
}
