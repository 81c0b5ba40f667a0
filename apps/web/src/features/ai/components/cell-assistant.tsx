import { runs } from '@atoll/notebook';
import { Alert, Button, Group, Select, TextInput } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { TextLink } from '../../../ui/links.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { Compare, TextSkeleton } from '../../files/lazy-editor.tsx';
import { fileNameOf } from '../../notebook/model.ts';
import { useNotebook } from '../../notebook/notebook-context.tsx';
import { errorIn, tablesIn } from '../cell-context.ts';
import { modelsQuery } from '../queries.ts';
import classes from './assistant.module.css';

type Tables = Awaited<ReturnType<typeof tablesIn>>;
type Action = 'generate' | 'change' | 'explain' | 'fix';
interface Answer {
  /** What stood there when it was asked: only over that it is written. */
  over: string;
  code: string | null;
  explanation: string;
}

/** Code from a sentence, in the cell: shown beside what is there, and written when it is accepted. */
export function CellAssistant({ cellId, onClose }: { cellId: string; onClose(): void }) {
  const { store } = useNotebook();
  const models = useQuery(modelsQuery());
  const cell = store.getCell(cellId);
  const [prompt, setPrompt] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const [tables, setTables] = useState<Tables>([]);
  /** Of which table a chart is wanted. */
  const [charted, setCharted] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  useEffect(() => {
    void tablesIn(store).then(setTables);
  }, [store]);
  if (!cell || !runs(cell.type)) return null;
  const source = store.sourceOf(cellId);
  const error = errorIn(store.getShown(cellId).outputs);

  const ask = async (action: Action) => {
    abort.current?.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    setPending(true);
    setProblem(null);
    setAnswer(null);
    setWritten('');
    const before = store.getOrder().slice(0, store.indexOf(cellId));
    try {
      const stream = await (charted !== null && action !== 'explain' && action !== 'fix'
        ? client.ai.chart(
            { prompt: prompt || `A chart of ${charted}`, stream: true, table: charted, tables },
            { signal },
          )
        : cell.type === 'sql' && action !== 'explain'
          ? client.ai.sql(
              {
                ...{ prompt: prompt || 'Mend the error of this query.', stream: true, source },
                ...{ error: action === 'fix' ? error : '', tables: await tablesIn(store) },
              },
              { signal },
            )
          : client.ai.cell(
              {
                ...{ prompt, action, stream: true, source, language: cell.type === 'sql' ? 'sql' : store.language },
                ...{ error: action === 'fix' ? error : '', before: before.map((id) => store.sourceOf(id)) },
              },
              { signal },
            ));
      let text = '';
      if (!(Symbol.asyncIterator in stream)) throw new Error('The answer cannot be read.');
      for await (const part of stream) {
        if (part.type !== 'text') continue;
        text += part.text;
        setWritten(text);
      }
      setAnswer(
        action === 'explain' ? { over: source, code: null, explanation: text } : { over: source, ...codeIn(text) },
      );
    } catch (failure) {
      if (!signal.aborted) setProblem(messageOf(failure));
    } finally {
      if (!signal.aborted) setPending(false);
    }
  };
  const accept = () => {
    if (!answer?.code) return;
    if (store.sourceOf(cellId) !== answer.over) {
      setProblem('The cell has changed meanwhile. Ask again, so that nothing is overwritten.');
      return;
    }
    store.edit([{ op: 'update_cell_source', cell_id: cellId, source: answer.code }]);
    onClose();
  };
  const missing = models.data?.missing;
  return (
    <fieldset
      className={classes.assist}
      aria-label="Write with AI"
      onKeyDown={(event) => {
        // Keys of the notebook are not meant here.
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      {missing ? (
        <Group gap={8} justify="space-between">
          <span className={classes.quiet}>
            There is no model yet. Add a key in{' '}
            <TextLink to="/profile" search={{ section: 'ai' }}>
              Settings → AI
            </TextLink>
            , or ask an admin.
          </span>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (prompt.trim() || charted !== null) void ask(source.trim() ? 'change' : 'generate');
          }}
        >
          <TextInput
            autoFocus
            aria-label="What the code should do"
            placeholder={
              charted !== null
                ? 'What the chart should show'
                : source.trim()
                  ? 'What to change'
                  : 'What the code should do'
            }
            leftSection={<IconSparkles size={15} />}
            value={prompt}
            onChange={(event) => setPrompt(event.currentTarget.value)}
          />
          {cell.type === 'code' && tables.length > 0 && (
            <Select
              clearable
              aria-label="Chart of a table"
              placeholder="Chart of…"
              className={classes.charted}
              data={tables.map(({ name }) => name)}
              value={charted}
              onChange={setCharted}
            />
          )}
          <Button type="submit" loading={isPending} disabled={!prompt.trim() && charted === null}>
            {charted !== null ? 'Draw' : source.trim() ? 'Change' : 'Generate'}
          </Button>
          {error && (
            <Button variant="default" disabled={isPending} onClick={() => void ask('fix')}>
              Fix error
            </Button>
          )}
          {source.trim() && (
            <Button variant="default" disabled={isPending} onClick={() => void ask('explain')}>
              Explain
            </Button>
          )}
        </form>
      )}
      {problem && (
        <Alert color="danger" mt="xs" role="alert">
          {problem}
        </Alert>
      )}
      {isPending && written && <Markdown text={written} />}
      {answer && (
        <div className={classes.answer}>
          {answer.code !== null && (
            <Suspense fallback={<TextSkeleton />}>
              <Compare
                name={fileNameOf(cell.type, store.language)}
                left={answer.over}
                right={answer.code}
                leftLabel="Now"
                rightLabel="Suggested"
              />
            </Suspense>
          )}
          {answer.explanation && <Markdown text={answer.explanation} />}
          <Group gap={6} mt={8}>
            {answer.code !== null && (
              <Button size="compact-sm" onClick={accept}>
                Accept
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={onClose}>
              {answer.code === null ? 'Close' : 'Discard'}
            </Button>
          </Group>
        </div>
      )}
    </fieldset>
  );
}

/** The first fenced block; without one, all of it. */
function codeIn(text: string): { code: string; explanation: string } {
  const found = /```[^\n]*\n([\s\S]*?)(?:\n```|$)/.exec(text);
  if (!found) return { code: text.trim(), explanation: '' };
  const explanation = `${text.slice(0, found.index)}${text.slice(found.index + found[0].length)}`.trim();
  return { code: found[1] ?? '', explanation };
}
