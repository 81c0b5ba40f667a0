import { defaultPayload, type EmbedType, type PublicationPayload } from '@atoll/contract';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import type { PublishedPart } from '../../../platform/publication-kind.ts';
import type { FileRow } from '../../files/table.ts';
import type { PublicationRow, PublicationVersionRow } from '../../publications/table.ts';

/** What was drawn lately, the newest last: a page that many people read shows the same to all of them. */
const drawnLately = appState(() => new Map<string, Promise<string>>());
const mostKept = 64;
/** Larger ones are drawn again: 64 of them would fill the memory. */
const largestKept = 4 * 1024 ** 2;

type Kind = Context['publicationKinds'][number];

/** The file or a part of it as sanitised HTML, as it was last saved; empty where there is no such part. */
export const drawnPart = (ctx: Context, file: FileRow, type: EmbedType, entityId: string): Promise<string> =>
  drawn(
    ctx,
    ctx.publicationKinds.find((each) => each.takes(file)),
    file.blob,
    { ...defaultPayload, shows_code: type !== 'chart' },
    { hasCharts: true, ...(type === 'file' ? {} : { cellId: entityId }) },
  );

/** The article with the data of its charts, which its own page asks for apart. */
export const drawnPublication = (
  ctx: Context,
  { contentKind }: PublicationRow,
  { sourceBlob, payload }: PublicationVersionRow,
): Promise<string> =>
  drawn(
    ctx,
    ctx.publicationKinds.find((each) => each.contentKind === contentKind),
    sourceBlob,
    payload,
    { hasCharts: true },
  );

function drawn(
  ctx: Context,
  kind: Kind | undefined,
  blob: string,
  payload: PublicationPayload,
  part: PublishedPart,
): Promise<string> {
  if (!kind) return Promise.resolve('');
  const lately = drawnLately(ctx);
  const key = JSON.stringify([blob, payload, part.cellId]);
  const drawing = lately.get(key) ?? kind.render(ctx, blob, payload, part).then(({ html }) => html);
  lately.delete(key);
  lately.set(key, drawing);
  drawing.then(
    ({ length }) => length > largestKept && lately.delete(key),
    () => lately.delete(key),
  );
  for (const oldest of lately.keys()) {
    if (lately.size <= mostKept) break;
    lately.delete(oldest);
  }
  return drawing;
}
