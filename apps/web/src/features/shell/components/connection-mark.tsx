import { Tooltip } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconPlugConnectedX, IconRefresh, IconWifiOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useConnection } from '../../../platform/realtime/use-connection.ts';
import { connectionWords } from '../connection-words.ts';
import classes from './connection-mark.module.css';

const icons = { offline: IconWifiOff, reconnecting: IconRefresh, refused: IconPlugConnectedX };
/** A break that is over sooner is nobody's business. */
const patienceMs = 2_000;

/** Says when the page is not live, and nothing while it is. */
export function ConnectionMark() {
  const { online } = useNetwork();
  const words = connectionWords(useConnection(), online);
  const isPatient = useAfter(patienceMs, words?.kind === 'reconnecting');
  const shown = words && (words.kind !== 'reconnecting' || isPatient) ? words : null;
  const Icon = shown && icons[shown.kind];
  return (
    <span role="status" aria-live="polite" className={classes.place}>
      {shown && Icon && (
        <Tooltip label={shown.text} multiline maw={280}>
          <span className={classes.mark} data-kind={shown.kind}>
            <Icon size={15} aria-hidden />
            <span>{shown.label}</span>
          </span>
        </Tooltip>
      )}
    </span>
  );
}

/** Whether something has been so for a while. */
function useAfter(ms: number, isSo: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const timer = setTimeout(() => setOver(true), ms);
    return () => {
      clearTimeout(timer);
      setOver(false);
    };
  }, [ms, isSo]);
  return isOver;
}
