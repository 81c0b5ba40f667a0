import { Readable } from 'node:stream';
import { defaultPayload, type LiveOutput, uploadLimits } from '@atoll/contract';
import { withSavedWidget } from '@atoll/notebook';
import { keptPictures } from '@atoll/notebook/kept-pictures';
import type { Context } from '../../../../platform/context.ts';
import type { PublicationKind } from '../../../../platform/publication-kind.ts';
import { requireNotebookFile } from '../address.ts';
import { articleOf, keepPictures, outputsInBase, readBase } from '../base.ts';
import { saveNotebook } from '../save.ts';

/** Outputs after this size stay static in the article. */
const mostLive = 20 * 1024 ** 2;

/** Notebooks are published as an article, a report or a dashboard. */
export const notebookPublication: PublicationKind<Context> = {
  contentKind: 'notebooks',
  types: ['article', 'report', 'dashboard'],
  takes: ({ path }) => /\.ipynb$/i.test(path),
  async newest(ctx, { id, projectId }) {
    await saveNotebook(ctx, id);
    const file = await requireNotebookFile(ctx.db, { projectId, fileId: id });
    return { blob: file.blob, fileVersionId: file.versionId };
  },
  render: articleOf,
  pictures: {
    async read(ctx, blob, payload = defaultPayload) {
      const { pictures } = await articleOf(ctx, blob, payload);
      return { addresses: pictures, kept: keptPictures((await readBase(ctx, blob)).metadata) };
    },
    async write(ctx, blob, pictures) {
      const content = await keepPictures(ctx, blob, pictures);
      return (await ctx.blobs.put(Readable.from([content]), uploadLimits.file)).sha256;
    },
  },
  async liveOutputs(ctx, blob, { hidden_cell_ids }) {
    const { isLive } = await import('@atoll/notebook/article');
    const { cells, metadata } = await readBase(ctx, blob);
    const hidden = new Set(hidden_cell_ids);
    const entries: LiveOutput[] = [];
    let left = mostLive;
    for (const cell of cells) {
      if (hidden.has(cell.id)) continue;
      for (const [index, written] of (await outputsInBase(ctx, blob, cell.id)).entries()) {
        if (!isLive(written, metadata)) continue;
        const output = withSavedWidget(written, metadata);
        left -= JSON.stringify(output).length;
        if (left < 0) return entries;
        entries.push({ cell_id: cell.id, index, output });
      }
    }
    return entries;
  },
  async picture(ctx, blob, cellId) {
    for (const output of await outputsInBase(ctx, blob, cellId)) {
      if (!('data' in output)) continue;
      const data = output.data['image/png'] ?? output.data['image/jpeg'];
      if (typeof data === 'string') return Buffer.from(data, 'base64');
    }
    return null;
  },
};

/** A canvas is published with its layout: as a dashboard or a report. */
export const canvasPublication: PublicationKind<Context> = {
  ...notebookPublication,
  contentKind: 'canvases',
  types: ['dashboard', 'report'],
  takes: ({ path }) => /\.mpsw$/i.test(path),
  render: (ctx, blob, payload, part) => articleOf(ctx, blob, payload, { hasCharts: false, ...part, isBoard: true }),
};
