import type { Project } from '@atoll/contract/projects/entity';
import { Menu } from '@mantine/core';
import menus from '../../../ui/styles/menus.module.css';
import { useWithheldSecrets } from '../withheld-secrets.ts';

interface SecretsChoiceProps {
  project: Pick<Project, 'id' | 'owner'>;
  isChosen: boolean;
  onChange(isChosen: boolean): void;
}

/** Asked anew for each run, and only where the answer matters. */
export function SecretsChoice({ project, isChosen, onChange }: SecretsChoiceProps) {
  if (!useWithheldSecrets(project)) return null;
  return (
    <Menu.CheckboxItem checked={isChosen} onChange={onChange} closeMenuOnClick={false}>
      Use my secrets
      <span className={menus.words}>
        Other people can change this project: their code could read your secrets in the next run.
      </span>
    </Menu.CheckboxItem>
  );
}
