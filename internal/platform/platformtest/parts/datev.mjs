// Checks a batch of bookings with the npm package @seamless-engineering/datev-extf:
//   node datev.mjs MODULE FILE
// Prints how many bookings it has seen, and what it found, as one JSON object.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , folder, file] = process.argv
const checker = await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)
const report = checker.validateExtf(checker.decodeBytes(await readFile(file)))

console.log(JSON.stringify({
	rows: report.rows,
	findings: report.findings.map(f => `${f.severity} ${f.code}, line ${f.line ?? 0}: ${checker.formatFinding(f, 'en')}`),
}))
