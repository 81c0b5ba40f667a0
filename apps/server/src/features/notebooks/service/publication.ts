import type { Context } from '../../../platform/context.ts';
import type { PublicationKind } from '../../../platform/publication-kind.ts';
import { requireNotebookFile } from './address.ts';
import { articleOf, outputsInBase } from './base.ts';
import { saveNotebook } from './save.ts';

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
  async picture(ctx, blob, cellId) {
    for (const output of await outputsInBase(ctx, blob, cellId)) {
      if (!('data' in output)) continue;
      const data = output.data['image/png'] ?? output.data['image/jpeg'];
      if (typeof data === 'string') return Buffer.from(data, 'base64');
    }
    return null;
  },
};
