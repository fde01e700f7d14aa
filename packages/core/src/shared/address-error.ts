import { TonplugError } from './tonplug-error.js'

/** A string is not a TON address: wrong length, alphabet, tag or checksum. */
export class AddressError extends TonplugError<{ input: string }> {
  override readonly name = 'AddressError'
  readonly code = 'ERR_TONPLUG_ADDRESS'

  constructor(facts: { input: string; problem: string }) {
    super({
      message: `${quote(facts.input)} is not a TON address: ${facts.problem}`,
      details: { input: facts.input },
    })
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
