import { crc32 } from 'node:zlib';

/**
 * A PDF of one line of text a page, with an outline that names each page; readers of PDF find its parts without a
 * table of them.
 */
export function pdf(...pages: string[]): string {
  const first = 4 + pages.length;
  const parts = [
    `<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>`,
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${first + at * 2} 0 R`).join(' ')}] /Count ${pages.length} /MediaBox [0 0 595 842] >>`,
    `<< /First 4 0 R /Last ${3 + pages.length} 0 R /Count ${pages.length} >>`,
    ...pages.map((_, at) => {
      const around = `${at > 0 ? ` /Prev ${3 + at} 0 R` : ''}${at < pages.length - 1 ? ` /Next ${5 + at} 0 R` : ''}`;
      return `<< /Title (Part ${at + 1}) /Parent 3 0 R /Dest [${first + at * 2} 0 R /Fit]${around} >>`;
    }),
    ...pages.flatMap((text, at) => {
      const content = `BT /F1 14 Tf 60 700 Td (${text}) Tj ET`;
      const resources = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /Contents ${first + at * 2 + 1} 0 R ${resources} >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const places = parts.map((part, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${part}\nendobj\n`;
    return at;
  });
  const table = file.length;
  file += `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  return `${file}trailer << /Size ${parts.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
}

/** A package of parts that are stored as they are. */
export function zip(parts: Record<string, string>): Uint8Array {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const [path, body] = [Buffer.from(name), Buffer.from(text)];
    // What the head of a part and its entry in the list have in common: version, flags, method, time, sum, sizes.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(path.length, 22);
    bodies.push(Buffer.from('PK\x03\x04'), common, path, body);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    entries.push(Buffer.from('PK\x01\x02\x14\x00'), common, rest, path);
    at += 30 + path.length + body.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  const count = Object.keys(parts).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, list, end]);
}

/** A text document of these paragraphs. */
export function docx(...paragraphs: string[]): Uint8Array {
  const office = 'http://schemas.openxmlformats.org';
  return zip({
    '_rels/.rels': `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`,
  });
}
