//go:build !nosandbox

package ebicssim_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/bank/ebicssim"
)

// A client that others wrote, the npm package ebics-client (H004), registers with the server, pays once, and fetches
// what the bank has for it.
func TestRealEBICSClient(t *testing.T) {
	node := parts.Need(t, "node")[0]
	module := parts.Module(t, "ebics-client")

	c := clock.New()

	bank, err := banksim.New(banksim.Config{Folder: t.TempDir(), Clock: c, AtOnce: true, Accounts: []banksim.Account{{
		ID:       "eur",
		Currency: "EUR",
		Country:  "DE",
		Holder:   "Slipway Test",
		IBAN:     "DE89370400440532013000",
		BIC:      "SLWYDEF0XXX",
		Opening:  "10000.00",
	}}})
	require.NoError(t, err)

	defer func() { require.NoError(t, bank.Close()) }()

	h, err := ebicssim.New(ebicssim.Config{
		Engine:   bank,
		Folder:   t.TempDir(),
		Host:     "SLIPBANK",
		Users:    []string{"NODEPARTNER/NODEUSER"},
		Activate: true,
		Clock:    c,
	})
	require.NoError(t, err)

	server := httptest.NewServer(h)
	defer server.Close()

	folder := t.TempDir()
	payment := parts.File(t, folder, "pay.xml", strings.ReplaceAll(payFile, "\n", ""))

	command := exec.Command(node, "--no-warnings", "testdata/client.js", module, server.URL, folder, payment)

	var problems bytes.Buffer

	command.Stderr = &problems
	text, err := command.Output()
	require.NoError(t, err, problems.String())

	type fetched struct{ Code, Data string }

	var out struct {
		INI, HIA, HPB, Hash, Transaction, Order string
		HTD, HKD, HAC, C54                      fetched
	}
	require.NoError(t, json.Unmarshal(text, &out))

	authentication, _ := h.Hashes("H004")

	require.Equal(t, "000000", out.INI)
	require.Equal(t, "000000", out.HIA)
	require.Equal(t, "000000000000", out.HPB)
	require.Equal(t, hex.EncodeToString(authentication), out.Hash)
	require.Equal(t, "A000", out.Order)
	require.Len(t, h.Orders(), 1)

	paid, err := bank.Executions(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int{"E1": 1}, paid)

	require.Contains(t, out.HTD.Data, "HTDResponseOrderData")
	require.Contains(t, out.HKD.Data, "HKDResponseOrderData")
	require.Contains(t, out.HAC.Data, "ORDER_HAC_FINAL_POS")
	require.True(t, strings.HasPrefix(out.C54.Data, "PK"), "a ZIP with the advice")

	left, err := filepath.Glob(filepath.Join(bank.Outbox(), "*camt.054*"))
	require.NoError(t, err)
	require.Empty(t, left, "it was acknowledged")

	done, err := os.ReadDir(filepath.Join(bank.Outbox(), "done"))
	require.NoError(t, err)
	require.NotEmpty(t, done)
}

const payFile = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>NODE-1</MsgId><CreDtTm>2026-11-20T10:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum>
<InitgPty><Nm>Slipway</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>NODE-1-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>
<NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum>
<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-11-20</Dt></ReqdExctnDt>
<Dbtr><Nm>Slipway</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
<DbtrAgt><FinInstnId><BICFI>SLWYDEF0XXX</BICFI></FinInstnId></DbtrAgt>
<CdtTrfTxInf><PmtId><EndToEndId>E1</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt>
<Cdtr><Nm>Alice</Nm></Cdtr><CdtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></CdtrAcct></CdtTrfTxInf>
</PmtInf></CstmrCdtTrfInitn></Document>`
