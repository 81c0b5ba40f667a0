/** Where the comments of readers stand on the page of a publication; no heading of an article can have this anchor. */
export const readerCommentsAnchor = 'reader_comments';
