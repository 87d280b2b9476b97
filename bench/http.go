//go:build !nosandbox

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// conn is one keep-alive HTTP/1.1 connection of the load generator. It sends bytes that were made before, and reads an
// answer with a Content-Length or in chunks.
//
// The load generator does not use apiclient: generator and service share the cores, so every allocation of the
// generator counts against the service. Requests that are not measured use apiclient.
type conn struct {
	c    net.Conn
	r    *bufio.Reader
	body []byte // of the latest answer; good until the next one
}

// exchangeLimit bounds one request and its answer.
const exchangeLimit = 60 * time.Second

func dial(address string) (*conn, error) {
	c, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return nil, err
	}

	return &conn{c: c, r: bufio.NewReaderSize(c, 16<<10)}, nil
}

func (c *conn) close() { _ = c.c.Close() }

// do sends a request and reads its answer.
func (c *conn) do(request []byte) (status int, body []byte, err error) {
	if err := c.c.SetDeadline(time.Now().Add(exchangeLimit)); err != nil {
		return 0, nil, err
	}

	if _, err := c.c.Write(request); err != nil {
		return 0, nil, err
	}

	status, length, err := c.head()
	if err != nil {
		return 0, nil, err
	}

	c.body = c.body[:0]
	if length >= 0 {
		return status, c.body, c.read(length)
	}

	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}

		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return 0, nil, err
		}

		if err := c.read(int(n)); err != nil {
			return 0, nil, err
		}

		if _, err := c.r.Discard(2); err != nil || n == 0 {
			return status, c.body, err
		}
	}
}

// read appends n bytes of the answer to the body.
func (c *conn) read(n int) error {
	at := len(c.body)
	if need := at + n; need > cap(c.body) {
		grown := make([]byte, at, 2*need)
		copy(grown, c.body)
		c.body = grown
	}

	c.body = c.body[:at+n]
	_, err := io.ReadFull(c.r, c.body[at:])

	return err
}

// head reads the status line and the headers; length is -1 when the body comes in chunks.
func (c *conn) head() (status, length int, err error) {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}

	if len(line) < 12 {
		return 0, 0, fmt.Errorf("status line %q", line)
	}

	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}

	for {
		if line, err = c.r.ReadSlice('\n'); err != nil {
			return 0, 0, err
		}

		if len(line) <= 2 {
			return status, length, nil
		}

		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case len(name) == 14 && bytes.EqualFold(name, []byte("content-length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, 0, err
			}
		case len(name) == 17 && bytes.EqualFold(name, []byte("transfer-encoding")):
			length = -1
		}
	}
}

// request returns the bytes of a request. An empty key leaves Idempotency-Key out.
func request(into []byte, method, path, token, key string, body []byte) []byte {
	b := append(into[:0], method...)
	b = append(b, ' ')
	b = append(b, path...)

	b = append(b, " HTTP/1.1\r\nHost: bench\r\n"...)
	if token != "" {
		b = append(append(append(b, "Authorization: Bearer "...), token...), "\r\n"...)
	}

	if key != "" {
		b = append(append(append(b, "Idempotency-Key: "...), key...), "\r\n"...)
	}

	if body != nil {
		b = append(b, "Content-Type: application/json\r\n"...)
	}

	if method != "GET" {
		b = strconv.AppendInt(append(b, "Content-Length: "...), int64(len(body)), 10)
		b = append(b, "\r\n"...)
	}

	return append(append(b, "\r\n"...), body...)
}

// expect sends a request and returns the body of its answer, or an error if it has another status.
func (c *conn) expect(want int, request []byte) ([]byte, error) {
	status, body, err := c.do(request)
	if err != nil {
		return nil, err
	}

	if status != want {
		return nil, errors.New("status " + strconv.Itoa(status) + ": " + string(body[:min(len(body), 600)]))
	}

	return body, nil
}
