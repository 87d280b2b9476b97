//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

const (
	uploadRoute   = "/payables/upload"
	uploadClients = 4
	uploadCrowd   = 64
	boundary      = "slipway-bench-boundary"
)

// uploading holds the upload of large documents against the bare copy of their bytes, and measures the memory of a
// service that many send to.
func (b *bench) uploading(ctx context.Context, c *child) error {
	t, err := b.signUp(ctx, c.address, 100, false)
	if err != nil {
		return err
	}

	file, err := largePDF()
	if err != nil {
		return err
	}

	form := formOf(t.token, file)
	inText := request(nil, "POST", uploadRoute, t.token, "", inJSON(file))
	crowd := func(i int) (worker, error) {
		return httpWorker(c.address, 201, func([]byte) ([]byte, error) {
			if i%2 == 1 {
				return inText, nil
			}

			return form, nil
		})
	}
	f := figure{
		name:     fmt.Sprintf("upload of documents of %.1f MB, %d clients", float64(len(file))/1e6, uploadClients),
		must:     0.25,
		goal:     0.5,
		yardName: "bytes to a file, hashed and durable",
		unit:     "uploads/s",
	}

	err = b.interleaved(ctx, f,
		func(ctx context.Context, _ int) (outcome, error) { return b.bareUploads(ctx, form) },
		func(ctx context.Context, _ int) (outcome, error) {
			return drive(ctx, uploadClients, b.Long, func(int) (worker, error) { return crowd(0) })
		})
	if err != nil {
		return err
	}

	if err := c.forgetPeak(); err != nil {
		return err
	}

	idle := c.memory("VmRSS")

	m := figure{
		name: fmt.Sprintf(
			"memory over idle at most, %d uploads of %.1f MB at once, half of them base64",
			uploadCrowd,
			float64(len(file))/1e6,
		),
		must:     96,
		goal:     48,
		below:    true,
		unit:     "MB",
		yardName: "-",
		load:     loadAverage(),
	}
	if _, err := drive(ctx, uploadCrowd, b.Long, crowd); err != nil {
		return err
	}

	m.ratios = []float64{c.memory("VmHWM") - idle}
	m.ours = m.ratios
	b.report.add(m)

	return nil
}

// bareUploads takes the same bytes over a connection into a file, hashes them and makes them durable, without looking
// at them.
func (b *bench) bareUploads(ctx context.Context, body []byte) (outcome, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return outcome{}, err
	}

	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}

			go b.takeAll(c, len(body))
		}
	}()

	return drive(ctx, uploadClients, b.Long, func(int) (worker, error) {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return worker{}, err
		}

		var done [1]byte

		return worker{close: func() { _ = c.Close() }, do: func() error {
			if _, err := c.Write(body); err != nil {
				return err
			}

			_, err := io.ReadFull(c, done[:])

			return err
		}}, nil
	})
}

// takeAll answers each body with one byte when it is on disk.
func (b *bench) takeAll(c net.Conn, size int) {
	defer c.Close()

	for {
		f, err := os.CreateTemp(b.dir, "bare-*")
		if err != nil {
			return
		}

		_, err = io.CopyN(io.MultiWriter(f, sha256.New()), c, int64(size))
		if err == nil {
			err = f.Sync()
		}

		if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
			return
		}

		if _, err := c.Write([]byte{1}); err != nil {
			return
		}
	}
}

// formOf is the request that uploads a file as a form.
func formOf(token string, file []byte) []byte {
	var body bytes.Buffer
	body.WriteString(
		"--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; " +
			"filename=\"invoice.pdf\"\r\nContent-Type: application/pdf\r\n\r\n",
	)
	body.Write(file)
	body.WriteString("\r\n--" + boundary + "--\r\n")
	head := fmt.Sprintf(
		"POST %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: multipart/form-data; "+
			"boundary=%s\r\nContent-Length: %d\r\n\r\n",
		uploadRoute,
		token,
		boundary,
		body.Len(),
	)

	return append([]byte(head), body.Bytes()...)
}

// largePDF is a document of nearly the most bytes that one may have: a page of noise, which no compression makes
// smaller.
func largePDF() ([]byte, error) {
	const width, height = 2480, 3508
	sheet := image.NewGray(image.Rect(0, 0, width, height))

	r := rand.New(rand.NewPCG(3, 4))
	for i := range sheet.Pix {
		sheet.Pix[i] = byte(r.Uint32())
	}

	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, sheet, &jpeg.Options{Quality: 97}); err != nil {
		return nil, err
	}

	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetCreationDate(time.Unix(0, 0))
	pdf.AddPage()
	pdf.RegisterImageOptionsReader("noise", fpdf.ImageOptions{ImageType: "JPG"}, &picture)
	pdf.ImageOptions("noise", 0, 0, 210, 297, false, fpdf.ImageOptions{ImageType: "JPG"}, 0, "")

	var out bytes.Buffer
	err := pdf.Output(&out)

	return out.Bytes(), err
}
