import { type ComputeTier, computeTiers } from '@atoll/contract/plans';
import { Menu, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import menus from '../../../ui/styles/menus.module.css';
import { formatSize } from '../../files/model.ts';
import { KernelNotes } from '../../kernels/kernel-notes.tsx';
import { useChooseKernel } from '../../kernels/mutations.ts';
import { chosenKernelQuery, kernelsQuery, ramTiersQuery } from '../../kernels/queries.ts';

interface RunMenuProps {
  language: string;
  tier: ComputeTier | undefined;
  onTier(tier: ComputeTier): void;
}

/** With which kernel, and how large. */
export function RunMenu({ language, tier, onTier }: RunMenuProps) {
  const kernels = useQuery(kernelsQuery);
  const chosen = useQuery(chosenKernelQuery).data?.kernel;
  const tiers = useQuery(ramTiersQuery);
  const choose = useChooseKernel();
  const able = kernels.data?.entries.filter((kernel) => kernel.language === language);
  // As the server decides it: one's usual one where it knows the language, otherwise the first that does.
  const used = able?.find(({ name }) => name === chosen) ?? able?.[0];
  const sizes = tiers.data?.entries;
  const size = sizes?.find((each) => each.tier === tier && each.is_available) ?? sizes?.find((each) => each.is_default);
  const error = kernels.error ?? tiers.error;
  return (
    <>
      <Menu.Label>Kernel</Menu.Label>
      {!able && !error && <Skeleton height={18} m={8} width="70%" />}
      {able?.length === 0 && <div className={menus.note}>There is no kernel for {language} here.</div>}
      <Menu.RadioGroup value={used?.name ?? null} onChange={(name) => choose.mutate(String(name))}>
        {able?.map((kernel, index) => (
          <Menu.RadioItem key={kernel.name} value={kernel.name} closeMenuOnClick={false}>
            <span className={menus.choice}>
              {kernel.display_name}
              {index === 0 && able.length > 1 && <span>Default</span>}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {kernels.data && <KernelNotes {...kernels.data} />}
      <Menu.Divider />
      <Menu.Label>Size</Menu.Label>
      <Menu.RadioGroup
        value={size?.tier ?? null}
        onChange={(next) => onTier(computeTiers.find((each) => each === next) ?? 'l1')}
      >
        {sizes?.map((each) => (
          <Menu.RadioItem key={each.tier} value={each.tier} disabled={!each.is_available} closeMenuOnClick={false}>
            <span className={menus.choice}>
              {formatSize(each.memory)} memory, {each.cpu_cores} {each.cpu_cores === 1 ? 'core' : 'cores'}
              {!each.is_available && <span>Requires an upgrade</span>}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {error && (
        <div className={menus.note} data-problem role="alert">
          {messageOf(error)}
        </div>
      )}
    </>
  );
}
