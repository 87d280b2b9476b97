package creditorref

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func random(r *rand.Rand) [5]byte {
	n := r.Uint64()
	return [5]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24), byte(n >> 32)}
}

func TestTheSameBitsAreTheSameReference(t *testing.T) {
	for in, want := range map[[5]byte]string{
		{}:                             "00000000",
		{0xff, 0xff, 0xff, 0xff, 0xff}: "ZZZZZZZ" + string(alphabet[check([]byte{31, 31, 31, 31, 31, 31, 31})]),
		{0x12, 0x34, 0x56, 0x78, 0x9a}: "8T5CY4TV",
	} {
		got := Deposit(in)
		if got[:data] != want[:data] {
			t.Errorf("%x: %s, want %s", in, got, want)
		}

		if back, ok := ParseDeposit(got); !ok || back != got {
			t.Errorf("%s is not read back: %s", got, back)
		}
	}

	if s := Show("PX4K7Q2M"); s != "PX4K-7Q2M" {
		t.Error(s)
	}
}

// One character wrong, or two that changed places, never give a reference that checks.
func TestOneSlipIsAlwaysSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))

	for range 300 {
		ref := Deposit(random(r))

		for i := range ref {
			for _, c := range alphabet {
				wrong := ref[:i] + string(c) + ref[i+1:]
				if _, ok := ParseDeposit(wrong); ok && wrong != ref {
					t.Fatalf("%s passes for %s", wrong, ref)
				}
			}

			for j := range i {
				b := []byte(ref)

				b[i], b[j] = b[j], b[i]
				if _, ok := ParseDeposit(string(b)); ok && string(b) != ref {
					t.Fatalf("%s passes for %s", b, ref)
				}
			}
		}
	}
}

// D-04: a reference is found whatever banks and people did to it, as long as every character is there.
func TestReferencesAreFoundInTexts(t *testing.T) {
	ref := Deposit([5]byte{0x12, 0x34, 0x50, 0x20, 0x01}) // has a 0 and a 1
	other := Deposit([5]byte{9, 8, 7, 6, 5})

	if !strings.Contains(ref, "0") || !strings.Contains(ref, "1") {
		t.Fatal(ref)
	}

	look := strings.NewReplacer("0", "O", "1", "I").Replace(ref)
	for _, text := range []string{
		ref, Show(ref), strings.ToLower(ref), look, strings.ToLower(look), strings.ReplaceAll(ref, "1", "l"),
		"Deposit " + Show(ref) + " thanks", "ref:" + ref + ".", "/ROC/" + ref + "//URI/abc", "EREF+" + ref, "INVOICE" + ref + "PAID",
		strings.Join(strings.Split(ref, ""), " "), ref[:3] + "\n" + ref[3:], ref[:4] + " - " + ref[4:], ref[:2] + "-" + ref[2:5] + "-" + ref[5:],
		ref[:4] + "\u00a0" + ref[4:], ref[:4] + "–" + ref[4:],
	} {
		if got := Find(text); !slices.Contains(got, ref) {
			t.Errorf("%q: %v lacks %s", text, got, ref)
		}
	}

	both := Find("pay " + Show(ref) + " and " + Show(other))
	if len(both) < 2 || !slices.Contains(both[:2], ref) || !slices.Contains(both[:2], other) {
		t.Errorf("two in one text: %v", both)
	}

	if first := Find("xx" + other + "yy " + Show(ref)); len(first) == 0 || first[0] != ref {
		t.Errorf("the one that stands alone is not first: %v", first)
	}

	for _, text := range []string{"", "no reference", ref[:7], ref[:4] + "    " + ref[4:], ref[1:] + "U"} {
		if got := Find(text); slices.Contains(got, ref) {
			t.Errorf("%q: found", text)
		}
	}
}

