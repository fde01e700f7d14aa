import { ConfigurationError } from '../errors/configuration.js'
import type { RequestOptions } from './options.js'

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * The headers of a request, names in lower case.
 * @throws {ConfigurationError} when one cannot be sent. `fetch` would quote its value, which may be a secret.
 */
export function requestHeaders(
  hasBody: boolean,
  more: RequestOptions['headers'],
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (hasBody) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(more ?? {})) {
    if (value === undefined) continue
    const lowerCase = name.toLowerCase()
    const isSendable = NAME.test(lowerCase) && VALUE.test(value)
    if (!isSendable) {
      throw new ConfigurationError({
        option: `headers[${JSON.stringify(name)}]`,
        problem: 'is no header',
      })
    }
    headers[lowerCase] = value
  }
  return headers
}
