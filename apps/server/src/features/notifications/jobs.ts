import type { JobHandlers } from '../../platform/jobs/queue.ts';
import { sendDigest } from './service/digest.ts';
import { type Audience, tellNext } from './service/fan-out.ts';

export const notificationJobs: JobHandlers = {
  async notify(ctx, payload) {
    const after = await tellNext(ctx, payload as unknown as Audience);
    return after === null ? null : { ...payload, after };
  },
  async digest(ctx, { user_id }) {
    await sendDigest(ctx, String(user_id));
    return null;
  },
};
