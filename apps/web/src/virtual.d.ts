declare module 'virtual:contract' {
  export const contract: import('@orpc/contract').AnyContractRouter;
}

declare module 'virtual:api-prefix' {
  export const apiPrefix: string;
}
