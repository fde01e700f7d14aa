/** A missing value, or one of another type, that became a string, for example `String(process.env.SECRET)`. */
const VALUE =
  /^(?:undefined|null|nan|-?infinity|true|false|none|nil|(?:,?\[object \w+\])+|(?:[a-z]+[ _:-])?(?:(?:undefined|null)[ ,:_-]?)+)$/i
const QUOTED = /^\\?(["'`])(?:.*\\?\1)?$|^[“‘«].*[”’»]$/s
/** `$NAME`, `$name`, `${NAME}` or `$(command)`. A `$` within or before other characters may be part of a secret. */
const SHELL_REFERENCE =
  /^\\?\$+(?:\{.*\}|\(.*\)|\[.*\]|env:\w+|[A-Z_][A-Z0-9_]*|[a-z]+(?:_[a-z0-9]+)*)$|^(?:\$[A-Z_]{3,})+$/s
const EMBEDDED_REFERENCE = /\$\{(?:env[.:])?[A-Za-z_][\w.]{2,}(?:(?::?[-=?+]|[#%/])[^}]*)?\}/
const TEMPLATE_REFERENCE =
  /^(?:%\w+%|%\{.*\}|!\w+!|@@\w+@@|\{\{.*\}\}|#\{.*\}#?|<%.*%>|__[A-Z][A-Z0-9_]*__|(?:process|import\.meta)\.env\b.*)$/s
const FUNCTION =
  /^(?:async )?(?:function\b.*\{|class\b.*\{|\([^)]*\)\s*=>)|^\[\w*Function\b.*\]$|^Promise \{.*\}$|^Symbol\(.*\)$/s
const JSON_TEXT = /^(?:\{\s*"|\[\s*["{]).*[}\]]$/s
const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:SECRET|KEY|TOKEN|PASSWORD|WALLET|URL)$/
/** In base64, `=` is only at the end. */
const ASSIGNMENT = /^(?:export )?[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+=[^=]/
const STORE_ADDRESS =
  /^(?:(?:op|vault|secret|awssm|gcpsm|ref\+\w+):\/\/|arn:aws[\w-]*:|projects\/[^/]+\/secrets\/|@Microsoft\.KeyVault\(|(?:\/var)?\/run\/secrets\/|ENC\[|encrypted:)/i
const BRACKETED =
  /^(?:whsec_)?(?:<.*>|%!\w\(.*\)|\[[a-z _-]*\]|\([a-z _-]*\)|…|(?:[x*•.][ -]?){3,})$/is
const INSTRUCTION =
  /^(?:whsec[_-])?(?:your|insert|enter|put|paste)(?:(?:[ _-]|your|secret|key|token|api|webhook|value|here)[a-z _-]*)?$|^(?:change|replace)[ _-]?(?:me|this|it|with[a-z _-]*)$|^(?:todo|fixme|tbd|placeholder|redacted|n\/a)$/i
// eslint-disable-next-line no-control-regex -- control characters are what it finds
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

const NOT_REPLACED =
  'must not be a reference to a variable that was not replaced. Set the variable, and replace it before the server starts'
const PLACEHOLDER = 'must not be a placeholder. Set the value itself'

/** Messages do not quote the string, since it may contain a secret. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [
    QUOTED,
    'must not have quotes around it. Remove them where it is set: some loaders, for example `docker --env-file`, keep them',
  ],
  [SHELL_REFERENCE, NOT_REPLACED],
  [EMBEDDED_REFERENCE, NOT_REPLACED],
  [TEMPLATE_REFERENCE, NOT_REPLACED],
  [BRACKETED, PLACEHOLDER],
  [INSTRUCTION, PLACEHOLDER],
  [FUNCTION, 'must not be a function or promise that became a string. Pass its result'],
  [JSON_TEXT, 'must not be JSON. Pass the value that it contains'],
  [VARIABLE_NAME, 'must not be the name of a variable. Pass the value of the variable'],
  [ASSIGNMENT, 'must not contain the name of its variable. Remove the name and the equals sign'],
  [
    STORE_ADDRESS,
    'must not be the address of a secret, or an encrypted one. Read the secret from its store before the server starts',
  ],
  [
    INVISIBLE,
    'must be one line without invisible characters. Copy it again, without its line breaks',
  ],
]

/** A part of a URL or path that no server, user or folder has as its name. */
const MISSING_PART = /^(?:undefined|null|nan|\[object \w+\]|%5bobject(?:%20|\+)\w+%5d)$/i
const REFERENCE_PART = /^(?:\$[A-Z_][A-Z0-9_]*|%[A-Z_]\w*%|<.*>)$/

/**
 * Describes why a configured string can only be a mistake: a missing value that became a string (`undefined`), a reference that was
 * not replaced (`${NAME}`), a placeholder (`<your-secret>`), or quotes around the value. Returns `undefined` for any other
 * string. The description begins with `must` and contains no part of the string, except that of a missing value.
 * @param isLocation true for a URL or a path, in which each part may be the mistake. @default false
 * @example
 * const mistake = describeSettingMistake(token)
 * if (mistake !== undefined) throw new Error(`TOKEN ${mistake}`)
 */
export function describeSettingMistake(
  setting: string,
  { isLocation = false }: { isLocation?: boolean | undefined } = {},
): string | undefined {
  const text = isLocation ? setting.trim() : setting
  if (VALUE.test(text)) {
    return `must be set; received ${JSON.stringify(text)} as a string. Set it where the server starts`
  }
  const mistake = MISTAKES.find(([pattern]) => pattern.test(text))?.[1]
  if (mistake !== undefined || !isLocation) return mistake
  const parts = text.split(/[/:@?=&]+/)
  const isValid = !parts.some((part) => MISSING_PART.test(part) || REFERENCE_PART.test(part))
  if (isValid) return undefined
  return 'must not contain a missing value that became a string, or a variable that was not replaced. Set each of the variables that it is made of'
}