// D-04: in 100,000 texts as banks carry them, with names, numbers, IBANs and spoilt references among them, not one
// open reference is found that nobody wrote; and every one that was written whole is found.
func TestNoTextMatchesAReferenceThatNobodyWrote(t *testing.T) {
	const texts, openRefs = 100_000, 5_000
	r := rand.New(rand.NewPCG(20261121, 4))
	open := map[string]bool{}

	var list []string
	for len(open) < openRefs {
		ref := Deposit(random(r))
		if !open[ref] {
			open[ref] = true
			list = append(list, ref)
		}
	}

	candidates := 0

	planted := 0
	for range texts {
		text, wrote := bankText(r, list)
		found := Find(text)

		candidates += len(found)
		for _, ref := range found {
			if open[ref] && !slices.Contains(wrote, ref) {
				t.Errorf("%q: found %s, which nobody wrote", text, ref)
			}
		}

		for _, ref := range wrote {
			planted++

			if !slices.Contains(found, ref) {
				t.Errorf("%q: %s is not found", text, ref)
			}
		}
	}

	if planted < texts/10 || candidates < planted {
		t.Errorf("the texts hold little: %d references, %d candidates", planted, candidates)
	}

	t.Logf(
		"%d texts, %d open references: %d written and found, %d other candidates, 0 of them open",
		texts,
		openRefs,
		planted,
		candidates-planted,
	)
}

// The sum that is carried from place to place tells of the very places at which a reference can be read.
func TestEveryPlaceOfAReferenceIsTold(t *testing.T) {
	r := rand.New(rand.NewPCG(20261122, 1))
	list := []string{Deposit(random(r)), Deposit(random(r)), Deposit(random(r))}

	places := 0
	for range 20_000 {
		text, _ := bankText(r, list)
		if r.IntN(2) == 0 {
			text = strings.Repeat(text, 2)
		}

		for range r.IntN(8) { // gaps of every length
			i := r.IntN(len(text) + 1)
			text = text[:i] + strings.Repeat(" ", r.IntN(6)) + text[i:]
		}

		marks := classify(text)

		var want, got []int
		for from := range marks {
			if _, _, ok := at(marks, from); ok {
				want = append(want, from)
			}
		}

		eachChecked(marks, func(from int) { got = append(got, from) })

		if !slices.Equal(want, got) {
			t.Fatalf("%q: %v are told, and %v are references", text, got, want)
		}

		places += len(want)
	}

	if places < 10_000 {
		t.Errorf("the texts hold only %d places", places)
	}
}

// bankText makes a text of words, numbers and references, whole and spoilt, and says which whole ones are in it.
func bankText(r *rand.Rand, refs []string) (text string, wrote []string) {
	words := []string{
		"INVOICE",
		"RECHNUNG",
		"Payment",
		"for",
		"deposit",
		"REF",
		"thank you",
		"SEPA CREDIT",
		"Müller GmbH",
		"EREF+",
		"SVWZ+",
		"Order no.",
		"KTO",
		"DE89370400440532013000",
		"FR7630006000011234567890189",
		"2026-11-21",
		"EUR 1.234,56",
		"salary november",
		"0049 170 1234567",
		"/INV/",
		"consulting",
	}

	var b strings.Builder
	for range 2 + r.IntN(8) {
		switch n := r.IntN(12); {
		case n < 6:
			b.WriteString(words[r.IntN(len(words))])
		case n < 8:
			for range 4 + r.IntN(20) {
				b.WriteByte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[r.IntN(10+26*r.IntN(2))])
			}

		case n < 10: // spoilt: one character wrong
			ref := []byte(refs[r.IntN(len(refs))])

			i := r.IntN(len(ref))
			for was := ref[i]; ref[i] == was; {
				ref[i] = alphabet[r.IntN(len(alphabet))]
			}

			b.Write(ref)
		case n < 11: // cut short
			b.WriteString(refs[r.IntN(len(refs))][:5+r.IntN(3)] + "U")
		default:
			ref := refs[r.IntN(len(refs))]
			wrote = append(wrote, ref)
			b.WriteString(" " + handled(r, ref) + " ")
		}

		b.WriteString([]string{" ", "", "\n", ", ", "/"}[r.IntN(5)])
	}

	return b.String(), wrote
}

