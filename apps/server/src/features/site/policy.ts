import { allow, anyone, identified, type Policy, registered } from '../../platform/policy/policy.ts';

export const sitePolicy: Policy = {
  'site.contact': allow(anyone),
  'site.write': allow(identified),
  'site.request_data': allow(registered),
};
