import type { Environment } from '@atoll/contract/trading/values';
import { environmentHelp, environmentWords } from '../model.ts';
import classes from './trading.module.css';

/** Which money is meant: in every dialog that trades, and never only by colour. */
export function EnvironmentBadge({ environment }: { environment: Environment }) {
  return (
    <span className={classes.environment} data-environment={environment} title={environmentHelp[environment]}>
      {environmentWords[environment]}
    </span>
  );
}
