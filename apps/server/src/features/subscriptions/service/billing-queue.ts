import { z } from 'zod';
import type { Write } from '../../../platform/context.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import type { SubscriptionRow } from '../table.ts';
import { daysFrom } from './periods.ts';

export const noticeDays = 3;
export const graceDays = 3;

export interface BillingPayload {
  user_id: string;
  step: 'notice' | 'renewal' | 'grace';
  /** The billing it is about: one for another time than the next does nothing when it comes. */
  time: string;
}

export const billingKind: JobKind<BillingPayload> = {
  kind: 'subscriptions.bill',
  payload: z.object({ user_id: z.uuid(), step: z.enum(['notice', 'renewal', 'grace']), time: z.iso.datetime() }),
};

export async function enqueueBilling({ enqueue }: Write, row: SubscriptionRow): Promise<void> {
  const time = row.nextBillingAt.toISOString();
  const due = row.graceUntil
    ? { grace: row.graceUntil }
    : { notice: daysFrom(row.nextBillingAt, -noticeDays), renewal: row.nextBillingAt };
  for (const [step, dueAt] of Object.entries(due) as [BillingPayload['step'], Date][])
    await enqueue(billingKind, { user_id: row.userId, step, time }, { key: `${row.id}:${step}:${time}`, dueAt });
}
