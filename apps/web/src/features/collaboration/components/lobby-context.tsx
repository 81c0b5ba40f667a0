import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useSession } from '../../session/queries.ts';
import { Lobby } from '../lobby.ts';
import { isOn, type Person } from '../people.ts';

const LobbyContext = createContext<Lobby | null>(null);

/** Everything inside knows who else is in the project. */
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

export function usePeopleOn(fileId: string | undefined): Person[] {
  const people = usePeople();
  return useMemo(() => (fileId ? people.filter((person) => isOn(person, fileId)) : nobody), [people, fileId]);
}
