package qrscan

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"
	"github.com/makiuchi-d/gozxing/qrcode/detector"
)

// way converts grey to black and white.
type way func(gozxing.LuminanceSource) gozxing.Binarizer

// ways are tried in this order: local thresholds, which follow the light across a picture, then one global threshold,
// which leaves evenly grey areas in one piece.
var ways = [...]way{gozxing.NewHybridBinarizer, gozxing.NewGlobalHistgramBinarizer}

// Limits of the search in one picture, which can be full of what looks like a code's corner.
const (
	maxCorners  = 400 // found in one picture
	keptCorners = 40  // combined: those found in most rows
	maxTries    = 60  // combinations of three corners that are decoded
	rowStep     = 3   // distance of the rows searched: a corner's middle is at least as high
)

// symbols returns the texts of the codes in a picture, each once. It stops when the context ends.
func symbols(ctx context.Context, picture *image.Gray, how way) (texts []string) {
	w := picture.Rect.Dx()
	h := picture.Rect.Dy()

	rows := len(picture.Pix) / picture.Stride

	source, err := gozxing.NewPlanarYUVLuminanceSource(picture.Pix, picture.Stride, rows, 0, 0, w, h, false)
	if err != nil {
		return nil
	}

	black, err := how(source).GetBlackMatrix()
	if err != nil {
		return nil // nothing but one colour
	}

	var used []*detector.FinderPattern

	tries := 0
	for _, three := range triples(corners(black)) {
		if slices.ContainsFunc(three[:], func(c *detector.FinderPattern) bool { return slices.Contains(used, c) }) {
			continue
		}

		if tries++; tries > maxTries || len(texts) >= MaxCodes || ctx.Err() != nil {
			break
		}

		if text, ok := symbol(black, three); ok {
			used = append(used, three[:]...)
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}

	return texts
}

// symbol returns the text of the code with these three corners. The library panics on some damaged codes, which count
// as not readable.
func symbol(black *gozxing.BitMatrix, three [3]*detector.FinderPattern) (out string, ok bool) {
	defer func() {
		if recover() != nil {
			out = ""
			ok = false
		}
	}()

	bl, tl, tr := gozxing.ResultPoint_OrderBestPatterns(three[0], three[1], three[2])
	info := detector.NewFinderPatternInfo(bl.(*detector.FinderPattern), tl.(*detector.FinderPattern),
		tr.(*detector.FinderPattern))

	found, err := detector.NewDetector(black).ProcessFinderPatternInfo(info)
	if err != nil {
		return "", false
	}

	modules := found.GetBits()
	version := (modules.GetWidth() - 17) / 4
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_CHARACTER_SET: "UTF-8"}

	result, err := decoder.NewDecoder().Decode(modules, hints)
	if err != nil {
		return "", false
	}

	return text(result.GetRawBytes(), version)
}

// corners returns the squares that may be in a code's corners: black, white, black, white, black as 1:1:3:1:1 in both
// directions.
func corners(black *gozxing.BitMatrix) []*detector.FinderPattern {
	finder := detector.NewFinderPatternFinder(black, nil)

	runs := make([]int, 5)
	for y := rowStep - 1; y < black.GetHeight() && len(finder.GetPossibleCenters()) < maxCorners; y += rowStep {
		searchRow(finder, black, runs, y)
	}

	found := slices.Clone(finder.GetPossibleCenters())
	slices.SortStableFunc(found, func(a, b *detector.FinderPattern) int {
		return cmp.Compare(b.GetCount(), a.GetCount())
	})

	return found[:min(len(found), keptCorners)]
}

// searchRow counts the runs of one row and passes those that match to the finder, which checks the columns.
func searchRow(finder *detector.FinderPatternFinder, black *gozxing.BitMatrix, runs []int, y int) {
	clear(runs)
	at := 0 // index of the run being counted; even ones are black

	width := black.GetWidth()
	for x := range width {
		if dark := black.Get(x, y); dark == (at%2 == 0) {
			runs[at]++
			continue
		} else if dark || at < 4 {
			if dark || runs[at] > 0 || at > 0 {
				at++
				runs[at]++
			}

			continue
		}

		if detector.FinderPatternFinder_foundPatternCross(runs) && finder.HandlePossibleCenter(runs, y, x) {
			clear(runs)
			at = 0
			continue
		}

		copy(runs, runs[2:])
		runs[3] = 1
		runs[4] = 0
		at = 3
	}

	if at == 4 && detector.FinderPatternFinder_foundPatternCross(runs) {
		finder.HandlePossibleCenter(runs, y, width)
	}
}

// Tolerances for three corners of one code. They allow for pictures taken from the side.
const (
	maxSizeRatio = 1.5  // of their modules
	maxSideRatio = 1.4  // of the two sides
	maxBend      = 0.25 // of the angle between the sides: its cosine
	minModules   = 10   // between two corners' middles: 14 in the smallest code
	maxModules   = 185  // 170 in the largest
)

// triples returns the combinations of three corners that may belong to one code, the likeliest first.
func triples(corners []*detector.FinderPattern) (out [][3]*detector.FinderPattern) {
	type rated struct {
		three [3]*detector.FinderPattern
		fault float64
	}

	var all []rated
	for i, a := range corners {
		for j, b := range corners[:i] {
			for _, c := range corners[:j] {
				if fault, ok := unlike(a, b, c); ok {
					all = append(all, rated{[3]*detector.FinderPattern{a, b, c}, fault})
				}
			}
		}
	}

	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(a.fault, b.fault) })

	for _, r := range all {
		out = append(out, r.three)
	}

	return out
}

// unlike returns how much three points differ from the corners of a square with equal modules. It returns false if they
// differ too much.
func unlike(a, b, c *detector.FinderPattern) (fault float64, ok bool) {
	p := []*detector.FinderPattern{a, b, c}
	slices.SortFunc(p, func(x, y *detector.FinderPattern) int {
		return cmp.Compare(x.GetEstimatedModuleSize(), y.GetEstimatedModuleSize())
	})

	size := p[2].GetEstimatedModuleSize() / p[0].GetEstimatedModuleSize()
	if size > maxSizeRatio {
		return 0, false
	}

	d := []float64{
		gozxing.ResultPoint_Distance(a, b),
		gozxing.ResultPoint_Distance(b, c),
		gozxing.ResultPoint_Distance(a, c),
	}
	slices.Sort(d)
	modules := (d[0] + d[1]) / 2 / p[1].GetEstimatedModuleSize()
	side := d[1] / d[0]

	bend := math.Abs(d[0]*d[0]+d[1]*d[1]-d[2]*d[2]) / (2 * d[0] * d[1])
	if modules < minModules || modules > maxModules || side > maxSideRatio || bend > maxBend {
		return 0, false
	}

	return (size - 1) + (side - 1) + bend, true
}
