import { z } from 'zod'

export type Settings = z.infer<typeof schema>

const schema = z.object({
  DATABASE_URL: z.string(),
  MNEMONIC: z
    .string()
    .transform((text) => text.trim().split(/\s+/))
    .refine((words) => words.length === 24, 'must have 24 words'),
  WALLET_ADDRESS: z.string(),
  WALLET_VERSION: z.enum(['v4', 'v5']).default('v5'),
  NETWORK: z.enum(['mainnet', 'testnet']).default('mainnet'),
  TONCENTER_URL: z.url().optional(),
  TONCENTER_API_KEY: z.string().optional(),
  TONCENTER_RPS: z.coerce.number().positive().optional(),
  FIRST_SEQNO: z.coerce.number().int().min(0).default(0),
  POLL_MS: z.coerce.number().min(1).max(60_000).default(2000),
})

/** Reads environment variables; an empty one counts as absent. @throws an error that names the wrong ones, without values. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { data, error } = schema.safeParse(given)
  if (data === undefined)
    throw new Error(`Set these variables (.env.example explains them):\n${z.prettifyError(error)}`)
  return data
}
