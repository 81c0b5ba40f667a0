import type { Project } from '@atoll/contract/projects/entity';
import { Menu } from '@mantine/core';
import { useWithheldSecrets } from '../withheld-secrets.ts';
import classes from './run-controls.module.css';

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
      <span className={classes.words}>
        Other people can change this project: their code could read your secrets in the next run.
      </span>
    </Menu.CheckboxItem>
  );
}
