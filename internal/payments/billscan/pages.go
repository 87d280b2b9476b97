package billscan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"strconv"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/document"
	"slipway/internal/platform/qrscan"
)

// Limits of pictures of pages.
const (
	pagesKept     = 32 << 20 // bytes of pictures that are kept for whoever looks again
	pagesKeptTime = 10 * time.Minute
)

// picture is a drawn page, as PNG.
type picture struct {
	content []byte
	pages   int // of its document that can be drawn
}

// Page returns a page of one of the organisation's PDF documents as a picture; the first is 1. It waits for its turn
// among the documents that are read, and keeps what it has drawn for a while. It refuses a document that is no PDF
// file.
func (s *Service) Page(ctx context.Context, organisation, key string, number int) (picture, error) {
	if _, err := document.ByKey(ctx, s.DB, organisation, key); err != nil {
		return picture{}, err
	}

	at := organisation + "/" + key + "/" + strconv.Itoa(number)
	if p, ok := s.pages.Find(at); ok {
		return p, nil
	}

	leave, err := s.place(ctx, organisation)
	if err != nil {
		return picture{}, err
	}
	defer leave()

	d := Document{Stored: key}

	file, err := s.fetch(ctx, organisation, d)
	if err != nil {
		return picture{}, err
	}
	defer file.Close()

	var p picture

	err = s.read(ctx, organisation, d, file, func(ctx context.Context, content []byte, memory int) error {
		if !qrscan.IsPDF(content) {
			return d.refuse(fault.DocumentTypeUnknown, "Only a PDF file has pages. This document is a picture itself.")
		}

		drawn, pages, err := s.Draw(ctx, content, number, memory)
		if err != nil {
			return err
		}

		var out bytes.Buffer
		if err := png.Encode(&out, drawn); err != nil {
			return fmt.Errorf("encode page %d of %s: %w", number, key, err)
		}

		p = picture{content: out.Bytes(), pages: pages}

		return nil
	})
	if errors.Is(err, qrscan.ErrNoPage) {
		return p, fault.Missing("page")
	}

	if err == nil {
		s.pages.Keep(at, p)
	}

	return p, err
}
