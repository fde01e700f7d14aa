import { canonicalAddress } from '@tonplug/core'
import { z } from 'zod'

export type Settings = z.infer<typeof schema>

// Canonical, so that the stored cursors stay valid when an address is written in another format.
const address = z.string().transform((text, context) => {
  try {
    return canonicalAddress(text.trim())
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error))
    return z.NEVER
  }
})

const schema = z.object({
  DEPOSIT_ADDRESSES: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(address).min(1))
    .transform((addresses) => [...new Set(addresses)]),
  JETTON_MASTER: address,
  WATCH_FROM: z.coerce.date(),
  NETWORK: z.enum(['mainnet', 'testnet']).default('mainnet'),
  TONCENTER_URL: z.url().optional(),
  TONCENTER_API_KEY: z.string().optional(),
  TONCENTER_RPS: z.coerce.number().positive().optional(),
  POLL_MS: z.coerce.number().min(1).max(86_400_000).default(10_000),
  DATABASE_URL: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
})

/** Reads environment variables; a blank one counts as absent. @throws an error that names the wrong ones. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''))
  const { data, error } = schema.safeParse(given)
  if (data === undefined)
    throw new Error(`Set these variables (.env.example explains them):\n${z.prettifyError(error)}`)
  return data
}
