package fault

// Payments on a day.
const (
	ScheduleState    Code = "SCHEDULE_STATE"
	SchedulePast     Code = "SCHEDULE_PAST"
	ScheduleLimit    Code = "SCHEDULE_LIMIT"
	ScheduleBound    Code = "SCHEDULE_BOUND"
	ScheduleChanged  Code = "SCHEDULE_CHANGED"
	ScheduleRestored Code = "SCHEDULE_RESTORED"
	DayOff           Code = "DAY_OFF"
)

var scheduleCodes = map[Code]string{
	ScheduleState:    "The schedule is not in a state in which this can be done.",
	SchedulePast:     "All days of the schedule are over.",
	ScheduleLimit:    "As many schedules as there may be wait or are active. Stop one first.",
	ScheduleBound:    "More would leave the wallet than the schedule allows on a day.",
	ScheduleChanged:  "The payments, or their payees, are not what was accepted.",
	ScheduleRestored: "A back-up of the service was restored after the schedule was accepted.",
	DayOff:           "The day is too early or too late.",
}
