package app

import "slipway/internal/payments/notice"

// buildNotices builds the mails about transactions and payables.
func (a *App) buildNotices() {
	a.Notices = notice.New(notice.Config{DB: a.DB, Mail: a.Mail})
	a.Jobs.Every(notice.Job, notice.Every, a.Notices.Send)

	a.Mornings = notice.NewMornings(notice.Mornings{DB: a.DB, Mail: a.Mail, Waits: a.Overview.Waits})
	a.Jobs.Every(notice.MorningJob, notice.MorningEvery, a.Mornings.Send)
}
