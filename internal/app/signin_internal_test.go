package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/platform/config"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
)

func TestLimitsAndSenderAreTheConfiguredOnes(t *testing.T) {
	c, err := config.Load(config.Source{})
	require.NoError(t, err)
	a := &App{Config: c}
	l := a.limits()
	require.Equal(t, []limit.Rate{
		{Events: 600, Per: time.Minute},
		{Events: 60, Per: time.Minute},
		{Events: 5, Per: time.Minute},
	}, []limit.Rate{l.Reads, l.Writes, l.SignIn})
	require.True(
		t,
		l.Account.On() && l.Global.On() && l.Source.On() && l.Mails.On() && l.Refresh.On(),
		"every door has one",
	)
	c.Limits.Reads = 0
	c.Limits.Writes = 0
	require.False(t, a.limits().Reads.On() || a.limits().Writes.On())
	a.outside.NoLimits = true
	require.Equal(t, auth.Limits{}, a.limits())

	sender, from := a.sender()
	require.Equal(t, mail.Kept{}, sender)
	require.Equal(t, sandboxSender, from)
	c.Mail = config.Mail{
		Host:     "mail.example.org",
		Port:     465,
		Security: mail.TLS,
		Username: "u",
		Password: "p",
		From:     "no-reply@example.org",
	}
	sender, from = a.sender()
	require.Equal(t, mail.SMTP{
		Host:     "mail.example.org",
		Port:     465,
		Helo:     "localhost",
		Security: mail.TLS,
		Username: "u",
		Password: "p",
	}, sender)
	require.Equal(t, "no-reply@example.org", from)
}
