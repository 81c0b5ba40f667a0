import { describe, expect, it } from 'vitest';
import { contrast, parseColour, readableOn, shades, textOn } from './colour.ts';

describe('parseColour', () => {
  it.each([
    ['#fff', [255, 255, 255]],
    ['#1a2B3c', [26, 43, 60]],
    ['rgb(1, 2, 3)', [1, 2, 3]],
    ['rgba(1,2,3,0.5)', [1, 2, 3]],
    ['nonsense', [0, 0, 0]],
  ])('reads %s', (text, expected) => expect(parseColour(text)).toEqual(expected));
});

describe('contrast', () => {
  it('spans 1 to 21', () => {
    expect(contrast('#000', '#fff')).toBeCloseTo(21);
    expect(contrast('#777', '#777')).toBe(1);
  });
});

describe('shades', () => {
  it('gives ten, from pale to deep, with the colour itself in the place of buttons', () => {
    const made = shades('#2f6f62');
    expect(made).toHaveLength(10);
    expect(made[6]).toBe('#2f6f62');
    const light = made.map((shade) => contrast(shade, '#ffffff'));
    expect(light).toEqual([...light].sort((a, b) => a - b));
  });
});

describe('readable colours', () => {
  const samples = ['#ffe100', '#00d4ff', '#7a3cff', '#123456', '#ff5a36', '#808080'];
  it.each(samples)('can be written on %s', (fill) => expect(contrast(textOn(fill), fill)).toBeGreaterThanOrEqual(4.5));
  it.each(samples)('%s becomes readable on light and on dark', (colour) => {
    expect(contrast(readableOn(colour, '#ffffff', '#f4f4f5'), '#f4f4f5')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(readableOn(colour, '#17181b', '#0e0f11'), '#17181b')).toBeGreaterThanOrEqual(4.5);
  });
  it('leaves a colour alone that can already be read', () => expect(readableOn('#123456', '#ffffff')).toBe('#123456'));
});
