import type { FileVersion, ProjectFile } from '@atoll/contract/files/entity';
import { apiBase } from '../../platform/http.ts';

/** The whole project as a zip, or some of it. */
export function archiveUrl(projectId: string, paths: string[] = []): string {
  const url = new URL(`${apiBase()}/v1/notebooks/${projectId}/archive`);
  for (const path of paths) url.searchParams.append('paths[]', path);
  return url.href;
}

/**
 * A file's content as of the version known here. Savings in quick succession share a version's id, so the number is in
 * the address too: no cache can then answer with an older text.
 */
export function contentUrl({ content_url, version_id, version }: ProjectFile): string {
  const url = new URL(content_url, location.origin);
  url.searchParams.set('version_id', version_id);
  url.searchParams.set('version', String(version));
  return url.href;
}

export function versionUrl({ content_url, version }: FileVersion): string {
  const url = new URL(content_url, location.origin);
  url.searchParams.set('version', String(version));
  return url.href;
}

export function downloadUrl({ content_url }: ProjectFile): string {
  const url = new URL(content_url, location.origin);
  url.searchParams.set('download', '1');
  return url.href;
}
