import '@mantine/core/styles/Chip.layer.css';
import type { Schedule } from '@atoll/contract/schedules/entity';
import { type ScheduleInterval, scheduleIntervals, type Weekday, weekdays } from '@atoll/contract/schedules/values';
import { Button, Chip, Group, Input, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import {
  intervalWords,
  leastOf,
  localTime,
  nextHour,
  nextTimeAt,
  reviewWords,
  type ScheduleValues,
  schedulePresets,
  timeIn,
  weekdayWords,
} from '../model.ts';
import { useChangeSchedule, useDeleteSchedule } from '../mutations.ts';
import { previewQuery, type ScheduleSubject } from '../queries.ts';
import classes from './schedules.module.css';

interface ScheduleFormProps {
  subject: ScheduleSubject;
  schedule: Schedule | null;
  /** Other people can change what runs, so that secrets are a choice. */
  isShared: boolean;
  onClose(): void;
}

const pauseMs = 300;
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Known to this browser, with the one that is set. */
const zones = (present: string): string[] => [
  ...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')].sort((one, other) => one.localeCompare(other))),
];

export function ScheduleForm({ subject, schedule, isShared, onClose }: ScheduleFormProps) {
  const change = useChangeSchedule(subject);
  const remove = useDeleteSchedule(schedule?.id ?? '');
  const [days, setDays] = useState<Weekday[]>(schedule?.allowed_days ?? [...weekdays]);
  const zone = schedule?.time_zone ?? ownZone();
  const form = useForm({
    initial: {
      type: (schedule?.type ?? 'recurring') as string,
      starts_at: schedule ? localTime(schedule.starts_at, zone) : nextHour(new Date(), zone),
      time_zone: zone,
      interval_type: (schedule?.interval_type ?? 'hour') as string,
      interval_value: String(schedule?.interval_value ?? 1),
      with_secrets: schedule?.with_secrets ?? false,
    },
    checks: {
      starts_at: (value) => (value ? null : 'Enter a date and a time'),
      interval_value: (value, { type, interval_type }) =>
        type === 'recurring' ? checkInterval(value, interval_type as ScheduleInterval) : null,
    },
    submit: async ({ with_secrets }) => {
      await change.mutateAsync({ ...values, enabled: true, ...(isShared && { with_secrets }) });
      toast('Schedule saved.');
      onClose();
    },
  });
  const isRecurring = form.values.type === 'recurring';
  const values: ScheduleValues = {
    type: isRecurring ? 'recurring' : 'one_off',
    starts_at: form.values.starts_at,
    time_zone: form.values.time_zone,
    interval_type: form.values.interval_type as ScheduleInterval,
    interval_value: Number(form.values.interval_value) || 1,
    allowed_days: days,
  };
  const least = leastOf(values.interval_type);
  return (
    <Form form={form}>
      {schedule?.paused_reason && (
        <p className={classes.paused} role="status">
          Paused after three failures in a row. The last one: {schedule.paused_reason}
        </p>
      )}
      {schedule?.review && (
        <p className={classes.paused} role="status">
          {reviewWords(schedule.review)}. <Link to="/automation">Review changes</Link>
        </p>
      )}
      <SegmentedControl
        aria-label="How often"
        fullWidth
        data={[
          { value: 'recurring', label: 'Repeatedly' },
          { value: 'one_off', label: 'Once' },
        ]}
        value={form.values.type}
        onChange={(type) => form.set('type', type)}
      />
      {isRecurring && (
        <Group gap="xs" role="group" aria-label="Presets">
          {schedulePresets.map(({ label, interval, days: chosen, hour }) => (
            <Button
              key={label}
              size="compact-xs"
              variant="default"
              onClick={() => {
                form.set('interval_value', '1');
                form.set('interval_type', interval);
                if (hour !== null) form.set('starts_at', nextTimeAt(hour, new Date(), form.values.time_zone));
                setDays([...chosen]);
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
      {isRecurring && (
        <div className={classes.every}>
          <TextInput
            label="Every"
            type="number"
            inputMode="numeric"
            min={least}
            max={1_000}
            {...form.text('interval_value')}
          />
          <NativeSelect
            label="Interval"
            data={scheduleIntervals.map((value) => ({ value, label: intervalWords[value][1] }))}
            {...form.text('interval_type')}
          />
        </div>
      )}
      <div className={classes.pair}>
        <TextInput label={isRecurring ? 'First time' : 'Time'} type="datetime-local" {...form.text('starts_at')} />
        <NativeSelect label="Time zone" data={zones(zone)} {...form.text('time_zone')} />
      </div>
      {isRecurring && (
        <Input.Wrapper label="Days" error={days.length === 0 ? 'Select at least one day' : undefined}>
          <Chip.Group multiple value={days} onChange={(chosen) => setDays(chosen as Weekday[])}>
            <Group gap={6} mt={4} role="group" aria-label="Days">
              {weekdays.map((day) => (
                <Chip key={day} value={day} size="xs" variant="light">
                  {weekdayWords[day]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
      <NextTimes values={values} isComplete={days.length > 0 && Boolean(values.starts_at)} />
      {isShared && (
        <Switch
          label="Use my secrets"
          description="Other people can change the code of this project. Without this, the runs have none of your secrets."
          {...form.flag('with_secrets')}
        />
      )}
      <FormActions
        form={form}
        disabled={isRecurring && days.length === 0}
        onClose={onClose}
        before={
          schedule && (
            <Button
              variant="subtle"
              color="danger"
              mr="auto"
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
            >
              Delete schedule
            </Button>
          )
        }
      >
        {!schedule ? 'Create schedule' : schedule.enabled ? 'Save' : 'Save and resume'}
      </FormActions>
    </Form>
  );
}

function checkInterval(value: string, interval: ScheduleInterval): string | null {
  const least = leastOf(interval);
  const number = Number(value);
  return Number.isInteger(number) && number >= least && number <= 1_000
    ? null
    : `Enter a whole number from ${least} to 1000`;
}

/** As the server works them out: summer time and the lengths of months included. */
function NextTimes({ values, isComplete }: { values: ScheduleValues; isComplete: boolean }) {
  const [settled] = useDebouncedValue(JSON.stringify(values), pauseMs);
  const { data, error } = useQuery({ ...previewQuery(JSON.parse(settled) as ScheduleValues), enabled: isComplete });
  const problem = error instanceof ApiError ? Object.values(error.fields).flat()[0] : undefined;
  const isElapsed = values.type === 'recurring' && ['minute', 'hour'].includes(values.interval_type);
  return (
    <section className={classes.next} aria-label="Next times" aria-live="polite">
      <h3>Next times</h3>
      {error ? (
        <p role="alert">{problem ?? 'These times could not be worked out.'}</p>
      ) : (
        <ol>
          {data?.next_times.map((time) => (
            <li key={time}>{timeIn(time, values.time_zone)}</li>
          ))}
        </ol>
      )}
      {isElapsed && (
        <p>
          Runs every {values.interval_value} {intervalWords[values.interval_type][1]}; clock time shifts with daylight
          saving.
        </p>
      )}
    </section>
  );
}
