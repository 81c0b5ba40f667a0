import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../db/columns.ts';
import type { Log } from '../log.ts';
import type { Mailer } from './mailer.ts';

/**
 * Without SMTP each mail becomes a file in the mailbox, a folder that only the operator reads. Its content is never logged,
 * because anyone with a mailed link gets the account.
 */
export function mailboxMailer(options: { folder: string; log: Log }): Mailer {
  return {
    async send(mail) {
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true });
      const { message } = await transport.sendMail(mail);
      const file = join(options.folder, `${newId()}.eml`);
      await writeFile(file, message as Buffer, { mode: 0o600 });
      options.log.info({ to: mail.to, file }, `Mail written: ${mail.subject}`);
    },
  };
}
