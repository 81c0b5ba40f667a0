import type { LobbyMeta } from '@atoll/contract';
import type { PersonSummary } from '@atoll/contract/projects/entity';
import type { Present } from '../../platform/realtime/live-topic.ts';
import { colourOf } from './colours.ts';

/** The place of a person in one of their windows. */
export interface Place extends LobbyMeta {
  /** Identifies the window, as long as its place does not change. */
  ref: string;
}

/** Another person in the project. */
export interface Person {
  user: PersonSummary;
  colour: number;
  places: Place[];
}

/** Returns the others in a stable order; each keeps the colour they got first. */
export function peopleOf(present: Present[], me: string, given: Map<string, number>): Person[] {
  return present
    .filter(({ key }) => key !== me)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .flatMap(({ key, metas }) => {
      const user = metas[0]?.user as PersonSummary | undefined;
      if (!user?.id) return [];
      const colour = colourOf(key, given);
      given.set(key, colour);
      const places = metas.map((meta) => ({ ...(meta as unknown as LobbyMeta), ref: String(meta.phx_ref) }));
      return [{ user, colour, places }];
    });
}

export const isOn = (person: Person, fileId: string): boolean =>
  person.places.some((place) => place.file_id === fileId);

/** The file a person is on: an edited one before a viewed one. */
export const fileOf = ({ places }: Person): string | null =>
  (places.find((place) => place.is_editing && place.file_id) ?? places.find((place) => place.file_id))?.file_id ?? null;
