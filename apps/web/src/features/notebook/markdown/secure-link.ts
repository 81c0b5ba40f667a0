/** Secures a link of a text: the new page gets no access to ours and never replaces it. */
export function secureLink(node: Element): void {
  const address = node.getAttribute('href') ?? node.getAttribute('xlink:href');
  node.removeAttribute('target');
  node.removeAttribute('rel');
  if (address === null || leadsHere(address)) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
}

/** `//host` and `\\host` are other sites, and browsers read an address without its tabs and line breaks. */
const leadsHere = (address: string): boolean => /^(#|\?|\/(?![/\\])|$)/.test(address.replace(/[\t\n\r]/g, '').trim());
