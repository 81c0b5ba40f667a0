import { z } from 'zod';

/** Field types used by several features. */

export const id = z.uuid();
export const time = z.iso.datetime();

/** By its name; offsets such as `+02:00` know no summer time. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
};

/** A query flag: `true`, `1`, `yes`, … in a URL, or a boolean from the typed client. */
export const flag = z.union([z.boolean(), z.stringbool()]);

const controlCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Bidirectional overrides and isolates can make a name read as something else. */
const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Invisible characters can make two names look the same, or one name look empty. */
const invisible =
  /\u034F|\u17B4|\u17B5|[\u00AD\u115F\u1160\u180E\u200B\u2060-\u2064\u206A-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]/u;
/** Joiners stay where scripts and emoji are written with them, as do the tags of a flag. */
const strayJoiner =
  /(^|[\s\d\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200C\u200D]|[\u200C\u200D]($|[\s\d\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])/u;
const strayTag = /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]*)[\u{E0000}-\u{E007F}]/u;
const isInvisible = (value: string) => [invisible, strayJoiner, strayTag].some((pattern) => pattern.test(value));

/** One line of text a person typed: trimmed, no control, direction-changing or invisible characters. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((value) => !controlCharacters.test(value), 'Must not contain control characters')
    .refine((value) => !bidirectional.test(value), 'Must not contain text-direction characters')
    .refine((value) => !isInvisible(value), 'Must not contain invisible characters');

/** Several lines of text; line breaks and tabs are fine, NUL is not (the database cannot hold it). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'Must not contain NUL characters');

/** A link a user gave; only web addresses, so that it is harmless wherever it is shown. */
export const webUrl = z.url({ protocol: /^https?$/, error: 'Must be a web address (http or https)' }).max(500);

export const email = z.email('Must be an e-mail address').max(254);

export const userName = z
  .string()
  .min(3)
  .max(40)
  .regex(/^[A-Za-z0-9_]+$/, 'May contain letters, digits and underscores only');

export const password = z
  .string()
  .min(10, 'Must have at least 10 characters')
  .max(200)
  .refine((value) => !value.includes('\0'), 'Must not contain NUL characters');

/** A colour as the spec's section 5 accepts it. */
export const colour = z
  .string()
  .max(40)
  .regex(
    /^(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\(\s*\d{1,3}\s*(,\s*\d{1,3}\s*){2}\)|rgba\(\s*\d{1,3}\s*(,\s*\d{1,3}\s*){2},\s*(0|1|0?\.\d+)\s*\))$/i,
    'Must be a colour: #rgb, #rrggbb, rgb() or rgba()',
  );

export const themeMode = z.enum(['light', 'dark']);
export type ThemeMode = z.infer<typeof themeMode>;

/** The answer of every list. */
export const list = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    entries: z.array(entry),
    page: z.int(),
    page_size: z.int(),
    total: z.int(),
  });

/** The input of an endpoint that needs none: no body at all is as good as an empty one. */
export const empty = z.strictObject({}).default({});
/** The answer of an endpoint that has nothing to say beyond its status. */
export const done = z.object({ ok: z.literal(true) });

/** The page of a list. */
export interface Paging {
  page: number;
  page_size: number;
}

/** A number in a query that counts pages or what is on one. */
export const page = (initial: number, max = 1_000_000) => z.coerce.number().int().min(1).max(max).default(initial);

/** A list in a query: one value or several. */
export const several = <Value extends z.ZodType>(value: Value) =>
  z.union([z.array(value).max(50), value.transform((one) => [one])]).optional();

type WithoutDefault<Field> = Field extends z.ZodDefault<infer Inner> ? Inner : Field;

/** The same fields for a change. What is not named stays as it is, so none has a default, which `partial` would fill in. */
export const changeOf = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        z.optional((field instanceof z.ZodDefault ? field.unwrap() : field) as z.ZodType),
      ]),
    ) as unknown as { [Name in keyof Shape]: z.ZodOptional<WithoutDefault<Shape[Name]>> },
  );
