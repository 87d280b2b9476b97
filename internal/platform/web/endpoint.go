package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"slipway/internal/core/fault"
)

// maxTries limits how often an operation is run when expired keys stand in its way.
const maxTries = 3

func (a *API) register(op Operation, in, out reflect.Type, handle func(ctx context.Context, in any) (any, error)) {
	if op.Status == 0 {
		op.Status = http.StatusOK
		if out == reflect.TypeFor[Empty]() {
			op.Status = http.StatusNoContent
		}
	}

	if op.MaxBody == 0 {
		op.MaxBody = defaultMaxBody
		if op.Access == Public {
			op.MaxBody = publicMaxBody
		}
	}

	if op.ofPlatform() && op.Method != http.MethodGet {
		op.StepUp = true
	}

	if op.Scope == "" {
		op.Scope = ScopeOf(op.Method, op.Path)
	}

	showsRecord := out.Implements(reflect.TypeFor[Record]())
	if showsRecord && op.Method != http.MethodGet && op.Access != Public && strings.Contains(op.Path, "{") {
		op.Versioned = true
	}

	if op.Location != "" && !showsRecord {
		panic("web: " + op.Method + " " + op.Path + " has a Location, and its answer is no Record")
	}

	if op.Access != Public && !op.PeopleOnly && !slices.Contains(a.scopes, op.Scope) {
		a.scopes = append(a.scopes, op.Scope)
	}

	e := &endpoint{
		API:     a,
		op:      op,
		in:      newInput(in, op),
		table:   tableOf(op.Method, in, out),
		inType:  in,
		outType: out,
		handle:  handle,
	}
	if (e.in.uploadAt == nil) != (op.Upload == nil) {
		panic("web: " + op.Method + " " + op.Path + ": a body of type Upload and Operation.Upload belong together")
	}

	e.showsRecord = showsRecord
	e.tagged = showsRecord || op.Method == http.MethodGet && showsOne(out)

	// what is read for the answer is read under the request's context
	e.lasting = e.in.uploadAt != nil || out == reflect.TypeFor[Stream]()
	a.endpoints = append(a.endpoints, e)
	a.byID[op.ID] = e
	a.add(Route{op.Method, op.Path, op.Access, op.Roles, op.ID, out}, handler{serve: e.serve})
}

func (e *endpoint) serve(c *call, r *http.Request) {
	if err := e.admit(c, r, &e.op); err != nil {
		e.refuse(c, r, err)
		return
	}

	asTable := e.table != nil && Prefers(first(r.Header, "Accept"), csvType)
	lasting := e.lasting || asTable

	if lasting {
		leave, err := e.mayBeSlow(c)
		if err != nil {
			e.refuse(c, r, err)
			return
		}
		defer leave()
		e.leave(c) // it has a place among the slow ones
	}

	raw, v, replayed, err := e.readInput(c, r)
	if replayed {
		return
	}

	if err != nil {
		e.refuseInput(c, r, err)
		return
	}

	ctx := r.Context() //nolint:contextcheck // that of an upload ends later

	if lasting {
		var cancel context.CancelFunc

		ctx, cancel = uploadContext(ctx)
		defer cancel()
	}

	most, waits := e.waits(v)
	if waits {
		leave, err := e.mayWait(c)
		if err != nil {
			e.refuse(c, r, err)
			return
		}
		defer leave()

		var cancel context.CancelFunc

		ctx, cancel = waitingContext(c, r, most)
		defer cancel()
	}

	if asTable {
		e.sendTable(ctx, c, r, v)
		return
	}

	out, replayed, err := e.run(ctx, c, r, raw, v)
	if most > 0 && err == nil && !replayed { // who has signed out while it waited is not answered any more
		err = e.stillAdmits(ctx, c, r)
	}

	if !replayed {
		e.give(ctx, c, r, out, err)
	}
}

// give answers with what an operation has made, or with its refusal.
func (e *endpoint) give(ctx context.Context, c *call, r *http.Request, out any, err error) {
	switch {
	case err != nil:
		e.refuse(c, r, err)
	case c.key != nil && c.key.stored:
		e.lately.note(c.key)
		e.writeOnce(c, r, c.key.status, c.key.body, out)
	case e.outType == reflect.TypeFor[EventStream]():
		e.sendEvents(ctx, c, r, out.(*EventStream))
	default:
		e.answer(c, r, e.op.Status, out)
	}
}

