import { describe, expect, it } from 'vitest';
import { withoutTitle } from './model.ts';

describe('withoutTitle', () => {
  it('takes a leading title away', () => expect(withoutTitle('# Terms\n\nBe kind.')).toBe('Be kind.'));
  it('keeps everything else', () => expect(withoutTitle('Be kind.\n\n# Later')).toBe('Be kind.\n\n# Later'));
  it('keeps smaller headings', () => expect(withoutTitle('## One\n')).toBe('## One\n'));
});
