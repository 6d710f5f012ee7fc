// Sends COUNT small requests one after the other over one connection: node bareClient.mjs URL COUNT
import http from 'node:http';

const [url, count] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const tool = { name: 'Read', input_schema: { type: 'object' } };
const body = JSON.stringify({ model: 'bench', stream: true, tools: [tool, tool, tool], messages: [] });

for (let n = 0; n < Number(count); n++) {
  await new Promise((resolve, reject) => {
    const request = http.request(`${url}/v1/messages`, { method: 'POST', agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    request.on('error', reject);
    request.end(body);
  });
}
agent.destroy();
console.log('{}');
