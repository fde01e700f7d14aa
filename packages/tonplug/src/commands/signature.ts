import { Option, type Command } from 'commander'
import { readBody } from '../body-file.js'
import { jsonOption } from '../options.js'
import type { Deliver } from '../report.js'
import { readSecrets } from '../secret.js'
import { verify } from './verify.js'

const collect = (path: string, paths: string[]): string[] => [...paths, path]

interface VerifyFlags {
  signature: string
  secretFile: string[]
  encoding: 'hex' | 'base64'
}

/** Adds `verify`. */
export function verifyCommand(program: Command, deliver: Deliver): void {
  program
    .command('verify')
    .description('explain why a signature does not match')
    .argument('<body>', 'file with the bytes as they were received, or - for the standard input')
    .requiredOption('-s, --signature <value>', 'the value of the signature header')
    .addOption(
      new Option(
        '--secret-file <path>',
        'file with the secret, otherwise TONPAY_WEBHOOK_SECRET; repeat it to try others',
      )
        .default([], 'none')
        .argParser(collect),
    )
    .addOption(
      new Option('--encoding <encoding>', 'the encoding of the digest that your receiver expects')
        .choices(['hex', 'base64'])
        .default('hex'),
    )
    .addOption(jsonOption())
    .action((path: string, { signature, secretFile, encoding }: VerifyFlags) => {
      const secrets = readSecrets(secretFile)
      deliver(verify({ body: readBody(path), signature, secrets, encoding }))
    })
}
