import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, email, empty, line, text } from '../fields.ts';
import { trackedBatch } from '../tracking/channel.ts';

const tag = 'Site';
const message = text(10_000).refine((value) => value.trim() !== '', 'Write something first');
const form = { limit: 'mail', keyScope: 'never', tag } as const;

export const tip = z.object({ id: z.string(), title: z.string(), text: z.string(), path: z.string().nullable() });
export type Tip = z.infer<typeof tip>;

export const siteEndpoints = {
  contactUs: endpoint('POST', '/v1/contact_us', {
    permission: 'site.contact',
    ...form,
    summary: 'Contact the operators',
  })
    .input(z.strictObject({ name: line(120).min(1), email, message: text(10_000).min(1) }))
    .output(done),

  feedback: endpoint('POST', '/v1/feedback', { permission: 'site.write', ...form, summary: 'Send feedback' })
    .input(z.strictObject({ message, allow_contact: z.boolean().default(false), page: line(500).optional() }))
    .output(done),

  issueReport: endpoint('POST', '/v1/issue_report', { permission: 'site.write', ...form, summary: 'Report a problem' })
    .input(z.strictObject({ message, page: line(500).optional() }))
    .output(done),

  dataRequest: endpoint('POST', '/v1/data_request', {
    permission: 'site.request_data',
    ...form,
    summary: 'Request a copy of my data, or its deletion',
  })
    .input(z.strictObject({ message }))
    .output(done),

  events: endpoint('POST', '/v1/events', { permission: 'tracking.write', tag, summary: 'Store product events' })
    .input(trackedBatch)
    .output(z.object({ stored: z.int() })),

  tracking: endpoint('POST', '/v1/tracking', {
    permission: 'tracking.write',
    tag,
    summary: 'Store product events',
    description: 'The same as /v1/events, by its other name.',
  })
    .input(trackedBatch)
    .output(z.object({ stored: z.int() })),

  tips: endpoint('GET', '/v1/tips', { permission: 'system.view', tag, summary: 'Tips' })
    .input(empty)
    .output(z.object({ entries: z.array(tip) })),
};
