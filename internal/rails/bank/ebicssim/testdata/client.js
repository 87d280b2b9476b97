// Lets the npm package ebics-client (H004) register with a bank, pay and fetch:
//   node client.js MODULE URL FOLDER PAYMENT
// Prints what it got as one JSON object.
const [, , module_, url, folder, payment] = process.argv
const fs = require('fs')
const path = require('path')
const ebics = require(module_)

const settings = {
	url,
	partnerId: 'NODEPARTNER',
	userId: 'NODEUSER',
	hostId: 'SLIPBANK',
	passphrase: 'test',
	keyStorage: ebics.fsKeysStorage(path.join(folder, 'keys')),
}

const main = async () => {
	const client = new ebics.Client(settings)
	const out = {}
	out.ini = (await client.send(ebics.Orders.INI)).technicalCode
	out.hia = (await client.send(ebics.Orders.HIA)).technicalCode

	const hpb = await client.send(ebics.Orders.HPB)
	out.hpb = hpb.technicalCode + hpb.businessCode
	await client.setBankKeys(hpb.bankKeys)
	const keys = await client.keys()
	out.hash = Buffer.from(require(path.join(module_, 'lib/crypto/Crypto')).digestPublicKey(keys.bankX()), 'base64').toString('hex')

	const [transaction, order] = await client.send(ebics.Orders.CCT(fs.readFileSync(payment, 'utf8')))
	out.transaction = transaction
	out.order = order

	const advices = ebics.Orders.C53()
	advices.orderDetails.OrderType = 'C54'

	for (const [name, order] of Object.entries({ HTD: ebics.Orders.HTD, HKD: ebics.Orders.HKD, HAC: ebics.Orders.HAC(), C54: advices })) {
		const got = await client.send(order)
		out[name] = { code: got.technicalCode + got.businessCode, data: got.orderData.toString('latin1') }
	}
	console.log(JSON.stringify(out))
}

main().catch((e) => {
	console.error(e)
	process.exit(1)
})
