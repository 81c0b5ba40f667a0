import { baseName, cellId, printSettings, rawContract } from '@atoll/contract';
import { z } from 'zod';
import { invalidField } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { readAddress, readFields } from '../../platform/http/read-request.ts';
import { sandboxHeaders } from '../../platform/http/security-headers.ts';
import { exportNotebook, exportTypes } from './service/export/export.ts';
import { cellExportTypes, exportCell } from './service/export/export-cell.ts';

const params = z.object({ id: z.uuid(), fileId: z.uuid() });
const cellBody = z.strictObject({
  cell_id: cellId,
  type: z.enum(cellExportTypes),
  output_index: z.int().min(0).max(1_000_000).optional(),
});
const body = z.strictObject({
  type: z.enum(exportTypes).default('ipynb'),
  frame_id: cellId.optional(),
  ...printSettings.omit({ print_cover: true, cell_ids: true }).partial().shape,
  // The printed cells are in the address of the printed page.
  cell_ids: z.array(cellId).max(200).nullable().optional(),
});

export const notebookRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.notebooks.export,
    async handle(ctx, request, reply) {
      const { id: projectId, fileId } = readAddress(params, request.params);
      const { type, frame_id: frameId, ...print } = readFields(body, request.body ?? {});
      const [option] = Object.keys(print);
      if (option && type !== 'pdf') throw invalidField(option, 'Only a PDF is printed');
      const { name, content, mimeType } = await exportNotebook(ctx, { projectId, fileId }, { type, frameId, print });
      reply.headers({
        'content-type': mimeType,
        'content-disposition': attachment(baseName(name)),
        // An SVG may contain scripts.
        ...(type === 'svg' ? sandboxHeaders("sandbox; default-src 'none'") : {}),
      });
      return reply.send(content);
    },
  },
  {
    endpoint: rawContract.notebooks.exportCell,
    async handle(ctx, request, reply) {
      const { id: projectId, fileId } = readAddress(params, request.params);
      const { cell_id: cellId, type, output_index: outputIndex } = readFields(cellBody, request.body ?? {});
      const file = await exportCell(ctx, { projectId, fileId }, { cellId, type, outputIndex });
      reply.headers({
        'content-type': file.mimeType,
        'content-disposition': attachment(baseName(file.name)),
        // A picture may contain scripts.
        ...sandboxHeaders("sandbox; default-src 'none'"),
      });
      return reply.send(file.content);
    },
  },
];
