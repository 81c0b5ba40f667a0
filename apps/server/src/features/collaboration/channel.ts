import { topics } from '@atoll/contract';
import { channel } from '../../platform/realtime/channel.ts';
import { lookAtFile } from '../files/service/changes.ts';
import { getFile } from '../files/service/files.ts';
import { requireProject } from '../projects/service/access.ts';
import { loadPerson } from '../projects/service/relations.ts';
import { fileLockChannels } from './keep-locks.ts';
import { acquireLock, lockState, releaseLock } from './service.ts';

const lock = channel({
  topic: topics.lock,
  async authorize(ctx, { projectId, fileId }) {
    await getFile(ctx, projectId, fileId);
  },
  async joined(ctx, { params }) {
    // Text files are opened with their lock.
    await lookAtFile(ctx, params.fileId, async () => {});
    return lockState(ctx, params);
  },
  commands: {
    async acquire(ctx, { tag, takeover }, { params, channel }) {
      const state = await acquireLock(ctx, params, { channelId: channel.id, tag, isTakeover: takeover });
      fileLockChannels(ctx).add(channel.id);
      return state;
    },
    async release(ctx, _input, { params, channel }) {
      await requireProject(ctx, ctx.db, params.projectId, 'project.edit');
      return releaseLock(ctx, params, channel.id);
    },
  },
  async left(ctx, { params, channel }, why) {
    const release = () => releaseLock(ctx, params, channel.id);
    await fileLockChannels(ctx).letGo(channel.id, why === 'disconnected', release);
  },
});

const lobby = channel({
  topic: topics.collaboratorLobby,
  async authorize(ctx, { id }) {
    await requireProject(ctx, ctx.db, id, 'project.view');
  },
  async joined(ctx, { presence, channel }) {
    const { userId } = ctx;
    const user = await loadPerson(ctx.db, userId);
    channel.state.user = { ...user };
    presence.track(channel, userId, { user: { ...user }, file_id: null, cursor: null, is_editing: false });
    return {};
  },
  commands: {
    async update_meta(ctx, meta, { params, presence, channel }) {
      // The right is looked after by the subscription: a cursor that moves must not ask the database each time.
      ctx.authorize('project.view', { abilities: ['view'], project: { id: params.id } });
      const user = channel.state.user as Record<string, string | null>;
      presence.update(channel, ctx.userId, { user, ...meta });
      return { ok: true };
    },
  },
});

export const collaborationChannels = [lock, lobby];
