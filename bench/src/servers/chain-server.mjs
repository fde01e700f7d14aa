// Runs a simulated chain in a separate process. Sends its URL and the wallet of a shop, and on request the number of requests.
import { createChainSimulator } from '@tonplug/simulator'

const chain = await createChainSimulator()
const shop = await chain.createWallet()
process.on('message', () => process.send(chain.v3Server.requests.length))
process.send({ url: chain.url, wallet: shop.address.toString({ bounceable: false }) })
