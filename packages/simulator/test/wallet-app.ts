import { Address, Cell, comment, internal, type MessageRelaxed } from '@ton/core'
import { transferBody, type ChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import type { Invoice } from '@tonplug/core'

type Request = Awaited<ReturnType<Invoice['tonConnect']>>

/** The parameters of a link, as a strict wallet app reads them. */
export function readLink(link: string) {
  const [, address = '', query = ''] = /^ton:\/\/transfer\/([A-Za-z0-9_-]{48})\?(.*)$/.exec(link)!
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=')
    if (!['amount', 'text', 'bin', 'jetton', 'exp'].includes(name) || parameters.has(name)) {
      throw new Error(`the link has an unexpected ${name}`)
    }
    parameters.set(name, decodeURIComponent(value))
  }
  return {
    address: Address.parseFriendly(address),
    amount: BigInt(parameters.get('amount')!),
    text: parameters.get('text'),
    bin: parameters.get('bin'),
    jetton: parameters.get('jetton'),
    exp: parameters.get('exp'),
  }
}

/** Pays as a wallet app that opens the link: it builds the message itself. */
export async function payLink(chain: ChainSimulator, payer: SimulatedWallet, link: string) {
  const { address, amount, text = '', bin, jetton } = readLink(link)
  if (jetton === undefined) {
    const body = bin === undefined ? comment(text) : Cell.fromBase64(bin)
    return payer.send([message(address, amount, body)])
  }
  const found = chain.jettons.find(({ master }) => master.equals(Address.parse(jetton)))!
  const body = transferBody({
    amount,
    to: address.address,
    response: payer.address,
    forwardCoins: 1n,
    forwardPayload: comment(text),
  })
  const value = 50_000_000n
  return payer.send([internal({ to: found.walletOf(payer.address), value, bounce: true, body })])
}

/** Pays as a wallet app that is connected through TON Connect; the request comes as JSON. */
export async function payRequest(payer: SimulatedWallet, request: Request) {
  // A bigint would throw here.
  const { from, messages } = JSON.parse(JSON.stringify(request)) as Request
  if (from !== payer.address.toRawString()) throw new Error(`the request is for ${from}`)
  return payer.send(
    messages.map(({ address, amount, payload }) =>
      message(Address.parseFriendly(address), BigInt(amount), Cell.fromBase64(payload)),
    ),
  )
}

function message(
  { address, isBounceable }: ReturnType<typeof Address.parseFriendly>,
  value: bigint,
  body: Cell,
): MessageRelaxed {
  return internal({ to: address, value, bounce: isBounceable, body })
}
