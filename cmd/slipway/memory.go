package main

import (
	"fmt"
	"log/slog"

	"slipway/internal/platform/config"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/qrscan"
)

// limitMemory keeps Go's heap within the limit of memory that the process runs under, beside what PDF files take
// outside of the heap. It returns the process's limit in bytes, or 0 if there is none, and logs both. A second call
// does the same again.
func limitMemory(c *config.Config, log *slog.Logger) int64 {
	limit := observe.FindMemoryLimit()
	room := qrscan.RoomFor(c.QRBills.AtOnce, c.QRBills.Memory(limit.Bytes))
	heap := observe.LimitHeap(limit, room.Sandboxes())

	if limit.Bytes == 0 {
		log.Info("memory", "limit", "none")
		return 0
	}

	log.Info("memory",
		"limit", megabytes(limit.Bytes),
		"from", limit.From,
		"heap", megabytes(heap),
		"documents_at_once", room.AtOnce,
		"largest_document", megabytes(int64(room.Most())),
	)

	if room.AtOnce < c.QRBills.AtOnce || room.Most() < qrscan.MostMemory {
		log.Warn("the memory is too small for qr_bills.at_once documents: slipway doctor says what they need")
	}

	return limit.Bytes
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }
