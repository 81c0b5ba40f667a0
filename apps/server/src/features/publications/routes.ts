import { errorText } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { AppError, storageFailure } from '../../platform/errors.ts';
import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { openCopy } from './service/copies.ts';
import { countPublications, listPublications } from './service/list.ts';
import { publicationOfFile, publish, remotePictures, restoreVersion } from './service/publish.ts';
import { queryOf } from './service/query.ts';
import { listVersions, publicationsOfProject, readBySlug, readLiveOutputs } from './service/read.ts';
import { publishAfterRun } from './service/run-first.ts';
import { countShare, countView, setClap } from './service/stats.ts';

const { publications } = endpoints;

/** Logs an unexpected error, and answers with the text of the specification. */
const explained = <Result>(ctx: Context, publishing: Promise<Result>): Promise<Result> =>
  publishing.catch((error: unknown) => {
    if (error instanceof AppError || storageFailure(error)) throw error;
    ctx.log.error({ error }, 'A project could not be published');
    throw new AppError('internal_server_error', errorText.publishingFailed);
  });

export const publicationRoutes = {
  list: publications.list.handler(async ({ context, input }) => {
    const { filters, query } = await queryOf(context, input);
    return { ...pageOf(input, await listPublications(context, query)), filters };
  }),
  counts: publications.counts.handler(({ context, input }) => countPublications(context, input)),
  ofProject: publications.ofProject.handler(async ({ context, input }) => ({
    entries: await publicationsOfProject(context, input.id),
  })),
  ofFile: publications.ofFile.handler(({ context, input }) => publicationOfFile(context, input.id)),
  remotePictures: publications.remotePictures.handler(async ({ context, input }) => ({
    entries: await remotePictures(context, input.id),
  })),
  publish: publications.publish.handler(({ context, input: { id, ...update } }) =>
    explained(context, update.run_first ? publishAfterRun(context, id, update) : publish(context, id, update)),
  ),
  bySlug: publications.bySlug.handler(({ context, input }) => readBySlug(context, input.slug, input.version)),
  versions: publications.versions.handler(async ({ context, input }) => ({
    entries: await listVersions(context, input.id),
  })),
  liveOutputs: publications.liveOutputs.handler(async ({ context, input }) => ({
    entries: await readLiveOutputs(context, input.id, input.version),
  })),
  restoreVersion: publications.restoreVersion.handler(({ context, input }) =>
    restoreVersion(context, input.id, input.number),
  ),
  countStat: publications.countStat.handler(({ context, input }) =>
    done((input.stat_name === 'view' ? countView : countShare)(context, input.id)),
  ),
  openCopy: publications.openCopy.handler(({ context, input }) => openCopy(context, input.id)),
  clap: publications.clap.handler(({ context, input }) => setClap(context, input.id, true)),
  unclap: publications.unclap.handler(({ context, input }) => setClap(context, input.id, false)),
};
