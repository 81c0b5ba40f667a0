/** The operator's rules for installable packages. */
export interface PackageRules {
  /** Names; empty allows every package. */
  allowed: string[];
  /** Replaces the index of pip's configuration. */
  index: string | null;
  /** The limit of one project's unpacked packages. */
  mostBytes: number;
  timeoutMs: number;
}

/** The message is for the person who requested the packages. */
export class PackageProblem extends Error {}

/** Normalizes a name like package indexes do. */
export const packageName = (requirement: string): string =>
  (/^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(requirement)?.[0] ?? '').toLowerCase().replaceAll(/[-_.]+/g, '-');

const version = String.raw`(?:===?|~=|!=|<=?|>=?)\s*[A-Za-z0-9.*+!_-]+`;
const form = new RegExp(
  String.raw`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._, -]*\])?\s*(?:\(?${version}(?:\s*,\s*${version})*\)?)?(?:\s*;[^\n\r]*)?$`,
);
const most = 200;

/**
 * The lines of a requirements file that name packages. An address, a folder or an option would make pip read from places
 * the operator has not allowed, or build code.
 */
export function readRequirements(lines: string[]): string[] {
  const wanted = lines.map((line) => line.replace(/(?:^|\s)#.*$/, '').trim()).filter(Boolean);
  if (wanted.length > most) throw new PackageProblem(`More than ${most} packages at once are not installed.`);
  for (const line of wanted) {
    if (line.length > 500 || !form.test(line))
      throw new PackageProblem(
        `“${line.slice(0, 100)}” cannot be installed: give the name of a package, with a version if you like, such as seaborn==0.13.2.`,
      );
  }
  return wanted;
}

export function requireAllowed(requirements: string[], { allowed }: PackageRules): void {
  if (allowed.length === 0) return;
  const names = new Set(allowed.map(packageName));
  const refused = requirements.map(packageName).filter((name) => !names.has(name));
  if (refused.length > 0)
    throw new PackageProblem(`An admin of this server does not allow ${refused.join(', ')} to be installed.`);
}

/** For equal names, the later line counts. */
export function joinRequirements(before: string[], added: string[]): string[] {
  const byName = new Map([...before, ...added].map((line) => [packageName(line), line]));
  return [...byName.values()].sort();
}
