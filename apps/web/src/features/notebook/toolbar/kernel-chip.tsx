import { type ComputeTier, computeTiers } from '@atoll/contract/plans';
import { personName } from '@atoll/contract/users/names';
import { Menu, Skeleton, UnstyledButton } from '@mantine/core';
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import menus from '../../../ui/styles/menus.module.css';
import { formatSize } from '../../files/model.ts';
import { KernelNotes } from '../../kernels/kernel-notes.tsx';
import { kernelsQuery, ramTiersQuery } from '../../kernels/queries.ts';
import { quotaState } from '../../quota/model.ts';
import { quotaQuery } from '../../quota/queries.ts';
import { useKernel, useNotebook, useNotebookMode, useSignal } from '../notebook-context.tsx';
import classes from './toolbar.module.css';

const words = {
  none: 'No kernel',
  starting: 'Starting',
  idle: 'Idle',
  busy: 'Busy',
  ended: 'Ended',
} as const;

const isolations = {
  sandbox: 'In a sandbox',
  webassembly: 'In WebAssembly',
  none: 'No sandbox',
  remote: 'On another server',
} as const;

/** Shows the kernel and its state. */
export function KernelChip() {
  const { store } = useNotebook();
  const kernel = useKernel();
  const mode = useNotebookMode();
  const running = useSignal(store, 'queue', store.countRunning);
  const state = kernel.state === 'idle' && running > 0 ? 'busy' : kernel.state;
  const word = running > 1 ? `Runs ${running} cells` : words[state];
  const { data } = useQuery(kernelsQuery);
  const name = data?.entries.find((each) => each.name === kernel.name)?.display_name;
  const { environment } = data ?? {};
  const preparing =
    state === 'none' && environment?.state === 'preparing'
      ? `Preparing Python ${Math.round((environment.progress ?? 0) * 100)} %`
      : null;
  const label = `${name ?? 'Default kernel'}, ${preparing ?? word}`;
  return (
    <Menu position="bottom-end" width={300} disabled={mode === 'view'}>
      <Menu.Target>
        <UnstyledButton
          className={classes.chip}
          aria-label={`Kernel: ${label}`}
          title={kernel.end_message ?? undefined}
        >
          <span className={classes.dot} data-state={state} />
          {(name || state !== 'none') && <span className={classes.chipName}>{name ?? 'Kernel'}</span>}
          {preparing ? (
            <span>{preparing}</span>
          ) : state === 'none' ? (
            <span className={name ? classes.onlyNarrow : undefined}>{words.none}</span>
          ) : (
            <>
              <span className={classes.chipName}>·</span>
              <span>{word}</span>
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <KernelMenu />
      </Menu.Dropdown>
    </Menu>
  );
}

function KernelMenu() {
  const { store } = useNotebook();
  const kernel = useKernel();
  const kernels = useQuery(kernelsQuery);
  const tiers = useQuery(ramTiersQuery);
  const quota = useQuery(quotaQuery);
  const able = kernels.data?.entries.filter((each) => each.language === store.language);
  const entries = able?.length ? able : kernels.data?.entries;
  const isOn = kernel.state !== 'none' && kernel.state !== 'ended';
  return (
    <>
      {kernel.end_message && kernel.state === 'ended' && (
        <div className={menus.note} data-problem role="alert">
          {kernel.end_message}
        </div>
      )}
      {isOn && kernel.starter && (
        <div className={menus.note}>
          Uses {kernel.starter.id === store.options.me ? 'your' : `${personName(kernel.starter)}’s`} execution time
        </div>
      )}
      <Menu.Label>Kernel</Menu.Label>
      {!entries && <Skeleton height={18} m={8} width="70%" />}
      <Menu.RadioGroup
        value={kernel.name ?? entries?.find((each) => each.is_default)?.name ?? null}
        onChange={(next) => void store.changeKernel((topic) => topic.send('select_kernel', { kernel: String(next) }))}
      >
        {entries?.map((each) => (
          <Menu.RadioItem key={each.name} value={each.name} closeMenuOnClick={false}>
            <span className={menus.choice}>
              {each.display_name}
              <span data-warning={each.isolation === 'none' || undefined}>
                {each.is_default && 'Default · '}
                {isolations[each.isolation]}
              </span>
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {kernels.data && <KernelNotes {...kernels.data} />}
      <Menu.Label>Memory</Menu.Label>
      <Menu.RadioGroup
        value={kernel.tier}
        onChange={(next) => {
          const tier = computeTiers.find((each) => each === next) as ComputeTier;
          void store.changeKernel((topic) => topic.send('set_memory', { tier }));
        }}
      >
        {tiers.data?.entries.map((each) => (
          <Menu.RadioItem key={each.tier} value={each.tier} disabled={!each.is_available} closeMenuOnClick={false}>
            <span className={menus.choice}>
              {formatSize(each.memory)}, {each.cpu_cores} {each.cpu_cores === 1 ? 'core' : 'cores'}
              {!each.is_available && <span>In a larger plan</span>}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {isOn && (
        <div className={menus.note}>A different kernel or size takes effect with the next run; variables are lost.</div>
      )}
      {quota.data && <div className={menus.note}>Execution time: {quotaState(quota.data).words}</div>}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconRefresh size={15} stroke={1.6} />}
        rightSection="0 0"
        onClick={() => void store.changeKernel((topic) => topic.send('restart', {}))}
      >
        Restart
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPlayerStop size={15} stroke={1.6} />}
        disabled={!isOn}
        onClick={() => void store.changeKernel((topic) => topic.send('stop_kernel', {}))}
      >
        Shut down kernel
      </Menu.Item>
    </>
  );
}
