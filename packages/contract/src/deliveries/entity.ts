import { z } from 'zod';
import { email, id, line, text, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';

export const attachments = ['pdf', 'png', 'none'] as const;
export const targetKinds = ['email', 'slack', 'telegram', 'webhook'] as const;
export type TargetKind = (typeof targetKinds)[number];

const channel = z
  .string()
  .trim()
  .max(80)
  .regex(/^(|[CGD][A-Z0-9]{6,}|#?[\p{L}\p{N}_-]+)$/u, 'Must be the id or the name of a channel');
const chat = z
  .string()
  .trim()
  .max(64)
  .regex(/^(|-?\d{1,20}|@[A-Za-z]\w{3,})$/, 'Must be the id of a chat, or a channel such as @tides');

export const recipientStates = ['known', 'waiting', 'confirmed', 'refused'] as const;

/** An address that a report goes to, as you would send it now. */
export const recipient = z.object({
  address: z.string(),
  state: z
    .enum(recipientStates)
    .describe('`known`: of the people of the project, or subscribed. The others are asked once, in your name'),
});
export type Recipient = z.infer<typeof recipient>;
export type RecipientState = Recipient['state'];

/** Where a report goes. */
export const deliverySettings = z.object({
  attachment: z.enum(attachments).describe('What is sent with the link'),
  message: text(2_000).describe('A few words above the link'),
  email: z.object({ enabled: z.boolean(), addresses: z.array(email).max(50) }),
  recipients: z.array(recipient).describe('One for each of the addresses'),
  slack: z.object({
    enabled: z.boolean(),
    channel,
    has_token: z.boolean().describe("Whether there is a token of a Slack app's bot; it is never shown"),
  }),
  telegram: z.object({ enabled: z.boolean(), chat_id: chat }),
  webhook: z.object({
    enabled: z.boolean(),
    host: z.string().nullable().describe('Of its address, which is never shown'),
  }),
});
export type DeliverySettings = z.infer<typeof deliverySettings>;

export const defaultDelivery: DeliverySettings = {
  attachment: 'pdf',
  message: '',
  email: { enabled: false, addresses: [] },
  recipients: [],
  slack: { enabled: false, channel: '', has_token: false },
  telegram: { enabled: false, chat_id: '' },
  webhook: { enabled: false, host: null },
};

const secret = line(500).nullable().optional();

/** What is left out stays as it is. */
export const deliveryChange = z.strictObject({
  attachment: z.enum(attachments).optional(),
  message: text(2_000).optional(),
  email: z.strictObject({ enabled: z.boolean().optional(), addresses: z.array(email).max(50).optional() }).optional(),
  slack: z
    .strictObject({
      enabled: z.boolean().optional(),
      channel: channel.optional(),
      token: secret.describe("Token of a Slack app's bot with files:write and chat:write; null removes it"),
    })
    .optional(),
  telegram: z.strictObject({ enabled: z.boolean().optional(), chat_id: chat.optional() }).optional(),
  webhook: z
    .strictObject({
      enabled: z.boolean().optional(),
      url: z
        .url({ protocol: /^https?$/, error: 'Must be a web address (http or https)' })
        .max(500)
        .nullable()
        .optional()
        .describe('Gets a POST with the link; null removes it'),
    })
    .optional(),
});
export type DeliveryChange = z.infer<typeof deliveryChange>;

export const deliveryStates = ['rendering', 'sending', 'delivered', 'partly_delivered', 'failed'] as const;
export const targetStates = ['waiting', 'sending', 'sent', 'failed', 'unconfirmed', 'asked', 'refused'] as const;

export const deliveryTarget = z.object({
  kind: z.enum(targetKinds),
  address: z.string(),
  state: z
    .enum(targetStates)
    .describe('`unconfirmed`: perhaps it arrived; `asked`: not sent, as the recipient has not agreed yet'),
  reason: z.string().nullable(),
  sent_at: time.nullable(),
});
export type DeliveryTarget = z.infer<typeof deliveryTarget>;

export const delivery = z.object({
  id,
  trigger: z.enum(['schedule', 'manual']),
  requester: personSummary.nullable(),
  version_number: z.int(),
  state: z.enum(deliveryStates),
  reason: z.string().nullable().describe('Why it was not sent, or not to all'),
  failed_cell_ids: z.array(z.string()).describe('Cells that could not be drawn'),
  attachment: z.enum(attachments),
  pages: z.int().nullable(),
  has_file: z.boolean().describe('Whether what was sent can be opened again'),
  targets: z.array(deliveryTarget),
  started_at: time,
  ended_at: time.nullable(),
});
export type Delivery = z.infer<typeof delivery>;
