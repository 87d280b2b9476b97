package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"slipway/internal/app/apiclient"
	"slipway/internal/app/operations"
)

// Call is one call of an operation, ready to be sent.
type Call struct {
	Operation operations.Operation
	Options

	path  string
	query url.Values
	body  string // JSON; empty: none
}

// Options are what every call takes besides the operation's own fields.
type Options struct {
	Output  string   // table, json, csv or id
	Columns []string // of table and csv; none: what fits
	All     bool     // walk all pages
	Body    string   // JSON, or @ and a file; @- is the standard input
	File    string   // to upload
	Key     string   // Idempotency-Key; empty: one is made
	Match   string   // If-Match
	DryRun  bool
	Yes     bool
	Profile string
}

// options are the flags of Options, with a value and without.
func (o *Options) set(name, value string) (known bool, err error) {
	switch name {
	case "output":
		switch value {
		case "table", "json", "csv", "id":
			o.Output = value
		default:
			return true, fmt.Errorf("--output is table, json, csv or id")
		}

	case "columns":
		o.Columns = strings.Split(value, ",")
	case "body":
		o.Body = value
	case "file":
		o.File = value
	case "key":
		o.Key = value
	case "if-match":
		o.Match = value
	case "profile":
		o.Profile = value
	default:
		return false, nil
	}

	return true, nil
}

func (o *Options) toggle(name string) bool {
	switch name {
	case "all":
		o.All = true
	case "dry-run":
		o.DryRun = true
	case "yes":
		o.Yes = true
	default:
		return false
	}

	return true
}

// Parse reads what follows the resource and the verb: identifiers for the path, flags of every call, and the
// operation's own fields. A field within an object or a list has dots: --payments.0.amount 5.
func Parse(o operations.Operation, args []string, stdin io.Reader) (*Call, error) {
	c := &Call{Operation: o, query: url.Values{}, Options: Options{Output: "table"}}

	var ids []string

	fields := map[string]any{}

	for len(args) > 0 {
		arg := args[0]
		args = args[1:]

		name, isFlag := strings.CutPrefix(arg, "--")
		switch {
		case arg == "-o":
			name = "output"
		case !isFlag:
			ids = append(ids, arg)
			continue
		}

		if c.toggle(name) {
			continue
		}

		name, value, given := strings.Cut(name, "=")
		if !given {
			if len(args) == 0 {
				return nil, fmt.Errorf("--%s needs a value", name)
			}

			value = args[0]
			args = args[1:]
		}

		known, err := c.set(name, value)
		if err == nil && !known {
			err = c.field(fields, name, value)
		}

		if err != nil {
			return nil, err
		}
	}

	if err := c.place(ids); err != nil {
		return nil, err
	}

	return c, c.compose(fields, stdin)
}

// place puts the identifiers into the path.
func (c *Call) place(ids []string) error {
	params := c.Operation.Params()
	if len(ids) != len(params) {
		return fmt.Errorf("%s %s takes %d identifiers (%s), not %d",
			c.Operation.Resource, c.Operation.Verb, len(params), strings.Join(params, ", "), len(ids))
	}

	c.path = c.Operation.Path
	for i, p := range params {
		c.path = strings.Replace(c.path, "{"+p+"}", url.PathEscape(ids[i]), 1)
	}

	return nil
}

// field takes a parameter or a field of the body. What the operation does not have is an error here, before anything is
// sent.
func (c *Call) field(fields map[string]any, name, value string) error {
	for _, q := range c.Operation.Queries {
		if q.Name == name || strings.TrimSuffix(q.Name, "[]") == name {
			c.query.Add(q.Name, value)
			return nil
		}
	}

	typed, err := put(fields, c.Operation.Body, strings.Split(name, "."), value)
	if err != nil {
		return fmt.Errorf("--%s: %w", name, err)
	}

	if !typed {
		return fmt.Errorf("%s %s has no field %s; it has: %s",
			c.Operation.Resource, c.Operation.Verb, name, strings.Join(Names(c.Operation), ", "))
	}

	return nil
}

