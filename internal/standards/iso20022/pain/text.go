package pain

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"slipway/internal/core/text"
)

// inSEPA are the characters that every SEPA bank accepts (EPC217-08). Those of SWIFT's set X are the same except for
// line ends.
const inSEPA = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,'+ "

var sepaSet = func() (t [utf8.RuneSelf]bool) {
	for _, c := range inSEPA {
		t[c] = true
	}

	return t
}()

// carries reports whether a service writes a character unchanged.
func (r rules) carries(c rune) bool {
	if r.ascii {
		return c >= ' ' && c <= '~'
	}

	return c < utf8.RuneSelf && sepaSet[c]
}

// converted returns a text in the service's characters: letters by the table below, any white space as one blank, none
// at the ends. A character without a table entry is an error: the meaning of a name or a reference is not guessed.
func (r rules) converted(text string) (string, error) {
	out, lost := r.written(text)
	if lost != "" {
		c, _ := utf8.DecodeRuneInString(lost)
		return "", fmt.Errorf("the character %q (%U) has no place in a payment order", c, c)
	}

	return out, nil
}

// written is converted with a blank for each character without a table entry. It returns these characters, too. What is
// not UTF-8 is lost.
func (r rules) written(text string) (out, lost string) {
	plain := true
	for _, c := range text {
		plain = plain && r.carries(c)
	}

	if plain && !strings.HasPrefix(text, " ") && !strings.HasSuffix(text, " ") && !strings.Contains(text, "  ") {
		return text, ""
	}

	var b, without strings.Builder

	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		if i+1 < len(runes) && runes[i+1] == '\u0308' { // a and two dots: the same letter as ä
			if joined, ok := dotted[c]; ok {
				c = joined
				i = i + 1
			}
		}

		switch {
		case unicode.IsSpace(c):
			b.WriteByte(' ')
		case r.carries(c):
			b.WriteRune(c)
		case silent(c):

		default:
			s, ok := table[c]
			if !ok {
				without.WriteRune(c)
				b.WriteByte(' ')

				continue
			}

			if len(s) > 1 && unicode.IsUpper(c) && i+1 < len(runes) && unicode.IsUpper(runes[i+1]) {
				s = strings.ToUpper(s)
			}

			b.WriteString(s)
		}
	}

	return strings.Join(strings.Fields(b.String()), " "), without.String()
}

// ASCII returns a text in the characters that rails of the United States carry, by the same table as payment files. It
// is an error if a character has no replacement.
func ASCII(text string) (string, error) { return services[ACH].converted(text) }

// Written returns a text as payment files write it: once for each set of characters in which it differs. What no file
// carries is a blank there.
func Written(text string) []string {
	var out []string

	for _, s := range []Service{SEPA, ACH} {
		if w, _ := services[s].written(text); w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}

	return out
}

// Unwritable returns the characters of a name that payments cannot carry, whatever its rail and each once, and the name
// without them: symbols in words, the others left out. The proposal is empty where letters have no place, since only
// its owner knows how his name is written in Latin ones.
func Unwritable(name string) (characters, proposal string) {
	sepa := services[SEPA]

	_, lost := sepa.written(name)
	for _, c := range lost {
		if !strings.ContainsRune(characters, c) {
			characters += string(c)
		}
	}

	if characters == "" {
		return "", ""
	}

	proposal, lost = sepa.written(symbols().Replace(name))
	if strings.ContainsFunc(lost, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }) {
		return characters, ""
	}

	return characters, proposal
}

// symbols replaces those that mean something in a name. What a payment says with them in its text is not replaced.
func symbols() *strings.Replacer {
	return strings.NewReplacer(
		"%",
		" percent ",
		"‰",
		" per mille ",
		"$",
		" dollar ",
		"£",
		" pound ",
		"¥",
		" yen ",
		"<",
		"(",
		">",
		")",
		"§",
		" par. ",
	)
}

// silent characters have no sound and no width: separate accents, joiners, direction marks.
func silent(c rune) bool { return c >= '\u0300' && c <= '\u036F' || text.Invisible(c) }

var dotted = map[rune]rune{
	'a': 'ä',
	'o': 'ö',
	'u': 'ü',
	'A': 'Ä',
	'O': 'Ö',
	'U': 'Ü',
}