// showsOne reports whether an answer is one thing: neither a list, nor bytes that the operation writes itself.
func showsOne(out reflect.Type) bool {
	_, list := reflect.New(out).Interface().(interface{ isList() })

	return !list && out.Kind() == reflect.Struct && out != reflect.TypeFor[Empty]() &&
		out != reflect.TypeFor[Raw]() && out != reflect.TypeFor[Stream]() && out != reflect.TypeFor[EventStream]()
}

// readInput reads the conditions, the body, the Idempotency-Key and the input of a request. replayed reports that it
// was answered already, as it was the first time.
func (e *endpoint) readInput(c *call, r *http.Request) (raw []byte, v reflect.Value, replayed bool, err error) {
	if err := e.condition(c, r); err != nil {
		return nil, v, false, err
	}

	sent, err := e.arrive(c, r)
	if err != nil {
		return nil, v, false, err
	}

	raw = sent
	if e.in.body == nil {
		sent = nil // {} is the same as no body
	}

	key, keyErr := e.onceKey(c, r)
	if e.repeated(c, r, key, sent) {
		return nil, v, true, nil
	}

	v = reflect.New(e.inType)

	refusal := e.in.read(c, r, raw, v.Elem())
	if refusal != nil {
		var again bool

		raw, v, again, refusal = e.reconsider(c, r, raw, refusal)
		if refusal != nil && !again {
			return nil, v, false, refusal
		}
	}

	if refusal == nil {
		refusal = e.contradictions(r.Context(), raw)
	}

	return raw, v, false, cmp.Or(refusal, keyErr, c.keep(key, sent))
}

// reconsider reads a refused body once more without what was sent back unchanged; again reports that there was such. If
// the request is refused all the same, the use case adds what it finds.
func (e *endpoint) reconsider(
	c *call, r *http.Request, raw []byte, refusal error,
) (rest []byte, v reflect.Value, again bool, err error) {
	v = reflect.New(e.inType)

	rest, l, err := e.sentBack(c, r, raw, refusal)
	if err != nil {
		return raw, v, false, err
	}

	if l == nil {
		rest = raw
	} else if refusal = together(l, e.in.read(c, r, rest, v.Elem())); refusal == nil {
		return rest, v, true, nil
	}

	if e.op.Stages {
		refusal = e.remaining(c, r, rest, refusal)
	}

	return rest, v, l != nil, refusal
}

// refuseInput refuses a request that cannot be carried out. If it was carried out before, under the same
// Idempotency-Key, it is answered as it was then: what it sent back of the record has changed by that.
func (e *endpoint) refuseInput(c *call, r *http.Request, err error) {
	if c.key != nil {
		var replayed bool
		if replayed, err = e.replay(r.Context(), c, r, err); replayed {
			return
		}
	}

	e.refuse(c, r, err)
}

// run runs the operation. If the request has an Idempotency-Key and fails, it looks for a stored answer; replayed
// reports that it has sent one.
func (e *endpoint) run(
	ctx context.Context, c *call, r *http.Request, raw []byte, v reflect.Value,
) (out any, replayed bool, err error) {
	out, err = e.first(ctx, v, c.key)

	for tries := 1; err != nil && c.key != nil; tries++ {
		if replayed, err = e.replay(ctx, c, r, err); replayed {
			return nil, true, nil
		}

		if !errors.Is(err, errKeyExpired) || tries == maxTries {
			break
		}

		if e.in.uploadAt != nil { // what was sent is not there any more
			return nil, false, fault.New(fault.Unavailable, fault.Overloaded,
				"This Idempotency-Key was used long ago and is free again. Nothing was stored: send the file again.")
		}

		out, err = e.again(ctx, c, r, raw)
	}

	return out, false, err
}

// first runs the operation. A file is read while it runs; refusals of the file name its place in the body.
func (e *endpoint) first(ctx context.Context, v reflect.Value, key *onceKey) (any, error) {
	if e.in.uploadAt == nil {
		return e.handle(ctx, v.Interface())
	}

	upload := v.Elem().FieldByIndex(e.in.uploadAt).Addr().Interface().(*Upload)
	if key != nil {
		upload.watch(key)
	}

	out, err := e.handle(ctx, v.Interface())
	if err != nil {
		err = upload.locate(err)
		if key != nil {
			upload.finish()
		}
	}

	return out, err
}

// again runs the operation a second time from the original request, since the first run may have changed its input.
func (e *endpoint) again(ctx context.Context, c *call, r *http.Request, raw []byte) (any, error) {
	v := reflect.New(e.inType)
	if err := e.in.read(c, r, raw, v.Elem()); err != nil {
		return nil, err
	}

	return e.handle(ctx, v.Interface())
}
