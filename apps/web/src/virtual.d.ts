declare module 'virtual:contract' {
  export const contract: import('@orpc/contract').AnyContractRouter;
}

declare module 'virtual:topics' {
  export const topics: Record<
    keyof typeof import('@atoll/contract').topics,
    { pattern: string; hasPresence: boolean; isPassing: boolean; writing: string[] }
  >;
}

declare module 'virtual:api-prefix' {
  export const apiPrefix: string;
}
