import type { Theme } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { escaped } from '../../platform/http/escape.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { currentTheme } from '../theme/service.ts';
import { unsubscribeLinks } from './link.ts';
import { wantsMail } from './service.ts';

interface ThemedMail {
  subject: string;
  greeting?: string;
  lead: string;
  /** Longer text below the lead, shown as it was typed. */
  body?: string | undefined;
  button?: string;
  url?: string;
  note?: string | undefined;
  replyTo?: string;
  attachments?: Mail['attachments'];
  messageId?: string;
  /** What its footer offers instead of no more mail at all. */
  stopLink?: { page: string; oneClick: string; words: string };
  /** One after the other, each a link. */
  items?: { text: string; quote?: string | undefined; url: string }[];
  /**
   * Also to those who want no mail: about signing in, which they asked for or must hear of for their safety, and what
   * visitors write to whoever runs the product.
   */
  isAlwaysSent?: boolean;
}

type Links = { page: string; oneClick: string; words: string } | null;

/**
 * Every mail the product sends: the theme's name, colour and logo, and the same words as plain text. Whoever sends one does
 * not learn whether the address wants it.
 */
export async function sendThemedMail(ctx: Context, to: string, mail: ThemedMail): Promise<void> {
  if (!mail.isAlwaysSent && !(await wantsMail(ctx.db, to))) return;
  const links = mail.isAlwaysSent
    ? null
    : (mail.stopLink ?? { ...unsubscribeLinks(ctx, to), words: 'No more mail like this' });
  const theme = await currentTheme(ctx);
  const message = {
    to,
    from:
      ctx.config.mail.from ?? `${theme.name.replace(/["<>\r\n]/g, '')} <no-reply@${new URL(ctx.config.url).hostname}>`,
    subject: `${mail.subject} - ${theme.name}`,
    text: plainText(theme, mail, links),
    html: html(theme, mail, links, ctx.config.origin),
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    ...(mail.attachments ? { attachments: mail.attachments } : {}),
    ...(mail.messageId ? { messageId: mail.messageId } : {}),
    ...(links
      ? {
          headers: {
            'List-Unsubscribe': `<${links.oneClick}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }
      : {}),
  };
  await ctx.mail.send(message).catch((error: unknown) => {
    throw new Error(undelivered(to, error), { cause: error });
  });
}

/** What admins find it by among all that can fail. */
export const undeliveredBegin = 'Mail was not delivered to ';
const undelivered = (to: string, error: unknown) =>
  `${undeliveredBegin}${to}: ${error instanceof Error ? error.message : 'the mail server does not answer'}`;

function plainText(theme: Theme, mail: ThemedMail, links: Links): string {
  const parts = [
    mail.greeting ? `Hello ${mail.greeting},` : 'Hello,',
    mail.lead,
    mail.body,
    mail.items
      ?.map(({ text, quote, url }) => `* ${text}${quote ? `\n  > ${quote.replaceAll('\n', '\n  > ')}` : ''}\n  ${url}`)
      .join('\n\n'),
    mail.url,
    mail.note,
    links && `${links.words}: ${links.page}`,
    `-- \n${theme.name}${theme.legal_address ? `\n${theme.legal_address}` : ''}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

function html(theme: Theme, mail: ThemedMail, links: Links, origin: string): string {
  const { primary, background, surface, text, muted, border } = theme.palettes.light;
  const radius = theme.themes.light.radius;
  // Mail readers show no data: addresses and need absolute ones.
  const logo = theme.email_logo?.startsWith('/') ? `${origin}${theme.email_logo}` : null;
  const head = logo
    ? `<img src="${escaped(logo)}" alt="${escaped(theme.name)}" height="32" style="height:32px">`
    : `<strong class="brand" style="font-size:18px;color:${primary}">${escaped(theme.name)}</strong>`;
  const paragraph = (content: string, style = '', attributes = '') =>
    `<p${attributes} style="margin:0 0 16px;${style}">${content}</p>`;
  const rows = [
    paragraph(escaped(mail.greeting ? `Hello ${mail.greeting},` : 'Hello,')),
    paragraph(escaped(mail.lead)),
    mail.body
      ? paragraph(
          escaped(mail.body),
          `white-space:pre-wrap;border-left:3px solid ${border};padding-left:12px`,
          ' class="rule" dir="auto"',
        )
      : '',
    ...(mail.items ?? []).map(
      ({ text: words, quote, url }) =>
        `<p class="rule" style="margin:0;padding:12px 0;border-top:1px solid ${border}"><a href="${escaped(url)}" class="text" style="color:${text};text-decoration:none"><strong style="font-weight:600">${escaped(words)}</strong>${quote ? `<br><span class="muted" dir="auto" style="color:${muted};font-size:14px">${escaped(quote)}</span>` : ''}</a></p>`,
    ),
    mail.url && mail.button
      ? paragraph(
          `<a href="${escaped(mail.url)}" style="display:inline-block;background:${primary};color:#ffffff;text-decoration:none;font-weight:600;padding:10px 18px;border-radius:${radius}px">${escaped(mail.button)}</a>`,
          'margin:24px 0',
        )
      : '',
    mail.note ? paragraph(escaped(mail.note), `margin:0;color:${muted};font-size:13px`, ' class="muted"') : '',
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(mail.subject)}</title><style>${darkStyle(theme)}</style></head>
<body class="page" style="margin:0;background:${background};color:${text};font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;overflow-wrap:anywhere">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td style="padding:0 4px 16px">${head}</td></tr>
<tr><td class="card" style="background:${surface};border:1px solid ${border};border-radius:${radius}px;padding:28px">${rows.join('\n')}</td></tr>
<tr><td class="muted" style="padding:16px 4px;color:${muted};font-size:12px">${escaped(theme.texts.footer || theme.name)}${theme.legal_address ? `<br>${escaped(theme.legal_address)}` : ''}${links ? `<br><a href="${escaped(links.page)}" class="muted" style="color:${muted}">${escaped(links.words)}</a>` : ''}</td></tr></table>
</td></tr></table></body></html>`;
}

/** For mail readers that ask for it; the others keep the light colours, which stand in each element. */
function darkStyle({ palettes: { dark } }: Theme): string {
  const rules = {
    page: `background:${dark.background};color:${dark.text}`,
    card: `background:${dark.surface};border-color:${dark.border}`,
    text: `color:${dark.text}`,
    muted: `color:${dark.muted}`,
    rule: `border-color:${dark.border}`,
    brand: `color:${dark.primary}`,
  };
  const lines = Object.entries(rules).map(([name, style]) => `.${name}{${style.replaceAll(/(;|$)/g, '!important$1')}}`);
  return `@media (prefers-color-scheme:dark){${lines.join('')}}`;
}
