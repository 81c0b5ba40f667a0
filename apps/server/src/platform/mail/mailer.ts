/** The mail port: SMTP when configured, otherwise the mailbox, a folder that the operator can read. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  headers?: Record<string, string>;
  attachments?: { filename: string; content: Buffer; contentType: string }[];
  /** The same id for a mail that is sent again, so that mail programs show it once. */
  messageId?: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}
