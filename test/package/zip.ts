/** Names and sizes of the files in a zip archive, from its central directory. */
export function filesInZip(zip: Buffer): Map<string, number> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, number>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number];
    files.set(zip.toString('utf8', at + 46, at + 46 + name), zip.readUInt32LE(at + 24));
    at += 46 + name + extra + comment;
  }
  return files;
}
