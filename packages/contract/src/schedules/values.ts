/** Apart from the schemas: the browser needs these and no zod. */
export const scheduleTypes = ['one_off', 'recurring'] as const;
export const scheduleIntervals = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type ScheduleInterval = (typeof scheduleIntervals)[number];
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Every run needs a kernel of its own. */
export const shortestMinutes = 5;
