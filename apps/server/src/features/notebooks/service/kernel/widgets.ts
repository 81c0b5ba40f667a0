import type { CommMessage } from '@atoll/kernels/client';
import type { Context } from '../../../../platform/context.ts';
import { AppError } from '../../../../platform/errors.ts';
import { requireProject } from '../../../projects/service/access.ts';
import type { Address } from '../address.ts';
import { sessionOf, usableSession } from './session.ts';

type CommFields = CommMessage['content'];

interface Said {
  comm_id: string;
  type: 'comm_open' | 'comm_msg' | 'comm_close';
  target_name?: string | undefined;
  data: Record<string, unknown>;
  buffers: string[];
}

/** Sends a message to a widget in the kernel. */
export async function sendComm(ctx: Context, address: Address, { type, buffers, ...content }: Said) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.execute');
  const live = await usableSession(ctx, address);
  if (!live) throw new AppError('conflict', 'The kernel of this widget is gone. Run its cell again.');
  const bytes = buffers.map((each) => Buffer.from(each, 'base64'));
  await live.host.comm(live.row.id, { type, content: content as CommFields, buffers: bytes });
  return { ok: true as const };
}

/** Returns the models of all widgets, collected from the messages of the kernel since its start. */
export async function widgetsOf(ctx: Context, address: Address) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  const live = await sessionOf(ctx, address);
  return { widgets: live ? live.widgets() : {} };
}
