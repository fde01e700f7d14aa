import {
  beginCell,
  comment,
  external,
  internal,
  SendMode,
  type Address,
  type MessageRelaxed,
} from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { describe, expect, it } from 'vitest'
import { parseTrace } from '../../../src/toncenter/chain/parse-trace.js'
import { waitForMessage } from '../../../src/toncenter/chain/wait-for-message.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import type { Transaction } from '../../../src/toncenter/v3/schemas/transaction.js'
import { messageCell, walletV4 } from '@tonplug/simulator'
import { serveChain } from '../chain/served-chain.js'
import { readFixtures } from '../v3/fixtures.js'
import { callWith } from '../v3/call-with.js'
import { rawOf } from './written-trace.js'

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 31))
const encrypted = beginCell().storeUint(0x2167da4b, 32).storeBuffer(Buffer.alloc(80, 3)).endCell()
const long = 'Lieferung an Tür 3, bitte klingeln. '.repeat(20)

/** The payments that a wallet of each version makes with one message. */
function batch(count: number): MessageRelaxed[] {
  const to = (seed: number): Address => walletV4(seed).wallet.address
  const all = [
    internal({ to: to(41), value: 1_000_000_000n, bounce: false, body: 'Order 17' }),
    internal({ to: to(42), value: 20_000_000n, bounce: true, body: comment(long) }),
    internal({ to: to(43), value: 1n, bounce: false, body: encrypted }),
    internal({ to: to(44), value: 5_000_000n, bounce: false }),
  ]
  const more = Array.from({ length: count - all.length }, (_, index) =>
    internal({ to: to(50 + index), value: BigInt(index + 1) * 1_000_000n, bounce: false }),
  )
  return [...all, ...more]
}

const common = { workchain: 0, publicKey }
const transfer = { seqno: 0, secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: 2 ** 31 }
const v3 = WalletContractV3R2.create(common)
const v4 = WalletContractV4.create(common)
const v5 = WalletContractV5R1.create({ publicKey })

describe.each([
  ['v3', v3, (messages: MessageRelaxed[]) => v3.createTransfer({ ...transfer, messages }), 4],
  ['v4', v4, (messages: MessageRelaxed[]) => v4.createTransfer({ ...transfer, messages }), 4],
  ['v5', v5, (messages: MessageRelaxed[]) => v5.createTransfer({ ...transfer, messages }), 40],
] as const)('a batch of a wallet %s', (_, wallet, sign, count) => {
  it('is described payment by payment, to the last nanocoin', async () => {
    const { chain, v3Server } = await serveChain()
    await chain.fund(wallet.address, 10_000_000_000n)
    const { init } = wallet
    const message = messageCell(external({ to: wallet.address, body: sign(batch(count)), init }))
    await chain.send(message)

    const client = createV3Client({
      transport: createTransport({ baseUrl: v3Server.url, rps: Infinity }),
    })
    const { trace, outcome, reason } = await waitForMessage(client, message)
    const told = parseTrace(trace)

    expect(told.transfers).toHaveLength(count)
    const amounts = batch(count).map(({ info }) =>
      info.type === 'internal' ? info.value.coins : 0n,
    )
    expect(told.transfers.map((one) => (one.kind === 'native' ? one.amount : 0n))).toEqual(amounts)
    expect(told.transfers.slice(0, 4)).toMatchObject([
      { comment: 'Order 17', outcome: 'arrived', sender: rawOf(wallet.address) },
      { comment: long, outcome: 'bounced', returned: expect.any(BigInt) },
      { encryptedComment: Buffer.alloc(80, 3).toString('base64'), outcome: 'arrived' },
      { outcome: 'arrived' },
    ])
    // The message that bounced.
    expect({ outcome, failures: told.failures.length }).toEqual({ outcome: 'failure', failures: 1 })
    expect(reason).toContain('no_state')
    const changes = Object.values(told.accounts).reduce((sum, { change }) => sum + change, 0n)
    expect(changes).toBe(-told.fees)
    const moved = Object.entries(told.accounts).map(([address, { change }]) => [address, change])
    const transactions = Object.values(trace.transactions ?? {})
    const balances = moved.map(([address]) => [
      address,
      balanceChange(transactions, String(address)),
    ])
    expect(moved).toEqual(balances)
  })
})

/** Returns the change of balance in the states of an account. */
function balanceChange(transactions: readonly Transaction[], address: string): bigint {
  return transactions
    .filter(({ account }) => account === address)
    .reduce((sum, { account_state_before: before, account_state_after: after }) => {
      return sum + (after?.balance ?? 0n) - (before?.balance ?? 0n)
    }, 0n)
}

describe('parseTrace of recorded responses', () => {
  const captured = readFixtures().filter(({ file }) => /captured|^v3__/.test(file))
  const withTransactions = captured.filter(({ endpoint }) =>
    ['traces', 'transactions', 'transactionsByMessage'].includes(endpoint),
  )

  it.each(withTransactions)(
    'returns balance changes that equal the recorded ones: $file',
    async (fixture) => {
      const transactions = await transactionsIn(fixture.endpoint, fixture.text)
      expect(transactions.length).toBeGreaterThan(0)
      for (const one of transactions) {
        const { account, account_state_before: before, account_state_after: after } = one
        const told = parseTrace(traceOf(one))
        expect(told.fees).toBeGreaterThanOrEqual(one.total_fees)
        expect(told.outcome).not.toBe('unknown')
        if (before?.balance === undefined || after?.balance === undefined) continue
        expect(told.accounts[account]?.change).toBe(after.balance - before.balance)
      }
    },
  )

  it('describes a received jetton as the action of the index does', async () => {
    const [fixture] = captured.filter(({ file }) => file === 'traces.captured.json')
    const { traces, metadata } = await callWith('traces', fixture?.text ?? '')
    expect(traces.map((trace) => parseTrace(trace, { metadata }))).toMatchObject([
      {
        outcome: 'success',
        isComplete: true,
        transfers: [
          {
            kind: 'jetton',
            amount: 3_000_000n,
            queryId: 2_929_751_232_266_331_893n,
            jetton: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
            sender: '0:4E3664FAEE814FBDB6C1CB36D72BAC52D15E186C11ECD664FE1B3F1A7CFD801D',
            recipient: '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC',
            outcome: 'arrived',
          },
        ],
        messages: [{}, {}, { value: 1n, outcome: 'arrived' }, { opcode: '0xd53276db' }],
      },
    ])
  })
})

async function transactionsIn(endpoint: string, text: string): Promise<Transaction[]> {
  if (endpoint !== 'traces') return (await callWith('transactions', text)).transactions
  const { traces } = await callWith('traces', text)
  return traces.flatMap((trace) => Object.values(trace.transactions ?? {}))
}

/** A trace of nothing but one transaction. */
function traceOf(transaction: Transaction): Parameters<typeof parseTrace>[0] {
  return {
    start_lt: transaction.lt,
    start_utime: transaction.now,
    trace_info: { trace_state: 'complete', messages: 1, transactions: 1, pending_messages: 0 },
    transactions_order: [],
    transactions: { [transaction.hash]: transaction },
  }
}
