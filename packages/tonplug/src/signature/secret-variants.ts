import { describeSettingMistake } from '@tonplug/core'
import type { SourcedSecret } from '../secret.js'
import type { Mistake } from './mistake.js'

/** A key that the signer may have used instead of the expected secret. */
export interface SecretVariant {
  key: string | Buffer
  /** Missing for the unchanged secret. */
  mistake?: Mistake | undefined
}

/** Returns the first secret unchanged, then the results of common mistakes, then the other secrets. */
export function secretVariants([expected, ...others]: [
  SourcedSecret,
  ...SourcedSecret[],
]): SecretVariant[] {
  const { source, value } = expected
  const trimmed = value.trim()
  return [
    { key: value, mistake: trimmed === value ? noSecret(expected) : refused(source) },
    ...(trimmed === value ? [] : [{ key: trimmed, mistake: surrounded(source) }]),
    ...others.map((other) => ({ key: other.value, mistake: otherSecret(other.source, source) })),
    ...unquoted(trimmed, source),
    ...['\n', '\r\n', ' '].map((end) => ({ key: `${trimmed}${end}`, mistake: signedWithEnd })),
    ...asBytes(trimmed),
  ]
}

function refused(source: string): Mistake {
  return {
    code: 'secret-whitespace',
    problem: `It was signed with the white space around the secret in ${source}.`,
    fix: 'Trim the secret on both sides; a receiver of tonplug rejects it at start.',
  }
}

/** A receiver rejects such a string at start, although the signature matches. */
function noSecret({ source, value }: SourcedSecret): Mistake | undefined {
  const problem = describeSettingMistake(value)
  if (problem === undefined) return undefined
  return {
    code: 'no-secret',
    problem: `The secret in ${source} ${problem}.`,
    fix: 'Set the webhook secret of the merchant dashboard; a receiver of tonplug rejects this one at start.',
  }
}

function surrounded(source: string): Mistake {
  return {
    code: 'secret-whitespace',
    problem: `The secret in ${source} begins or ends with white space, which is not part of it.`,
    fix: 'Trim it where it is stored; a receiver of tonplug rejects it at start.',
  }
}

function otherSecret(source: string, expected: string): Mistake {
  return {
    code: 'wrong-secret',
    problem: `It was signed with the secret in ${source}, not with the one in ${expected}.`,
    fix: 'Add that secret to the receiver: secrets: [newSecret, oldSecret]. Test and live mode, and each merchant, have different secrets.',
  }
}

function unquoted(trimmed: string, source: string): SecretVariant[] {
  const [, inner] = /^["'`](.+)["'`]$/s.exec(trimmed) ?? []
  if (inner === undefined) return []
  const mistake = {
    code: 'secret-quotes',
    problem: `The secret in ${source} has quotes around it, which became part of it.`,
    fix: 'Take the quotes out of the env file.',
  }
  return [{ key: inner, mistake }]
}

const signedWithEnd: Mistake = {
  code: 'secret-whitespace',
  problem:
    'The signer used the secret with white space after it, for example the newline of a file.',
  fix: 'Trim the secret where it is used to sign.',
}

function asBytes(trimmed: string): SecretVariant[] {
  const mistake = (encoding: string) => ({
    code: 'secret-decoded',
    problem: `The signer decoded the secret from ${encoding} and used those bytes.`,
    fix: 'Use the secret as the dashboard shows it as the key, in UTF-8.',
  })
  const variants: SecretVariant[] = []
  if (/^(?:[0-9a-f]{2})+$/i.test(trimmed)) {
    variants.push({ key: Buffer.from(trimmed, 'hex'), mistake: mistake('hex') })
  }
  for (const text of [trimmed, trimmed.replace(/^whsec_/, '')]) {
    if (!/^[\w+/-]{4,}={0,2}$/.test(text)) continue
    variants.push({ key: Buffer.from(text, 'base64'), mistake: mistake('base64') })
  }
  return variants
}
