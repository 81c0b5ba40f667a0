import { kernelSessionsOf } from '../features/kernels/service/kernel-sessions.ts';
import type { Context } from '../platform/context.ts';

/** A fake kernel that is opened as a notebook's, without a notebook. */
export const openFakeKernel = (ctx: Context, userId: string, projectId: string) =>
  kernelSessionsOf(ctx).open({
    userId,
    projectId,
    fileId: null,
    kernel: 'fake.fake',
    tier: 'l1',
    purpose: 'notebook',
    savesFiles: true,
    leaseId: null,
  });
