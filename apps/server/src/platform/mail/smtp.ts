import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

export function smtpMailer(url: string): Mailer {
  const transport = createTransport(url);
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
  };
}
