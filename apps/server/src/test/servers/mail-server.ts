import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  from: string;
  to: string[];
  content: string;
}

/**
 * A real SMTP server on loopback that keeps what it gets; `refuse` may answer with an error instead, and `beforeAnswer` holds
 * the answer to a message that it has taken.
 */
export async function startMailServer(
  refuse?: (to: string) => Error | null,
  beforeAnswer?: (mail: ReceivedMail) => Promise<void>,
) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(refuse?.(address) ?? null);
    },
    onData(stream, session, done) {
      text(stream)
        .then((content) => {
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map(({ address }) => address);
          const mail = { from: mailFrom ? mailFrom.address : '', to, content };
          received.push(mail);
          return beforeAnswer?.(mail);
        })
        .then(() => done(), done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received };
}

/** What is attached to a mail, by its type. */
export function attachmentIn({ content }: ReceivedMail, type: string): Buffer {
  const boundary = /boundary="([^"]+)"/.exec(content)?.[1] ?? '';
  const part = content.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`)) ?? '';
  return Buffer.from(part.slice(part.indexOf('\r\n\r\n')).trim(), 'base64');
}
