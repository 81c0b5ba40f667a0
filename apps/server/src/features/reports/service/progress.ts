import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { requirePublication } from '../../publications/service/access.ts';

interface Drawing {
  drawn: number;
  expected: number;
}

const subject = 'report.drawing';
/** Longer than a drawing may take: a server that was killed says no more of its own. */
const longestMs = 120_000;

/** Of what is being drawn, here or on another server: how many of its cells are done. */
const drawings = appState(() => new Map<string, Drawing & { until: number }>());

/** Null: it has ended. */
export const tellProgress = (ctx: Context, publicationId: string, drawing: Drawing | null): void =>
  ctx.peers.broadcast(subject, { publicationId, drawing: drawing && { ...drawing } });

export async function hearProgress(ctx: Context): Promise<void> {
  const known = drawings(ctx);
  await ctx.peers.subscribe(subject, (said) => {
    const { publicationId, drawing } = said as unknown as { publicationId: string; drawing: Drawing | null };
    const now = ctx.now().getTime();
    for (const [id, { until }] of known) if (until < now) known.delete(id);
    if (drawing) known.set(publicationId, { ...drawing, until: now + longestMs });
    else known.delete(publicationId);
  });
}

export async function progressOf(ctx: Context, publicationId: string): Promise<Drawing | null> {
  await requirePublication(ctx, ctx.db, publicationId, 'publication.view');
  const found = drawings(ctx).get(publicationId);
  return found && found.until >= ctx.now().getTime() ? { drawn: found.drawn, expected: found.expected } : null;
}
