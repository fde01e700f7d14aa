import { describe, expect, it } from 'vitest'
import { describeSettingMistake } from './setting-mistake.js'

const MISTAKES = [
  ['undefined', 'null', 'NaN', 'true', 'false', 'Null', 'UNDEFINED', 'None', 'Infinity'],
  ['[object Object]', '[object Promise]', '[object Undefined]'],
  ['[object Object],[object Object]', '() => process.env.SECRET', 'async () => read()'],
  ['function read() { return secret }', '{"secret":"abc"}', '["abc","def"]'],
  ['whsec_undefined', 'sk-null', 'Bearer undefined', 'undefinedundefined', 'undefined:undefined'],
  ['null,null', '[Function: read]', '[AsyncFunction: read]', 'Promise { <pending> }', 'Symbol(a)'],
  ['"whsec_abc"', "'whsec_abc'", '`whsec_abc`', '""', "'", '\\"whsec_abc\\"', '“whsec_abc”'],
  ['${SECRET}', '$SECRET', '$secret', '$tonpay_secret', '$$SECRET', '\\${SECRET}', '$(cat s)'],
  ['${SECRET:-abc}', '${process.env.SECRET}', 'whsec_${SECRET}', '$env:SECRET', '${a}'],
  ['%SECRET%', '!SECRET!', '{{ secret }}', '{{secret}}', '#{SECRET}', '<%= secret %>'],
  ['$USER$SECRET', '$[variables.secret]', '#{SECRET}#', '%{SECRET}', '@@SECRET@@', '%!s(<nil>)'],
  ['ENC[AES256_GCM,data:abc,type:str]', 'encrypted:BDqDBibm4wsYqMpCjTQ6', '/run/secrets/ton'],
  ['__SECRET__', 'process.env.SECRET', 'import.meta.env.SECRET'],
  ['TONPAY_WEBHOOK_SECRET', 'API_KEY', 'TONPAY_WEBHOOK_SECRET=abc', 'export TONPAY_KEY=abc'],
  ['op://vault/item/field', 'arn:aws:secretsmanager:eu-west-1:1:secret:x', 'vault://a/b'],
  ['projects/1/secrets/a/versions/latest', '@Microsoft.KeyVault(SecretUri=https://v/s)'],
  ['<your-secret>', '<secret>', 'whsec_<secret>', '[REDACTED]', '(sensitive value)', '…'],
  ['whsec_…', 'whsec_...', 'xxxxxxxx', 'XXXX-XXXX', '********', 'your-secret', 'YOUR_API_KEY'],
  ['your_webhook_secret_here', 'whsec_your_secret', 'insert-secret-here', 'enter your key'],
  ['changeme', 'change-me', 'CHANGE_ME', 'replace_with_your_secret', 'TODO', 'placeholder'],
  ['whsec_abc\nwhsec_def', 'whsec\u200b_abc', 'whsec_abc\u0000', '\ufeffwhsec_abc'],
].flat()

const VALUES = [
  ['whsec_5f2d8a', 'k', 's3cr3t', 'key', 'two words and a third', 'whsec_test', 'ünïcode'],
  ['whsec_ab$cd', 'pa$$word', 'abc$DEF', '$2b$10$N9qo8uLOickgx2ZMRZoMye', '$kP9xQ2mZ7', '100%'],
  ['a${b}c', '$', '$ecret!', '%a', 'a%b%c', '{abc}', '{"', 'ab"cd', '"abc', "it's", '<abc', 'a>b'],
  ['q83vEjRWeJA=', 'q83vEjRWeA==', 'JBSWY3DPEHPK3PXP====', 'ABC_DEF=', 'a=b', 'ab_cd=ef'],
  ['enterprise-correct-horse', 'whsec_enterprise', 'putty', 'pastel', 'yourself', 'insertion'],
  ['notnull', 'null-island', 'undefinedx', '/run/9f', 'encrypted', '$a$b', '@@a', '#{a', 'ENC(x'],
  ['trueish', 'undefined1', 'nullable', 'nonesuch', 'xx', 'https', '0', '-', '[1'],
].flat()

describe('describeSettingMistake', () => {
  it.each(MISTAKES)('S9 describes %j as a mistake', (text) => {
    expect(describeSettingMistake(text)).toMatch(/^must /)
  })

  it.each(VALUES)('S9 accepts %j', (text) => {
    expect(describeSettingMistake(text)).toBeUndefined()
  })

  it.each(['"whsec_5f2d"', '${NAME:-5f2d}', 'SECRET_NAME=5f2d', '{"secret":"5f2d"}', '5f2d\n5f2d'])(
    'does not quote the secret in %j',
    (text) => {
      expect(describeSettingMistake(text)).toMatch(/^must (?!.*5f2d)/)
    },
  )

  it('quotes a missing value that became a string', () => {
    expect(describeSettingMistake('undefined')).toBe(
      'must be set; received "undefined" as a string. Set it where the server starts',
    )
  })

  it('accepts random secrets in base64url, hex and base64', () => {
    for (let count = 0; count < 2000; count += 1) {
      const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(1 + (count % 40))))
      for (const encoding of ['base64url', 'hex', 'base64'] as const) {
        const text = `k${bytes.toString(encoding)}`
        expect([text, describeSettingMistake(text)]).toEqual([text, undefined])
      }
    }
  })
})

describe('describeSettingMistake of a location', () => {
  it.each(
    [
      ['undefined', 'null', '"postgres://u:p@host/db"', '${DATABASE_URL}', '$DATABASE_URL'],
      ['postgres://undefined:undefined@host/db', 'postgres://u:p@undefined:5432/db'],
      [
        'postgres://u:p@host:undefined/db',
        'postgres://u:p@host:NaN/db',
        'postgres://u:p@host/null',
      ],
      [
        'postgres://${USER}:${PASS}@host/db',
        'postgres://u:$PASSWORD@host/db',
        'redis://%HOST%:6379',
      ],
      ['postgres://u:[object Object]@host/db', 'postgres://u:%5Bobject%20Object%5D@host/db'],
      ['postgres://<user>:<password>@host/db', 'http://undefined', 'DATABASE_URL=postgres://u@h/d'],
      ['postgres://u:p@host/db?sslmode=undefined', '$HOME/data', './undefined'],
    ].flat(),
  )('S9 describes %j as a mistake', (location) => {
    expect(describeSettingMistake(location, { isLocation: true })).toMatch(/^must (?!.*host)/)
  })

  it.each(
    [
      [
        'postgres://u:p@host/db',
        'postgres://u:pa$$w@host/db?ssl=true&pgbouncer=true',
        './.tonplug',
      ],
      ['postgres://u:$ecret1@host/db', 'postgres://u:a%20b%@host/db', 'postgresql:///db?host=/tmp'],
      ['postgres://true:false@none/nil', 'redis://127.0.0.1:6379/0', 'memory://', '', 'C:\\data'],
      ['postgres://u:p@host/db\n', 'rediss://default:abc=@host:6379', 'socket:/tmp db=shop'],
    ].flat(),
  )('accepts %j', (location) => {
    expect(describeSettingMistake(location, { isLocation: true })).toBeUndefined()
  })
})
