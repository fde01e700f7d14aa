import assert from 'node:assert/strict'
import { transferLink } from '../../../packages/core/src/shared/transfer-link.js'
import { walletLinks } from '../../../packages/core/src/shared/wallet-links.js'
import { readLink, writeLink } from '../../../packages/tonplug/src/dev/chain/payment-link.js'
import { PageRequestError } from '../../../packages/tonplug/src/dev/page-request-error.js'
import { documented, repeat, type Target, textOf, wrap } from '../target.js'

const ADDRESS = 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe'
const START = `ton://transfer/${ADDRESS}?amount=1`

/** Links that a developer pastes, and links with any comment that a shop creates. */
export const linksTarget: Target = {
  name: 'links',
  words: [
    START,
    'ton://transfer/',
    ADDRESS,
    '?amount=',
    '&text=',
    '&bin=',
    '&jetton=',
    '&exp=',
    '&amount=',
    '%20',
    '%',
    '%zz',
    '+',
    '=',
    '==',
    '&',
    '?',
    '#',
    '/',
    '\n',
    '0',
    '-1',
    '1e9',
    '9'.repeat(31),
    '\u{1F4B0}',
  ],
  grow: {
    parameters: (bytes) => wrap(START, '&text=a', '', bytes),
    'a comment': (bytes) => wrap(`${START}&text=`, '%20', '', bytes),
    'an amount': (bytes) => wrap(START, '1', '', bytes),
    separators: (bytes) => repeat('=&', bytes),
  },
  check(input) {
    const text = textOf(input)
    checkRead(text)
    // Lone surrogates have no encoding, and text from bytes has none.
    const request = { address: ADDRESS, amount: '1', text }
    const link = transferLink(request)
    assert.equal(readLink(link).text, text)
    assert.equal(readLink(link).rawAmount, 1n)
    for (const one of Object.values(walletLinks(request, 'mainnet'))) {
      assert.equal(decodeURIComponent(new URL(one).search), `?amount=1&text=${text}`)
    }
  },
}

function checkRead(text: string): void {
  let link: ReturnType<typeof readLink> | undefined
  documented(PageRequestError, () => (link = readLink(text)))
  if (link === undefined) return
  assert.ok(link.rawAmount > 0n)
  const { expiresAt: _, ...written } = link
  assert.deepEqual(readLink(writeLink(written)), written)
}
