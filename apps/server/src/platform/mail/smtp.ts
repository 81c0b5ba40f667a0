import type { Mailer } from './mailer.ts';

export function smtpMailer(url: string): Mailer {
  // A mail server that hangs must not hold up everything else that is waiting to be delivered.
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  const transport = import('nodemailer').then(({ createTransport }) => createTransport({ url, ...timeouts }));
  return {
    async send(mail) {
      await (await transport).sendMail(mail);
    },
  };
}
