import { ConfigurationError } from '../errors/configuration.js'
import { FOUND_PREFIX } from '../orders/found-by.js'
import type { WebhookHeaders } from './request.js'

/** A secret with a name of your own, which the inbox keeps to say which secret signed a delivery. */
export interface NamedSecret {
  name: string
  secret: string
}

/** One secret, or several of which any may sign (rotation). */
export type Secrets = string | readonly (string | NamedSecret)[]

/** Finds the secrets of a request, for servers with several merchants. A throw is answered 503, never 401. */
export type SecretResolver = (request: {
  url: string | undefined
  headers: WebhookHeaders
}) => Secrets | Promise<Secrets>

const GIVE_SECRET = 'give the webhook secret of the merchant dashboard (Developer → Webhooks)'

/**
 * Checks secrets and names them; unnamed ones are called `secrets[0]`, `secrets[1]`, ….
 * @throws {ConfigurationError} when one is missing, empty, or begins or ends with white space.
 */
export function nameSecrets(secrets: Secrets): readonly NamedSecret[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets]
  if (list.length === 0) {
    const problem = `is an empty list; ${GIVE_SECRET}`
    throw new ConfigurationError({ option: 'secrets', problem })
  }
  return list.map((entry, index) => nameSecret(entry, `secrets[${index}]`))
}

function nameSecret(entry: unknown, option: string): NamedSecret {
  if (isNamed(entry))
    return { name: checkName(entry.name), secret: checkSecret(entry.secret, option) }
  return { name: option, secret: checkSecret(entry, option) }
}

function isNamed(entry: unknown): entry is { name: string; secret: unknown } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'secret' in entry &&
    'name' in entry &&
    typeof entry.name === 'string'
  )
}

function checkName(name: string): string {
  if (!name.startsWith(FOUND_PREFIX)) return name
  const problem = `${JSON.stringify(name)} begins with ${FOUND_PREFIX}, as what a reconciler found; give the secret another name`
  throw new ConfigurationError({ option: 'secrets', problem })
}

function checkSecret(secret: unknown, option: string): string {
  if (typeof secret !== 'string') {
    throw new ConfigurationError({
      option,
      problem: `is ${secret === null ? 'null' : typeof secret}, not a text; ${GIVE_SECRET}. Is the environment variable set?`,
    })
  }
  const trimmed = secret.trim()
  if (trimmed === '') {
    const problem = `is empty, and anybody could sign with it; ${GIVE_SECRET}`
    throw new ConfigurationError({ option, problem })
  }
  if (secret !== trimmed) {
    throw new ConfigurationError({
      option,
      problem: 'begins or ends with white space, such as the newline of a secrets file; trim it',
    })
  }
  return secret
}
