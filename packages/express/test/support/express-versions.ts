import express5 from 'express'
import express4 from 'express4'

type Express = typeof express5

/** Both majors with the types of the newer one; `types.test-d.ts` checks each with its own types. */
export const expressVersions: readonly (readonly [name: string, express: Express])[] = [
  // The API that the tests use is the same in both.
  ['Express 4', express4 as unknown as Express],
  ['Express 5', express5],
]

export type { Express }
