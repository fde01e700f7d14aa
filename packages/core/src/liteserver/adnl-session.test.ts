import { createHash, createPublicKey, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createAdnlSession, writeHandshake } from './adnl-session.js'
import { toMontgomery } from './key-agreement.js'

const bytes = (digits: string): Buffer => Buffer.from(digits, 'hex')

// A query of the time and its answer, recorded between a client and a liteserver of mainnet. Source: the tests of
// `src/protocol.rs`, tonstack/adnl-rs.
const RECORDED = {
  parameters:
    'b3d529e34b839a521518447b68343aebaae9314ac95aaacfdb687a2163d1a98638db306b63409ef7bc906b4c9dc115488cf90dfa964f520542c69e1a4a495edf9ae9ee72023203c8b266d552f251e8d724929733428c8e276ab3bd6291367336a6ab8dc3d36243419bd0b742f76691a5dec14edbd50f7c1b58ec961ae45be58cbf6623f3ec9705bd5d227761ec79cee377e2566ff668f863552bddfd6ff3a16b',
  serverKey: '2615edec7d5d6538314132321a2615e1ff5550046e0f1165ff59150632d2301f',
  clientKey: '67d45a90e775d8f78d9feb9bdd222446e07c3de4a54e29220d18c18c5b340db3',
  secret: '1f4d11789a5559b238f7ac8213e112184f16a97593b4a059c878af288a784b79',
  handshake:
    'a3fc70bfeff13b04ed4f2581045ff95a385df762eb82ab9902066061c2e6033e67d45a90e775d8f78d9feb9bdd222446e07c3de4a54e29220d18c18c5b340db36c06a61a8eb209b2b4f9d7359d76e3e0722024579d2b8bc920a6506238d6d88d14a880eb99b4996df8a11bb1a7124e39825848c74fc3d7bfab034e71dbc2e2d1606c14db1b04bb25b544a83b47815e9ec0590a9f4dd011b4bae7b01ddb376570d6641919e63933bf297a073b8febfae0c4dd298215e5db929c6764c43502874b7b5af6380fd52d3fd072b7046d6ccadecc771f54b461b5a157fe3e059df9575dc72dfc89e36b26a7cf9a4e7925c96e88d5342c139154c4a6e4e9d683d9373e3a',
  nonce: '9a5ecd5d9afdfff2823e7520fa1c338f2baf1a21f51e6fdab0491d45a50066f7',
  query:
    '7af98bb471ff48e9b263959b17a04faae4a23501380d2aa932b09eac6f9846fcbae9bbcb0cdf068c7904345aad16000000000000',
  sent: '250d70d08526791bc2b6278ded7bf2b051afb441b309dda06f76e4419d7c31d4d5baafc4ff71e0ebabe246d4ea19e3e579bd15739c8fc916feaf46ea7a6bc562ed1cf87c9bf4220eb037b9a0b58f663f0474b8a8b18fa24db515e41e4b02e509d8ef261a27ba894cbbecc92e59fc44bf5ff7c8281cb5e900',
  accepted:
    '81e95e433c87c9ad2a716637b3a12644fbfb12dbd02996abc40ed2beb352483d6ecf9e2ad181a5abde4d4146ca3a8524739d3acebb2d7599cc6b81967692a62118997e16',
  received:
    '4b72a32bf31894cce9ceffd2dd97176e502946524e45e62689bd8c5d31ad53603c5fd3b402771f707cd2747747fad9df52e6c23ceec9fa2ee5b0f68b61c33c7790db03d1c593798a29d716505cea75acdf0e031c25447c55c4d29d32caab29bd5a0787644843bafc04160c92140aab0ecc990927',
  answer:
    '1684ac0f71ff48e9b263959b17a04faae4a23501380d2aa932b09eac6f9846fcbae9bbcb080d0053e9a3ac3062000000',
}

describe('a session of ADNL', () => {
  it('makes the recorded handshake', () => {
    const { serverKey, clientKey, secret, parameters, handshake } = RECORDED
    const made = writeHandshake({
      serverKey: bytes(serverKey),
      clientKey: bytes(clientKey),
      secret: bytes(secret),
      parameters: bytes(parameters),
    })
    expect(Buffer.from(made).toString('hex')).toBe(handshake)
  })

  it('writes the recorded query, and reads the recorded answer, whole or byte by byte', () => {
    const { parameters, nonce, query, sent, accepted, received, answer } = RECORDED
    const session = createAdnlSession(bytes(parameters), () => bytes(nonce))
    expect(Buffer.from(session.write(bytes(query))).toString('hex')).toBe(sent)
    expect(session.read(bytes(accepted + received))).toEqual([bytes(''), bytes(answer)])
    const slow = createAdnlSession(bytes(parameters))
    const payloads = [...bytes(accepted + received)].flatMap((byte) => slow.read(Buffer.of(byte)))
    expect(payloads).toEqual([bytes(''), bytes(answer)])
  })

  it.each([0, 20, 60])('rejects a packet with another byte at %i', (place) => {
    const changed = bytes(RECORDED.accepted)
    changed[place]! ^= 1
    const session = createAdnlSession(bytes(RECORDED.parameters))
    if (place < 4) {
      // The length is larger: the rest of the packet is missing.
      changed[3]! ^= 0x80
    }
    expect(() => session.read(Buffer.concat([changed, bytes('00')]))).toThrow(/a packet has/)
  })
})

it('converts keys of Ed25519 as X25519 has them', () => {
  for (let run = 0; run < 20; run++) {
    const pair = generateKeyPairSync('ed25519')
    const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
    const scalar = createHash('sha512').update(seed).digest().subarray(0, 32)
    const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), scalar])
    const other = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    const expected = other.export({ format: 'der', type: 'spki' }).subarray(-32)
    const key = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    expect(toMontgomery(key)).toEqual(expected)
  }
})
