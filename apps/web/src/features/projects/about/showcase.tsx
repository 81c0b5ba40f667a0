import type { ShowcaseMedia } from '@atoll/contract/projects/entity';
import classes from './showcase.module.css';

export const isFilm = ({ mime_type }: ShowcaseMedia): boolean => mime_type.startsWith('video/');

/** What a project shows of itself: a row to swipe through. */
export function Showcase({ media, name }: { media: ShowcaseMedia[]; name: string }) {
  if (!media.length) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.strip} aria-label={`Pictures and videos of ${name}`} tabIndex={0}>
      {media.map((each, index) => (
        <div key={each.id} className={classes.shown}>
          {isFilm(each) ? (
            // biome-ignore lint/a11y/useMediaCaption: people upload films as they have them.
            <video src={each.url} controls preload="metadata" aria-label={`Video ${index + 1} of ${name}`} />
          ) : (
            <img src={each.url} alt={`${name}, number ${index + 1}`} loading="lazy" />
          )}
        </div>
      ))}
    </section>
  );
}