// handled writes a reference as people and banks do.
func handled(r *rand.Rand, ref string) string {
	if r.IntN(2) == 0 {
		ref = Show(ref)
	}

	if r.IntN(3) == 0 {
		ref = strings.ToLower(ref)
	}

	if r.IntN(3) == 0 {
		ref = strings.NewReplacer("0", "O", "1", "I").Replace(ref)
	}

	if r.IntN(5) == 0 {
		i := 1 + r.IntN(len(ref)-1)
		ref = ref[:i] + " " + ref[i:]
	}

	return ref
}

func TestRFReferences(t *testing.T) {
	for body, want := range map[string]string{"539007547034": "RF18539007547034", "2348236": "RF332348236", "A": ""} {
		t.Run(body, func(t *testing.T) {
			got, err := RF(body)
			if err != nil || want != "" && got != want {
				t.Errorf("%s: %s %v", body, got, err)
			}

			if _, ok := ValidRF(got); !ok {
				t.Errorf("%s does not check", got)
			}
		})
	}

	for text, ok := range map[string]bool{
		"RF18 5390 0754 7034":      true,
		"rf18539007547034":         true,
		"RF18539007547035":         false,
		"RF0012":                   false,
		"RF18":                     false,
		"RF18-539007547034":        false,
		"":                         false,
		strings.Repeat("RF", 1000): false,
	} {
		t.Run(text, func(t *testing.T) {
			if _, got := ValidRF(text); got != ok {
				t.Errorf("%.40q: %v", text, got)
			}
		})
	}

	if _, err := RF(strings.Repeat("A", 22)); err == nil {
		t.Error("22 characters are taken")
	}

	if got := FindRF("invoice RF18 5390 0754 7034 thank you, and RF332348236."); !slices.Equal(
		got,
		[]string{"539007547034", "2348236"},
	) {
		t.Error(got)
	}

	ref := Deposit([5]byte{1, 2, 3, 4, 5})

	rf, err := RF(ref)
	if found := FindRF("pay " + rf + " please"); err != nil || len(found) == 0 || found[0] != ref {
		t.Error(rf, found, err)
	}
}

func TestQRReferences(t *testing.T) {
	const known = "210000000003139471430009017" // SIX, Implementation Guidelines QR-bill
	if got, ok := ValidQRR("21 00000 00003 13947 14300 09017"); !ok || got != known {
		t.Error(got, ok)
	}

	if got, err := QRR(known[:26]); err != nil || got != known {
		t.Error(got, err)
	}

	for _, bad := range []string{"", strings.Repeat("0", 27), known[:26] + "8", known + "0", "x" + known[1:]} {
		if _, ok := ValidQRR(bad); ok {
			t.Errorf("%q passes", bad)
		}
	}

	if got := FindQRR("QRR 21 00000 00003 13947 14300 09017 CHF"); !slices.Equal(got, []string{known}) {
		t.Error(got)
	}

	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		ref := Deposit(random(r))

		qrr, err := QRRFor(ref)
		if back, ok := DepositOfQRR(qrr); err != nil || !ok || back != ref {
			t.Fatal(ref, qrr, back, err)
		}
	}

	if _, ok := DepositOfQRR(known); ok {
		t.Error("a foreign reference passes for one of ours")
	}
}

func FuzzFind(f *testing.F) {
	f.Add("pay PX4K-7Q2M RF18 5390 0754 7034 21 00000 00003 13947 14300 09017")
	f.Add("ｐｘ４ｋ \xff\xfe")

	f.Fuzz(func(t *testing.T, text string) {
		for _, ref := range Find(text) {
			if back, ok := ParseDeposit(ref); !ok || back != ref {
				t.Errorf("%q: %q is found and does not check", text, ref)
			}
		}

		for _, body := range FindRF(text) {
			if ref, err := RF(body); err != nil || !strings.HasSuffix(ref, body) {
				t.Errorf("%q: %q is found and no body: %v", text, body, err)
			}
		}

		for _, ref := range FindQRR(text) {
			if back, ok := ValidQRR(ref); !ok || back != ref {
				t.Errorf("%q: %q is found and does not check", text, ref)
			}
		}
	})
}
