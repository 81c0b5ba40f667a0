import { defaultPayload, type EmbedType } from '@atoll/contract';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import type { FileRow } from '../../files/table.ts';

/** What was drawn lately, the newest last: a page that many people read shows the same to all of them. */
const drawnLately = appState(() => new Map<string, Promise<string>>());
const mostKept = 64;

/** The file or a part of it as sanitised HTML, as it was last saved; empty where there is no such part. */
export function drawnPart(ctx: Context, file: FileRow, type: EmbedType, entityId: string): Promise<string> {
  const kind = ctx.publicationKinds.find((each) => each.takes(file));
  if (!kind) return Promise.resolve('');
  const lately = drawnLately(ctx);
  const key = type === 'file' ? file.blob : `${file.blob} ${type} ${entityId}`;
  const drawing =
    lately.get(key) ??
    kind
      .render(
        ctx,
        file.blob,
        { ...defaultPayload, shows_code: type !== 'chart' },
        { hasCharts: true, ...(type === 'file' ? {} : { cellId: entityId }) },
      )
      .then(({ html }) => html);
  lately.delete(key);
  lately.set(key, drawing);
  drawing.catch(() => lately.delete(key));
  for (const oldest of lately.keys()) {
    if (lately.size <= mostKept) break;
    lately.delete(oldest);
  }
  return drawing;
}
