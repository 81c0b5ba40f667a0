const megabyte = 1024 * 1024;

/** What an upload is meant for. */
export const uploadKinds = ['file', 'media', 'picture'] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** Spec section 5 and decisions, "Numbers". */
export const uploadLimits: Record<UploadKind, number> = {
  file: 100 * megabyte,
  media: 25 * megabyte,
  picture: 5 * megabyte,
};

const pictures = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg'];

/** Null takes everything: a project may hold any file, of which the spec names a few. */
export const acceptedExtensions: Record<UploadKind, string[] | null> = {
  file: null,
  media: [...pictures, 'mp4'],
  picture: pictures,
};
