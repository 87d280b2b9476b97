package browsertest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/qrscan/pdfium"
)

// TestAPageIsPrinted prints a page in each engine, and reads the file: the rules for paper hold, and no page is lost.
func TestAPageIsPrinted(t *testing.T) {
	at := served(
		t,
		`<meta charset=utf-8><style>@media print { button { display: none } }</style><button>Go</button><p>Zürich 1’250.50
		<p style="break-before: page">the second page`,
	)

	ctx := context.Background()

	r := pdfium.New(platformtest.PDFCache())
	defer func() { require.NoError(t, r.Close(ctx)) }()

	browsertest.Each(t, func(t *testing.T, b *browsertest.Browser) {
		p := b.Page(t, browsertest.Look{})
		p.Open(at)

		d, err := r.Open(ctx, p.Print("page"), pdfium.MemoryLimit)
		require.NoError(t, err)
		require.Equal(t, 2, d.Pages())

		first, err := d.Text(ctx, 0)
		require.NoError(t, err)
		require.Contains(t, first, "Zürich 1’250.50")
		require.NotContains(t, first, "Go")

		second, err := d.Text(ctx, 1)
		require.NoError(t, err)
		require.Contains(t, second, "the second page")
	})
}
