import { baseName, defaultPayload, defaultPrintSettings, isNotebookPath } from '@atoll/contract';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { PageRoute } from '../../platform/http/pages.ts';
import { getFile } from '../files/service/files.ts';
import { requirePublication } from '../publications/service/access.ts';
import { assetUrl } from '../uploads/view.ts';
import { printDocument, sheetDocument } from './print-document.ts';
import { printedOf, watermarkOf } from './service/printed.ts';
import { printedFile } from './service/render-file.ts';
import { grantIn } from './service/token.ts';

const unpublished = async (
  ctx: Context,
  title: string,
  html: string,
  settings = defaultPrintSettings,
): Promise<string> =>
  printDocument({
    ...{ settings, date: ctx.now().toISOString().slice(0, 10), title, html },
    ...{ cover: null, description: '', authors: [], publishedAt: null, number: null },
    watermark: await watermarkOf(ctx, settings),
  });

export const reportPages: PageRoute[] = [
  {
    path: '/print/:id',
    flag: 'publications',
    async answer(ctx, { id }, { token }) {
      const publicationId = z.uuid().safeParse(id);
      if (!publicationId.success) throw notFound('This publication');
      // The renderer has a token and no session; everyone else reads it as the publication itself.
      const grant = token === undefined ? null : await grantIn(ctx, token);
      if (token !== undefined && grant?.publicationId !== publicationId.data) throw notFound('This page');
      if (!grant) await requirePublication(ctx, ctx.db, publicationId.data, 'publication.view');
      const printed = await printedOf(ctx, publicationId.data);
      if (grant && (grant.versionId !== printed.versionId || grant.key !== printed.key)) throw notFound('This page');
      const { publication, settings, authors, number, date } = printed;
      const { title, description, publishedAt, coverAssetId } = publication;
      const cover = settings.print_cover ? assetUrl(coverAssetId) : null;
      return {
        document: printDocument({
          ...{ settings, cover, title, description, authors, publishedAt, number, date },
          watermark: printed.watermark,
          html: await printed.draw(),
        }),
      };
    },
  },
  {
    path: '/print-canvas/:projectId/:fileId',
    async answer(ctx, params) {
      const address = z.object({ projectId: z.uuid(), fileId: z.uuid() }).safeParse(params);
      if (!address.success) throw notFound('This canvas');
      const { projectId, fileId } = address.data;
      const file = await getFile(ctx, projectId, fileId);
      const kind = ctx.publicationKinds.find((each) => each.contentKind === 'canvases');
      if (!kind || !isNotebookPath(file.path)) throw notFound('This canvas');
      const { blob } = await kind.newest(ctx, file);
      const { html } = await kind.render(ctx, blob, defaultPayload, { hasCharts: true, isPrinted: true });
      const title = baseName(file.path).replace(/\.(ipynb|mpsw)$/i, '');
      return { document: await unpublished(ctx, title, html) };
    },
  },
  {
    path: '/print/file/:blob',
    async answer(ctx, { blob = '' }, { token = '' }) {
      const file = await printedFile(ctx, blob, token);
      if (!file) throw notFound('This page');
      const { title, html, canvas, settings } = file;
      if (canvas) return { document: sheetDocument({ title, html, ...canvas }) };
      return { document: await unpublished(ctx, title, html, settings) };
    },
  },
];
