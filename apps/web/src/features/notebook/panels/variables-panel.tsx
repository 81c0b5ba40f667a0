import type { Variable } from '@atoll/contract';
import { Anchor, Skeleton, TextInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { TableHead } from '../../../ui/lists/table.tsx';
import { formatSize } from '../../files/model.ts';
import { useKernel, useNotebook, useSignal } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import { refusalWords } from '../refusal.ts';
import classes from './side-panels.module.css';

const FrameDialog = lazyPart(() => import('../cells/frame-dialog.tsx'), 'FrameDialog');

/** The variables of the code; loaded again whenever the kernel becomes idle. */
export function VariablesPanel() {
  const { store } = useNotebook();
  const { state, session_id } = useKernel();
  const [variables, setVariables] = useState<Variable[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  const isOn = session_id !== null && (state === 'idle' || state === 'busy');
  const load = useCallback(async () => {
    try {
      setVariables((await store.must().send('vars_list', {})).variables);
      setProblem(null);
    } catch (error) {
      setProblem(refusalWords(error));
    }
  }, [store]);
  useEffect(() => {
    if (state === 'idle') void load();
    else if (state === 'none' || state === 'ended') setVariables(null);
  }, [state, load]);
  const isBusy = useSignal(store, 'queue', () => store.countRunning() > 0);
  const wanted = search.toLowerCase();
  const shown = variables?.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(wanted));
  return (
    <>
      <PanelHead id="variables" title="Variables">
        <IconButton label="Refresh variables" tip="Refresh" size={24} disabled={!isOn} onClick={() => void load()}>
          <IconRefresh size={15} stroke={1.6} />
        </IconButton>
      </PanelHead>
      {!isOn ? (
        <p className={classes.empty}>No kernel. Run a cell to see its variables.</p>
      ) : problem && !variables ? (
        <p className={classes.empty} role="alert">
          {problem}
        </p>
      ) : !shown && isBusy ? (
        <p className={classes.empty}>Code is running. Variables are listed when it is done.</p>
      ) : !shown ? (
        <div className={classes.list}>
          <Skeleton height={14} mb={10} width="80%" />
          <Skeleton height={14} mb={10} width="60%" />
        </div>
      ) : (
        <div className={classes.list}>
          <TextInput
            size="xs"
            placeholder="Filter"
            aria-label="Filter variables"
            mb={6}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {shown.length === 0 && <p className={classes.empty}>{search ? 'No variables match.' : 'No variables.'}</p>}
          {shown.length > 0 && (
            <table className={classes.variables}>
              <TableHead columns={['Name', 'Type', 'Value']} />
              <tbody>
                {shown.map(({ name, type, shape, bytes, preview, is_table }) => (
                  <tr key={name}>
                    <td title={name}>
                      {is_table ? (
                        <Anchor component="button" type="button" inherit onClick={() => setOpened(name)}>
                          {name}
                        </Anchor>
                      ) : (
                        name
                      )}
                    </td>
                    <td title={bytes === null ? type : `${type}, ${formatSize(bytes)}`}>
                      {type}
                      {shape && <small> {shape}</small>}
                      {bytes !== null && bytes >= 1024 && <small> {formatSize(bytes)}</small>}
                    </td>
                    <td title={preview}>
                      <span className={classes.mono}>{preview}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
      <Suspense>{opened && <FrameDialog name={opened} onClose={() => setOpened(null)} />}</Suspense>
    </>
  );
}
