import { describe, expect, test } from 'vitest';
import type { Fields, Json, KernelMessage } from '../port.ts';
import { framesOf, piecesOf, presentable, presentableResult, sizeOf } from './presentable.ts';
import type { HostEvent } from './types.ts';

const said = (content: Fields, more: Partial<KernelMessage> = {}): KernelMessage => ({
  channel: 'iopub',
  type: 'display_data',
  content,
  metadata: {},
  buffers: [],
  executionId: '1',
  ...more,
});
const stderr = (text: string) => said({ name: 'stderr', text }, { type: 'stream' });
const nested = (levels: number): Json => {
  let value: Json = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};
const result = { status: 'ok', executionCount: 1, error: null, userExpressions: {}, end: null } as const;

describe('a message of a kernel', () => {
  test('stays unchanged when it is valid', () => {
    const message = said({ data: { 'text/plain': '☃ 🏝', 'application/json': nested(150) } });
    expect(presentable(message)).toBe(message);
    expect(presentableResult(result)).toBe(result);
  });

  test('is left out when it is too large for a frame', () => {
    const large = 'x'.repeat(70_000_000);
    const note = 'An output of 66.8 MB was left out: it is too large.\n';
    expect(presentable(said({ data: { 'text/plain': large } }))).toEqual(stderr(note));
    expect(presentable(said({ data: { [large]: 1 } }))).toEqual(stderr(note));
    expect(presentable(said({}, { metadata: { large } }))).toEqual(stderr(note));
    const buffers = [new Uint8Array(35_000_000), new Uint8Array(35_000_000)];
    expect(presentable(said({}, { buffers }))).toEqual(stderr(note));
    expect(presentable(said({}, { buffers: buffers.slice(1) })).buffers).toHaveLength(1);
    expect(presentable(said({ list: Array(10_000_000).fill([]) })).type).toBe('stream');
  });

  test('is left out when it is nested too deeply, however deeply', () => {
    const note = 'An output was left out: it is nested too deeply.\n';
    for (const levels of [250, 1_000_000]) {
      expect(presentable(said({ data: nested(levels) }))).toEqual(stderr(note));
      expect(presentable(said({}, { metadata: { a: nested(levels) } }))).toEqual(stderr(note));
      expect(presentableResult({ ...result, userExpressions: { a: nested(levels) } })).toEqual(result);
    }
  });

  test('can be measured as a part of its event, however deep it is', () => {
    for (let levels = 180; levels < 220; levels++) {
      const message = presentable(said({ data: nested(levels) }, { metadata: { a: nested(levels) } }));
      expect(sizeOf({ type: 'message', message })).toBeLessThan(5_000);
    }
  });

  test('stays a question when it is one', () => {
    const message = said(
      { prompt: 'x'.repeat(70_000_000), password: true },
      { channel: 'stdin', type: 'input_request' },
    );
    expect(presentable(message)).toMatchObject({ type: 'input_request', content: { password: true } });
  });

  test('has no unpaired surrogate, neither in names nor in values', () => {
    const message = said({ data: { 'a\ud800': ['\udc00b', 1, null] } }, { metadata: { c: '🏝\ud83c' } });
    expect(presentable(message)).toEqual(
      said({ data: { 'a\ufffd': ['\ufffdb', 1, null] } }, { metadata: { c: '🏝\ufffd' } }),
    );
    const error = { name: 'E', value: '\ud800', traceback: ['\ud800'] };
    expect(presentableResult({ ...result, error }).error).toEqual({
      name: 'E',
      value: '\ufffd',
      traceback: ['\ufffd'],
    });
  });

  test('is left out of the result as well', () => {
    const error = { name: 'E', value: 'x'.repeat(70_000_000), traceback: ['x'] };
    expect(presentableResult({ ...result, status: 'error', error }).error).toEqual({
      name: 'E',
      value: 'An output of 66.8 MB was left out: it is too large.',
      traceback: [],
    });
  });

  test('is split when it is a long text, after a line or at least not within a character', () => {
    const text = (message: KernelMessage) => String(message.content.text);
    const lines = stderr('a line of some length\n'.repeat(20_000));
    const pieces = piecesOf(lines);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.map(text).join('')).toBe(lines.content.text);
    expect(pieces.every((piece) => text(piece).endsWith('\n') && text(piece).length <= 65_536)).toBe(true);
    expect(pieces[1]).toEqual(stderr(pieces.map(text)[1] ?? ''));
    const endless = piecesOf(stderr(`x${'🏝'.repeat(100_000)}`)).map(text);
    expect(endless.join('')).toBe(`x${'🏝'.repeat(100_000)}`);
    expect(endless.every((piece) => piece.isWellFormed())).toBe(true);
    // Python buffers fast output: a loop that prints is one message of many megabytes.
    const printed = piecesOf(stderr('high water\n'.repeat(7_000_000))).map(text);
    expect(printed.reduce((sum, piece) => sum + piece.length, 0)).toBe(77_000_000);
    const display = said({ data: { 'text/plain': 'x'.repeat(100_000) } });
    expect(piecesOf(display)).toEqual([display]);
  });

  test('is sent in frames of limited size', () => {
    const text = 'x'.repeat(80_000);
    const events = Array.from({ length: 8 }, (_, index): HostEvent => {
      return { kernelId: 'a', sequence: index + 1, at: 0, type: 'message', message: said({ text }) };
    });
    const frames = framesOf(events);
    expect(frames.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(frames.flat()).toEqual(events);
    expect(framesOf([])).toEqual([]);
  });
});
