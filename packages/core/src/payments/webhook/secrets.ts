import { z } from 'zod'
import { checkMerchant } from '../engine/report.js'
import { isObject } from '../../shared/is-object.js'
import { parseOptions } from '../../shared/options.js'
import { describeSettingMistake } from '../../shared/setting-mistake.js'
import type { WebhookHeaders } from './request.js'
import { lazy } from '../../shared/lazy.js'

/** A secret with a name, which the inbox stores with each report that it signed. */
export interface NamedSecret {
  name: string
  secret: string
}

/** One secret, or several; any of them may sign (rotation). */
export type Secrets = string | readonly (string | NamedSecret)[]

/** The secrets of one merchant. Reports that they sign belong to this merchant alone. */
export interface MerchantSecrets {
  merchant: string
  secrets: Secrets
}

/**
 * Returns the merchant that a request is for, and its secrets. For servers with several merchants. After a throw the
 * response is 503, never 401.
 */
export type SecretResolver = (request: {
  url: string | undefined
  headers: WebhookHeaders
}) => MerchantSecrets | Promise<MerchantSecrets>

const SOURCE = 'the webhook secret of the merchant dashboard (Developer → Webhooks)'

const secret = lazy(() =>
  z
    .string({
      // Only the type, since a secret may be given as a number.
      error: ({ input }) =>
        `must be a non-empty string; received ${input === null ? 'null' : typeof input}. Set TONPAY_WEBHOOK_SECRET to ${SOURCE}`,
    })
    .refine((value) => value.trim() !== '', {
      error: `must not be empty, because anyone could sign with an empty secret. Set it to ${SOURCE}`,
      abort: true,
    })
    .refine((value) => value === value.trim(), {
      error: 'must not have leading or trailing white space. Trim the newline of a secrets file',
      abort: true,
    })
    .superRefine((value, context) => {
      const message = describeSettingMistake(value)
      if (message !== undefined) context.addIssue({ code: 'custom', message, input: value })
    }),
)

const namedSecret = lazy(() => z.strictObject({ name: z.string().min(1), secret: secret() }))
const secretList = lazy(() =>
  z.array(z.unknown()).min(1, `must not be an empty list. Set it to ${SOURCE}`),
)

const resolvedSecrets = lazy(() =>
  z.strictObject(
    {
      merchant: z.string(
        'must be a string. A secret without its merchant could report orders of others',
      ),
      // A missing secret gets a message of its own, from nameSecrets().
      secrets: z.custom<Secrets>().optional(),
    },
    'must return { merchant, secrets }. A secret without its merchant could report orders of others',
  ),
)

/**
 * Checks the result of a {@link SecretResolver}.
 * @throws {ConfigurationError} when the merchant is missing: the holder of a secret could otherwise report orders of others.
 */
export function checkResolved(resolved: MerchantSecrets): {
  merchant: string
  list: readonly NamedSecret[]
} {
  const { merchant, secrets } = parseOptions(resolvedSecrets(), resolved, { path: 'secrets' })
  checkMerchant(merchant)
  return { merchant, list: nameSecrets(secrets) }
}

/** The newest string that passed: `verifySignature` checks its secret for each body. */
let lastValid: string | undefined

/**
 * Checks secrets and names them; the default names are `secrets[0]`, `secrets[1]`, ….
 * @throws {ConfigurationError} when one is missing, empty, surrounded by white space, or can only be a mistake.
 */
export function nameSecrets(secrets: Secrets | undefined): readonly NamedSecret[] {
  if (typeof secrets === 'string' && secrets === lastValid) {
    return [{ name: 'secrets[0]', secret: secrets }]
  }
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets]
  const named = parseOptions(secretList(), list, { path: 'secrets' }).map((entry, index) => {
    const path = `secrets[${index}]`
    return isObject(entry)
      ? parseOptions(namedSecret(), entry, { path })
      : { name: path, secret: parseOptions(secret(), entry, { path }) }
  })
  if (typeof secrets === 'string') lastValid = secrets
  return named
}
