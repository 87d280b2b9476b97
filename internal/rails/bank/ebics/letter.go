package ebics

import (
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/platform/paper"
)

// letterTexts are the words of the letter in a language.
type letterTexts struct {
	title, intro, number                   string
	date, host, partner, user, version     string
	keys                                   [3]string // signature, authentication, encryption
	certificate, exponent, modulus, hashOf string
	confirm, place, name, signature        string
}

var letters3 = map[string]letterTexts{
	"en": {
		title:  "EBICS initialisation letter",
		number: "Page %d of %d",
		intro: "These are the public keys of our subscriber (INI and HIA). Please compare the hash values with those of " +
			"the keys that you have received, and activate the subscriber only if all three are the same.",
		date:    "Date",
		host:    "Host ID",
		partner: "Partner ID",
		user:    "User ID",
		version: "Version",
		keys: [3]string{
			"Public key for the electronic signature", "Public key for authentication", "Public key for encryption",
		},
		certificate: "Certificate",
		exponent:    "Exponent",
		modulus:     "Modulus",
		hashOf:      "Hash (SHA-256)",
		confirm:     "I confirm the above public keys.",
		place:       "Place, date",
		name:        "Company, name",
		signature:   "Signature",
	},
	"de": {
		title:  "EBICS-Initialisierungsbrief",
		number: "Seite %d von %d",
		intro: "Dies sind die öffentlichen Schlüssel unseres Teilnehmers (INI und HIA). Bitte vergleichen Sie die Hashwerte " +
			"mit denen der Schlüssel, die Sie erhalten haben, und schalten Sie den Teilnehmer nur frei, wenn alle drei gleich " +
			"sind.",
		date:    "Datum",
		host:    "Host-ID",
		partner: "Kunden-ID",
		user:    "Teilnehmer-ID",
		version: "Version",
		keys: [3]string{
			"Öffentlicher Schlüssel für die elektronische Unterschrift",
			"Öffentlicher Schlüssel für die Authentifikation",
			"Öffentlicher Schlüssel für die Verschlüsselung",
		},
		certificate: "Zertifikat",
		exponent:    "Exponent",
		modulus:     "Modulus",
		hashOf:      "Hashwert (SHA-256)",
		confirm:     "Ich bestätige die obigen öffentlichen Schlüssel.",
		place:       "Ort, Datum",
		name:        "Firma, Name",
		signature:   "Unterschrift",
	},
	"fr": {
		title:  "Lettre d’initialisation EBICS",
		number: "Page %d sur %d",
		intro: "Voici les clés publiques de notre abonné (INI et HIA). Veuillez comparer les empreintes avec celles des clés " +
			"que vous avez reçues, et n’activer l’abonné que si toutes les trois sont identiques.",
		date:    "Date",
		host:    "ID de l’hôte",
		partner: "ID du client",
		user:    "ID de l’abonné",
		version: "Version",
		keys: [3]string{
			"Clé publique de signature électronique", "Clé publique d’authentification", "Clé publique de chiffrement",
		},
		certificate: "Certificat",
		exponent:    "Exposant",
		modulus:     "Module",
		hashOf:      "Empreinte (SHA-256)",
		confirm:     "Je confirme les clés publiques ci-dessus.",
		place:       "Lieu, date",
		name:        "Société, nom",
		signature:   "Signature",
	},
}

// Languages are the languages of the letter.
func Languages() []string { return []string{"en", "de", "fr"} }

// Letter returns the letter by which the bank knows our keys, as a PDF with a page for each (ch. 4.4.1.2.3). Version
// 3.0 prints certificates, 2.5 exponent and modulus. company is who signs. The same arguments return the same bytes.
func (s *Stored) Letter(who Subscriber, company, language string, now time.Time) ([]byte, error) {
	t, known := letters3[language]
	if !known {
		return nil, fmt.Errorf("the letter is not written in %q: %s", language, strings.Join(Languages(), ", "))
	}

	sheet := paper.New(paper.Info{Title: t.title, Footer: who.id(), Number: t.number, Made: now})

	for i, key := range []struct {
		procedure string
		Key
	}{{A006, s.Keys.Signature}, {X002, s.Keys.Authentication}, {E002, s.Keys.Encryption}} {
		if i > 0 {
			sheet.NewPage()
		}

		sheet.Title(t.title, company)

		if i == 0 {
			sheet.Paragraph(t.intro)
		}

		sheet.Facts(
			[]paper.Fact{
				{Label: t.date, Value: now.Format("2006-01-02 15:04:05 MST")},
				{Label: t.version, Value: s.Version.String() + ", " + key.procedure},
			},
			[]paper.Fact{
				{Label: t.host, Value: who.Host},
				{Label: t.partner, Value: who.Partner},
				{Label: t.user, Value: who.User},
			},
		)
		sheet.Heading(t.keys[i] + " (" + key.procedure + ")")

		public := key.Public()
		if s.Version == H004 {
			sheet.Paragraph(t.exponent + ": " + pairs(big.NewInt(int64(public.Key.E)).Bytes()))
			sheet.Paragraph(t.modulus + ": " + pairs(public.Key.N.Bytes()))
		} else {
			sheet.Paragraph(t.certificate + ":")

			block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public.Certificate})
			for line := range strings.Lines(string(block)) {
				sheet.Paragraph(strings.TrimSpace(line))
			}
		}

		sheet.Heading(t.hashOf)

		text := public.HashText(s.Version)
		half := len(text) / 2
		sheet.Paragraph(text[:half])
		sheet.Paragraph(strings.TrimSpace(text[half:]))

		sheet.Heading(t.confirm)
		sheet.Facts([]paper.Fact{
			{Label: t.place, Value: "________________________________"},
			{Label: t.name, Value: "________________________________"},
			{Label: t.signature, Value: "________________________________"},
		})
	}

	return sheet.Bytes()
}
