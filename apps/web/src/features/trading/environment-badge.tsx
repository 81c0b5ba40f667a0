import type { Environment } from '@atoll/contract/trading/values';
import classes from './components/trading.module.css';
import { environmentHelp, environmentWords } from './model.ts';

/** Which money is meant: in every dialog that trades, and never only by colour. */
export function EnvironmentBadge({ environment }: { environment: Environment }) {
  return (
    <span className={classes.environment} data-environment={environment} title={environmentHelp[environment]}>
      {environmentWords[environment]}
    </span>
  );
}
