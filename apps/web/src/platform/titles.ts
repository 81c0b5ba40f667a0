/** `{page} - {name}`, marked when running inside the messaging app (spec section 1). */
export function pageTitle(page: string | undefined, name: string, isMiniApp: boolean): string {
  return `${page ? `${page} - ${name}` : name}${isMiniApp ? ' (TMA)' : ''}`;
}
