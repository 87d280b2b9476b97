package creditorref

import "testing"

// What looking for references costs for each text of an entry.
func BenchmarkFind(b *testing.B) {
	const text = "Invoice 81234 of 20 November 2026, customer number 81234"
	b.ReportAllocs()

	for b.Loop() {
		FindRF(text)
		FindQRR(text)
		Find(text)
	}
}
