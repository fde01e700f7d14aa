import type { ResultOf } from '../../endpoint/endpoint.js'
import { blockchainData } from '../endpoints/blockchain-data.js'
import { byUtime } from './axes.js'
import { offsetLeg } from './offset-leg.js'
import type { RowList } from './row-list.js'
import { timedList } from './timed-list.js'

type Row = ResultOf<typeof blockchainData.blocks>['blocks'][number]

const idOf = ({ workchain, shard, seqno }: Row): string => `${workchain}:${shard}:${seqno}`

/**
 * `/blocks` is ordered by time, then workchain, shard and seqno, whatever bounds it, and not at all unless `sort` is
 * sent. `start_lt` and `end_lt` are about the block's first lt. A query that takes too long is answered with fewer
 * rows, without an error.
 * Source: the index server of API v3, query of blocks.
 */
export const blockList = timedList({
  endpoint: blockchainData.blocks,
  rowsOf: ({ blocks }) => blocks,
  idOf,
  lt: byUtime('gen_utime'),
  utime: byUtime('gen_utime'),
  canBreakOff: true,
})

/** New servers answer all of them whatever `limit` and `offset` say; others page through them. */
export const shardBlockList: RowList<typeof blockchainData.masterchainBlockShards, Row> = {
  endpoint: blockchainData.masterchainBlockShards,
  rowsOf: ({ blocks }) => blocks,
  legsOf: () => [
    offsetLeg({ endpoint: blockchainData.masterchainBlockShards.name, idOf, isFixed: true }),
  ],
}
