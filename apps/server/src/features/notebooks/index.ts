import { defineFeature, type StopOptions } from '../../platform/feature.ts';
import { kernelSessionsOf } from '../kernels/service/kernel-sessions.ts';
import { notebookChannels } from './channel.ts';
import { notebookBroadcasts, notebookEvents } from './events.ts';
import { keepCellLocks } from './keep-locks.ts';
import { notebookRawRoutes } from './raw-routes.ts';
import { notebookRoutes } from './routes.ts';
import { canvasTools, notebookTools } from './service/assistant/assistant-tools.ts';
import { emptyBin } from './service/cells/bin.ts';
import { publishWidgets } from './service/document/saved-widgets.ts';
import { canvasPublication, notebookPublication } from './service/export/publication.ts';
import { notebookWatcher } from './service/kernel/kernel.ts';
import { answerOthers } from './service/queue/at-owner.ts';
import { notebookRunnerOf } from './service/queue/runner.ts';
import { keepSaving } from './service/save.ts';

/** Notebooks have no rules of their own: rights to a notebook are the rights to its project. */
export const notebooksFeature = defineFeature({
  name: 'notebooks',
  policy: {},
  routes: { notebooks: notebookRoutes },
  channels: notebookChannels,
  broadcasts: notebookBroadcasts,
  events: notebookEvents,
  rawRoutes: notebookRawRoutes,
  documentTools: [canvasTools, notebookTools],
  publicationKinds: [notebookPublication, canvasPublication],
  async start(ctx) {
    kernelSessionsOf(ctx).watch('notebook', notebookWatcher(ctx));
    answerOthers(ctx);
    publishWidgets(ctx);
    const runner = notebookRunnerOf(ctx);
    await runner.start();
    const stopSaving = keepSaving(ctx);
    const stopLocks = keepCellLocks(ctx);
    return async (options: StopOptions) => {
      stopLocks();
      await runner.stop(options);
      await stopSaving();
    };
  },
  sweep: emptyBin,
});
