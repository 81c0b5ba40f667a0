import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, email, line, text } from '../fields.ts';

export const siteEndpoints = {
  contactUs: endpoint('POST', '/v1/contact_us', {
    permission: 'site.contact',
    limit: 'mail',
    keyScope: 'never',
    tag: 'Site',
    summary: 'Write to the people who run this',
  })
    .input(z.strictObject({ name: line(120).min(1), email, message: text(10_000).min(1) }))
    .output(done),
};
