/** The mail port: SMTP when configured, otherwise the mailbox, a folder that the operator can read. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  headers?: Record<string, string>;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}
