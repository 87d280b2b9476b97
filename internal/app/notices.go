package app

import (
	"slipway/internal/payments/notice"
)

// tellPeople has people told by mail what became of their transactions.
func (a *App) tellPeople() {
	a.Notices = notice.New(notice.Config{DB: a.DB, Mail: a.Mail})
	a.Jobs.Every(notice.Job, notice.Every, a.Notices.Send)
}
