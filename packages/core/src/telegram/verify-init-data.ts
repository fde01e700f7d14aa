import { z } from 'zod'
import { systemClock, type Clock } from '../shared/clock.js'
import { lazy } from '../shared/lazy.js'
import { objectWith, parseOptions, positive, type OptionSchemas } from '../shared/options.js'
import { isObject } from '../shared/is-object.js'
import { hasBotHash, hasTelegramSignature } from './init-data-signature.js'

/** Options of {@link verifyTelegramInitData}: either `token` or `botId`. */
export interface InitDataOptions {
  /** The token of the bot that opens the Mini App. The data are verified with their `hash`. */
  token?: string | undefined
  /** The id of a bot of another party: the digits before the colon of its token. The data are verified with their `signature`. */
  botId?: string | number | undefined
  /** Greatest age of the data. Telegram creates them when it opens the Mini App. @default 3_600_000 (one hour) */
  maxAgeMs?: number | undefined
  /** The Ed25519 key of Telegram, 64 hex digits, for `botId`. @default the key of the production environment */
  publicKey?: string | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** A user of Telegram, with the field names of Telegram. */
export interface TelegramUser {
  id: number
  first_name?: string
  last_name?: string
  username?: string
  /** IETF language tag. */
  language_code?: string
  [field: string]: unknown
}

/**
 * Why the data are not valid.
 * - `missing`: there is no hash, signature or date.
 * - `malformed`: the data are not as Telegram writes them, for example with a repeated field.
 * - `mismatch`: the data were changed, or are of another bot.
 * - `too_old`, `in_future`: the signature is valid, and the date is not.
 */
export type InitDataProblem = 'missing' | 'malformed' | 'mismatch' | 'too_old' | 'in_future'

/** The result of {@link verifyTelegramInitData}. */
export type InitDataCheck =
  | {
      isValid: true
      /** The user who opened the Mini App; absent where Telegram does not name one. */
      user?: TelegramUser
      /** When Telegram created the data. */
      authDate: Date
      /** All fields, decoded. */
      fields: Readonly<Record<string, string>>
    }
  | { isValid: false; reason: InitDataProblem }

/** The key with which Telegram signs for other parties in production. */
const PUBLIC_KEY = 'e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d'
const MAX_AGE_MS = 3_600_000
/** The clocks of Telegram and of the server may differ. */
const TOLERANCE_MS = 60_000

const TOKEN = "must be the token of the bot, for example '123456:ABC…', without spaces"
const BOT_ID = 'must be the id of the bot, in digits'
const KEY = 'must be an Ed25519 key of 64 hex digits'

const OPTIONS = lazy(() =>
  z
    .strictObject({
      token: z
        .string(TOKEN)
        .regex(/^\d+:\S+$/, TOKEN)
        .optional(),
      botId: z
        .union([z.string(), z.number()], BOT_ID)
        .transform(String)
        .refine((text) => /^\d+$/.test(text), BOT_ID)
        .optional(),
      maxAgeMs: positive.default(MAX_AGE_MS),
      publicKey: z
        .string(KEY)
        .regex(/^[0-9a-f]{64}$/i, KEY)
        .default(PUBLIC_KEY),
      clock: objectWith<Clock>('a Clock', ['nowMs']).default(() => systemClock),
    } satisfies OptionSchemas<InitDataOptions>)
    .refine(({ token, botId }) => (token === undefined) !== (botId === undefined), {
      message: 'must have either `token` or `botId`',
    }),
)

/**
 * Verifies `initData` of a Telegram Mini App: that Telegram has written it for this bot, and when. A reload of the page
 * repeats the same data, so bind an order to `user.id` and not to the data.
 * Source: https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
 * @param initData `Telegram.WebApp.initData` as the page sends it
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { verifyTelegramInitData } from '@tonplug/core/telegram'
 *
 * const token = process.env.BOT_TOKEN ?? ''
 *
 * export function userIdOf(initData: string): number | undefined {
 *   const check = verifyTelegramInitData(initData, { token })
 *   return check.isValid ? check.user?.id : undefined
 * }
 * ```
 */
export function verifyTelegramInitData(initData: string, options: InitDataOptions): InitDataCheck {
  const { token, botId = '', publicKey, maxAgeMs, clock } = parseOptions(OPTIONS(), options)
  const fields = typeof initData === 'string' ? readFields(initData) : undefined
  if (fields === undefined) return refuse('malformed')
  const signed = fields[token === undefined ? 'signature' : 'hash']
  const { auth_date: seconds } = fields
  if (!signed || seconds === undefined) return refuse('missing')
  const isSigned =
    token === undefined
      ? hasTelegramSignature(fields, { botId, publicKey })
      : hasBotHash(fields, token)
  if (!isSigned) return refuse('mismatch')
  const ageMs = clock.nowMs() - Number(seconds) * 1000
  if (!/^\d{1,12}$/.test(seconds)) return refuse('malformed')
  if (ageMs > maxAgeMs) return refuse('too_old')
  if (ageMs < -TOLERANCE_MS) return refuse('in_future')
  const user = readUser(fields['user'])
  if (user === 'malformed') return refuse('malformed')
  return {
    isValid: true,
    ...(user && { user }),
    authDate: new Date(Number(seconds) * 1000),
    fields,
  }
}

function refuse(reason: InitDataProblem): InitDataCheck {
  return { isValid: false, reason }
}

/**
 * Returns the fields; `undefined` for a repeated one, and for characters with which several lists of fields would have the
 * same signed string.
 */
function readFields(initData: string): Record<string, string> | undefined {
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(initData)) {
    if (!/^[a-z_]+$/.test(name) || value.includes('\n') || Object.hasOwn(fields, name)) {
      return undefined
    }
    fields[name] = value
  }
  return fields
}

function readUser(json: string | undefined): TelegramUser | 'malformed' | undefined {
  if (json === undefined) return undefined
  try {
    const user: unknown = JSON.parse(json)
    // Telegram has signed the other fields.
    return isObject(user) && Number.isSafeInteger(user['id']) ? (user as TelegramUser) : 'malformed'
  } catch {
    return 'malformed'
  }
}
