import { useCallback, useRef, useState } from 'react';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { toastError } from '../../ui/toast.ts';
import { useNotebook } from '../notebook/notebook-context.tsx';
import { refusalWords } from '../notebook/refusal.ts';
import { type ShownConversation, shownConversation, withEvent, withStreamed } from './conversation-state.ts';

/** The conversation about the open document, live, and what can be said in it. */
export function useAssistant() {
  const { store, projectId, fileId } = useNotebook();
  const [shown, setShown] = useState<ShownConversation | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<ShownConversation | null>(null);
  const show = useCallback((next: ShownConversation) => {
    latest.current = next;
    setShown(next);
  }, []);
  const load = useCallback(async () => {
    try {
      const topic = await store.ready();
      show(shownConversation(await topic.send('get_chat_history', {})));
      setProblem(null);
    } catch (error) {
      setProblem(refusalWords(error));
    }
  }, [store, show]);
  const take = (next: ShownConversation | null) => {
    if (next) show(next);
    else void load();
  };
  useTopic(
    'assistant',
    { projectId, fileId },
    {
      on: {
        chat_event: (told) => latest.current && take(withEvent(latest.current, told)),
        chat_streaming: (told) => latest.current && take(withStreamed(latest.current, told)),
        chat_cleared: () => void load(),
      },
      onJoined: () => void load(),
      onLost: (error) => setProblem(refusalWords(error)),
    },
  );
  /** Says something to the server; false when it was refused, which is told. */
  const act = useCallback(
    async (work: (topic: Awaited<ReturnType<typeof store.ready>>) => Promise<unknown>): Promise<boolean> => {
      try {
        await work(await store.ready());
        return true;
      } catch (error) {
        toastError(new Error(refusalWords(error), { cause: error }));
        return false;
      }
    },
    [store],
  );
  return { shown, problem, act, load };
}

export type Assistant = ReturnType<typeof useAssistant>;
