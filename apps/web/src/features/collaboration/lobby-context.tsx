import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useSession } from '../session/queries.ts';
import { Lobby } from './lobby.ts';
import { isOn, type Person } from './people.ts';

const LobbyContext = createContext<Lobby | null>(null);

/** Provides the people in the project to everything inside. */
export function LobbyProvider(props: { projectId: string; fileId: string | undefined; children: ReactNode }) {
  const { projectId, fileId, children } = props;
  const me = useSession().id;
  const [lobby, setLobby] = useState<Lobby | null>(null);
  useEffect(() => {
    const entered = new Lobby(projectId, me);
    setLobby(entered);
    return () => entered.leave();
  }, [projectId, me]);
  useEffect(() => lobby?.open(fileId ?? null), [lobby, fileId]);
  return <LobbyContext value={lobby}>{children}</LobbyContext>;
}

export const useLobby = (): Lobby | null => useContext(LobbyContext);

const nothing = () => () => {};
const nobody: Person[] = [];

export function usePeople(): Person[] {
  const lobby = useLobby();
  return useSyncExternalStore(lobby?.subscribe ?? nothing, lobby?.getPeople ?? (() => nobody));
}

/** The people that match; drawn again when they are others, not when one of them moves. */
export function usePeopleWhere(isWanted: (person: Person) => boolean): Person[] {
  const lobby = useLobby();
  const kept = useRef(nobody);
  return useSyncExternalStore(lobby?.subscribe ?? nothing, () => {
    const found = lobby?.getPeople().filter(isWanted) ?? nobody;
    const isSame = (one: Person, other: Person | undefined) =>
      one.user.id === other?.user.id && one.colour === other.colour;
    const { current } = kept;
    if (found.length !== current.length || !found.every((one, index) => isSame(one, current[index])))
      kept.current = found;
    return kept.current;
  });
}

export function usePeopleOn(fileId: string | undefined): Person[] {
  const people = usePeople();
  return useMemo(() => (fileId ? people.filter((person) => isOn(person, fileId)) : nobody), [people, fileId]);
}
