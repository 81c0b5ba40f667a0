import type { FileVersion, ProjectFile } from '@atoll/contract/files/entity';
import { apiBase } from '../../platform/http.ts';

/** The address of the whole project, or a part of it, as a zip. */
export function archiveUrl(projectId: string, paths: string[] = []): string {
  const url = new URL(`${apiBase()}/v1/notebooks/${projectId}/archive`);
  for (const path of paths) url.searchParams.append('paths[]', path);
  return url.href;
}

/**
 * The address of a file's content at the version known here. Saves in quick succession share a version's id, so the address
 * has the number, too: no cache can then answer with an older text.
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
