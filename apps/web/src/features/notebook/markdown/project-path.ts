/** Decodes a name; a name with a literal percent sign is returned as it is. */
export function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Resolves an address in a text from a file's folder: a path in the project, or null for an address elsewhere. */
export function projectPath(address: string, folder: string): string | null {
  if (/^([a-z][a-z0-9+.-]*:|\/|\\|#|\?|$)/i.test(address)) return null;
  const path: string[] = folder === '' ? [] : folder.split('/');
  for (const name of decoded(address.replace(/[?#].*$/s, '')).split('/')) {
    if (name === '..') {
      if (path.pop() === undefined) return null;
    } else if (name !== '.' && name !== '') path.push(name);
  }
  return path.length ? path.join('/').normalize('NFC') : null;
}
