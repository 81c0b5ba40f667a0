import { defineContract } from '../define-contract.ts';
import { collaboratorLobbyTopic, lockTopic } from './channel.ts';

export const collaborationContract = defineContract({
  topics: { collaboratorLobby: collaboratorLobbyTopic, lock: lockTopic },
});
