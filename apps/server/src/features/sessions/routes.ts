import { done, endpoints, onePage } from '../../platform/http/implement.ts';
import { createSocketToken, endSession, listSessions, logOut } from './service.ts';
import { openSessionView } from './view.ts';

const { session } = endpoints;

export const sessionRoutes = {
  logOut: session.logOut.handler(({ context }) => done(logOut(context))),

  list: session.list.handler(async ({ context }) => {
    const open = await listSessions(context);
    return onePage(open.map((row) => openSessionView(context, row)));
  }),

  end: session.end.handler(({ context, input }) => done(endSession(context, input.id))),

  socketToken: session.socketToken.handler(async ({ context }) => {
    const { token, expiresAt } = await createSocketToken(context);
    return { token, expires_at: expiresAt.toISOString() };
  }),
};
