import type { Cursor } from '../../src/paging/cursor.js'
import type { Walk } from '../../src/paging/walk.js'
import type { V3Client, V3Result } from '../../src/v3/client.js'
import type { MasterchainBlock } from '../../src/v3/follow/read-block.js'
import type { RowFollow } from '../../src/v3/follow/row-follow.js'

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

function expectType<_Proof extends true>(): void {}

declare const v3: V3Client
const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

type Transaction = V3Result<'transactions'>['transactions'][number]

const walk = v3.transactions.iterate({ account: address, sort: 'asc' }, { pageSize: 500 })
expectType<Equal<typeof walk, Walk<Transaction>>>()
walk.cursor() satisfies Cursor
v3.topAccountsByBalance.iterate({}) satisfies AsyncIterable<{ balance: bigint }>
// @ts-expect-error a walk sets limit itself
v3.transactions.iterate({ limit: 5 })
// @ts-expect-error a walk sets offset itself
v3.transactions.iterate({ offset: 5 })
// @ts-expect-error a misspelt parameter
v3.transactions.iterate({ acount: address })
// @ts-expect-error the seqno is required
v3.masterchainBlockShards.iterate({})
// @ts-expect-error nothing to walk over
v3.masterchainInfo.iterate({})

const follow = v3.transactions.follow({ account: [address] }, { from: new Date(), pollMs: 1000 })
expectType<Equal<typeof follow, RowFollow<Transaction>>>()
follow.cursor() satisfies Cursor
// @ts-expect-error a follow has its own order
v3.transactions.follow({ sort: 'asc' })
// @ts-expect-error a follow has its own bounds
v3.messages.follow({ start_utime: 5 })
// @ts-expect-error a list of what there is now
v3.jettonWallets.follow({})

const blocks = v3.transactionsByMasterchainBlock.follow()
blocks satisfies AsyncIterable<MasterchainBlock>
v3.transactionsByMasterchainBlock.follow({ seqno: 5 }, { prefetch: 4, cursor: blocks.cursor() })
// @ts-expect-error blocks come one by one
blocks.pages()
