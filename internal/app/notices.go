package app

import "slipway/internal/payments/notice"

// buildNotices builds the mails about transactions and payables.
func (a *App) buildNotices() {
	a.Notices = notice.New(notice.Config{DB: a.DB, Mail: a.Mail})
	a.Jobs.Every(notice.Job, notice.Every, a.Notices.Send)
}
