import type { ResponseShapeError } from '../../errors/api.js'

/** What an error about an answer knows, for one that says more. */
export function shapeFacts({ endpoint, details }: ResponseShapeError) {
  const { attempts, path, expected } = details
  return { endpoint, attempts, path, expected }
}