// Names returns the names of an operation's parameters and fields.
func Names(o operations.Operation) []string {
	var out []string

	for _, q := range o.Queries {
		out = append(out, "--"+strings.TrimSuffix(q.Name, "[]"))
	}

	for _, f := range o.Body {
		out = append(out, "--"+f.Name)
	}

	return out
}

// compose makes the body of fields, of --body, or of both: a field replaces the same field of --body.
func (c *Call) compose(fields map[string]any, stdin io.Reader) error {
	whole := map[string]any{}

	if c.Body != "" {
		raw := []byte(c.Body)

		if file, ok := strings.CutPrefix(c.Body, "@"); ok {
			var err error
			if file == "-" {
				raw, err = io.ReadAll(stdin)
			} else {
				raw, err = os.ReadFile(file)
			}

			if err != nil {
				return err
			}
		}

		if len(fields) == 0 {
			if !json.Valid(raw) {
				return fmt.Errorf("--body is no JSON")
			}

			c.body = string(raw)

			return nil
		}

		dec := json.NewDecoder(strings.NewReader(string(raw)))
		dec.UseNumber()

		if err := dec.Decode(&whole); err != nil {
			return fmt.Errorf("--body: %w", err)
		}
	}

	if len(fields) == 0 {
		return nil
	}

	for name, value := range fields {
		whole[name] = listed(value)
	}

	raw, err := json.Marshal(whole)
	c.body = string(raw)

	return err
}

// Send sends the call and prints its answer to out. What people should know besides goes to errors: the key of a
// change.
func (c *Call) Send(ctx context.Context, s *Session, out, errors io.Writer) error {
	if c.Operation.Keyed && c.Key == "" {
		c.Key = "cli-" + strings.ToLower(rand.Text())
	}

	if c.DryRun {
		return c.show(s, out)
	}

	if !c.Operation.Changes() {
		return c.read(ctx, s, out)
	}

	var headers []apiclient.Header

	if c.Operation.Keyed {
		headers = append(headers, apiclient.Key(c.Key))

		if _, err := fmt.Fprintln(errors, "Idempotency-Key: "+c.Key); err != nil {
			return err
		}
	}

	if c.Match != "" {
		headers = append(headers, apiclient.Header{Name: "If-Match", Value: c.Match})
	}

	var file []byte

	if c.File != "" {
		var err error
		if file, err = os.ReadFile(c.File); err != nil {
			return err
		}
	}

	a, err := c.change(ctx, s, file, headers)
	if err := outcome(a, err, c.Key); err != nil {
		return err
	}

	return c.print(out, a.Body)
}

func (c *Call) target() string {
	if len(c.query) == 0 {
		return c.path
	}

	return c.path + "?" + c.query.Encode()
}

// show prints what would be sent. Credentials are never printed.
func (c *Call) show(s *Session, out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s%s\n", c.Operation.Method, s.Base, c.target())

	if c.Operation.Keyed {
		fmt.Fprintf(&b, "Idempotency-Key: %s\n", c.Key)
	}

	if c.Match != "" {
		fmt.Fprintf(&b, "If-Match: %s\n", c.Match)
	}

	if c.File != "" {
		fmt.Fprintf(&b, "file: %s\n", c.File)
	}

	if c.body != "" {
		fmt.Fprintf(&b, "\n%s\n", c.body)
	}

	_, err := io.WriteString(out, b.String())

	return err
}

// NeedsYes reports whether a call needs a person's confirmation: where money is real, what pays and what deletes.
func (c *Call) NeedsYes(s *Session) bool {
	risky := c.Operation.Method == "DELETE" || c.Operation.Verb == "accept" ||
		strings.HasPrefix(c.Operation.Verb, "delete")

	return risky && !s.Test && !c.Yes && !c.DryRun
}
