import type { RemotePicture } from '@atoll/contract/publications/entity';
import { Switch } from '@mantine/core';
import type { ChangeEvent } from 'react';
import classes from './publish.module.css';

interface PicturesFieldProps {
  pictures: RemotePicture[];
  checked?: boolean;
  onChange?(event: ChangeEvent<HTMLInputElement>): void;
}

const words = ({ is_kept, problem }: RemotePicture): string | null => (is_kept ? 'Kept' : problem);

/** Readers ask no other server for a picture: it is kept with the publication, or a link stands in its place. */
export function PicturesField({ pictures, checked, ...field }: PicturesFieldProps) {
  const count = pictures.length === 1 ? '1 picture' : `${pictures.length} pictures`;
  return (
    <div>
      <Switch
        label={`Keep ${count} from other servers`}
        description={
          checked
            ? 'They are fetched and kept with the published version. What cannot be fetched becomes a link.'
            : 'Readers see a link in the place of each picture.'
        }
        checked={checked}
        {...field}
      />
      <details className={`${classes.cells} ${classes.addresses}`}>
        <summary>{checked ? 'Pictures to keep' : 'Pictures that become links'}</summary>
        <ul>
          {pictures.map((picture) => (
            <li key={picture.address}>
              {picture.address}
              {checked && words(picture) && <small>{words(picture)}</small>}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
