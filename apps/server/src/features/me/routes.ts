import { endpoints } from '../../platform/http/implement.ts';
import { me, signupStats } from './service.ts';

const { session } = endpoints;

export const meRoutes = {
  me: session.me.handler(({ context, input }) => me(context, input)),
  signupStats: session.signupStats.handler(({ context }) => signupStats(context)),
};
