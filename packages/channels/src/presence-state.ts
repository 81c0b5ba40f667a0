import type { PresenceMeta } from './presence-types.ts';

/** Key → reference → meta. Maps, because a key may be called `__proto__`. */
export type Entries = Map<string, Map<string, PresenceMeta>>;

export function put(entries: Entries, key: string, ref: string, meta: PresenceMeta): void {
  const metas = entries.get(key);
  if (metas) metas.set(ref, meta);
  else entries.set(key, new Map([[ref, meta]]));
}

/** Removes the meta and returns it, if it was there. */
export function take(entries: Entries, key: string, ref: string): PresenceMeta | undefined {
  const metas = entries.get(key);
  const meta = metas?.get(ref);
  if (metas?.delete(ref) && metas.size === 0) entries.delete(key);
  return meta;
}

/** In the client's format: `{key: {metas: [{phx_ref, …}]}}`. */
export function toPayload(...sources: Entries[]): Record<string, { metas: PresenceMeta[] }> {
  const payload: Record<string, { metas: PresenceMeta[] }> = Object.create(null);
  for (const entries of sources) {
    for (const [key, metas] of entries) {
      const shown = payload[key] ?? { metas: [] };
      shown.metas.push(...metas.values());
      payload[key] = shown;
    }
  }
  return payload;
}

/** The changes of one topic since they were last sent. */
export class Diff {
  readonly joins: Entries = new Map();
  readonly leaves: Entries = new Map();

  join(key: string, ref: string, meta: PresenceMeta): void {
    put(this.joins, key, ref, meta);
  }

  /** A presence that joins and leaves within one diff cancels out. */
  leave(key: string, ref: string, meta: PresenceMeta): void {
    if (!take(this.joins, key, ref)) put(this.leaves, key, ref, meta);
  }

  get isEmpty(): boolean {
    return this.joins.size === 0 && this.leaves.size === 0;
  }

  payload() {
    return { joins: toPayload(this.joins), leaves: toPayload(this.leaves) };
  }
}

/** The format of entries between servers. */
export type Packed = [key: string, metas: PresenceMeta[]][];

export const pack = (entries: Entries): Packed => [...entries].map(([key, metas]) => [key, [...metas.values()]]);

export function unpack(packed: Packed): Entries {
  const entries: Entries = new Map();
  for (const [key, metas] of packed) for (const meta of metas) put(entries, key, String(meta.phx_ref), meta);
  return entries;
}
