import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { newId } from '../db/columns.ts';
import type { Log } from '../log.ts';
import type { Mailer } from './mailer.ts';

/** Without SMTP each mail becomes a file in the outbox folder, and its links are printed: enough to sign in locally. */
export function folderMailer(options: { folder: string; log: Log }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      const { message } = await transport.sendMail(mail);
      const file = join(options.folder, `${newId()}.eml`);
      await writeFile(file, message as Buffer, { mode: 0o600 });
      const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
      options.log.info({ to: mail.to, file, links }, `Mail written: ${mail.subject}`);
    },
  };
}
