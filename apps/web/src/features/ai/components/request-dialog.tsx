import { Alert, Modal, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNotebook } from '../../notebook/notebook-context.tsx';
import { refusalWords } from '../../notebook/refusal.ts';
import classes from './assistant.module.css';

interface Sent {
  instructions: string;
  messages: { role: string; text: string }[];
}

/** What a model is sent, word for word. */
export function RequestDialog({ onClose }: { onClose(): void }) {
  const { store } = useNotebook();
  const [sent, setSent] = useState<Sent | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    store
      .ready()
      .then((topic) => topic.send('get_ai_request', {}))
      .then(setSent, (error: unknown) => setProblem(refusalWords(error)));
  }, [store]);
  return (
    <Modal opened onClose={onClose} title="What is sent to the model" size="lg">
      {problem && <Alert color="danger">{problem}</Alert>}
      {!sent && !problem && <Skeleton height={80} />}
      {sent && (
        <div className={classes.sent}>
          <p className={classes.quiet}>
            With each message, together with the descriptions of the tools. Secrets are left out.
          </p>
          {[{ role: 'instructions', text: sent.instructions }, ...sent.messages].map(({ role, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no names of their own.
            <section key={index}>
              <h3>{role}</h3>
              <pre>{text}</pre>
            </section>
          ))}
        </div>
      )}
    </Modal>
  );
}
