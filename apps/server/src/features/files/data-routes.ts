import { endpoints } from '../../platform/http/implement.ts';
import { countAnalysis } from '../projects/service/write.ts';
import { describeColumn, readTable } from './service/data.ts';

const { files } = endpoints;

const fileOf = (input: { id: string; fileId: string; version_id?: string }) => ({
  projectId: input.id,
  fileId: input.fileId,
  versionId: input.version_id ?? null,
});

export const fileDataRoutes = {
  data: files.data.handler(async ({ context, input }) => {
    const { sheet, filters, search, page, page_size: pageSize, sort_by, sort_direction: direction } = input;
    const sort = sort_by === undefined ? null : { column: sort_by, direction };
    const table = await readTable(context, fileOf(input), { sheet, filters, search, page, pageSize, sort });
    await countAnalysis(context, input.id);
    return table;
  }),

  dataStatistics: files.dataStatistics.handler(({ context, input }) => {
    const { sheet, filters, search, column } = input;
    return describeColumn(context, fileOf(input), { sheet, filters, search, column });
  }),
};
