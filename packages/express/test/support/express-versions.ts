import express5 from 'express'
import express4 from 'express4'

type Express = typeof express5

/** Both majors under the types of the newer one; `types.test-d.ts` has both with their own. */
export const expressVersions: readonly (readonly [name: string, express: Express])[] = [
  // What the tests call is the same in both.
  ['Express 4', express4 as unknown as Express],
  ['Express 5', express5],
]

export type { Express }