// table returns the replacement for a character that SEPA's set lacks. Latin letters lose their accents, but German
// umlauts keep their sound. Greek is transliterated by letter, Cyrillic by the Bulgarian law (as in EPC217-08).
// Punctuation follows EPC217-08 if that keeps its meaning. What would change the meaning of a text ($ % < > ^ and
// scripts without a table) is missing on purpose.
var table = func() map[rune]string {
	t := map[rune]string{}
	for _, line := range []string{
		"ÀÁÂÃÅĀĂĄǍ A", "àáâãåāăąǎ a", "Ä Ae", "ä ae", "Æ Ae", "æ ae", "ÇĆĈĊČ C", "çćĉċč c", "ĎĐÐ D", "ďđð d", "ÈÉÊËĒĔĖĘĚẼ E", "èéêëēĕėęěẽ e",
		"ĜĞĠĢ G", "ĝğġģ g", "ĤĦ H", "ĥħ h", "ÌÍÎÏĨĪĬĮİ I", "ìíîïĩīĭįı i", "Ĵ J", "ĵ j", "Ķ K", "ķĸ k", "ĹĻĽĿŁ L", "ĺļľŀł l", "ÑŃŅŇŊ N", "ñńņňŉŋ n",
		"ÒÓÔÕŌŎŐØ O", "òóôõōŏőø o", "Ö Oe", "ö oe", "Œ Oe", "œ oe", "ŔŖŘ R", "ŕŗř r", "ŚŜŞŠȘ S", "śŝşšșſ s", "ß ss", "ẞ SS", "ŢŤŦȚ T", "ţťŧț t",
		"Þ Th", "þ th", "ÙÚÛŨŪŬŮŰŲ U", "ùúûũūŭůűų u", "Ü Ue", "ü ue", "Ŵ W", "ŵ w", "ÝŶŸ Y", "ýŷÿ y", "ŹŻŽ Z", "źżž z", "Ĳ IJ", "ĳ ij",
		"ΑΆ A", "αά a", "Β V", "β v", "Γ G", "γ g", "Δ D", "δ d", "ΕΈ E", "εέ e", "Ζ Z", "ζ z", "ΗΉ I", "ηή i", "Θ Th", "θ th", "ΙΊΪ I", "ιίϊΐ i",
		"Κ K", "κ k", "Λ L", "λ l", "Μ M", "μ m", "Ν N", "ν n", "Ξ X", "ξ x", "ΟΌ O", "οό o", "Π P", "π p", "Ρ R", "ρ r", "Σ S", "σς s", "Τ T", "τ t",
		"ΥΎΫ Y", "υύϋΰ y", "Φ F", "φ f", "Χ Ch", "χ ch", "Ψ Ps", "ψ ps", "ΩΏ O", "ωώ o",
		"А A", "а a", "Б B", "б b", "В V", "в v", "Г G", "г g", "Д D", "д d", "ЕЁ E", "её e", "Ж Zh", "ж zh", "З Z", "з z", "И I", "и i", "Й Y", "й y",
		"К K", "к k", "Л L", "л l", "М M", "м m", "Н N", "н n", "О O", "о o", "П P", "п p", "Р R", "р r", "С S", "с s", "Т T", "т t", "У U", "у u",
		"Ф F", "ф f", "Х H", "х h", "Ц Ts", "ц ts", "Ч Ch", "ч ch", "Ш Sh", "ш sh", "Щ Sht", "щ sht", "Ъ A", "ъ a", "Ь Y", "ь y", "Ю Yu", "ю yu",
		"Я Ya", "я ya", "Ы Y", "ы y", "Э E", "э e", "І I", "і i", "Ї Yi", "ї yi", "Є Ye", "є ye", "Ґ G", "ґ g",
		"& +", "_‐‑‒–—―−~= -", "\"“”„‟«»‘’‚‛‹›`´ʼ '", "; ,", "!* .", "[{ (", "]} )", "\\|⁄ /", "… ...", "• -", "· .", "№# No ", "@ (at)", "€ EUR", "º o", "ª a",
	} {
		from, to, _ := strings.Cut(line, " ")
		for _, c := range from {
			t[c] = to
		}
	}

	return t
}()

// wrongID returns what is wrong with an identifier, or "". Identifiers are never converted: banks return them
// unchanged. No slash may be at either end, nor two together (EPC132-08).
func wrongID(id string) (FaultCode, string) {
	switch {
	case id == "":
		return Missing, "an identifier is needed"
	case len(id) > maxID:
		return TooLong, "an identifier has at most 35 characters (a UUID with hyphens has 36)"
	case strings.Trim(id, " /") != id || strings.Contains(id, "//"):
		return Format, "an identifier has no blank or slash at its ends, and no two slashes together"
	}

	for _, c := range id {
		if c >= utf8.RuneSelf || !sepaSet[c] {
			return Characters, "an identifier is made of the SEPA characters"
		}
	}

	return "", ""
}
