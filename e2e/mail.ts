/** Reads what the tests need of a mail as it stands on disk: whom it is for, its subject and the link in it. */
export function simpleParser(source: string): { to: string; subject: string; link: string } {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(source)?.[1]?.trim() ?? '';
  // Quoted-printable breaks long lines with "=" and writes "=" itself as "=3D".
  const body = source.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
  return {
    to: header('To'),
    subject: header('Subject'),
    link: /https?:\/\/\S+#(?:token|report)=[\w-]+/.exec(body)?.[0] ?? '',
  };
}
