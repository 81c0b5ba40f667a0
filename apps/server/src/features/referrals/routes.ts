import { endpoints } from '../../platform/http/implement.ts';
import { dashboard, referredPeople } from './service/dashboard.ts';

const { referrals } = endpoints;

export const referralRoutes = {
  dashboard: referrals.dashboard.handler(({ context }) => dashboard(context)),
  people: referrals.people.handler(({ context, input }) => referredPeople(context, input)),
};
