import { ConfigurationError } from '../errors/configuration.js'

/** How a client is told from others, by a method that it alone has. */
const METHODS = { v2: 'sendBoc', v3: 'traces' } as const

/**
 * Tells callers without types which client they have left out, or taken for another one.
 * @param call how it is called
 * @throws {ConfigurationError}
 */
export function checkClient(api: keyof typeof METHODS, client: unknown, call: string): void {
  // Whatever it is, it is only asked for one property.
  const given = client as Readonly<Record<string, unknown>> | null | undefined
  if (typeof given?.[METHODS[api]] === 'function') return
  throw new ConfigurationError({
    option: api,
    problem: `is no client of API ${api}; call ${call}`,
  })
}
