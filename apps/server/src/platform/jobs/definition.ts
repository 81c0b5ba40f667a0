import type { Context, Write } from '../context.ts';
import type { JobKind } from './enqueue.ts';

/** One attempt at one step of a job. */
export interface RunningJob<Payload> {
  id: string;
  ctx: Context;
  payload: Payload;
  ownerId: string | null;
  attempt: number;
  /** Aborted when the job is canceled, takes too long, or another server has taken it over. */
  signal: AbortSignal;
  /** Shown live to its owner; a fraction from 0 to 1, or null where it cannot be known. */
  report(progress: number | null, message: string): void;
  /**
   * A transaction that commits only while this attempt holds the job, so that its effects happen once, even after a kill.
   */
  write<Result>(work: (write: Write) => Promise<Result>): Promise<Result>;
  /** The same, and the job succeeds with it. */
  finish<Result>(work: (write: Write) => Promise<Result>): Promise<Result>;
}

export interface JobDefinition<Payload> extends JobKind<Payload> {
  /** The limit of jobs at the same time, on all servers together. */
  concurrency: number;
  /** At the same time for one owner. */
  perOwner?: number;
  /** Failures in a row before the job is given up; 6 by default. */
  attempts?: number;
  /** A step that takes longer is aborted and counts as failed; 10 minutes by default. */
  timeoutMs?: number;
  /** Rests after each step, so that long work on the database leaves time for requests. */
  isGentle?: boolean;
  /**
   * Its result is the payload of the next step, so that a long job takes many short turns. Without a result the job has
   * succeeded.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most jobs have one step
  run(job: RunningJob<Payload>): Promise<Payload | void>;
}

export const defineJob = <Payload>(definition: JobDefinition<Payload>): JobDefinition<Payload> => definition;

// biome-ignore lint/suspicious/noExplicitAny: a list of different kinds; each is checked where it is defined
export type AnyJob = JobDefinition<any>;

/** Regular work of a feature: a cron expression, in UTC unless a time zone is named. */
export interface JobSchedule {
  cron: string;
  timezone?: string;
  job: AnyJob;
  payload: unknown;
  /** Runs once shortly after the start too, for work that a long stop has left. */
  isRunAtStart?: boolean;
}

/** A retry would not help; the message is the reason that people read. */
export class JobFailure extends Error {}
