// A fresh process, as a turn of `-p` is: nothing is compiled or cached yet.
const [file, home] = process.argv.slice(2);
const { measureRecords } = await import(file);
process.stdout.write(JSON.stringify(measureRecords(home, { ...process.env })));
